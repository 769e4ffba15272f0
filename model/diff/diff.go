// Package diff says what a push would do to each resource, and why, between two backends. What differs
// in access is said by access.Compare alone.
package diff

import (
	"cmp"
	"slices"

	"gatewright/model"
	"gatewright/model/access"
)

// Backends lists what a push would do to each resource, and why. was is the backend of the last push (nil if there
// was none), now the backend to push, both made by For. There is one Difference for each environment, API, function
// and table, the user pool with its groups, the data API, the bucket, and each output, in this order and then by
// name. Two spellings of the same value are no difference, except in access: there a reason says that nobody gains or
// loses anything.
func Backends(was, now *model.Backend) []Difference { return diff(was, now, true) }

// WithoutValues is Diff for readers who may not know the values of variables and parameters:
// it says which of them have another value, and not what.
func WithoutValues(was, now *model.Backend) []Difference { return diff(was, now, false) }

func diff(was, now *model.Backend, values bool) []Difference {
	if was == nil {
		was = &model.Backend{}
	}
	if now == nil {
		now = &model.Backend{}
	}
	environments := differences(model.KindEnvironment, was.Environments, now.Environments,
		func(w, n *model.Environment) []string { return environmentChanges(was, now, w, n, values) })
	functions := differences(model.KindFunction, was.Functions, now.Functions,
		func(w, n *model.Function) []string { return functionChanges(w, n, values) })
	return slices.Concat(
		environments,
		differences(model.KindAPI, was.APIs, now.APIs,
			func(w, n *access.API) []string { return apiChanges(w, n, now.Terms()) }),
		functions,
		differences(model.KindTable, was.Tables, now.Tables, tableChanges),
		difference(model.Ref{Kind: model.KindAuth}, was.UsesUserPool(), now.UsesUserPool(),
			func() []string { return userPoolChanges(was, now) }),
		difference(model.Ref{Kind: model.KindData}, was.Data != nil, now.Data != nil,
			func() []string { return definitionChanges(was.Data, now.Data) }),
		difference(model.Ref{Kind: model.KindStorage}, was.Storage != nil, now.Storage != nil,
			func() []string { return definitionChanges(was.Storage, now.Storage) }),
		differences(model.KindOutput, was.Outputs, now.Outputs, outputChanges),
	)
}

// difference returns what happens to one resource; nil if it is on neither side. why gives the reasons.
func difference(of model.Ref, had, has bool, why func() []string) []Difference {
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
	model.Named
}](kind model.Kind, was, now []P, why func(was, now P) []string) []Difference {
	var all []Difference
	for w, n := range access.Pairs(was, now, P.Key) {
		either := w
		if either == nil {
			either = n
		}
		of := model.Ref{Kind: kind, Name: either.Key()}
		all = append(all, difference(of, w != nil, n != nil, func() []string { return why(w, n) })...)
	}
	slices.SortStableFunc(all, func(a, b Difference) int { return cmp.Compare(a.Of.Name, b.Of.Name) })
	return all
}
