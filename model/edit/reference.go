package edit

import (
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/check"
	"gatewright/model/rights"
)

// Uses lists the things that refer to a thing, in the order of the lists.
func Uses(b *model.Backend, of model.Ref) []model.Ref {
	var uses []model.Ref
	use := func(kind model.Kind, api, name string) {
		uses = append(uses, model.Ref{Kind: kind, API: api, Name: name})
	}
	for _, e := range b.Environments {
		byAPI := of.Kind == model.KindAPI && slices.Contains(e.APIs, of.Name)
		byFunction := of.Kind == model.KindFunction &&
			slices.ContainsFunc(e.Variables, func(v model.FunctionVariables) bool { return v.Function == of.Name })
		if byAPI || byFunction {
			use(model.KindEnvironment, "", e.Name)
		}
	}
	for _, api := range b.APIs {
		for _, p := range api.Paths {
			_, granted := p.Access.Grant(access.Principal{Kind: access.Group, Group: of.Name})
			if of.Kind == model.KindFunction && p.Function == of.Name || of.Kind == model.KindGroup && granted {
				use(model.KindPath, api.Label, p.Name)
			}
		}
	}
	for _, f := range b.Functions {
		byAccess := slices.ContainsFunc(f.Access,
			func(a model.ResourceAccess) bool { return a.Resource == string(of.Kind)+"/"+of.Name }) ||
			slices.ContainsFunc(f.Policies,
				func(s model.Statement) bool { return rights.Refers(s, string(of.Kind)+"/"+of.Name) })
		if byAccess && (of.Kind != model.KindFunction || f.Name != of.Name) ||
			of.Kind == model.KindTable && f.Table == of.Name {
			use(model.KindFunction, "", f.Name)
		}
	}
	if of.Kind == model.KindFunction {
		for _, t := range b.Tables {
			if t.Trigger(of.Name) != nil {
				use(model.KindTable, "", t.Name)
			}
		}
		if slices.ContainsFunc(b.Triggers, func(t model.Trigger) bool { return t.Function == of.Name }) {
			use(model.KindAuth, "", "")
		}
	}
	for _, o := range b.Outputs {
		if of.Kind == model.KindAPI && entry(o, of.Name) != nil {
			use(model.KindOutput, "", o.Name)
		}
	}
	return uses
}

// Remove removes a thing. If others refer to it, the error's cause is ErrInUse and names them;
// with cascade the references are removed too: paths that a function serves, grants to a group, a
// function's access to a resource, triggers of the user pool and of tables, an output's entry for
// an API. An API that loses its last path this way is removed as well.
func Remove(b *model.Backend, of model.Ref, cascade bool) error {
	if of.Kind == model.KindPath {
		return RemovePath(b, of.API, of.Name)
	}
	if err := b.Known(of); err != nil {
		return err
	}
	if uses := Uses(b, of); len(uses) > 0 {
		if !cascade {
			return &model.Problem{
				Of: of, Text: "is used by " + listedRefs(uses),
				Fix: "change those first, or remove it with all that refers to it", Cause: model.ErrInUse,
			}
		}
		unlink(b, of)
	}
	switch of.Kind {
	case model.KindEnvironment:
		unlink(b, of)
		b.Environments = dropped(b.Environments, of.Name)
	case model.KindAPI:
		b.APIs = dropped(b.APIs, of.Name)
	case model.KindFunction:
		b.Functions = dropped(b.Functions, of.Name)
	case model.KindTable:
		b.Tables = dropped(b.Tables, of.Name)
	case model.KindOutput:
		b.Outputs = dropped(b.Outputs, of.Name)
	case model.KindGroup:
		b.Groups = slices.DeleteFunc(slices.Clone(b.Groups), func(g string) bool { return g == of.Name })
	}
	return nil
}

// Rename gives a thing another name and rewrites every reference to it.
func Rename(b *model.Backend, of model.Ref, to string) error {
	if of.Kind == model.KindPath {
		api, err := apiOf(b, of.API)
		if err != nil {
			return err
		}
		p := api.Path(of.Name)
		if p == nil {
			return unknownPath(api, of.Name)
		}
		renamed := *p
		renamed.Name = to
		return UpdatePath(b, of.API, of.Name, &renamed)
	}
	if err := b.Known(of); err != nil {
		return err
	}
	next := *b
	renameVariables(&next, string(of.Kind)+"/"+of.Name, string(of.Kind)+"/"+to)
	var err error
	switch of.Kind {
	case model.KindEnvironment:
		next.Environments, err = renamed(of, next.Environments, to, func(e *model.Environment) { e.Name = to })
		if err == nil && b.Environment(of.Name).Branch == "" {
			err = check.Refusal(check.Branch(&next, next.Environment(to)), check.None)
		}
	case model.KindAPI:
		next.APIs, err = renamed(of, next.APIs, to, func(a *access.API) { a.Label = to })
		if err == nil {
			err = freeEntry(b, of.Name, to)
		}
	case model.KindFunction:
		next.Functions, err = renamed(of, next.Functions, to, func(f *model.Function) { f.Name = to })
		if err == nil && b.Function(of.Name).FunctionName == "" {
			err = check.Refusal(check.DeployedName(&next, next.Function(to)), check.None)
		}
	case model.KindTable:
		next.Tables, err = renamed(of, next.Tables, to, func(t *model.Table) { t.Name = to })
	case model.KindOutput:
		next.Outputs, err = renamed(of, next.Outputs, to, func(o *model.Output) { o.Name = to })
	case model.KindGroup:
		next.Groups = slices.DeleteFunc(slices.Clone(b.Groups), func(g string) bool { return g == of.Name })
		if err = AddGroup(&next, to); err == nil {
			next.Groups = slices.Clone(b.Groups)
			next.Groups[slices.Index(b.Groups, of.Name)] = to
		}
	}
	if err != nil {
		return err
	}
	relink(&next, of, to)
	// The entries of two outputs for two APIs may conflict under one label.
	if err := check.Refusal(check.Merge(&next), func() []*model.Problem { return check.Merge(b) }); err != nil {
		return err
	}
	*b = next
	return nil
}

// renamed returns a copy of the list in which the thing has its new name, which must be free.
func renamed[T any, P interface {
	*T
	model.Named
}](of model.Ref, list []P, to string, name func(P)) ([]P, error) {
	if err := free(of.Kind, list, to, of.Name); err != nil {
		return nil, err
	}
	next := *model.Find(list, of.Name)
	name(&next)
	return swapped(list, of.Name, P(&next)), nil
}

func listedRefs(refs []model.Ref) string {
	words := make([]string, len(refs))
	for i, r := range refs {
		words[i] = r.String()
	}
	return phrase.List(words)
}
