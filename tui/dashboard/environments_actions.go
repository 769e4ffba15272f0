package dashboard

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/project"
	"gatewright/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// chosenHere is the environment that commands mean on this machine; "" where there
// is no saying.
func chosenHere(p *project.Project) string {
	if env := p.CurrentEnvironment(); env != nil {
		return env.Name
	}
	return ""
}

// atHand is the environment that the page is about; nil for none.
func (e *environmentsTab) atHand() *environment {
	if e.chosen >= len(e.all) {
		return nil
	}
	return &e.all[e.chosen]
}

// actions are what can be done to the environment that the page is about.
func (e *environmentsTab) actions(int) []action {
	env := e.atHand()
	fixed := e.page.readOnly()
	if fixed == "" && e.layout != project.Native {
		fixed = "the Amplify CLI keeps environments: run amplify env"
	}
	none, name, chosen, guard := "", "", "", "guard"
	switch {
	case env == nil:
		none = project.ErrNoEnvironments.Error()
	default:
		name = prose.Fit(env.Name)
		if env.Name == e.here {
			chosen = name + " is chosen on this machine already"
		}
		if env.Guarded {
			guard = "unguard"
		}
	}
	bind := func(key, label, help, disabled string, do func() tea.Cmd) action {
		return action{frame.Binding{Keys: []string{key}, Label: label, Help: help, Disabled: disabled, Footer: disabled == "", Group: "environment"}, do}
	}
	return []action{
		bind("U", "use", "choose the environment that is shown on this machine: commands mean it, and the client configuration file becomes that of it", cmp.Or(e.page.readOnly(), none, chosen), e.use),
		bind("n", "new", "make another environment", fixed, e.make),
		bind("t", guard, "have the name typed before the environment changes, or no more", cmp.Or(fixed, none), e.toggleGuard),
		bind("F", "file", "open the environment's file in your editor", cmp.Or(e.page.noEditor(), none), func() tea.Cmd {
			return e.page.editFile(e.layout.File(model.Ref{Kind: model.KindEnvironment, Name: env.Name}))
		}),
	}
}

// use chooses the environment on this machine.
func (e *environmentsTab) use() tea.Cmd {
	name := e.atHand().Name
	return e.page.commit("using environment "+prose.Fit(model.Quote(name)), func(p *project.Project) (*project.Plan, error) { return p.PlanUse(name) })
}

const (
	newEnvironmentDialog = "environments/new"
	unguardDialog        = "environments/unguard"
)

// The lines of a new environment.
const (
	envName = iota
	envProvider
	envRegion
	envBranch
	envGuarded
	envLike
)

// nothingLike is the choice to begin with nothing.
const nothingLike = "none"

// make asks for what a new environment is.
func (e *environmentsTab) make() tea.Cmd {
	like := []string{nothingLike}
	for _, env := range e.backend.Environments {
		like = append(like, env.Name)
	}
	var providers []string
	for _, provider := range model.Providers {
		providers = append(providers, string(provider))
	}
	b := e.backend
	return frame.Open(dialog.Form(newEnvironmentDialog, "Make an environment", []dialog.Question{
		envName:     {Name: "name", Hint: "a name such as qa: it is the stage segment of the URLs"},
		envProvider: {Name: "provider", Options: providers},
		envRegion:   {Name: "region", Hint: "empty for that of the project, " + b.Region(nil)},
		envBranch:   {Name: "branch", Hint: "the git branch whose builds deploy it; empty for one with its name"},
		envGuarded:  {Name: "guarded", Options: []string{noWord, yesWord}},
		envLike:     {Name: "begin as", Options: like},
	}, func(values []string) (int, error) {
		_, err := b.Edit(func(next *model.Backend) error { return addEnvironment(next, values) })
		return environmentLine(err), err
	}))
}

// addEnvironment adds what was asked for. It begins with all that another one says
// but its branch and its guard.
func addEnvironment(b *model.Backend, values []string) error {
	env := &model.Environment{}
	if from := b.Environment(values[envLike]); from != nil && values[envLike] != nothingLike {
		*env = *from
	}
	env.Name, env.Branch = strings.TrimSpace(values[envName]), strings.TrimSpace(values[envBranch])
	env.Provider, env.Guarded = model.Provider(values[envProvider]), values[envGuarded] == yesWord
	env.Region = cmp.Or(strings.TrimSpace(values[envRegion]), env.Region)
	return b.AddEnvironment(env)
}

// environmentLine is the line that a problem is about.
func environmentLine(err error) int {
	var problem *model.Problem
	if !errors.As(err, &problem) {
		return envName
	}
	lines := []string{envName: "name", envProvider: "provider", envRegion: "region", envBranch: "branch"}
	return max(envName, slices.Index(lines, strings.TrimPrefix(cmp.Or(problem.Pointer, problem.Field), "/")))
}

// toggleGuard guards an environment, or has its name typed to guard it no more.
func (e *environmentsTab) toggleGuard() tea.Cmd {
	env := e.atHand()
	if env.Guarded {
		e.unguarding = env.Name
		return frame.Open(dialog.Agree(unguardDialog, "Environment "+env.Name+" is guarded", "Without its guard it is pushed and changed without a question. Type its name to go on.", "Unguard", env.Name))
	}
	return e.setGuard(env.Name, true)
}

func (e *environmentsTab) setGuard(name string, guarded bool) tea.Cmd {
	done := "environment " + prose.Fit(model.Quote(name)) + " is guarded"
	if !guarded {
		done += " no more"
	}
	return e.page.change(done, func(b *model.Backend) error {
		if err := b.Known(model.Ref{Kind: model.KindEnvironment, Name: name}); err != nil {
			return err
		}
		next := *b.Environment(name)
		next.Guarded = guarded
		return b.UpdateEnvironment(&next)
	})
}

// handle takes what the dialogs end with.
func (e *environmentsTab) handle(msg tea.Msg) (tea.Cmd, bool) {
	result, ok := msg.(dialog.Result)
	if !ok || !strings.HasPrefix(result.ID, "environments/") {
		return nil, false
	}
	switch action := result.Action.(type) {
	case dialog.Filled:
		name := strings.TrimSpace(action[envName])
		return e.page.change("made environment "+prose.Fit(model.Quote(name)), func(b *model.Backend) error { return addEnvironment(b, action) }), true
	case dialog.Agreed:
		return e.setGuard(e.unguarding, false), true
	}
	return nil, true
}
