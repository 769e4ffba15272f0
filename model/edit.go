package model

import (
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
)

// SetProject replaces the settings of the project as a whole.
func (b *Backend) SetProject(p Project) error {
	if err := refusal(checkProject(p), func() []*Problem { return b.projectProblems() }); err != nil {
		return err
	}
	b.Project = p
	return nil
}

// AddFunction adds a handler function. A function of the template CRUD may get its table
// later; until then Check reports it.
func (b *Backend) AddFunction(f *Function) error {
	if err := free(KindFunction, b.Functions, f.Name, ""); err != nil {
		return err
	}
	f = copied(f)
	return b.putFunction(f, with(b.Functions, f), none)
}

// UpdateFunction replaces the function called f.Name.
func (b *Backend) UpdateFunction(f *Function) error {
	have := b.Function(f.Name)
	if have == nil {
		return unknownError(Ref{Kind: KindFunction, Name: f.Name}, names(b.Functions))
	}
	f = copied(f)
	return b.putFunction(f, swapped(b.Functions, f.Name, f), func() []*Problem {
		return append(b.checker().checkFunction(have), b.checkDeployedName(have)...)
	})
}

func (b *Backend) putFunction(f *Function, all []*Function, before func() []*Problem) error {
	next := *b
	next.Functions = all
	if err := refusal(append(next.checker().checkFunction(f), next.checkDeployedName(f)...), before); err != nil {
		return err
	}
	b.Functions = all
	return nil
}

// AddTable adds a key-value table.
func (b *Backend) AddTable(t *Table) error {
	if err := free(KindTable, b.Tables, t.Name, ""); err != nil {
		return err
	}
	t = copied(t)
	if err := refusal(b.checker().checkTable(t), none); err != nil {
		return err
	}
	b.Tables = with(b.Tables, t)
	return nil
}

// UpdateTable replaces the table called t.Name. The keys of a table that
// exists cannot change: its items are found by them.
func (b *Backend) UpdateTable(t *Table) error {
	have := b.Table(t.Name)
	if have == nil {
		return unknownError(Ref{Kind: KindTable, Name: t.Name}, names(b.Tables))
	}
	if have.PartitionKey != t.PartitionKey || have.SortKey != t.SortKey {
		return &Problem{
			Of: Ref{Kind: KindTable, Name: t.Name}, Field: "key", Text: "the keys of a table cannot change",
			Fix: "make a new table and move the items",
		}
	}
	t = copied(t)
	if err := refusal(b.checker().checkTable(t), func() []*Problem { return b.checker().checkTable(have) }); err != nil {
		return err
	}
	b.Tables = swapped(b.Tables, t.Name, t)
	return nil
}

// AddEnvironment adds an environment.
func (b *Backend) AddEnvironment(e *Environment) error {
	if err := free(KindEnvironment, b.Environments, e.Name, ""); err != nil {
		return err
	}
	e = copied(e)
	return b.putEnvironment(e, with(b.Environments, e), none)
}

// UpdateEnvironment replaces the environment called e.Name.
func (b *Backend) UpdateEnvironment(e *Environment) error {
	have := b.Environment(e.Name)
	if have == nil {
		return unknownError(Ref{Kind: KindEnvironment, Name: e.Name}, names(b.Environments))
	}
	e = copied(e)
	return b.putEnvironment(e, swapped(b.Environments, e.Name, e), func() []*Problem {
		return append(b.checker().checkEnvironment(have), b.checkBranch(have)...)
	})
}

func (b *Backend) putEnvironment(e *Environment, all []*Environment, before func() []*Problem) error {
	next := *b
	next.Environments = all
	if err := refusal(append(next.checker().checkEnvironment(e), next.checkBranch(e)...), before); err != nil {
		return err
	}
	if err := refusal(next.checkMerge(), func() []*Problem { return b.checkMerge() }); err != nil {
		return err
	}
	b.Environments = all
	return nil
}

// AddGroup adds a group to the user pool, last in its order of precedence.
func (b *Backend) AddGroup(name string) error {
	if err := CheckName(KindGroup, name); err != nil {
		return err
	}
	for _, have := range b.Groups {
		if strings.EqualFold(have, name) {
			return takenError(KindGroup, name, have)
		}
	}
	b.Groups = append(slices.Clip(b.Groups), name)
	return nil
}

// AddReadGroup is AddGroup for a group that a file names. It accepts every name that a user
// pool can have, even one that differs from another only in case.
func (b *Backend) AddReadGroup(name string) error {
	if err := checkReadName(KindGroup, name); err != nil {
		return err
	}
	if slices.Contains(b.Groups, name) {
		return takenError(KindGroup, name, name)
	}
	b.Groups = append(slices.Clip(b.Groups), name)
	return nil
}

// OrderGroups sets the order of precedence. order must have each group once.
func (b *Backend) OrderGroups(order []string) error {
	have, want := slices.Sorted(slices.Values(b.Groups)), slices.Sorted(slices.Values(order))
	if !slices.Equal(have, want) {
		return &Problem{Field: "order", Text: "does not name each group once", Fix: "name " + phrase.QuoteList(b.Groups)}
	}
	b.Groups = slices.Clone(order)
	return nil
}

// SetAuth replaces the definition of the user pool; nil removes it.
func (b *Backend) SetAuth(auth *Auth) error {
	next := *b
	next.Auth = copied(auth)
	return b.define(&next)
}

// SetData replaces the description of the data API; nil removes it.
func (b *Backend) SetData(data *Data) error {
	next := *b
	next.Data = copied(data)
	return b.define(&next)
}

// SetStorage replaces the description of the bucket; nil removes it.
func (b *Backend) SetStorage(storage *Storage) error {
	next := *b
	next.Storage = copied(storage)
	return b.define(&next)
}

// define replaces b by next if the definitions of next are valid.
func (b *Backend) define(next *Backend) error {
	if err := refusal(next.checkClientFile(), func() []*Problem { return b.checkClientFile() }); err != nil {
		return err
	}
	*b = *next
	return nil
}

// GroupBefore returns the pool's groups in order of precedence, with one moved directly
// before another. The error of a group that does not exist is a Problem with ErrUnknown.
func (b *Backend) GroupBefore(name, other string) ([]string, error) {
	for _, group := range []string{name, other} {
		if err := b.Known(Ref{Kind: KindGroup, Name: group}); err != nil {
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
