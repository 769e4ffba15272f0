package flow

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"gatewright/model"
)

// build returns the base with all answers applied. It expects that every step accepts
// its answers.
func (f *Flow) build() (*model.Backend, error) {
	b, err := f.trial(len(f.paths()))
	if err != nil {
		return nil, err
	}
	if f.Task.API == "" {
		sketch := b.APIs[0]
		b.APIs = b.APIs[1:]
		if f.NewProject != "" {
			if err := b.AddEnvironment(&model.Environment{Name: "dev", Provider: model.Local}); err != nil {
				return nil, err
			}
		}
		if err := b.AddAPI(&model.API{Label: f.Label(), Paths: sketch.Paths}); err != nil {
			return nil, err
		}
		if err := f.putInEnvironments(b); err != nil {
			return nil, err
		}
	}
	f.needPool(b)
	return b, nil
}

// putInEnvironments gives the new API to the chosen environments, and to no other. It
// changes only environments for which that is not so already.
func (f *Flow) putInEnvironments(b *model.Backend) error {
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

// needPool defines a user pool if a path is restricted and there is none, and enables
// guests in it if a path lets them in.
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

// trial returns the base with the answers about the first n paths applied. A new API
// is the first of its APIs.
func (f *Flow) trial(n int) (*model.Backend, error) {
	b := *f.Base
	if f.Task.API == "" {
		b.APIs = slices.Insert(slices.Clone(b.APIs), 0, &model.API{Label: f.trialLabel()})
	}
	if f.NewProject != "" {
		project := model.Project{Name: f.projectName(), ApplicationID: placeholderID, Region: f.now.Project.Region, Dialect: model.Neutral}
		if err := b.SetProject(project); err != nil {
			return nil, err
		}
	}
	for _, p := range f.paths()[:n] {
		if err := f.add(&b, p); err != nil {
			return nil, err
		}
	}
	return &b, nil
}

// try applies an edit to a trial that has the paths before the path of a step.
func (f *Flow) try(at ID, edit func(b *model.Backend) error) error {
	b, err := f.trial(at.Path)
	if err != nil {
		return err
	}
	return edit(b)
}

// add applies the answers about one path.
func (f *Flow) add(b *model.Backend, p PathAnswer) error {
	if group := p.addedName(model.KindGroup); group != "" && !slices.Contains(b.Groups, group) {
		if err := b.AddGroup(group); err != nil {
			return err
		}
	}
	if p.makesFunction() {
		if err := p.addFunction(b); err != nil {
			return err
		}
	}
	return f.putPath(b, p.path())
}

// path returns the path that the answers make.
func (p PathAnswer) path() *model.Path {
	path := &model.Path{Name: p.Path, Function: p.Existing, Access: p.access()}
	if p.makesFunction() {
		path.Function = p.functionName()
	}
	return path
}

// putPath adds the path to the API, or replaces the one that the task changes.
func (f *Flow) putPath(b *model.Backend, p *model.Path) error {
	if f.Task.Path != "" {
		return b.UpdatePath(f.Task.API, f.Task.Path, p)
	}
	return b.AddPath(cmp.Or(f.Task.API, f.trialLabel()), p)
}

// addFunction adds the new function of a path, and its table if that is new too.
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

// function returns the function that the answers make.
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

// withAccess adds a chosen entry, such as "table/items:read", to a list.
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
		return 0, &model.Problem{Field: field, Text: model.Quote(text) + " is not a whole number above zero", Fix: "give such a number, or leave it empty"}
	}
	return n, nil
}

// split returns the elements of a list that is separated by commas.
func split(text string) []string {
	var list []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// access returns the access that the answers about a path make.
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
