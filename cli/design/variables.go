package design

import (
	"slices"
	"strings"
	"unicode/utf8"

	"gatewright/cli/command"
	"gatewright/model"
)

// listOf is the list that a flag gives; one empty value clears it.
func listOf(values []string) []string {
	if len(values) == 1 && values[0] == "" {
		return nil
	}
	return values
}

// clearedAlone refuses a list in which an empty value stands beside others.
func clearedAlone(flag string, values []string) error {
	if len(values) > 1 && slices.Contains(values, "") {
		return command.Misuse("--%s is empty beside others; give it alone to clear the list", flag)
	}
	return nil
}

// checkText refuses a value in another encoding than UTF-8: a JSON file would
// hold something else.
func checkText(flag, value string) error {
	if !utf8.ValidString(value) {
		return command.Misuse("--%s: %s is not text in UTF-8; write it in that encoding", flag, model.Quote(value))
	}
	return nil
}

// textFlag is a flag with a text, and where its value goes.
type textFlag struct {
	flag, value string
	into        *string
}

// setTexts sets what the given ones of some flags say.
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

// parseVariable reads NAME=VALUE.
func parseVariable(flag, text string) (model.Variable, error) {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return model.Variable{}, command.Misuse("--%s takes NAME=VALUE, not %s", flag, model.Quote(text))
	}
	return model.Variable{Name: name, Value: value}, checkText(flag, value)
}

// variableNames are the names of variables.
func variableNames(list []model.Variable) []string {
	names := make([]string, len(list))
	for i, v := range list {
		names[i] = v.Name
	}
	return names
}

// setVariable is a copy of the list in which a variable has a value. One that is
// there keeps its place.
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

// unsetVariable is a copy of the list without a variable, which must be there.
func unsetVariable(flag string, list []model.Variable, name string) ([]model.Variable, error) {
	next := slices.DeleteFunc(slices.Clone(list), func(v model.Variable) bool { return v.Name == name })
	if len(next) == len(list) {
		return nil, notThere(flag, name, variableNames(list))
	}
	if len(next) == 0 {
		return nil, nil
	}
	return next, nil
}
