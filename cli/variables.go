package cli

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gatewright/model"
)

// number is a flag that takes a whole number; empty is 0, which stands for none
// and is not written as 0: nothing here can be 0.
type number int

// String is the number as it is written.
func (n *number) String() string { return strconv.Itoa(int(*n)) }

// Type is what help calls the value.
func (n *number) Type() string { return "number" }

// Set reads the value that the command line gives.
func (n *number) Set(text string) error {
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
	*n = number(value)
	return nil
}

// wordsOf are the words that the values of a type have on the command line.
func wordsOf[T ~string](values []T) []string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = string(v)
	}
	return words
}

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
		return misuse("--%s is empty beside others; give it alone to clear the list", flag)
	}
	return nil
}

// checkText refuses a value in another encoding than UTF-8: a JSON file would
// hold something else.
func checkText(flag, value string) error {
	if !utf8.ValidString(value) {
		return misuse("--%s: %s is not text in UTF-8; write it in that encoding", flag, model.Quote(value))
	}
	return nil
}

// parseVariable reads NAME=VALUE.
func parseVariable(flag, text string) (model.Variable, error) {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return model.Variable{}, misuse("--%s takes NAME=VALUE, not %s", flag, model.Quote(text))
	}
	return model.Variable{Name: name, Value: value}, checkText(flag, value)
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
		have := make([]string, len(list))
		for i, v := range list {
			have[i] = v.Name
		}
		return nil, notThere(flag, name, have)
	}
	if len(next) == 0 {
		return nil, nil
	}
	return next, nil
}
