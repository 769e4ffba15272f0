package sandbox

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"gatewright/model"
	"gatewright/sandbox/logs"
)

// serveTables opens the sandbox's own tables and serves them at its address, or
// takes those of another service.
func (f *Facility) serveTables() error {
	if endpoint := f.options.TableEndpoint; endpoint != "" {
		f.tables = RemoteTables(endpoint)
		return nil
	}
	store, err := openTables(f.options.State)
	if err != nil {
		return err
	}
	f.store, f.tables = store, store
	f.guard = &tableGuard{tables: store.Handler(), refused: f.tellRefused}
	f.guard.callers.Store(&map[string]caller{})
	for _, target := range []string{tableTarget, "DynamoDBStreams_20120810."} {
		f.gateway.Handle(target, f.guard)
	}
	return nil
}

// TableEndpoint is where tables are reached.
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

// applyTables makes the tables that are not there yet, and says what each function
// may do with them. f.mu is held.
func (f *Facility) applyTables(c Config) {
	callers := make(map[string]caller)
	for _, env := range c.Environments {
		for _, spec := range env.Functions {
			deployed := spec.DeployedName
			if deployed == "" {
				deployed = spec.Name
			}
			callers[AccessKey(env.Name, spec.Name)] = caller{
				environment: env.Name, function: spec.Name, deployed: deployed,
				region: env.Region, account: env.AccountID, grants: env.Grants[spec.Name],
			}
		}
		f.makeTables(env)
	}
	if f.guard != nil {
		f.guard.callers.Store(&callers)
	}
}

func (f *Facility) makeTables(env Environment) {
	for _, before := range f.config.Environments {
		if before.Name == env.Name && reflect.DeepEqual(before.Tables, env.Tables) {
			return
		}
	}
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for _, t := range env.Tables {
		err := makeTable(ctx, f.tables, t)
		if key := (*keyError)(nil); err != nil && !errors.As(err, &key) {
			err = fmt.Errorf("table %s cannot be made ready: %w", model.Quote(t.Name), err)
		}
		if err != nil {
			f.options.Say(Event{Kind: EventTable, Environment: env.Name, Text: err.Error()})
		}
	}
}

// tellRefused explains in a function's log what it may not do with a table.
func (f *Facility) tellRefused(c caller, u use) {
	text := "no function may do " + model.Quote(u.operation) + " here"
	if u.table != "" && u.action != 0 {
		text = fmt.Sprintf("table %s: the function may not %s there; let it with: gatewright update function %s --access table/NAME=%s",
			model.Quote(u.table), u.action, model.Quote(c.function), u.action)
	}
	f.logs.Append(logs.Line{Environment: c.environment, Function: c.function, Level: logs.Warn, Text: text})
}
