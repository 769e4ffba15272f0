package model

import (
	"cmp"
	"slices"

	"gatewright/model/access"
)

// Diff lists what a push would do to each resource, and why. was is the backend of the last
// push (nil if there was none), now the backend to push, both made by For. There is one
// Difference for each environment, API, function and table, the user pool with its groups,
// the data API, the bucket, and each output, in this order and then by name. Two spellings
// of the same value are no difference, except in access: there a reason says that nobody
// gains or loses anything.
func Diff(was, now *Backend) []Difference { return diff(was, now, true) }

// DiffWithoutValues is Diff for readers who may not know the values of variables and parameters:
// it says which of them have another value, and not what.
func DiffWithoutValues(was, now *Backend) []Difference { return diff(was, now, false) }

func diff(was, now *Backend, values bool) []Difference {
	if was == nil {
		was = &Backend{}
	}
	if now == nil {
		now = &Backend{}
	}
	environments := differences(KindEnvironment, was.Environments, now.Environments, func(w, n *Environment) []string {
		return environmentChanges(was, now, w, n, values)
	})
	functions := differences(KindFunction, was.Functions, now.Functions,
		func(w, n *Function) []string { return functionChanges(w, n, values) })
	return slices.Concat(
		environments,
		differences(KindAPI, was.APIs, now.APIs, apiChanges),
		functions,
		differences(KindTable, was.Tables, now.Tables, tableChanges),
		difference(Ref{Kind: KindAuth}, was.UsesUserPool(), now.UsesUserPool(),
			func() []string { return userPoolChanges(was, now) }),
		difference(Ref{Kind: KindData}, was.Data != nil, now.Data != nil,
			func() []string { return definitionChanges(was.Data, now.Data) }),
		difference(Ref{Kind: KindStorage}, was.Storage != nil, now.Storage != nil,
			func() []string { return definitionChanges(was.Storage, now.Storage) }),
		differences(KindOutput, was.Outputs, now.Outputs, outputChanges),
	)
}

// difference returns what happens to one resource; nil if it is on neither side. why gives
// the reasons.
func difference(of Ref, had, has bool, why func() []string) []Difference {
	d := Difference{Of: of}
	switch {
	case !had && !has:
		return nil
	case !had:
		d.Operation = ToCreate
	case !has:
		d.Operation = ToDelete
	}
	d.Reasons = why()
	if had && has && len(d.Reasons) > 0 {
		d.Operation = ToUpdate
	}
	return []Difference{d}
}

// differences compares two lists of one kind. why gives the reasons; its argument is nil
// for a side that lacks the thing.
func differences[T any, P interface {
	*T
	named
}](kind Kind, was, now []P, why func(was, now P) []string) []Difference {
	var all []Difference
	for w, n := range access.Pairs(was, now, P.Key) {
		either := w
		if either == nil {
			either = n
		}
		of := Ref{Kind: kind, Name: either.Key()}
		all = append(all, difference(of, w != nil, n != nil, func() []string { return why(w, n) })...)
	}
	slices.SortStableFunc(all, func(a, b Difference) int { return cmp.Compare(a.Of.Name, b.Of.Name) })
	return all
}
