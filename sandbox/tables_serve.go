package sandbox

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"gatewright/internal/text/phrase"
	"gatewright/sandbox/cloud"
	"gatewright/sandbox/invoke"
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
	guard := &tableGuard{caller: s.caller, tables: store.Handler(), refused: s.logRefusal, assumed: s.logAssumed}
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
	for _, env := range c.Environments {
		s.makeTables(env)
	}
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

// logRefusal explains in a function's log why it may not use a table.
func (s *Sandbox) logRefusal(c caller, u use, permission invoke.Permission) {
	text := "functions may not use the operation " + phrase.Quote(u.operation)
	if u.table != "" && u.action != 0 {
		text = fmt.Sprintf("table %s: the function may not %s there; %s",
			phrase.Quote(u.table), u.action, c.advice(permission, u.needs(), fmt.Sprintf("table/NAME=%s", u.action)))
	}
	s.logs.Append(logs.Line{Environment: c.Environment, Function: c.Name, Level: logs.Warn, Text: text})
}

// logAssumed tells once that a function uses tables of which its policies say nothing.
func (s *Sandbox) logAssumed(c caller, _ use) {
	s.cloud.say(cloud.Caller{Environment: c.Environment, Function: c.Name}, onlyOnce,
		"its policies do not say which tables it may use: here it may use all of the project, in the cloud only those that "+
			"its role allows")
}
