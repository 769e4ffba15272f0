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
func (f *Facility) serveTables() error {
	if endpoint := f.options.TableEndpoint; endpoint != "" {
		f.tables = RemoteTables(endpoint)
		return nil
	}
	store, err := openTables(f.options.State, f.tellDamage)
	if err != nil {
		return err
	}
	if warning := store.Warning(); warning != "" {
		f.options.Notify(Event{Kind: EventDamage, Text: warning})
	}
	f.store, f.tables = store, store
	guard := &tableGuard{caller: f.caller, tables: store.Handler(), refused: f.logRefusal, assumed: f.logAssumed}
	for _, target := range []string{table.Target, table.StreamTarget} {
		f.gateway.Handle(target, guard)
	}
	return nil
}

// tellDamage tells of damage in a file of the state, which is met once.
func (f *Facility) tellDamage(err error) {
	f.logs.Append(logs.Line{Function: logs.Gateway, Level: logs.Error, Text: err.Error()})
	f.options.Notify(Event{Kind: EventDamage, Text: err.Error()})
}

// TableEndpoint is the endpoint of the tables.
func (f *Facility) TableEndpoint() string {
	if f.options.TableEndpoint != "" {
		return f.options.TableEndpoint
	}
	return f.run.Address
}

func (f *Facility) closeTables() error {
	if f.store == nil {
		return nil
	}
	return f.store.Close()
}

// applyTables creates missing tables. The caller holds f.mu.
func (f *Facility) applyTables(c Config) {
	for _, env := range c.Environments {
		f.makeTables(env)
	}
}

func (f *Facility) makeTables(env Environment) {
	for _, before := range f.config.Environments {
		if before.Name == env.Name && reflect.DeepEqual(before.Tables, env.Tables) {
			return
		}
	}
	const timeout = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	for _, t := range env.Tables {
		err := makeTable(ctx, f.tables, t)
		if key := (*keyError)(nil); err != nil && !errors.As(err, &key) {
			err = fmt.Errorf("table %s cannot be created or updated: %w", phrase.Quote(t.Name), err)
		}
		if err != nil {
			f.options.Notify(Event{Kind: EventTable, Environment: env.Name, Text: err.Error()})
		}
	}
}

// logRefusal explains in a function's log why it may not use a table.
func (f *Facility) logRefusal(c caller, u use, permission invoke.Permission) {
	text := "functions may not use the operation " + phrase.Quote(u.operation)
	if u.table != "" && u.action != 0 {
		text = fmt.Sprintf("table %s: the function may not %s there; %s",
			phrase.Quote(u.table), u.action, c.advice(permission, u.needs(), fmt.Sprintf("table/NAME=%s", u.action)))
	}
	f.logs.Append(logs.Line{Environment: c.Environment, Function: c.Name, Level: logs.Warn, Text: text})
}

// logAssumed tells once that a function uses tables of which its policies say nothing.
func (f *Facility) logAssumed(c caller, _ use) {
	f.cloud.say(cloud.Caller{Environment: c.Environment, Function: c.Name}, onlyOnce,
		"its policies do not say which tables it may use: here it may use all of the project, in the cloud only those that "+
			"its role allows")
}
