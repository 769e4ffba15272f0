package flow

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

// build returns the base with all answers applied. It expects that every step accepts its answers.
func (f *Flow) build() (*model.Backend, error) {
	b, err := f.trial(len(f.paths()))
	if err != nil {
		return nil, err
	}
	if f.NewProject != "" {
		project := model.Project{
			Name: f.projectName(), ApplicationID: placeholderID,
			Region: strings.TrimSpace(f.now.Project.Region), Dialect: model.Neutral,
		}
		if err := edit.SetProject(b, project); err != nil {
			return nil, err
		}
	}
	if f.Task.API == "" {
		sketch := b.APIs[0]
		b.APIs = b.APIs[1:]
		if f.NewProject != "" {
			if err := edit.AddEnvironment(b,
				&model.Environment{Name: model.FirstEnvironment, Provider: model.Local}); err != nil {
				return nil, err
			}
		}
		if err := edit.AddAPI(b, &access.API{
			Label: f.Label(), BinaryMediaTypes: f.binaryMediaTypes(),
			Paths: sketch.Paths,
		}); err != nil {
			return nil, err
		}
		if err := f.putInEnvironments(b); err != nil {
			return nil, err
		}
	}
	f.needPool(b)
	return b, nil
}

// orderGroups adds the groups of the answers to the pool, in their order.
func (f *Flow) orderGroups(b *model.Backend) error {
	for _, group := range f.made() {
		if err := edit.AddGroup(b, group); err != nil {
			return err
		}
	}
	return edit.OrderGroups(b, f.Groups())
}

// putInEnvironments gives the new API to the chosen environments, and to no other. It
// changes only environments for which that is not so already.
func (f *Flow) putInEnvironments(b *model.Backend) error {
	if !picksEnvironments(f, nil) {
		return nil
	}
	chosen, label := slices.Clone(f.now.Environments), f.Label()
	if chosen == nil {
		chosen = f.environmentNames()
	}
	for _, name := range model.SplitList(f.now.NewEnvironments) {
		if err := edit.AddEnvironment(b, &model.Environment{Name: name, Provider: model.Local}); err != nil {
			return err
		}
		chosen = append(chosen, name)
	}
	for _, e := range b.Environments {
		want := slices.Contains(chosen, e.Name)
		if e.Has(label) == want {
			continue
		}
		next := *e
		if want {
			next.APIs = append(slices.Clone(e.APIs), label)
		} else {
			next.APIs = slices.DeleteFunc(b.Names(model.KindAPI),
				func(other string) bool { return other == label || !e.Has(other) })
		}
		if err := edit.UpdateEnvironment(b, &next); err != nil {
			return err
		}
	}
	return nil
}

// needPool defines a user pool if one is needed and the project has none yet, and enables
// guests in it if a path lets them in. A pool that the project uses without a definition
// keeps its defaults, so that nobody's access under other paths changes.
func (f *Flow) needPool(b *model.Backend) {
	restricted, guests := len(b.Groups) > 0, false
	for _, p := range f.paths() {
		restricted = restricted || p.Access.Setting != access.Open
		guests = guests || p.Access.Setting == access.Protected
	}
	if !restricted || !b.Defines(model.KindAuth) {
		return
	}
	yes := true
	switch {
	case b.Auth == nil && !f.Base.UsesUserPool():
		length := model.DefaultMinLength
		b.Auth = &model.Auth{
			UsernameAttributes: []string{"email"}, UserVerificationTypes: []string{"email"}, MFAConfiguration: "NONE",
			PasswordPolicy: &model.PasswordPolicy{
				MinLength: &length, RequireNumbers: &yes,
				RequireLowercase: &yes, RequireUppercase: &yes, RequireSymbols: &yes,
			},
			UnauthenticatedIdentitiesEnabled: &guests,
		}
	case b.Auth != nil && guests && !b.Auth.GuestsEnabled():
		auth := *b.Auth
		auth.UnauthenticatedIdentitiesEnabled = &yes
		b.Auth = &auth
	}
}

// placeholderID is the application id of a new project until it is written.
const placeholderID = "new"

// trialLabel returns the label of the new API in a trial: a placeholder while the
// answered one is not valid or is another API's.
func (f *Flow) trialLabel() string {
	label := f.Label()
	if model.CheckName(model.KindAPI, label) != nil || f.Base.API(label) != nil {
		return "new"
	}
	return label
}

// trial returns the base with the answers about the first n paths applied. A new API is the first of its APIs.
func (f *Flow) trial(n int) (*model.Backend, error) {
	b := *f.Base
	if f.Task.API == "" {
		b.APIs = slices.Insert(slices.Clone(b.APIs), 0, &access.API{Label: f.trialLabel()})
	}
	if err := f.orderGroups(&b); err != nil {
		return nil, err
	}
	for i := range n {
		if err := f.add(&b, i); err != nil {
			return nil, err
		}
	}
	return &b, nil
}

// try returns a trial that has the paths before the path of a step, or none of the answered
// paths if one of those is not valid: that is said at its own step.
func (f *Flow) try(at ID) (*model.Backend, error) {
	if b, err := f.trial(at.Path); err == nil {
		return b, nil
	}
	return f.trial(0)
}

// add applies the answers about the path with an index.
func (f *Flow) add(b *model.Backend, i int) error {
	if f.now.Paths[i].makesFunction() {
		if err := f.addFunction(b, i); err != nil {
			return err
		}
	}
	return f.putPath(b, f.path(i))
}

// path returns the path that the answers with an index make.
func (f *Flow) path(i int) *access.Path {
	p := f.now.Paths[i]
	path := &access.Path{Name: p.Path, Function: p.Existing, Access: f.Matrix(i).Written()}
	if p.makesFunction() {
		path.Function = f.functionName(i)
	}
	return path
}

// putPath adds the path to the API, or replaces the one that the task changes.
func (f *Flow) putPath(b *model.Backend, p *access.Path) error {
	if f.Task.Path != "" {
		return edit.UpdatePath(b, f.Task.API, f.Task.Path, p)
	}
	return edit.AddPath(b, cmp.Or(f.Task.API, f.trialLabel()), p)
}
