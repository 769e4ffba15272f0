package model

import (
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/model/access"
)

// Uses lists the things that refer to a thing, in the order of the lists.
func (b *Backend) Uses(of Ref) []Ref {
	var uses []Ref
	use := func(kind Kind, api, name string) { uses = append(uses, Ref{Kind: kind, API: api, Name: name}) }
	for _, e := range b.Environments {
		byAPI := of.Kind == KindAPI && slices.Contains(e.APIs, of.Name)
		byFunction := of.Kind == KindFunction &&
			slices.ContainsFunc(e.Variables, func(v FunctionVariables) bool { return v.Function == of.Name })
		if byAPI || byFunction {
			use(KindEnvironment, "", e.Name)
		}
	}
	for _, api := range b.APIs {
		for _, p := range api.Paths {
			_, granted := p.Access.Grant(access.Principal{Kind: access.Group, Group: of.Name})
			if of.Kind == KindFunction && p.Function == of.Name || of.Kind == KindGroup && granted {
				use(KindPath, api.Label, p.Name)
			}
		}
	}
	for _, f := range b.Functions {
		byAccess := slices.ContainsFunc(f.Access,
			func(a ResourceAccess) bool { return a.Resource == string(of.Kind)+"/"+of.Name })
		if byAccess && (of.Kind != KindFunction || f.Name != of.Name) || of.Kind == KindTable && f.Table == of.Name {
			use(KindFunction, "", f.Name)
		}
	}
	if of.Kind == KindFunction {
		for _, t := range b.Tables {
			if t.Trigger(of.Name) != nil {
				use(KindTable, "", t.Name)
			}
		}
		if slices.ContainsFunc(b.Triggers, func(t Trigger) bool { return t.Function == of.Name }) {
			use(KindAuth, "", "")
		}
	}
	for _, o := range b.Outputs {
		if of.Kind == KindAPI && o.entry(of.Name) != nil {
			use(KindOutput, "", o.Name)
		}
	}
	return uses
}

// Remove removes a thing. If others refer to it, the error's cause is ErrInUse and names them;
// with cascade the references are removed too: paths that a function serves, grants to a group, a
// function's access to a resource, triggers of the user pool and of tables, an output's entry for
// an API. An API that loses its last path this way is removed as well.
func (b *Backend) Remove(of Ref, cascade bool) error {
	if of.Kind == KindPath {
		return b.RemovePath(of.API, of.Name)
	}
	if err := b.Known(of); err != nil {
		return err
	}
	if uses := b.Uses(of); len(uses) > 0 {
		if !cascade {
			return &Problem{
				Of: of, Text: "is used by " + listedRefs(uses),
				Fix: "change those first, or remove it with all that refers to it", Cause: ErrInUse,
			}
		}
		b.unlink(of)
	}
	switch of.Kind {
	case KindEnvironment:
		b.Environments = dropped(b.Environments, of.Name)
	case KindAPI:
		b.APIs = dropped(b.APIs, of.Name)
	case KindFunction:
		b.Functions = dropped(b.Functions, of.Name)
	case KindTable:
		b.Tables = dropped(b.Tables, of.Name)
	case KindOutput:
		b.Outputs = dropped(b.Outputs, of.Name)
	case KindGroup:
		b.Groups = slices.DeleteFunc(slices.Clone(b.Groups), func(g string) bool { return g == of.Name })
	}
	return nil
}

// Rename gives a thing another name and rewrites every reference to it.
func (b *Backend) Rename(of Ref, to string) error {
	if of.Kind == KindPath {
		api, err := b.api(of.API)
		if err != nil {
			return err
		}
		p := api.Path(of.Name)
		if p == nil {
			return unknownPath(api, of.Name)
		}
		renamed := *p
		renamed.Name = to
		return b.UpdatePath(of.API, of.Name, &renamed)
	}
	if err := b.Known(of); err != nil {
		return err
	}
	next := *b
	next.renameVariables(string(of.Kind)+"/"+of.Name, string(of.Kind)+"/"+to)
	var err error
	switch of.Kind {
	case KindEnvironment:
		next.Environments, err = renamed(of, next.Environments, to, func(e *Environment) { e.Name = to })
		if err == nil && b.Environment(of.Name).Branch == "" {
			err = refusal(next.checkBranch(next.Environment(to)), none)
		}
	case KindAPI:
		next.APIs, err = renamed(of, next.APIs, to, func(a *access.API) { a.Label = to })
		if err == nil {
			err = b.freeEntry(of.Name, to)
		}
	case KindFunction:
		next.Functions, err = renamed(of, next.Functions, to, func(f *Function) { f.Name = to })
		if err == nil && b.Function(of.Name).FunctionName == "" {
			err = refusal(next.checkDeployedName(next.Function(to)), none)
		}
	case KindTable:
		next.Tables, err = renamed(of, next.Tables, to, func(t *Table) { t.Name = to })
	case KindOutput:
		next.Outputs, err = renamed(of, next.Outputs, to, func(o *Output) { o.Name = to })
	case KindGroup:
		next.Groups = slices.DeleteFunc(slices.Clone(b.Groups), func(g string) bool { return g == of.Name })
		if err = next.AddGroup(to); err == nil {
			next.Groups = slices.Clone(b.Groups)
			next.Groups[slices.Index(b.Groups, of.Name)] = to
		}
	}
	if err != nil {
		return err
	}
	next.relink(of, to)
	// The entries of two outputs for two APIs may conflict under one label.
	if err := refusal(next.checkMerge(), func() []*Problem { return b.checkMerge() }); err != nil {
		return err
	}
	*b = next
	return nil
}

// renamed returns a copy of the list in which the thing has its new name, which must
// be free.
func renamed[T any, P interface {
	*T
	named
}](of Ref, list []P, to string, name func(P)) ([]P, error) {
	if err := free(of.Kind, list, to, of.Name); err != nil {
		return nil, err
	}
	next := *find(list, of.Name)
	name(&next)
	return swapped(list, of.Name, P(&next)), nil
}

func listedRefs(refs []Ref) string {
	words := make([]string, len(refs))
	for i, r := range refs {
		words[i] = r.String()
	}
	return phrase.List(words)
}
