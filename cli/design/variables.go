package design

import (
	"slices"
	"unicode/utf8"

	"gatewright/cli/command"
	"gatewright/flow/resource"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// listValue returns the values of a flag; nil for a single empty value, which clears the
// list.
func listValue(values []string) []string {
	if len(values) == 1 && values[0] == "" {
		return nil
	}
	return values
}

// checkCleared refuses an empty value beside others in a list.
func checkCleared(flag string, values []string) error {
	if len(values) > 1 && slices.Contains(values, "") {
		return command.Misuse("--%s has an empty value among others; to clear the list give only the empty value", flag)
	}
	return nil
}

// checkText refuses a value that is not UTF-8: a JSON file cannot hold it unchanged.
func checkText(flag, value string) error {
	if !utf8.ValidString(value) {
		return command.Misuse("--%s: %s is not valid UTF-8; write it in that encoding", flag, phrase.Quote(value))
	}
	return nil
}

// unsetVariables removes variables, which must be there, from a list.
func unsetVariables(flag string, list *[]model.Variable, names ...string) error {
	for _, name := range names {
		if have := resource.EntriesOf(list); !have.Remove(name) {
			return noSuchValue(flag, name, have.Names())
		}
	}
	return nil
}
