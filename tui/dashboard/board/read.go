package board

import (
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/draft"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/prose"
	"gatewright/tui/frame"
)

// Snapshot is all that the tabs stand on, as it was read at one moment and for one
// environment. Nothing in it changes afterwards, and nothing of it asks the
// filesystem again. Texts in it are fit for the screen.
type Snapshot struct {
	Backend      *model.Backend
	Layout       project.Layout
	Root         string
	Environments []Environment
	// Env is the environment that is compared with its last push; nil where the
	// project has none.
	Env *Environment
	// Broken are the files that cannot be read. Where there are any, nothing is
	// compared: what they define would count as gone.
	Broken []string
	// Half says that a write is under way, or was interrupted and is not finished
	// yet: what was read may be half of it.
	Half   bool
	Status Status
	// Chosen is the environment that is chosen on this machine; "" for none. Older
	// are the labels of APIs in the older format, which are not edited.
	Chosen    string
	Older     []string
	Takeovers Takeovers
}

// Reading is what tabs are given when the project was read: Project is there for as long
// as their Read runs. Nobody changes anything of it.
type Reading struct {
	*Snapshot
	Project *project.Project
}

// Status is what a push would do, or why that is not told.
type Status struct {
	project.Status
	Untold string
}

// Waits are the sections of the client configuration file that lack something, as
// sentences.
func Waits(status project.Status) []string {
	var sentences []string
	for _, section := range slices.Sorted(maps.Keys(status.Waiting)) {
		why := "is left out: it lacks "
		if status.GivenByPush(section) {
			why = "waits for a push, which gives "
		}
		sentences = append(sentences, prose.Short("section "+section+" "+why+model.List(status.Waiting[section])))
	}
	return sentences
}

// Name is the name of the environment; "" for none.
func (s *Snapshot) Name() string {
	if s.Env == nil {
		return ""
	}
	return s.Env.Name
}

// Served is the environment whose calls, logs and items are those of a sandbox; "" for
// none.
func (s *Snapshot) Served() string {
	if s.Env == nil && s.Backend.AmplifyCLI {
		// The sandbox serves such a project as this one (deploy.LiveEnvironment).
		return "dev"
	}
	return s.Name()
}

// Environment is an environment with what is known of its last push.
type Environment struct {
	*model.Environment
	// Record is the last push; nil for none.
	Record *project.Record
	// Pushing says that a push is under way, Problem why the record cannot be
	// read.
	Pushing bool
	Problem string
	// AmplifyCLI says that another tool deploys it.
	AmplifyCLI bool
}

// Pushed says when the environment was pushed last.
func (e Environment) Pushed() string {
	switch {
	case e.AmplifyCLI:
		return "deployed by the Amplify CLI"
	case e.Pushing:
		return "is being pushed"
	case e.Problem != "":
		return "last push unknown"
	case e.Record == nil:
		return "never pushed"
	}
	return "pushed " + Moment(e.Record.Deployed)
}

