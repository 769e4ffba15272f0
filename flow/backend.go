package flow

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"gatewright/model"
)

// build makes the backend of answers that every step accepts.
func (f *Flow) build() (*model.Backend, error) {
	b, err := f.trial(len(f.paths()))
	if err != nil {
		return nil, err
	}
	if f.Task.API == "" {
		made := b.APIs[0]
		b.APIs = b.APIs[1:]
		if f.NewProject != "" {
			if err := b.AddEnvironment(&model.Environment{Name: "dev", Provider: model.Local}); err != nil {
				return nil, err
			}
		}
		if err := b.AddAPI(&model.API{Label: f.Label(), Paths: made.Paths}); err != nil {
			return nil, err
		}
		if err := f.environments(b); err != nil {
			return nil, err
		}
	}
	f.needPool(b)
	return b, nil
}

// environments gives the new API to the environments that were chosen: those that
// have it say so, where saying nothing would say otherwise.
func (f *Flow) environments(b *model.Backend) error {
	chosen, label := f.now.Environments, f.Label()
	if name := f.now.NewEnvironment; name != "" && picksEnvironments(f, nil) {
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
	for _, e := range b.Environments {
		want := slices.Contains(chosen, e.Name)
		if e.Has(label) == want {
			continue
		}
		next := *e
		if want {
			next.APIs = append(slices.Clone(e.APIs), label)
		} else {
			next.APIs = slices.DeleteFunc(b.Names(model.KindAPI), func(other string) bool { return other == label || !e.Has(other) })
		}
		if err := b.UpdateEnvironment(&next); err != nil {
			return err
		}
	}
	return nil
}

// needPool defines the user pool that a restriction needs, where there is none,
// and lets guests in where a path does.
func (f *Flow) needPool(b *model.Backend) {
	restricted, guests := slices.ContainsFunc(f.paths(), PathAnswer.restricts), slices.ContainsFunc(f.paths(), PathAnswer.letsGuests)
	if !restricted || b.AmplifyCLI {
		return
	}
	yes := true
	switch {
	case b.Auth == nil:
		length := model.DefaultMinLength
		b.Auth = &model.Auth{
			UsernameAttributes: []string{"email"}, UserVerificationTypes: []string{"email"}, MFAConfiguration: "NONE",
			PasswordPolicy:                   &model.PasswordPolicy{MinLength: &length, RequireNumbers: &yes, RequireLowercase: &yes, RequireUppercase: &yes, RequireSymbols: &yes},
			UnauthenticatedIdentitiesEnabled: &guests,
		}
	case guests && !b.Auth.GuestsEnabled():
		auth := *b.Auth
		auth.UnauthenticatedIdentitiesEnabled = &yes
		b.Auth = &auth
	}
}

// What stands for names that are settled when all is answered: the label of a new
// API, and the application id, which is made when the project is written.
const growing, newProjectID = "new", "new"

// trial is the base with the answers about the paths before one. A new API grows as
// the first of its APIs. An answer that is wrong is the error.
func (f *Flow) trial(before int) (*model.Backend, error) {
	b := *f.Base
	if f.Task.API == "" {
		b.APIs = slices.Insert(slices.Clone(b.APIs), 0, &model.API{Label: growing})
	}
	if f.NewProject != "" {
		project := model.Project{Name: f.projectName(), ApplicationID: newProjectID, Region: f.now.Project.Region, Dialect: model.Neutral}
		if err := b.SetProject(project); err != nil {
			return nil, err
		}
	}
	for _, p := range f.paths()[:before] {
		if err := f.add(&b, p); err != nil {
			return nil, err
		}
	}
	return &b, nil
}

// try is an edit after the answers about the paths before one.
func (f *Flow) try(at ID, edit func(b *model.Backend) error) error {
	b, err := f.trial(at.Path)
	if err != nil {
		return err
	}
	return edit(b)
}

// add applies what was said about one path.
func (f *Flow) add(b *model.Backend, p PathAnswer) error {
	if group := p.makes(model.KindGroup); group != "" && !slices.Contains(b.Groups, group) {
		if err := b.AddGroup(group); err != nil {
			return err
		}
	}
	if p.makesFunction() {
		if err := p.addFunction(b); err != nil {
			return err
		}
	}
	return f.place(b, p.path())
}

// path is the path that the answers make.
func (p PathAnswer) path() *model.Path {
	made := &model.Path{Name: p.Path, Function: p.Existing, Access: p.access()}
	if p.makesFunction() {
		made.Function = p.functionName()
	}
	return made
}

// place puts a path where the task wants it.
func (f *Flow) place(b *model.Backend, p *model.Path) error {
	if f.Task.Path != "" {
		return b.UpdatePath(f.Task.API, f.Task.Path, p)
	}
	return b.AddPath(cmp.Or(f.Task.API, growing), p)
}

// addFunction adds the new function of a path, and its table where that is new too.
func (p PathAnswer) addFunction(b *model.Backend) error {
	fn, err := p.function()
	if err == nil && p.makesTable() {
		err = b.AddTable(p.Function.Table.table())
	}
	if err != nil {
		return err
	}
	return b.AddFunction(fn)
}

// function is the function that the answers make.
func (p PathAnswer) function() (*model.Function, error) {
	a, fn := p.Function, p.plainFunction()
	fn.Handler = fn.Runtime.Handler()
	if fn.Template == model.CRUD {
		fn.Table = a.Table.Name
		if fn.Table == NewTable {
			fn.Table = a.Table.New
		}
		fn.Access = []model.ResourceAccess{{Resource: "table/" + fn.Table, Actions: model.EveryAction}}
	}
	if a.Advanced != Yes {
		return fn, nil
	}
	var err error
	if fn.Timeout, err = number("timeout", a.Timeout); err != nil {
		return nil, err
	}
	if fn.Memory, err = number("memory", a.Memory); err != nil {
		return nil, err
	}
	fn.Schedule = strings.TrimSpace(a.Schedule)
	fn.Layers, fn.Secrets = split(a.Layers), split(a.Secrets)
	for _, pair := range split(a.Environment) {
		name, value, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, &model.Problem{Field: "environment variables", Text: model.Quote(pair) + " has no =", Fix: "write NAME=value"}
		}
		fn.Environment = append(fn.Environment, model.Variable{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)})
	}
	for _, entry := range a.Access {
		fn.Access = withAccess(fn.Access, entry)
	}
	return fn, nil
}

