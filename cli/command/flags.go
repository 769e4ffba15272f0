package command

import (
	"errors"
	"net/url"
	"strconv"

	"github.com/spf13/cobra"

	"gatewright/model"
)

// Number is a flag that takes a whole number; empty is 0, which stands for none
// and is not written as 0: nothing here can be 0.
type Number int

// String is the number as it is written.
func (n *Number) String() string { return strconv.Itoa(int(*n)) }

// Type is what help calls the value.
func (n *Number) Type() string { return "number" }

// Set reads the value that the command line gives.
func (n *Number) Set(text string) error {
	if text == "" {
		*n = 0
		return nil
	}
	value, err := strconv.Atoi(text)
	switch {
	case err != nil:
		return errors.New("give a whole number")
	case value == 0:
		return errors.New("is out of range; leave the value empty for the default")
	}
	*n = Number(value)
	return nil
}

// Words are the words that the values of a type have on the command line.
func Words[T ~string](values []T) []string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = string(v)
	}
	return words
}

// AddTableEndpoint adds the flag that names another service for tables.
func AddTableEndpoint(cmd *cobra.Command, endpoint *string) {
	cmd.Flags().StringVar(endpoint, "table-endpoint", "", "the `URL` of another service with DynamoDB's protocol, for all tables (default: the sandbox's own)")
	_ = cmd.RegisterFlagCompletionFunc("table-endpoint", cobra.NoFileCompletions)
}

// CheckTableEndpoint checks what was given for it.
func CheckTableEndpoint(endpoint string) error {
	if endpoint == "" {
		return nil
	}
	if at, err := url.Parse(endpoint); err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" {
		return Misuse("--table-endpoint takes a URL such as http://127.0.0.1:8000, not %s", model.Quote(endpoint))
	}
	return nil
}