// Moment is a time as it stands on the screen: of this place, to the minute.
func Moment(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// Last is the record of the last push; one without anything where there was none.
func (e *Environment) Last() project.Record {
	if e == nil || e.Record == nil {
		return project.Record{}
	}
	return *e.Record
}

// Endpoint is where an API answers in the environment, without a trailing slash;
// "" where it was not pushed.
func (e *Environment) Endpoint(label string) string {
	for _, endpoint := range e.Last().APIs {
		if endpoint.API == label {
			return endpoint.URL
		}
	}
	return ""
}

// Read reads the project again, away from Update.
func (b *Board) Read() tea.Cmd {
	b.asked++
	asked, env := b.asked, b.env
	return away(func() func() tea.Cmd {
		var (
			snap *Snapshot
			take func() tea.Cmd
			err  error
			kept *draft.Draft
		)
		// Files may change while they are read.
		const tries = 3
		print := ""
		for range tries {
			print = fingerprintOf(b.Dir)
			snap, take, err = b.read(env)
			if fingerprintOf(b.Dir) == print {
				break
			}
		}
		if b.Writes != nil {
			if d, ok, err := b.Writes.Drafts.Load(); err == nil && ok {
				kept = &d
			}
		}
		return func() tea.Cmd {
			if asked != b.asked {
				return nil
			}
			b.answered, b.print, b.Err, b.Draft = asked, print, err, kept
			if err != nil {
				return frame.Say(frame.Error, "%v", err)
			}
			return b.show(snap, take)
		}
	})
}

// Reading reports whether an answer is awaited.
func (b *Board) Reading() bool { return b.asked != b.answered }

// show has every tab show what was read.
func (b *Board) show(snap *Snapshot, take func() tea.Cmd) tea.Cmd {
	b.Snap = snap
	all := take()
	if b.env == "" || b.env == snap.Name() {
		return all
	}
	gone := b.env
	b.env = ""
	return tea.Batch(all, frame.Say(frame.Warn, "there is no environment %s", prose.Printable(gone)))
}

// Wanted is the environment that is shown, or that is being read.
func (b *Board) Wanted() string {
	if b.env != "" || b.Snap == nil {
		return b.env
	}
	return b.Snap.Name()
}

// SwitchTo shows another environment. It is chosen on this board alone.
func (b *Board) SwitchTo(env string) tea.Cmd {
	b.env = env
	return b.Read()
}

// each runs something for every tab at once, and gives what has them show what they made
// of it.
func (b *Board) each(do func(Tab) func() tea.Cmd) (take func() tea.Cmd) {
	takes := make([]func() tea.Cmd, len(b.Tabs))
	var all sync.WaitGroup
	for i, tab := range b.Tabs {
		all.Go(func() { takes[i] = do(tab) })
	}
	all.Wait()
	return func() tea.Cmd {
		var cmds []tea.Cmd
		for _, take := range takes {
			if take != nil {
				cmds = append(cmds, take())
			}
		}
		return tea.Batch(cmds...)
	}
}

// read reads the project, and has every tab make of it what it shows.
func (b *Board) read(env string) (*Snapshot, func() tea.Cmd, error) {
	root, kind, err := project.Find(b.Dir)
	if err != nil {
		return nil, nil, err
	}
	p, files, err := project.LoadReadOnly(root, kind)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = p.Close() }()
	s := &Snapshot{Backend: p.Backend, Layout: kind, Root: root, Older: p.Legacy()}
	// What asks the definition alone is found out while it is compared with the last
	// push: of many paths either takes a while.
	took := make(chan Takeovers, 1)
	go func() { took <- takeoversIn(p.Backend) }()
	for _, e := range p.Backend.Environments {
		s.Environments = append(s.Environments, readEnvironment(root, kind, e))
	}
	if current := p.CurrentEnvironment(); current != nil {
		s.Chosen = current.Name
	}
	s.Env = s.choose(env)
	_, err = files.Stat(journal.Folder + "/journal")
	s.Half = err == nil
	for _, problem := range p.Problems {
		if problem.Level == model.Error {
			s.Broken = append(s.Broken, prose.Short(problem.Error()))
		}
	}
	s.compare(p)
	s.Takeovers = <-took
	reading := &Reading{Snapshot: s, Project: p}
	return s, b.each(func(t Tab) func() tea.Cmd { return t.Read(reading) }), nil
}

func readEnvironment(root string, kind project.Layout, e *model.Environment) Environment {
	env := Environment{Environment: e, AmplifyCLI: kind != project.Native}
	if env.AmplifyCLI {
		return env
	}
	record, err := project.ReadRecord(root, e.Name)
	switch {
	case err == nil:
		env.Record = &record
	case errors.Is(err, project.ErrDeploying):
		env.Pushing = true
	case !errors.Is(err, project.ErrNeverDeployed):
		env.Problem = prose.Short(err.Error())
	}
	return env
}

// choose is the environment of that name, else the one chosen on this machine,
// else the first; nil for none.
func (s *Snapshot) choose(name string) *Environment {
	var chosen *Environment
	for i := range s.Environments {
		e := &s.Environments[i]
		switch {
		case e.Name == name:
			return e
		case e.Name == s.Chosen, chosen == nil:
			chosen = e
		}
	}
	return chosen
}

// compare fills in the status.
func (s *Snapshot) compare(p *project.Project) {
	switch {
	case s.Env == nil:
		s.Status.Untold = project.ErrNoEnvironments.Error()
		return
	case len(s.Broken) > 0:
		s.Status.Untold = "what a push would change is told when all files can be read"
		return
	}
	status, err := p.Status(s.Env.Name)
	if err != nil {
		s.Status.Untold = prose.Short(err.Error())
		return
	}
	s.Status.Status = status
}