// withAccess adds a chosen entry such as "table/items:read".
func withAccess(have []model.ResourceAccess, entry string) []model.ResourceAccess {
	resource, word, _ := strings.Cut(entry, ":")
	action, ok := model.ParseAction(word)
	if !ok {
		return have
	}
	at := slices.IndexFunc(have, func(r model.ResourceAccess) bool { return r.Resource == resource })
	if at < 0 {
		return append(have, model.ResourceAccess{Resource: resource, Actions: model.Actions(action)})
	}
	have[at].Actions |= model.Actions(action)
	return have
}

func number(field, text string) (int, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n == 0 {
		return 0, &model.Problem{Field: field, Text: model.Quote(text) + " is not a whole number above zero", Fix: "give one, or leave it empty"}
	}
	return n, nil
}

// split takes a list apart that is separated by commas.
func split(text string) []string {
	var list []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// access is the access that a path's answers make.
func (p PathAnswer) access() model.Access {
	access := model.Access{Setting: model.Open}
	if p.restricts() {
		access.Setting = model.Private
	}
	for _, who := range p.principals() {
		var set model.Actions
		for _, word := range p.Actions[keyOf(who)] {
			action, _ := model.ParseAction(word)
			set |= model.Actions(action)
		}
		access = access.Granted(model.Grant{To: who, Actions: set})
	}
	return access
}
