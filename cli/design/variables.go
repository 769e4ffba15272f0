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
		return command.Misuse("--%s has an empty value beside others; to clear the list give the empty value alone", flag)
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

// textFlag is a flag with a text, and the place for its value.
type textFlag struct {
	flag, value string
	into        *string
}

// setTexts copies the values of the flags that are given.
func setTexts(given func(string) bool, flags []textFlag) error {
	for _, f := range flags {
		if !given(f.flag) {
			continue
		}
		if err := checkText(f.flag, f.value); err != nil {
			return err
		}
		*f.into = f.value
	}
	return nil
}

// parseVariable parses NAME=VALUE.
func parseVariable(flag, text string) (model.Variable, error) {
	v, err := resource.ParseVariable(text)
	if err != nil {
		return v, misuse(flag, err)
	}
	return v, checkText(flag, v.Value)
}

// variableNames lists the names of variables.
func variableNames(list []model.Variable) []string {
	names := make([]string, len(list))
	for i, v := range list {
		names[i] = v.Name
	}
	return names
}

// setVariable returns a copy of the list with a variable set, in its place if it is there.
func setVariable(list []model.Variable, v model.Variable) []model.Variable {
	next := slices.Clone(list)
	for i := range next {
		if next[i].Name == v.Name {
			next[i].Value = v.Value
			return next
		}
	}
	return append(next, v)
}

// unsetVariable returns a copy of the list without a variable, which must be there.
func unsetVariable(flag string, list []model.Variable, name string) ([]model.Variable, error) {
	next := slices.DeleteFunc(slices.Clone(list), func(v model.Variable) bool { return v.Name == name })
	if len(next) == len(list) {
		return nil, noSuchValue(flag, name, variableNames(list))
	}
	if len(next) == 0 {
		return nil, nil
	}
	return next, nil
}
