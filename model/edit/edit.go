// Package edit has the edits that keep a backend valid. Each copies what it changes, puts the copy in
// place and shares the rest. It refuses what adds an error to those that the backend has.
package edit

import (
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/check"
)

// SetProject replaces the settings of the project as a whole.
func SetProject(b *model.Backend, p model.Project) error {
	if err := check.Refusal(check.Project(p), func() []*model.Problem { return check.ProjectProblems(b) }); err != nil {
		return err
	}
	b.Project = p
	return nil
}

// AddFunction adds a handler function. A function of the template CRUD may get its table
// later; until then Check reports it.
func AddFunction(b *model.Backend, f *model.Function) error {
	if err := free(model.KindFunction, b.Functions, f.Name, ""); err != nil {
		return err
	}
	f = model.Copied(f)
	return putFunction(b, f, with(b.Functions, f), check.None)
}

// UpdateFunction replaces the function called f.Name.
func UpdateFunction(b *model.Backend, f *model.Function) error {
	have := b.Function(f.Name)
	if have == nil {
		return model.UnknownError(model.Ref{Kind: model.KindFunction, Name: f.Name}, model.Names(b.Functions))
	}
	f = model.Copied(f)
	return putFunction(b, f, swapped(b.Functions, f.Name, f), func() []*model.Problem {
		return append(check.New(b).CheckFunction(have), check.DeployedName(b, have)...)
	})
}

func putFunction(b *model.Backend, f *model.Function, all []*model.Function, before func() []*model.Problem) error {
	next := *b
	next.Functions = all
	if err := check.Refusal(append(check.New(&next).CheckFunction(f), check.DeployedName(&next, f)...),
		before); err != nil {
		return err
	}
	b.Functions = all
	return nil
}

// AddTable adds a key-value table.
func AddTable(b *model.Backend, t *model.Table) error {
	if err := free(model.KindTable, b.Tables, t.Name, ""); err != nil {
		return err
	}
	t = model.Copied(t)
	if err := check.Refusal(check.New(b).CheckTable(t), check.None); err != nil {
		return err
	}
	b.Tables = with(b.Tables, t)
	return nil
}

// UpdateTable replaces the table called t.Name. The keys of a table that
// exists cannot change: its items are found by them.
func UpdateTable(b *model.Backend, t *model.Table) error {
	have := b.Table(t.Name)
	if have == nil {
		return model.UnknownError(model.Ref{Kind: model.KindTable, Name: t.Name}, model.Names(b.Tables))
	}
	if have.PartitionKey != t.PartitionKey || have.SortKey != t.SortKey {
		return &model.Problem{
			Of: model.Ref{Kind: model.KindTable, Name: t.Name}, Field: "key", Text: "the keys of a table cannot change",
			Fix: "make a new table and move the items",
		}
	}
	t = model.Copied(t)
	if err := check.Refusal(check.New(b).CheckTable(t),
		func() []*model.Problem { return check.New(b).CheckTable(have) }); err != nil {
		return err
	}
	b.Tables = swapped(b.Tables, t.Name, t)
	return nil
}

// AddEnvironment adds an environment.
func AddEnvironment(b *model.Backend, e *model.Environment) error {
	if err := free(model.KindEnvironment, b.Environments, e.Name, ""); err != nil {
		return err
	}
	e = model.Copied(e)
	return putEnvironment(b, e, with(b.Environments, e), check.None)
}

// UpdateEnvironment replaces the environment called e.Name.
func UpdateEnvironment(b *model.Backend, e *model.Environment) error {
	have := b.Environment(e.Name)
	if have == nil {
		return model.UnknownError(model.Ref{Kind: model.KindEnvironment, Name: e.Name}, model.Names(b.Environments))
	}
	e = model.Copied(e)
	return putEnvironment(b, e, swapped(b.Environments, e.Name, e), func() []*model.Problem {
		return append(check.New(b).CheckEnvironment(have), check.Branch(b, have)...)
	})
}

func putEnvironment(b *model.Backend, e *model.Environment, all []*model.Environment,
	before func() []*model.Problem,
) error {
	next := *b
	next.Environments = all
	if err := check.Refusal(append(check.New(&next).CheckEnvironment(e), check.Branch(&next, e)...), before); err != nil {
		return err
	}
	if err := check.Refusal(check.Merge(&next), func() []*model.Problem { return check.Merge(b) }); err != nil {
		return err
	}
	b.Environments = all
	return nil
}

// AddGroup adds a group to the user pool, last in its order of precedence.
func AddGroup(b *model.Backend, name string) error {
	if err := model.CheckName(model.KindGroup, name); err != nil {
		return err
	}
	for _, have := range b.Groups {
		if strings.EqualFold(have, name) {
			return takenError(model.KindGroup, name, have)
		}
	}
	b.Groups = append(slices.Clip(b.Groups), name)
	return nil
}

// AddReadGroup is AddGroup for a group that a file names. It accepts every name that a user
// pool can have, even one that differs from another only in case.
func AddReadGroup(b *model.Backend, name string) error {
	if err := model.CheckReadName(model.KindGroup, name); err != nil {
		return err
	}
	if slices.Contains(b.Groups, name) {
		return takenError(model.KindGroup, name, name)
	}
	b.Groups = append(slices.Clip(b.Groups), name)
	return nil
}

// OrderGroups sets the order of precedence. order must have each group once.
func OrderGroups(b *model.Backend, order []string) error {
	have, want := slices.Sorted(slices.Values(b.Groups)), slices.Sorted(slices.Values(order))
	if !slices.Equal(have, want) {
		return &model.Problem{
			Field: "order", Text: "does not list each group exactly once",
			Fix: "name " + phrase.QuoteList(b.Groups),
		}
	}
	b.Groups = slices.Clone(order)
	return nil
}

// SetAuth replaces the definition of the user pool; nil removes it.
func SetAuth(b *model.Backend, auth *model.Auth) error {
	next := *b
	next.Auth = model.Copied(auth)
	return define(b, &next)
}

// SetData replaces the description of the data API; nil removes it.
func SetData(b *model.Backend, data *model.Data) error {
	next := *b
	next.Data = model.Copied(data)
	return define(b, &next)
}

// SetStorage replaces the description of the bucket; nil removes it.
func SetStorage(b *model.Backend, storage *model.Storage) error {
	next := *b
	next.Storage = model.Copied(storage)
	return define(b, &next)
}

// define replaces b by next if the definitions of next are valid.
func define(b *model.Backend, next *model.Backend) error {
	if err := check.Refusal(check.ClientFile(next), func() []*model.Problem { return check.ClientFile(b) }); err != nil {
		return err
	}
	*b = *next
	return nil
}

// GroupBefore returns the pool's groups in order of precedence, with one moved directly
// before another. The error of a group that does not exist is a Problem with ErrUnknown.
func GroupBefore(b *model.Backend, name, other string) ([]string, error) {
	for _, group := range []string{name, other} {
		if err := b.Known(model.Ref{Kind: model.KindGroup, Name: group}); err != nil {
			return nil, err
		}
	}
	rest := slices.DeleteFunc(slices.Clone(b.Groups), func(g string) bool { return g == name })
	at := slices.Index(rest, other)
	if at < 0 {
		return slices.Clone(b.Groups), nil
	}
	return slices.Insert(rest, at, name), nil
}
