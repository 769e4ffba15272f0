package flow

import (
	"slices"

	"gatewright/model"
)

// placeholder stands for the function of a path while only the path is checked.
const placeholder = "function-to-be-chosen"

// trial is a backend in the making: the base with the answers up to a path.
type trial struct {
	backend model.Backend
	task    Task
	label   string
	// paths are those of the new API so far.
	paths []*model.Path
}

// Backend is what the answers make of the base. The error is the first thing
// that is wrong with them.
func (f *Flow) Backend() (*model.Backend, error) {
	if _, err, open := f.FirstOpen(); open {
		return nil, err
	}
	return f.build()
}

// build makes the backend of answers that every step accepts.
func (f *Flow) build() (*model.Backend, error) {
	t, err := f.trial(len(f.paths()))
	if err != nil {
		return nil, err
	}
	b := &t.backend
	if f.NewProject {
		if err := b.AddEnvironment(&model.Environment{Name: "dev", Provider: model.Local}); err != nil {
			return nil, err
		}
	}
	if f.Task.API == "" {
		if err := b.AddAPI(&model.API{Label: f.label(), Paths: t.paths}); err != nil {
			return nil, err
		}
		if err := f.environments(b); err != nil {
			return nil, err
		}
	}
	f.needPool(b)
	return b, nil
}

func (f *Flow) environments(b *model.Backend) error {
	chosen := f.now.Environments
	if name := f.now.NewEnvironment; name != "" && environmentsStep.applies(f, ID{}) {
		if err := b.AddEnvironment(&model.Environment{Name: name, Provider: model.Local}); err != nil {
			return err
		}
		if chosen != nil {
			chosen = append(slices.Clone(chosen), name)
		}
	}
	if chosen == nil {
		return nil
	}
	return environmentsWith(b, f.label(), chosen)
}

// needPool defines the user pool that a restriction needs, where there is none,
// and lets guests in where a path does.
func (f *Flow) needPool(b *model.Backend) {
	restricted, guests := false, false
	for _, p := range f.paths() {
		restricted = restricted || p.Restrict == Yes
		guests = guests || p.Restrict == Yes && (p.Who == ForGuests || p.Who == ForAll)
	}
	if !restricted || b.Foreign {
		return
	}
	yes := true
	switch {
	case b.Auth == nil:
		length := model.DefaultMinLength
		b.Auth = &model.Auth{
			UsernameAttributes: []string{"email"}, UserVerificationTypes: []string{"email"}, MFAConfiguration: "NONE",
			PasswordPolicy: &model.PasswordPolicy{MinLength: &length, RequireNumbers: &yes, RequireLowercase: &yes, RequireUppercase: &yes, RequireSymbols: &yes},
		}
		b.Auth.UnauthenticatedIdentitiesEnabled = &guests
	case guests && !b.Auth.GuestsEnabled():
		auth := *b.Auth
		auth.UnauthenticatedIdentitiesEnabled = &yes
		b.Auth = &auth
	}
}

// trial applies the answers about the paths before one. An answer that is wrong
// is the error.
func (f *Flow) trial(before int) (*trial, error) {
	t := &trial{backend: *f.Base, task: f.Task, label: f.label()}
	if f.NewProject {
		project := model.Project{Name: f.projectName(), ApplicationID: newProjectID, Region: f.now.Project.Region, Dialect: model.Neutral}
		if err := t.backend.SetProject(project); err != nil {
			return nil, err
		}
	}
	for _, p := range f.paths()[:before] {
		if err := t.add(p); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// newProjectID stands for the application id, which is made when the project is
// written.
const newProjectID = "new"

// add applies what was said about one path.
func (t *trial) add(p PathAnswer) error {
	b := &t.backend
	if p.Restrict == Yes && p.asksGroups() && p.NewGroup != "" && !slices.Contains(b.Groups, p.NewGroup) {
		if err := b.AddGroup(p.NewGroup); err != nil {
			return err
		}
	}
	name := p.Existing
	if p.Source == NewFunction {
		fn, err := p.function()
		if err != nil {
			return err
		}
		if err := t.addFunction(p.Function, fn); err != nil {
			return err
		}
		name = fn.Name
	}
	return t.place(&model.Path{Name: p.Path, Function: name, Access: p.access()})
}

func (t *trial) addFunction(a FunctionAnswer, fn *model.Function) error {
	if fn.Template == model.CRUD && a.Table.Name == NewTable {
		if err := t.backend.AddTable(a.Table.table()); err != nil {
			return err
		}
	}
	return t.backend.AddFunction(fn)
}

// place puts a path where the task wants it.
func (t *trial) place(p *model.Path) error {
	b := &t.backend
	if p.Function == placeholder && b.Function(placeholder) == nil {
		b.Functions = append(slices.Clip(b.Functions), &model.Function{Name: placeholder})
	}
	switch {
	case t.task.Path != "":
		return b.UpdatePath(t.task.API, t.task.Path, p)
	case t.task.API != "":
		return b.AddPath(t.task.API, p)
	}
	// A new API grows in a copy that has the paths so far.
	grown := *b
	grown.APIs = []*model.API{{Label: "new", Paths: t.paths}}
	if err := grown.AddPath("new", p); err != nil {
		return err
	}
	t.paths = append(t.paths, p)
	return nil
}
