package environments

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/plan"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/fieldform"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
)

// Bindings are the keys of the shown environment.
func (t *Tab) Bindings() []keys.Binding {
	s := t.board.Snap
	reads := t.board.ReadOnly()
	keeps := keys.When(!s.Layout.Defines(model.KindEnvironment), "the Amplify CLI manages environments: run amplify env")
	add := keys.Add.Does("new", "add an environment", func() tea.Cmd { return t.add(nil) }).Shown().
		Unless(reads, keeps).In("environment")
	if s.Env == nil {
		return []keys.Binding{add}
	}
	guard := cmp.Or(keys.When(s.Env.Guarded, "unguard"), "guard")
	all := []keys.Binding{
		keys.Choose.Does("use",
			"use the shown environment on this machine: in commands, and in the client configuration file", t.use).
			Shown().Unless(reads,
			keys.When(s.Env.Name == s.Chosen, prose.PrintableStart(s.Env.Name)+" is chosen on this machine already")),
		add,
		keys.Guard.Does(guard, "ask for the name before the environment changes, or stop asking",
			t.toggleGuard).Shown().Unless(reads, keeps),
		keys.InAWS.Does("health",
			"ask AWS for the calls of the last hour, and for what was changed there by hand, in all environments",
			t.board.AskHealth).
			Shown().Unless(t.noHealth()),
		keys.OpenFile.Does("file", "open the environment's file in your editor", func() tea.Cmd {
			return t.board.EditFile(s.Layout.File(model.Ref{Kind: model.KindEnvironment, Name: s.Env.Name}))
		}).Shown().Unless(t.board.NoEditor()),
		keys.Left.Does("previous column", "look at the environment on the left", func() tea.Cmd { return t.lookBeside(-1) }).
			Unless(keys.When(t.at == 0, "it is the first environment")),
		keys.Right.Does("next column", "look at the environment on the right", func() tea.Cmd { return t.lookBeside(1) }).
			Unless(keys.When(t.at == len(t.names)-1, "it is the last environment")),
	}
	all = keys.InGroup("environment", all)
	if f, ok := t.List.Row(); ok {
		all = append([]keys.Binding{t.board.ShowAll(f.name, t.describe(f))}, append(all, board.Copy(f.values[t.at]))...)
	}
	return all
}

// noHealth is why AWS cannot be asked how the environments are; "" if it can.
func (t *Tab) noHealth() string {
	in := func(e board.Environment) bool { return e.InAWS() }
	return cmp.Or(keys.When(!slices.ContainsFunc(t.board.Snap.Environments, in), "no environment is in AWS"),
		t.board.MayAskAWS(), t.board.Job.Busy())
}

// lookBeside shows the environment of another column.
func (t *Tab) lookBeside(by int) tea.Cmd {
	all := t.board.Snap.Environments
	at := slices.IndexFunc(all, func(e board.Environment) bool { return e.Name == t.board.Wanted() }) + by
	if at < 0 || at >= len(all) {
		return nil
	}
	return t.board.SwitchTo(all[at].Name)
}

// use chooses the shown environment on this machine.
func (t *Tab) use() tea.Cmd {
	name := t.board.Snap.Env.Name
	return t.board.Commit("using environment "+prose.Printable(phrase.Quote(name)),
		func(p *project.Project) (*plan.Plan, error) { return plan.Use(p, name) })
}

// The lines of the form of a new environment.
const (
	nameLine = iota
	providerLine
	accountLine
	regionLine
	branchLine
	guardedLine
	copyLine
)

// copyNone is the choice to copy no environment.
const copyNone = "none"

// newForm is the form of a new environment.
func newForm(b *model.Backend) fieldform.Form {
	like := []string{copyNone}
	for _, env := range b.Environments {
		like = append(like, env.Name)
	}
	return fieldform.Form{
		nameLine: {Question: dialog.Question{
			Name: "name", Hint: "a name such as qa: it is the stage segment of the URLs",
		}},
		providerLine: {Field: "provider", Question: dialog.Question{Name: "provider"}},
		accountLine: {Field: "account", Question: dialog.Question{
			Name: "account",
			Hint: "the 12 digits of an AWS account; empty: the first push asks you to confirm the account",
		}},
		regionLine: {Field: "region", Question: dialog.Question{
			Name: "region", Hint: "empty for the region of the project, " + b.Region(nil),
			Suggestions: model.Regions,
		}},
		branchLine: {Field: "branch", Question: dialog.Question{
			Name: "branch", Hint: "the git branch whose builds deploy it; empty for the branch with its name",
		}},
		guardedLine: {Question: dialog.Question{
			Name: "guarded", Options: []string{prose.YesNo(false), prose.YesNo(true)},
		}},
		copyLine: {Question: dialog.Question{Name: "copy of", Options: like}},
	}
}

// add opens the form of a new environment, with the values that were typed before; nil for none.
func (t *Tab) add(typed []string) tea.Cmd {
	b := t.board.Snap.Backend
	form := newForm(b)
	if typed == nil {
		typed = make([]string, len(form))
	}
	questions := form.Questions(&model.Environment{}, typed)
	d := dialog.Form("Add an environment", questions, func(values []string) (int, error) {
		_, err := t.board.Snap.Backend.Edit(func(next *model.Backend) error { return addEnvironment(next, values) })
		return form.LineOf(err, nameLine), err
	}, func(values []string) tea.Cmd {
		name := strings.TrimSpace(values[nameLine])
		return t.board.Change("added environment "+prose.Printable(phrase.Quote(name)),
			func(b *model.Backend) error { return addEnvironment(b, values) })
	})
	return t.board.Open(d, func() tea.Cmd { return t.add(dialog.Values(d)) })
}

// addEnvironment adds the environment of a form. It copies all of another one except its
// branch and its guard.
func addEnvironment(b *model.Backend, values []string) error {
	env := &model.Environment{}
	if name := values[copyLine]; name != copyNone {
		if err := b.Known(model.Ref{Kind: model.KindEnvironment, Name: name}); err != nil {
			return err
		}
		*env = *b.Environment(name)
	}
	env.Name, env.Branch = strings.TrimSpace(values[nameLine]), strings.TrimSpace(values[branchLine])
	env.Provider, env.Guarded = model.Provider(values[providerLine]), values[guardedLine] == prose.YesNo(true)
	env.Account = cmp.Or(strings.TrimSpace(values[accountLine]), env.Account)
	if env.Provider == model.Local {
		env.Account = strings.TrimSpace(values[accountLine])
	}
	env.Region = cmp.Or(strings.TrimSpace(values[regionLine]), env.Region)
	return edit.AddEnvironment(b, env)
}

// toggleGuard guards the environment; to remove the guard its name must be typed.
func (t *Tab) toggleGuard() tea.Cmd {
	env := t.board.Snap.Env
	if !env.Guarded {
		return t.setGuard(env.Name, true)
	}
	return frame.Open(dialog.Agree("Environment "+env.Name+" is guarded",
		"Without its guard it is pushed and changed without asking. Type its name to go on.", "Unguard", env.Name,
		func() tea.Cmd { return t.setGuard(env.Name, false) }))
}

func (t *Tab) setGuard(name string, guarded bool) tea.Cmd {
	done := "environment " + prose.Printable(phrase.Quote(name)) + " is " + keys.When(!guarded, "no longer ") + "guarded"
	return t.board.Change(done, func(b *model.Backend) error {
		if err := b.Known(model.Ref{Kind: model.KindEnvironment, Name: name}); err != nil {
			return err
		}
		next := *b.Environment(name)
		next.Guarded = guarded
		return edit.UpdateEnvironment(b, &next)
	})
}
