package board

import (
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/draft"
	"gatewright/flow/session"
	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/project/plan"
	"gatewright/project/status"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// Snapshot is the project as it was read at one moment, for one environment. It is not
// changed afterwards and reads no files. Its own texts are safe for the screen.
type Snapshot struct {
	Backend      *model.Backend
	Layout       project.Layout
	Root         string
	Environments []Environment
	// Env is the environment that the page shows; nil if the project has none.
	Env *Environment
	// Broken are the errors of files that cannot be read. With any, nothing is compared with
	// the last push: what they define would count as removed.
	Broken []string
	// Partial says that a write is running or was interrupted: the snapshot may have half of
	// it.
	Partial bool
	Status  Status
	// Chosen is the environment that is chosen on this machine; "" for none. Older
	// are the labels of APIs in the older format, which are not edited.
	Chosen string
	// Unread are the things whose file could not be read.
	Unread    []model.Ref
	Older     []string
	Takeovers Takeovers
	// Things are what the palette finds of the project.
	Things []dialog.Thing
}

// Reading is what the tabs get when the project was read. Project is open only while their
// Read runs, and must not be changed.
type Reading struct {
	*Snapshot
	Project *project.Project
}

// Status is what a push would do; Problem is why that is unknown.
type Status struct {
	status.Status
	Problem string
}

// FileDifference is how the files of a resource differ from the last push.
func (s *Status) FileDifference(of model.Ref) []prose.Line {
	at := slices.IndexFunc(s.Resources, func(r status.Resource) bool { return r.Of == of && len(r.Files) > 0 })
	switch {
	case s.Problem != "":
		return prose.InTone(prose.Muted, s.Problem)
	case s.Deployed == nil && s.Against == "":
		return prose.InTone(prose.Muted, "never pushed: there is nothing to compare with")
	case at < 0:
		return prose.InTone(prose.Muted, "no file differs from the last push")
	}
	return prose.Diff(s.Resources[at].Diff())
}

// IncompleteSections says, in sentences, what sections of the client configuration file lack.
func IncompleteSections(status status.Status) []string {
	var sentences []string
	for _, section := range slices.Sorted(maps.Keys(status.Waiting)) {
		why := "is left out: it lacks "
		if status.GivenByPush(section) {
			why = "is left out until a push gives "
		}
		sentences = append(sentences, prose.PrintableStart("section "+section+" "+why+phrase.List(status.Waiting[section])))
	}
	return sentences
}

// NoFunction is why the project has no function of a name that a path has; "" if it has one.
func (s *Snapshot) NoFunction(name string) string {
	switch {
	case s.Backend.Function(name) != nil:
		return ""
	case slices.Contains(s.Unread, model.Ref{Kind: model.KindFunction, Name: name}):
		return "cannot be read"
	}
	return "does not exist"
}

// Name is the name of the environment; "" for none.
func (s *Snapshot) Name() string {
	if s.Env == nil {
		return ""
	}
	return s.Env.Name
}

// Environment is an environment with its last push.
type Environment struct {
	*model.Environment
	// Record is the last push; nil for none.
	Record *project.Record
	// Pushing says that a push is running; Problem is why the record cannot be read.
	Pushing bool
	Problem string
	// Foreign says that another tool deploys it.
	Foreign bool
	// Kept is when this machine's copy of the last push was written, and Look what AWS said
	// about it in this run; zero and nil for none.
	Kept time.Time
	Look *Look
	// Health is how it was in AWS when that was asked for in this run; nil if it was not.
	Health *Health
}

// Pushed says when the environment was pushed last.
func (e Environment) Pushed() string {
	switch {
	case e.Foreign:
		return "deployed by the Amplify CLI"
	case e.Pushing:
		return "is being pushed"
	case e.Problem != "":
		return "last push unknown"
	case e.Record == nil:
		return "never pushed"
	}
	return "pushed " + clock.Minute(e.Record.Deployed) + " " + clock.Zone(e.Record.Deployed)
}

// Last is the record of the last push; an empty one if there was none.
func (e *Environment) Last() project.Record {
	if e == nil || e.Record == nil {
		return project.Record{}
	}
	return *e.Record
}

// Endpoint is the URL of an API in the last push, without a trailing slash; "" if it has
// none.
func (e *Environment) Endpoint(label string) string {
	for _, endpoint := range e.Last().APIs {
		if endpoint.API == label {
			return endpoint.URL
		}
	}
	return ""
}

// Read reads the project again, outside Update.
func (b *Board) Read() tea.Cmd {
	b.readsBegun++
	number, env, looks, healths, good := b.readsBegun, b.env, b.looks, b.healths, b.good
	return inBackground(func() func() tea.Cmd {
		var (
			news  session.News
			snap  *Snapshot
			take  func() tea.Cmd
			err   error
			saved *draft.Draft
		)
		print := project.Steady(b.Dir, func() { snap, take, err = b.read(env, looks, healths, good) })
		if b.Session != nil {
			if d, ok, err := b.Session.Drafts.Load(); err == nil && ok {
				saved = &d
			}
		}
		if err == nil && good != nil {
			news = session.NewsOf(good, snap.Backend)
		}
		return func() tea.Cmd {
			if number != b.readsBegun {
				return nil
			}
			changed := b.print != print
			b.readsTaken, b.print, b.Err, b.Draft = number, print, err, saved
			if err != nil {
				return frame.Say(frame.Error, "%v", err)
			}
			shown := b.showSnapshot(snap, take)
			return tea.Batch(shown, tea.Sequence(b.sayNews(news, changed), b.leaveGone()))
		}
	})
}

// IsReading reports whether the project is being read.
func (b *Board) IsReading() bool { return b.readsBegun != b.readsTaken }

// showSnapshot shows what was read in all tabs.
func (b *Board) showSnapshot(snap *Snapshot, take func() tea.Cmd) tea.Cmd {
	b.Snap = snap
	all := tea.Batch(take(), b.firstLook())
	if thing := b.wanted; thing != nil {
		b.wanted = nil
		all = tea.Sequence(all, b.ShowThing(*thing))
	}
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

// SwitchTo shows another environment, on this page only.
func (b *Board) SwitchTo(env string) tea.Cmd {
	b.env = env
	return b.Read()
}

// each calls a function for all tabs in parallel, and returns what shows the results.
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

// read reads the project, and has every tab prepare what it shows.
func (b *Board) read(
	env string, looks map[string]*Look, healths map[string]*Health, good *model.Backend,
) (*Snapshot, func() tea.Cmd, error) {
	root, kind, err := project.Find(b.Dir)
	if err != nil {
		return nil, nil, err
	}
	p, files, err := project.LoadReadOnly(root, kind)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = p.Close() }()
	if len(p.Unread) > 0 && good != nil {
		p.Backend = good
	}
	s := &Snapshot{
		Backend: p.Backend, Layout: kind, Root: root, Older: plan.Legacy(p), Unread: p.Unread,
		Things: ThingsOf(p.Backend),
	}
	// Takeovers are found while the project is compared with the last push: with many paths
	// both take a while.
	took := make(chan Takeovers, 1)
	go func() { took <- takeoversIn(p.Backend) }()
	for _, e := range p.Backend.Environments {
		of := readEnvironment(root, kind, e)
		if of.InAWS() {
			of.Health = healths[e.Name]
		}
		if look := looks[e.Name]; look != nil && of.InAWS() {
			of.Look = look
			if b.Session == nil {
				of.showLooked()
			}
		}
		s.Environments = append(s.Environments, of)
	}
	if current := p.CurrentEnvironment(); current != nil {
		s.Chosen = current.Name
	}
	s.Env = s.choose(env)
	_, err = files.Stat(journal.Folder + "/journal")
	s.Partial = err == nil
	for _, problem := range p.Problems {
		if problem.Level == model.Error {
			s.Broken = append(s.Broken, prose.PrintableStart(problem.Error()))
		}
	}
	s.compare(p, b.Session == nil)
	s.Takeovers = <-took
	reading := &Reading{Snapshot: s, Project: p}
	return s, b.each(func(t Tab) func() tea.Cmd { return t.Read(reading) }), nil
}

func readEnvironment(root string, kind project.Layout, e *model.Environment) Environment {
	env := Environment{Environment: e, Foreign: !kind.Defines(model.KindEnvironment)}
	if env.Foreign {
		return env
	}
	record, err := project.ReadRecord(root, e.Name)
	switch {
	case err == nil:
		env.Record, env.Kept = &record, project.RecordKept(root, e.Name)
	case errors.Is(err, project.ErrDeploying):
		env.Pushing = true
	case !errors.Is(err, project.ErrNeverDeployed):
		env.Problem = prose.PrintableStart(err.Error())
	}
	return env
}

// showLooked shows what AWS said instead of this machine's copy.
func (e *Environment) showLooked() {
	e.Record, e.Pushing, e.Problem = nil, e.Look.Stack != nil && e.Look.Stack.Status.Busy(), ""
	if d := e.Look.Deployment; d != nil {
		e.Record = &d.Record
	}
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

// compare fills in the status: against what AWS said, or else against this machine's copy,
// which is the same if the answers of AWS are kept.
func (s *Snapshot) compare(p *project.Project, fromLook bool) {
	switch {
	case s.Env == nil:
		s.Status.Problem = project.ErrNoEnvironments.Error()
		return
	case len(s.Broken) > 0:
		s.Status.Problem = "what a push would change is unknown until all files can be read"
		return
	}
	var (
		state status.Status
		err   error
	)
	if look := s.Env.Look; look != nil && fromLook {
		state, err = status.Against(p, s.Env.Environment, look.Deployment)
	} else {
		state, err = status.Of(p, s.Env.Name)
	}
	if err != nil {
		s.Status.Problem = prose.PrintableStart(err.Error())
		return
	}
	s.Status.Status = state
}
