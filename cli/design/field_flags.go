package design

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatewright/cli/command"
	"gatewright/flow/resource"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/field"
)

// fieldFlag is the flag of a field of a definition, with what help says of it. Without complete its
// value is completed with the words of the field.
type fieldFlag struct {
	field, usage string
	complete     cobra.CompletionFunc
}

// addFieldFlags adds the flags of fields: for a list one that may be given several times.
func addFieldFlags(cmd *cobra.Command, of field.Object, all []fieldFlag) {
	flags := cmd.Flags()
	for _, f := range all {
		row := field.Of(of, f.field)
		switch row.Value.(type) {
		case *string, *model.Key:
			flags.String(row.Flag, "", f.usage)
		case *int:
			flags.Var(new(command.Number), row.Flag, f.usage)
		case *bool:
			flags.Bool(row.Flag, false, f.usage)
		default:
			flags.StringArray(row.Flag, nil, f.usage)
		}
		if f.complete == nil && row.Words != nil {
			f.complete = command.CompleteWords(row.Words...)
		}
		if f.complete != nil {
			_ = cmd.RegisterFlagCompletionFunc(row.Flag, f.complete)
		}
	}
}

// fieldsGiven reports whether a flag of a field is given.
func fieldsGiven(cmd *cobra.Command, of field.Object) bool {
	for _, row := range of.Fields() {
		if cmd.Flags().Changed(row.Flag) {
			return true
		}
	}
	return false
}

// flagValues are the values of a flag that may be given several times, as they were given; nil for
// a flag of another kind.
func flagValues(cmd *cobra.Command, flag string) []string {
	if list, several := cmd.Flags().Lookup(flag).Value.(pflag.SliceValue); several {
		return list.GetSlice()
	}
	return nil
}

// setFields sets the fields whose flags are given. An empty value clears a field. Lists of texts, of
// access and of policies are replaced; an entry of another list replaces the one of its name.
func setFields(cmd *cobra.Command, of field.Object) error {
	for _, row := range of.Fields() {
		if !cmd.Flags().Changed(row.Flag) {
			continue
		}
		text := cmd.Flags().Lookup(row.Flag).Value.String()
		switch v := row.Value.(type) {
		case *string:
			*v = text
		case *int:
			*v = int(*cmd.Flags().Lookup(row.Flag).Value.(*command.Number))
		case *bool:
			*v = text == "true"
		case *model.Key:
			if *v = (model.Key{}); text == "" {
				continue
			}
			var err error
			if *v, err = parseKey(row.Flag, text); err != nil {
				return err
			}
		case *[]string:
			*v = listValue(flagValues(cmd, row.Flag))
		default:
			if err := setEntries(row, flagValues(cmd, row.Flag)); err != nil {
				return err
			}
		}
	}
	return nil
}

// setEntries puts the values of a flag into a list.
func setEntries(row field.Row, lines []string) error {
	list := resource.EntriesOf(row.Value)
	if list == nil {
		return nil
	}
	put := list.Put
	switch replaced := row.Value.(type) {
	case *[]model.ResourceAccess:
		*replaced, lines, put = nil, listValue(lines), list.Add
	case *[]model.Statement:
		*replaced, lines, put = nil, listValue(lines), list.Add
	}
	for _, line := range lines {
		err := put(line)
		if twice := (*resource.TwiceError)(nil); errors.As(err, &twice) {
			return command.Misuse("--%s names %s twice%s", row.Flag, phrase.Quote(twice.Name), twice.Fix)
		}
		if err != nil {
			return misuse(row.Flag, err)
		}
		if _, variables := row.Value.(*[]model.Variable); variables {
			_, value, _ := strings.Cut(line, "=")
			if err := checkText(row.Flag, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkValues refuses values of flags that no file could have, and lists that are not clear.
func checkValues(cmd *cobra.Command, flags ...string) error {
	for _, flag := range flags {
		values := flagValues(cmd, flag)
		if values == nil {
			values = []string{cmd.Flags().Lookup(flag).Value.String()}
		}
		if err := checkCleared(flag, values); err != nil {
			return err
		}
		for _, value := range values {
			if err := checkText(flag, value); err != nil {
				return err
			}
		}
	}
	return nil
}
