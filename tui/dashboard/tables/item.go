package tables

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/table/attribute"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
)

// itemForm is the form of an item.
type itemForm struct {
	fact *shownTable
	// item is the one that is edited; nil for a new one.
	item attribute.Item
}

// newItem is an item with nothing but the key of its table.
func newItem(t sandbox.Table) string {
	empty := map[model.KeyType]string{model.StringKey: `""`, model.NumberKey: "0", model.BinaryKey: `{"B": ""}`}
	var lines []string
	for _, k := range t.Keys() {
		lines = append(lines, "  "+board.JSONText(k.Name)+": "+cmp.Or(empty[k.Type], empty[model.StringKey]))
	}
	return "{\n" + strings.Join(lines, ",\n") + "\n}"
}

// ask asks for an item.
func (t *Tab) ask(of itemForm, text string) tea.Cmd {
	title := "New item of " + of.fact.name
	if of.item != nil {
		title = "Item of " + of.fact.name
	}
	return board.EditJSON(t.board, dialog.Editing{Title: title, Text: text}, "item.json", of.read,
		func(item attribute.Item) tea.Cmd {
			return t.agreed(of.fact, "write 1 item into", func() tea.Cmd { return t.put(of, item) })
		}, func(typed string) tea.Cmd { return t.ask(of, typed) })
}

// read parses an item from JSON. Its errors name no line.
func (of itemForm) read(text string) (item attribute.Item, line int, err error) {
	item, err = attribute.ParsePlainItem([]byte(strings.TrimSpace(text)))
	if err == nil {
		err = of.fact.table.Check(item)
	}
	switch {
	case err != nil:
		return nil, 0, fmt.Errorf("the item %w", err)
	case of.item != nil && !of.fact.table.KeyOf(item).Equal(of.fact.table.KeyOf(of.item)):
		return nil, 0, errors.New("the key of an item cannot change: a adds another item, d deletes this one")
	}
	return item, 0, nil
}

// put writes an item. An edited one must not have changed meanwhile.
func (t *Tab) put(of itemForm, item attribute.Item) tea.Cmd {
	f := of.fact
	return t.replace("writing into "+f.name, f, item, item, func(was attribute.Item) (string, error) {
		switch {
		case of.item != nil && !was.Equal(of.item):
			return "", errors.New("nothing was written: somebody changed the item meanwhile; ctrl+r reads it again")
		case was != nil:
			return "1 item of " + f.name + " is replaced", nil
		}
		return "1 item is added to " + f.name, nil
	})
}

// remove deletes an item.
func (t *Tab) remove(f *shownTable, item attribute.Item) tea.Cmd {
	return t.replace("deleting an item of "+f.name, f, item, nil, func(was attribute.Item) (string, error) {
		if was == nil {
			return "", errors.New("the item was deleted already")
		}
		return "1 item of " + f.name + " is deleted", nil
	})
}

// replace puts an item in the place of the one that has a key, or none if it is nil, unless
// allowed refuses what was there; allowed also says what was done. Undo brings back what was
// there, unless somebody has changed the item since.
func (t *Tab) replace(
	title string, f *shownTable, key, next attribute.Item, allowed func(was attribute.Item) (done string, err error),
) tea.Cmd {
	at := t.source(f)
	return t.board.Do(title, func(ctx context.Context) (board.Deed, error) {
		deed := board.Deed{After: t.fetchAgain}
		err := at.with(ctx, true, func(x sandbox.Items) error {
			key := x.Table.KeyOf(key)
			was, err := x.Get(ctx, key)
			if err == nil {
				deed.Done, err = allowed(was)
			}
			if err != nil {
				return err
			}
			if at.cloud != nil {
				// It would need the consent again.
				return set(ctx, x, key, next)
			}
			deed.Back = func(ctx context.Context) error {
				return at.with(ctx, true, func(x sandbox.Items) error {
					now, err := x.Get(ctx, key)
					if err == nil && !now.Equal(next) {
						err = errors.New("the item was changed meanwhile")
					}
					if err != nil {
						return err
					}
					return set(ctx, x, key, was)
				})
			}
			return set(ctx, x, key, next)
		})
		return deed, err
	})
}

// set writes the item of a key, or deletes it if next is nil.
func set(ctx context.Context, x sandbox.Items, key, next attribute.Item) (err error) {
	if next == nil {
		_, err = x.Delete(ctx, key)
		return err
	}
	_, err = x.Put(ctx, next)
	return err
}

// fetchAgain reads the items again after a write.
func (t *Tab) fetchAgain() tea.Cmd {
	t.stale = true
	return t.board.Read()
}
