package environments

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/project"
	"gatewright/prose"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/widget"
)

// Bindings are what can be done to the environment that the page is about.
func (t *Tab) Bindings() []widget.Binding {
	s := t.board.Snap
	reads := t.board.ReadOnly()
	keeps := widget.When(s.Layout != project.Native, "the Amplify CLI keeps environments: run amplify env")
	add := widget.Add.Does("new", "make another environment", t.add).Shown().Unless(reads, keeps).In("environment")
	if s.Env == nil {
		return []widget.Binding{add}
	}
	guard := cmp.Or(widget.When(s.Env.Guarded, "unguard"), "guard")
	all := []widget.Binding{
		widget.Choose.Does("use", "choose the environment that is shown on this machine: commands mean it, and the client configuration file becomes that of it", t.use).
			Shown().Unless(reads, widget.When(s.Env.Name == s.Chosen, prose.Short(s.Env.Name)+" is chosen on this machine already")),
		add,
		widget.Guard.Does(guard, "have the name typed before the environment changes, or no more", t.toggleGuard).Shown().Unless(reads, keeps),
		widget.OpenFile.Does("file", "open the environment's file in your editor", func() tea.Cmd {
			return t.board.EditFile(s.Layout.File(model.Ref{Kind: model.KindEnvironment, Name: s.Env.Name}))
		}).Shown().Unless(t.board.NoEditor()),
		widget.Left.Does("column before", "look at the environment on the left", func() tea.Cmd { return t.lookBeside(-1) }).
			Unless(widget.When(t.at == 0, "it is the first environment")),
		widget.Right.Does("next column", "look at the environment on the right", func() tea.Cmd { return t.lookBeside(1) }).
			Unless(widget.When(t.at == len(t.names)-1, "it is the last environment")),
	}
	all = widget.InGroup("environment", all)
	if f, ok := t.List.Row(); ok {
		all = append([]widget.Binding{board.ShowAll(f.name, t.told(f)).Shown()}, append(all, board.Copy(f.values[t.at]))...)
	}
	return all
}

// lookBeside has the page be about the environment of another column.
func (t *Tab) lookBeside(by int) tea.Cmd {
	all := t.board.Snap.Environments
	at := slices.IndexFunc(all, func(e board.Environment) bool { return e.Name == t.board.Wanted() }) + by
	if at < 0 || at >= len(all) {
		return nil
	}
	return t.board.SwitchTo(all[at].Name)
}

// use chooses the environment on this machine.
func (t *Tab) use() tea.Cmd {
	name := t.board.Snap.Env.Name
	return t.board.Commit("using environment "+prose.Printable(model.Quote(name)), func(p *project.Project) (*project.Plan, error) { return p.PlanUse(name) })
}

// The lines of a new environment.
const (
	nameLine = iota
	providerLine
	regionLine
	branchLine
	guardedLine
	likeLine
)

// nothingLike is the choice to begin with nothing.
const nothingLike = "none"

// add asks for what a new environment is.
func (t *Tab) add() tea.Cmd {
	b := t.board.Snap.Backend
	like := []string{nothingLike}
	for _, env := range b.Environments {
		like = append(like, env.Name)
	}
	var providers []string
	for _, provider := range model.Providers {
		providers = append(providers, string(provider))
	}
	return frame.Open(dialog.Form("Make an environment", []dialog.Question{
		nameLine:     {Name: "name", Hint: "a name such as qa: it is the stage segment of the URLs"},
		providerLine: {Name: "provider", Options: providers},
		regionLine:   {Name: "region", Hint: "empty for that of the project, " + b.Region(nil)},
		branchLine:   {Name: "branch", Hint: "the git branch whose builds deploy it; empty for one with its name"},
		guardedLine:  {Name: "guarded", Options: []string{prose.YesNo(false), prose.YesNo(true)}},
		likeLine:     {Name: "begin as", Options: like},
	}, func(values []string) (int, error) {
		_, err := b.Edit(func(next *model.Backend) error { return addEnvironment(next, values) })
		return wrongLine(err), err
	}, func(values []string) tea.Cmd {
		name := strings.TrimSpace(values[nameLine])
		return t.board.Change("made environment "+prose.Printable(model.Quote(name)), func(b *model.Backend) error { return addEnvironment(b, values) })
	}))
}

// addEnvironment adds what was asked for. It begins with all that another one says
// but its branch and its guard.
func addEnvironment(b *model.Backend, values []string) error {
	env := &model.Environment{}
	if from := b.Environment(values[likeLine]); from != nil && values[likeLine] != nothingLike {
		*env = *from
	}
	env.Name, env.Branch = strings.TrimSpace(values[nameLine]), strings.TrimSpace(values[branchLine])
	env.Provider, env.Guarded = model.Provider(values[providerLine]), values[guardedLine] == prose.YesNo(true)
	env.Region = cmp.Or(strings.TrimSpace(values[regionLine]), env.Region)
	return b.AddEnvironment(env)
}

// wrongLine is the line that a problem is about.
func wrongLine(err error) int {
	var problem *model.Problem
	if !errors.As(err, &problem) {
		return nameLine
	}
	lines := []string{nameLine: "name", providerLine: "provider", regionLine: "region", branchLine: "branch"}
	return max(nameLine, slices.Index(lines, strings.TrimPrefix(cmp.Or(problem.Pointer, problem.Field), "/")))
}

// toggleGuard guards an environment, or has its name typed to guard it no more.
func (t *Tab) toggleGuard() tea.Cmd {
	env := t.board.Snap.Env
	if !env.Guarded {
		return t.setGuard(env.Name, true)
	}
	return frame.Open(dialog.Agree("Environment "+env.Name+" is guarded", "Without its guard it is pushed and changed without a question. Type its name to go on.", "Unguard", env.Name,
		func() tea.Cmd { return t.setGuard(env.Name, false) }))
}

func (t *Tab) setGuard(name string, guarded bool) tea.Cmd {
	done := "environment " + prose.Printable(model.Quote(name)) + " is guarded"
	if !guarded {
		done += " no more"
	}
	return t.board.Change(done, func(b *model.Backend) error {
		if err := b.Known(model.Ref{Kind: model.KindEnvironment, Name: name}); err != nil {
			return err
		}
		next := *b.Environment(name)
		next.Guarded = guarded
		return b.UpdateEnvironment(&next)
	})
}
