package live

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gatewright/deploy/outputs"
	"gatewright/deploy/secretfile"
	"gatewright/internal/cfn"
	"gatewright/internal/schedule"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/amplify"
	"gatewright/sandbox"
	"gatewright/sandbox/function"
	"gatewright/sandbox/gateway"
	"gatewright/sandbox/trigger"
)

// served is an environment that is served.
type served struct {
	sandbox.Environment
	record  project.Record
	backend *model.Backend
	// pushed is the time of its push; zero for the working tree.
	pushed time.Time
	// source is the folder of its functions.
	source string
	// contracts are those of the APIs, by label, where they are used.
	contracts map[string]*liveContract
}

// environments returns what is to be served: the environment of the working tree, then the others that were
// pushed. If one of those cannot be read any more, its earlier state is served.
func (l *live) environments(p *project.Project) ([]served, error) {
	env, err := EnvironmentOf(p, l.environment)
	if err != nil {
		return nil, err
	}
	first, err := l.environmentOf(p, p.Backend, env, functionFolder(p), l.left)
	if err != nil {
		return nil, err
	}
	if err := l.setContracts(p, &first); err != nil {
		return nil, err
	}
	all := []served{first}
	for _, other := range p.Backend.Environments {
		if other.Name == env.Name || other.Provider != model.Local {
			continue
		}
		s, err := l.pushed(p, other.Name)
		switch {
		case errors.Is(err, project.ErrNeverDeployed):
			continue
		case err != nil:
			l.warn(sandbox.Event{
				Kind: Problem, Environment: other.Name,
				Text: "environment " + phrase.Quote(other.Name) + " is not served as it was pushed: " + err.Error(),
			})
			if s = l.servedBefore(other.Name); s.Name == "" {
				continue
			}
		}
		all = append(all, s)
	}
	return all, nil
}

func (l *live) servedBefore(env string) served {
	for _, s := range l.serving {
		if s.Name == env && !s.pushed.IsZero() {
			return s
		}
	}
	return served{}
}

// pushed returns an environment as it was last pushed. The error matches
// project.ErrNeverDeployed if it never was.
func (l *live) pushed(p *project.Project, name string) (served, error) {
	d, err := p.Deployed(name)
	if err != nil {
		return served{}, err
	}
	if have := l.servedBefore(name); have.record.Snapshot == d.Snapshot && have.Name != "" {
		return have, nil
	}
	env := d.Project.Backend.Environment(name)
	if env == nil {
		return served{}, fmt.Errorf("the deployed definition has no environment %s; push it again", phrase.Quote(name))
	}
	source, err := l.copySources(p, d)
	if err != nil {
		return served{}, err
	}
	s, err := l.environmentOf(p, d.Project.Backend, env, source, nil)
	s.pushed, s.record.Snapshot = d.Deployed, d.Snapshot
	return s, err
}

// environmentOf returns one environment of a backend with its functions in a folder.
// Its ids and endpoints are those of a push, with the sandbox's own port.
func (l *live) environmentOf(
	p *project.Project, b *model.Backend, env *model.Environment, source string, left LeftOut,
) (served, error) {
	here := *b
	here.Project.SandboxPort = l.port
	record, _, err := outputs.RecordOf(&here, env, time.Now())
	if err != nil {
		return served{}, err
	}
	account := outputs.AccountOf(env)
	s := served{record: record, backend: b.For(env), source: source}
	s.Environment = sandbox.Environment{Name: env.Name, Region: record.Region, AccountID: account}
	if s.Pool, err = outputs.PoolIn(s.backend, env, record); err != nil {
		return served{}, err
	}
	groups, terms := s.backend.RoleOrder(), s.backend.Terms()
	terms.NoGuests = s.Pool != nil && !s.Pool.GuestsEnabled()
	for _, endpoint := range record.APIs {
		s.APIs = append(s.APIs, gateway.API{
			ID: endpoint.ID, Environment: env.Name, Label: endpoint.API, Region: record.Region, AccountID: account,
			Definition: s.backend.API(endpoint.API), Groups: groups, Terms: terms,
			Fault:          left.because(model.KindAPI, endpoint.API),
			Administration: !s.backend.Defines(model.KindAuth) && endpoint.API == amplify.AdminQueries,
		})
	}
	s.Tables = TablesOf(s.backend, env)
	s.Grants, s.Definitions = make(map[string][]cfn.Statement), make(map[string]*model.Function)
	s.FromTemplates = !s.backend.Defines(model.KindFunction)
	secrets := secretfile.Read(p.Root, env.Name)
	s.Values, s.ValuesFile = secrets.Values, phrase.QuotePath(secrets.File)
	s.Secrets = slices.Collect(maps.Values(secrets.Values))
	for name, value := range l.options.Set {
		if fact := project.NewFact(name, value); fact.Shown != value {
			s.Secrets = append(s.Secrets, value)
		}
	}
	made := specMaker{
		project: p, backend: s.backend, environment: s.Environment, record: record, source: source, secrets: secrets,
		set:           l.options.Set,
		tableEndpoint: l.sandbox.TableEndpoint(), otherTables: l.options.TableEndpoint != "", address: l.sandbox.Address(),
		cloud: l.sandbox.CloudAddress(), allowCloud: l.options.AllowCloud,
	}
	for _, f := range s.backend.Functions {
		made.values, made.warnings = nil, nil
		var spec function.Spec
		fault := left.because(model.KindFunction, f.Name)
		if fault == "" {
			var err error
			if spec, err = made.spec(f); err != nil {
				fault = strings.TrimPrefix(err.Error(), "is not run: ")
				l.warn(sandbox.Event{Kind: function.EventWarning, Environment: env.Name, Function: f.Name, Text: err.Error()})
			}
		}
		if fault != "" {
			s.Functions = append(s.Functions,
				function.Spec{Environment: env.Name, Name: f.Name, DeployedName: f.DeployedName(), Fault: fault})
			continue
		}
		for _, text := range made.warnings {
			l.warn(sandbox.Event{Kind: function.EventWarning, Environment: env.Name, Function: f.Name, Text: text})
		}
		s.Functions = append(s.Functions, spec)
		s.Grants[f.Name], s.Definitions[f.Name] = made.grants(f), f
		s.Secrets = append(s.Secrets, made.values...)
		if f.Schedule == "" {
			continue
		}
		at, err := schedule.Parse(f.Schedule)
		if err != nil {
			l.warn(sandbox.Event{
				Kind: function.EventWarning, Environment: env.Name, Function: f.Name,
				Text: "is not invoked by its schedule " + phrase.Quote(f.Schedule) + ": " + err.Error(),
			})
			continue
		}
		s.Schedules = append(s.Schedules, trigger.Entry{Environment: env.Name, Function: f.Name, Schedule: at})
	}
	return s, nil
}

// functionFolder returns the folder with the functions of the working tree.
func functionFolder(p *project.Project) string {
	return filepath.Join(p.Root, filepath.FromSlash(p.Layout.String()), "function")
}
