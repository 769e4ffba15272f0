package dashboard

import (
	"errors"
	"time"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
)

// snapshot is all that the page shows, as it was read at one moment and for one
// environment. Nothing in it changes afterwards, and nothing of it asks the
// filesystem again. Texts in it are fit for the screen.
type snapshot struct {
	backend      *model.Backend
	layout       project.Layout
	environments []environment
	// env is the environment that is compared with its last push; nil where the
	// project has none.
	env *environment
	// broken are the files that cannot be read. Where there are any, nothing is
	// compared: what they define would count as gone.
	broken []string
	// half says that a write is under way, or was interrupted and is not finished
	// yet: what was read may be half of it.
	half bool

	takeovers takeovers
	apis      apiTable
	functions functionTable
	status    statusOf
	client    clientFile
	tables    tableSet
	access    accessTable
	// chosen is the environment that is chosen on this machine; "" for none. older
	// are the labels of APIs in the older format, which are not edited.
	chosen      string
	older       []string
	definitions definitionTable
}

// statusOf is what a push would do, or why that is not told.
type statusOf struct {
	project.Status
	untold string
}

// name is the name of the environment; "" for none.
func (s *snapshot) name() string {
	if s.env == nil {
		return ""
	}
	return s.env.Name
}

// environment is an environment with what is known of its last push.
type environment struct {
	*model.Environment
	record *project.Record
	// pushing says that a push is under way, problem why the record cannot be
	// read.
	pushing bool
	problem string
	// foreign says that another tool deploys it.
	foreign bool
}

// pushed says when the environment was pushed last.
func (e environment) pushed() string {
	switch {
	case e.foreign:
		return "deployed by the Amplify CLI"
	case e.pushing:
		return "is being pushed"
	case e.problem != "":
		return "last push unknown"
	case e.record == nil:
		return "never pushed"
	}
	return "pushed " + moment(e.record.Deployed)
}

// lastPushed is when the environment was pushed last, as a value of its own.
func (e environment) lastPushed() string {
	switch {
	case e.record == nil && !e.foreign && !e.pushing && e.problem == "":
		return "never"
	case e.record != nil && !e.pushing && e.problem == "":
		return moment(e.record.Deployed)
	}
	return e.pushed()
}

func moment(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// endpoint is where an API answers in the environment, without a trailing slash;
// "" where it was not pushed.
func (e *environment) endpoint(label string) string {
	for _, endpoint := range e.endpoints() {
		if endpoint.API == label {
			return endpoint.URL
		}
	}
	return ""
}

// endpoints are those of the last push.
func (e *environment) endpoints() []project.Endpoint {
	if e == nil || e.record == nil {
		return nil
	}
	return e.record.APIs
}

// tries is how often files are read that change while they are.
const tries = 3

// read reads the project that a folder belongs to. print is the fingerprint of
// the files that were read, whatever came of it.
func read(dir, env string) (s *snapshot, print string, err error) {
	for range tries {
		print = fingerprint(dir)
		s, err = readOnce(dir, env)
		if fingerprint(dir) == print {
			break
		}
	}
	return s, print, err
}

func readOnce(dir, env string) (*snapshot, error) {
	root, kind, err := project.Find(dir)
	if err != nil {
		return nil, err
	}
	p, readOnly, err := project.Look(root, kind)
	if err != nil {
		return nil, err
	}
	defer func() { _ = p.Close() }()
	s := &snapshot{backend: p.Backend, layout: kind}
	// What asks the definition alone is found out while it is compared with the last
	// push: of many paths either takes a while.
	took, access := make(chan takeovers, 1), make(chan accessTable, 1)
	go func() {
		all := takeoversIn(p.Backend)
		took <- all
		access <- accessOf(p.Backend, all)
	}()
	for _, e := range p.Backend.Environments {
		s.environments = append(s.environments, readEnvironment(root, kind, e))
	}
	s.env = s.choose(p, env)
	_, err = readOnly.Stat(journal.Folder + "/journal")
	s.half = err == nil
	for _, problem := range p.Problems {
		if problem.Level == model.Error {
			s.broken = append(s.broken, fit(problem.Error()))
		}
	}
	s.compare(p)
	s.takeovers = <-took
	s.apis = tableOf(apiRows(s, s.status.Was))
	s.functions = functionsOf(s, root)
	s.client = readClientFile(readOnly, p, s)
	s.tables = tablesOf(s, root)
	s.older = p.Legacy()
	s.chosen = chosenHere(p)
	s.definitions = definitionsOf(s)
	s.access = <-access
	return s, nil
}

func readEnvironment(root string, kind project.Layout, e *model.Environment) environment {
	env := environment{Environment: e, foreign: kind != project.Native}
	if env.foreign {
		return env
	}
	record, err := project.ReadRecord(root, e.Name)
	switch {
	case err == nil:
		env.record = &record
	case errors.Is(err, project.ErrDeploying):
		env.pushing = true
	case !errors.Is(err, project.ErrNeverDeployed):
		env.problem = fit(err.Error())
	}
	return env
}

// choose is the environment of that name, else the one chosen on this machine,
// else the first.
func (s *snapshot) choose(p *project.Project, name string) *environment {
	current := p.CurrentEnvironment()
	chosen := none
	for i, e := range s.environments {
		switch {
		case e.Name == name:
			return &s.environments[i]
		case current != nil && e.Name == current.Name, chosen == none:
			chosen = i
		}
	}
	if chosen == none {
		return nil
	}
	return &s.environments[chosen]
}

// compare fills in the status.
func (s *snapshot) compare(p *project.Project) {
	if s.env == nil {
		s.status.untold = project.ErrNoEnvironments.Error()
		return
	}
	if len(s.broken) > 0 {
		s.status.untold = "what a push would change is told when all files can be read"
		return
	}
	status, err := p.Status(s.env.Name)
	if err != nil {
		s.status.untold = fit(err.Error())
		return
	}
	s.status.Status = status
}
