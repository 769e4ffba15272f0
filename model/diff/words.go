package diff

import (
	"cmp"
	"fmt"
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/field"
)

// The functions of this file append reasons to a list. Only was and now of change are
// printable already; the others quote their arguments.

// fieldChanges reports the fields of a thing that differ, as far as they have a noun. of begins
// each reason; values says that the values of variables are shown.
func fieldChanges(reasons []string, of string, was, now field.Object, values bool) []string {
	before := was.Fields()
	for i, n := range now.Fields() {
		w, what := before[i], of+n.Noun
		if n.Noun == "" {
			continue
		}
		switch value := n.Value.(type) {
		case *string:
			if from := *w.Value.(*string); from != *value {
				reasons = textChange(reasons, what, cmp.Or(from, w.Default), cmp.Or(*value, n.Default))
			}
		case *int:
			from, to, sign := cmp.Or(*w.Value.(*int), n.Range.Default), cmp.Or(*value, n.Range.Default), n.Range.Sign
			if from != to {
				reasons = append(reasons, fmt.Sprintf("%s %d %s -> %d %s", what, from, sign, to, sign))
			}
		case *bool:
			if *w.Value.(*bool) != *value {
				reasons = append(reasons, what+map[bool]string{true: " off -> on", false: " on -> off"}[*value])
			}
		case *[]string:
			from := *w.Value.(*[]string)
			if reasons = nameChanges(reasons, what, from, *value); n.Ordered {
				reasons = orderChange(reasons, what+"s", from, *value)
			}
		case *[]model.Variable:
			reasons = variableChanges(reasons, what, *w.Value.(*[]model.Variable), *value, values)
		case *model.Key:
			reasons = change(reasons, what, keyWords(*w.Value.(*model.Key)), keyWords(*value))
		}
	}
	return reasons
}

// change reports a value that differs; "" stands for no value.
func change(reasons []string, what, was, now string) []string {
	switch {
	case was == now:
		return reasons
	case was == "":
		return append(reasons, what+" "+now+" is new")
	case now == "":
		return append(reasons, what+" "+was+" is gone")
	}
	return append(reasons, what+" "+was+" -> "+now)
}

// textChange reports a text that differs; "" stands for no text.
func textChange(reasons []string, what, was, now string) []string {
	if was == now {
		return reasons
	}
	from, to := "", ""
	if was != "" {
		from = phrase.Quote(was)
	}
	if now != "" {
		to = phrase.Quote(now)
	}
	if from == to {
		return append(reasons, anotherValue(what))
	}
	return change(reasons, what, from, to)
}

// anotherValue returns the reason for two values that look the same in one line.
func anotherValue(what string) string { return what + " changed its value" }

// variableChanges reports the variables that differ.
func variableChanges(reasons []string, what string, was, now []model.Variable, values bool) []string {
	name := func(v *model.Variable) string { return v.Name }
	for w, n := range access.Pairs(pointers(was), pointers(now), name) {
		switch {
		case w == nil:
			reasons = append(reasons, what+" "+phrase.Quote(n.Name)+" is new")
		case n == nil:
			reasons = append(reasons, what+" "+phrase.Quote(w.Name)+" is gone")
		case w.Value == n.Value:
		case !values || model.NamesKey(n.Name) || phrase.Quote(w.Value) == phrase.Quote(n.Value):
			reasons = append(reasons, anotherValue(what+" "+phrase.Quote(n.Name)))
		default:
			reasons = append(reasons, what+" "+phrase.Quote(n.Name)+" "+phrase.Quote(w.Value)+" -> "+phrase.Quote(n.Value))
		}
	}
	return reasons
}

// nameChanges reports the names of a list that are new and those that are gone.
func nameChanges(reasons []string, what string, was, now []string) []string {
	for w, n := range access.Pairs(pointers(was), pointers(now), func(name *string) string { return *name }) {
		switch {
		case w == nil:
			reasons = append(reasons, what+" "+phrase.Quote(*n)+" is new")
		case n == nil:
			reasons = append(reasons, what+" "+phrase.Quote(*w)+" is gone")
		}
	}
	return reasons
}

// orderChange reports that the names in both lists have another order.
func orderChange(reasons []string, what string, was, now []string) []string {
	if slices.Equal(common(was, now), common(now, was)) {
		return reasons
	}
	return append(reasons, what+" are in another order: "+phrase.QuoteList(now))
}

// common returns the names of a list that another list has too, in the order of the first.
func common(list, other []string) []string {
	has := make(map[string]bool, len(other))
	for _, name := range other {
		has[name] = true
	}
	return slices.DeleteFunc(slices.Clone(list), func(name string) bool { return !has[name] })
}

func pointers[T any](list []T) []*T {
	all := make([]*T, len(list))
	for i := range list {
		all[i] = &list[i]
	}
	return all
}
