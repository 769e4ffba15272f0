package tables

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project/read"
	"gatewright/sandbox"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
)

// Bindings are the keys of a table or an item.
func (t *Tab) Bindings() []keys.Binding {
	r, ok := t.List.Row()
	reads := t.board.ReadOnly()
	table, item := t.set.noItems, keys.When(r.item == nil, "put the cursor on an item")
	amplify := keys.When(!t.board.Snap.Layout.Defines(model.KindTable),
		"the Amplify CLI manages these tables: run amplify add, update or remove storage")
	beside := keys.AddBeside.Does("new table", "add a table; shows first what is written",
		func() tea.Cmd { return t.addTable(nil) }).Shown().Unless(reads, amplify)
	pushed := keys.When(t.set.cloud != nil, "this is the table as it was pushed: C goes back to the project's")
	if !ok {
		add := keys.Add.Does("new table", "add a table; shows first what is written",
			func() tea.Cmd { return t.addTable(nil) }).Shown().Unless(reads, amplify)
		return t.withElsewhere([]keys.Binding{add, beside.ShownIf(false)})
	}
	f := r.of
	of := model.Ref{Kind: model.KindTable, Name: f.table.Definition.Name}
	edit := keys.Edit.Does("edit item", "change the item", func() tea.Cmd {
		return t.ask(itemForm{fact: f, item: r.item.item}, jsonText(r.item.item))
	}).Shown().Unless(reads, item)
	remove := keys.Remove.Does("delete item", "delete the item", func() tea.Cmd {
		if f.cloud != nil {
			return t.agreed(f, "delete the item "+prose.PrintableStart(r.item.id)+" of",
				func() tea.Cmd { return t.remove(f, r.item.item) })
		}
		return frame.Open(dialog.Sure("Delete the item of "+f.name,
			prose.PrintableStart(r.item.id)+" is deleted; u brings it back.", "Delete", func() tea.Cmd {
				return t.remove(f, r.item.item)
			}))
	}).Shown().Unless(reads, item)
	if r.isHead() {
		edit = keys.Edit.Does("change table", "change the indexes of the table; shows first what is written",
			func() tea.Cmd { return t.editTable(f, nil, nil) }).Shown().Unless(reads, amplify, pushed)
		remove = keys.Remove.Does("remove table", "remove the table from the project; shows first what else that removes",
			func() tea.Cmd { return t.board.Remove(of) }).
			Shown().Unless(reads, amplify, pushed)
	}
	return append(t.withElsewhere(t.opening(r)),
		keys.Add.Does("new item", "write a new item into the table", func() tea.Cmd {
			return t.ask(itemForm{fact: f}, newItem(f.table))
		}).Shown().Unless(reads, table),
		edit, remove, beside,
		keys.Import.Does("import", "write the items of a file into the table", func() tea.Cmd {
			return frame.Open(dialog.Input("Import into "+f.name+": which file?", f.name+".jsonl", nameOfFile,
				func(name string) tea.Cmd { return t.loadAgreed(f, name) }))
		}).Shown().Unless(reads, table),
		keys.Export.Does("export", "write the items of the table into a file", func() tea.Cmd {
			return frame.Open(dialog.Input("Export "+f.name+": into which file?", f.name+".jsonl", nameOfFile,
				func(name string) tea.Cmd { return t.askExport(f, name) }))
		}).Shown().Unless(reads, table),
		keys.OpenFile.Does("file", "open the definition of the table in your editor", func() tea.Cmd {
			return t.board.EditFile(t.board.Snap.Layout.File(of))
		}).Shown().Unless(t.board.NoEditor(), pushed),
		board.Copy(r.copied()),
	)
}

// opening are the keys that open a row and fold its table.
func (t *Tab) opening(r row) []keys.Binding {
	label, about, why := "items", "show the items of the table", t.set.noItems
	if r.open != nil {
		label, about, why = "fold", "hide the items of the table", ""
	}
	unfold := func() tea.Cmd { return t.unfold(r.of) }
	fold := keys.Fold.Does(label, about, unfold).Unless(why)
	switch {
	case r.item != nil:
		return []keys.Binding{t.board.ShowAll("item of "+r.of.name, r.item.lines()), fold}
	case r.more:
		return []keys.Binding{keys.Open.Does("more", "fetch more items", t.fetchMore).Shown(), fold}
	}
	return []keys.Binding{keys.Open.Does(label, about, unfold).Shown().Unless(why), fold}
}

// write changes items of a table; title names it while it runs. The items are
// fetched again when it ended.
func (t *Tab) write(
	title string, f *shownTable, change func(context.Context, sandbox.Items, frame.Progress) (result string, err error),
) tea.Cmd {
	at := t.source(f)
	t.stale = true
	return t.board.Work(title, func(ctx context.Context, tell frame.Progress) (result string, err error) {
		err = at.with(ctx, true, func(x sandbox.Items) (err error) {
			result, err = change(ctx, x, tell)
			return err
		})
		return result, err
	})
}

func nameOfFile(text string) error {
	if strings.TrimSpace(text) == "" {
		return errors.New("give the name of a file")
	}
	return nil
}

// path is the path of a typed file name, relative to the folder that the program was started
// in.
func (t *Tab) path(name string) string {
	name = strings.TrimSpace(name)
	if home, err := os.UserHomeDir(); err == nil && strings.HasPrefix(name, "~/") {
		name = filepath.Join(home, name[2:])
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(t.board.Dir, name)
	}
	return name
}

// load imports a file.
func (t *Tab) load(f *shownTable, name string) tea.Cmd {
	path := t.path(name)
	return t.write("importing into "+f.name,
		f, func(ctx context.Context, x sandbox.Items, tell frame.Progress) (string, error) {
			file, err := file.OpenRegular(path)
			if err != nil {
				return "", read.CannotRead(name, err)
			}
			defer func() { _ = file.Close() }()
			count, err := x.Import(ctx, phrase.QuotePath(name), file, tell)
			return fmt.Sprintf("items imported into %s: %d", f.name, count), err
		})
}

// askExport exports a table, after a yes if the file exists already.
func (t *Tab) askExport(f *shownTable, name string) tea.Cmd {
	path, save := t.path(name), func() tea.Cmd { return t.save(f, name) }
	return func() tea.Msg {
		if _, err := os.Lstat(path); err != nil {
			return frame.ThenMsg(save)
		}
		return frame.Open(dialog.Sure("Replace the file", prose.PrintableStart(name)+" exists already.", "Replace", save))()
	}
}

// save exports a table.
func (t *Tab) save(f *shownTable, name string) tea.Cmd {
	at, path := t.source(f), t.path(name)
	return t.board.Work("exporting "+f.name, func(ctx context.Context, tell frame.Progress) (string, error) {
		count := 0
		err := file.Replace(path, file.Private, func(file *os.File) error {
			return at.with(ctx, false, func(x sandbox.Items) error {
				of, err := x.Count(ctx)
				if err == nil {
					out := bufio.NewWriter(file)
					count, err = x.Export(ctx, out, func(read int) { tell(read, max(read, int(of))) })
					err = cmp.Or(err, out.Flush())
				}
				return err
			})
		})
		if refused := (*os.PathError)(nil); errors.As(err, &refused) {
			err = read.CannotWrite(name, err)
		}
		return fmt.Sprintf("items of %s exported to %s: %d", f.name, phrase.QuotePath(name), count), err
	})
}
