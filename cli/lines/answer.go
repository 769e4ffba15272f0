package lines

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gatewright/flow"
	"gatewright/model"
)

// promptOf is a field's label with what is said now.
func promptOf(f flow.Field) string {
	label := f.Label
	if label == "" {
		label = "Your choice"
	}
	now := f.Value
	switch f.Kind {
	case flow.Choice:
		for i, o := range f.Options {
			if o.Key == f.Value {
				now = strconv.Itoa(i + 1)
			}
		}
	case flow.Several:
		label += ", numbers separated by commas, or none"
		var numbers []string
		for i, o := range f.Options {
			if slices.Contains(f.Chosen, o.Key) {
				numbers = append(numbers, strconv.Itoa(i+1))
			}
		}
		now = strings.Join(numbers, ", ")
	case flow.Text:
		if now == "" && f.Placeholder != "" {
			return label + " (" + f.Placeholder + ")"
		}
	}
	if now != "" {
		label += " (now " + now + ")"
	}
	return label
}

// answer reads what was typed for a field.
func answer(f flow.Field, text string) (value string, chosen []string, err error) {
	if f.Kind == flow.Text {
		if text == "none" {
			text = ""
		}
		return text, nil, nil
	}
	if f.Kind == flow.Several && text == "none" {
		return "", []string{}, nil
	}
	parts := strings.Split(text, ",")
	if f.Kind == flow.Choice && len(parts) > 1 {
		return "", nil, errors.New("please choose one")
	}
	for _, part := range parts {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 1 || n > len(f.Options) {
			return "", nil, fmt.Errorf("%s is not one of the numbers 1 to %d", model.Quote(strings.TrimSpace(part)), len(f.Options))
		}
		if reason := f.Options[n-1].Disabled; reason != "" {
			return "", nil, fmt.Errorf("%d is not available: %s", n, reason)
		}
		chosen = append(chosen, f.Options[n-1].Key)
	}
	if f.Kind == flow.Choice {
		return chosen[0], nil, nil
	}
	return "", chosen, nil
}
