package tables

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy/remote"
	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/project/read"
	"gatewright/sandbox"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
)

// mayBeInCloud reports whether the shown environment is in AWS, where it has tables of its own.
func (t *Tab) mayBeInCloud() bool { return t.board.Snap != nil && t.board.Snap.Env.InAWS() }

// withElsewhere adds the key that shows the tables in AWS, or those of the sandbox again, if the
// environment is in AWS.
func (t *Tab) withElsewhere(list []keys.Binding) []keys.Binding {
	if !t.mayBeInCloud() {
		return list
	}
	label, about, do := "in AWS", "ask AWS for the tables and items that the environment has there", t.askCloud
	if t.set.cloud != nil {
		label, about, do = "sandbox", "show the tables and items of the sandbox again",
			func() tea.Cmd { return t.take(t.here) }
	}
	return append(list, keys.InAWS.Does(label, about, do).Shown())
}

// askCloud shows the tables in AWS.
func (t *Tab) askCloud() tea.Cmd { return t.board.Reach(t.takeCloud) }

func (t *Tab) takeCloud(r *board.Reached) tea.Cmd { return t.take(inCloud(t.here, r)) }

// inCloud are the tables that an environment has in AWS.
func inCloud(here tableSet, r *board.Reached) tableSet {
	set := tableSet{root: here.root, environment: here.environment, cloud: r}
	var tables []sandbox.Table
	b := r.Backend()
	for _, d := range b.Tables {
		if table, err := remote.TableOf(r.Reached, d.Name); err == nil {
			tables = append(tables, table)
		}
	}
	set.add(b, tables)
	return set
}

// agreed does what changes a table; in AWS after the name of the environment was typed. change
// says what is done, such as "write 1 item into".
func (t *Tab) agreed(f *shownTable, change string, do func() tea.Cmd) tea.Cmd {
	r, env := f.cloud, f.environment
	if r == nil {
		return do()
	}
	text := fmt.Sprintf("This would %s table %s of environment %s, %s.\nIt cannot be undone here.", change,
		prose.PrintableStart(f.table.Name), prose.PrintableStart(env), r.Where())
	return frame.Open(dialog.Agree("Change items in AWS?", text, "Change", env, do))
}

// loadAgreed imports a file; in AWS after its items are counted and the name of the environment was
// typed.
func (t *Tab) loadAgreed(f *shownTable, name string) tea.Cmd {
	load := func() tea.Cmd { return t.load(f, name) }
	if f.cloud == nil {
		return load()
	}
	at, path := t.source(f), t.path(name)
	return t.board.Do("reading "+prose.PrintableStart(name), func(ctx context.Context) (board.Deed, error) {
		file, err := file.OpenRegular(path)
		if err != nil {
			return board.Deed{}, read.CannotRead(name, err)
		}
		defer func() { _ = file.Close() }()
		total, err := sandbox.Items{Table: at.table}.Check(ctx, phrase.QuotePath(name), file)
		items := phrase.Count(total, "item")
		return board.Deed{Done: items + " to write", After: func() tea.Cmd {
			if err != nil {
				return nil
			}
			return t.agreed(f, "write "+items+" into", load)
		}}, err
	})
}
