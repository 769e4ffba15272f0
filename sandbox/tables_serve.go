package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"gatewright/internal/text/phrase"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/table"
)

// serveTables opens and serves the sandbox's own tables, or uses another service's.
func (s *Sandbox) serveTables() error {
	if endpoint := s.options.TableEndpoint; endpoint != "" {
		s.tables = RemoteTables(endpoint)
		return nil
	}
	store, err := openTables(s.options.State, s.tellDamage)
	if err != nil {
		return err
	}
	if warning := store.Warning(); warning != "" {
		s.options.Notify(Event{Kind: EventDamage, Text: warning})
	}
	s.store, s.tables = store, store
	guard := &tableGuard{caller: s.caller, tables: store.Handler(), tell: s.tell, used: s.keepUse}
	for _, target := range []string{table.Target, table.StreamTarget} {
		s.gateway.Handle(target, guard)
	}
	return nil
}

// tellDamage tells of damage in a file of the state, which is met once.
func (s *Sandbox) tellDamage(err error) {
	s.logs.Append(logs.Line{Function: logs.Gateway, Level: logs.Error, Text: err.Error()})
	s.options.Notify(Event{Kind: EventDamage, Text: err.Error()})
}

// TableEndpoint is the endpoint of the tables.
func (s *Sandbox) TableEndpoint() string {
	if s.options.TableEndpoint != "" {
		return s.options.TableEndpoint
	}
	return s.run.Address
}

func (s *Sandbox) closeTables() error {
	if s.store == nil {
		return nil
	}
	return s.store.Close()
}

// applyTables creates missing tables. The caller holds f.mu.
func (s *Sandbox) applyTables(c Config) {
	if s.store != nil {
		situate(s.store, c.Environments)
	}
	for _, env := range c.Environments {
		s.makeTables(env)
	}
}

// situate gives tables the region and the account of their environment, others those of the first one.
func situate(store *table.Store, environments []Environment) {
	first, places := &Environment{}, make(map[string]*Environment)
	for i := range slices.Backward(environments) {
		first = &environments[i]
		for _, t := range first.Tables {
			places[t.Name] = first
		}
	}
	store.Situate(func(name string) (region, account string) {
		env := cmp.Or(places[name], first)
		return env.Region, env.AccountID
	})
}

func (s *Sandbox) makeTables(env Environment) {
	for _, before := range s.config.Environments {
		if before.Name == env.Name && reflect.DeepEqual(before.Tables, env.Tables) {
			return
		}
	}
	const timeout = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	for _, t := range env.Tables {
		err := makeTable(ctx, s.tables, t)
		if key := (*keyError)(nil); err != nil && !errors.As(err, &key) {
			err = fmt.Errorf("table %s cannot be created or updated: %w", phrase.Quote(t.Name), err)
		}
		if err != nil {
			s.options.Notify(Event{Kind: EventTable, Environment: env.Name, Text: err.Error()})
		}
	}
}
