package command

import (
	"errors"
	"net/url"
	"strconv"

	"github.com/spf13/cobra"

	"gatewright/internal/text/phrase"
)

// Number is a flag that takes a whole number other than 0. An empty value is stored as 0
// and means the default.
type Number int

// String returns the number in decimal.
func (n *Number) String() string { return strconv.Itoa(int(*n)) }

// Type returns the word that help uses for the value.
func (n *Number) Type() string { return "number" }

// Set parses the value of the flag.
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
		return errors.New("leave the value empty for the default")
	}
	*n = Number(value)
	return nil
}

// Words converts values to strings.
func Words[T ~string](values []T) []string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = string(v)
	}
	return words
}

// AddTableEndpoint adds the flag for a service that holds the tables.
func AddTableEndpoint(cmd *cobra.Command, endpoint *string) {
	cmd.Flags().StringVar(endpoint, "table-endpoint", "",
		"the `URL` of a service with DynamoDB's API; it holds all tables (default: the sandbox)")
	_ = cmd.RegisterFlagCompletionFunc("table-endpoint", cobra.NoFileCompletions)
}

// CheckTableEndpoint checks the value of the flag that AddTableEndpoint adds.
func CheckTableEndpoint(endpoint string) error {
	if endpoint == "" {
		return nil
	}
	if u, err := url.Parse(endpoint); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return Misuse("--table-endpoint takes a URL such as http://127.0.0.1:8000, not %s", phrase.Quote(endpoint))
	}
	return nil
}
