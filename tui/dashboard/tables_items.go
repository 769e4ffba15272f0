package dashboard

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy"
	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/table/attribute"
)

// itemsAt says which items are asked for, and whether the sandbox's state may be
// held for it where no sandbox runs.
type itemsAt struct {
	root, environment string
	table             sandbox.Table
	holds             bool
	// one lets one command hold the state at a time.
	one *sync.Mutex
}

// errNotHeld says that items cannot be seen, as nothing serves them and nothing is
// to be held.
var errNotHeld = errors.New("no sandbox runs, and this dashboard takes hold of nothing: items are shown while one runs")

// with asks for the items, through the sandbox that runs or from its state. Nothing
// is made where nothing is kept yet, unless it is to be written.
func (a itemsAt) with(ctx context.Context, writes bool, use func(sandbox.Items) error) error {
	a.one.Lock()
	defer a.one.Unlock()
	held, err := a.held(ctx, writes)
	if err != nil || held == nil {
		return err
	}
	if writes {
		err = held.Make(ctx, []sandbox.Table{a.table})
	}
	if err == nil {
		err = use(sandbox.Items{Tables: held, Table: a.table})
	}
	if sandbox.NoTable(err) {
		err = a.missing(held)
	}
	return errors.Join(err, held.Close())
}

// held gives the tables; nil where there is nothing that could have items.
func (a itemsAt) held(ctx context.Context, writes bool) (*sandbox.HeldTables, error) {
	state := deploy.SandboxState(a.root)
	held, err := sandbox.ServedTables(ctx, state)
	if !errors.Is(err, sandbox.ErrNotRunning) {
		return held, err
	}
	if _, err := os.Lstat(state); errors.Is(err, os.ErrNotExist) && !writes {
		return nil, nil
	}
	if !a.holds {
		return nil, errNotHeld
	}
	if state, err = deploy.MakeSandboxState(a.root); err != nil {
		return nil, err
	}
	return sandbox.OpenTables(ctx, state, "")
}

// missing is the reason why a table is not there; nil where that is as it should
// be: a table is made when something is first written to it.
func (a itemsAt) missing(held *sandbox.HeldTables) error {
	if !held.Served() {
		return nil
	}
	return fmt.Errorf("the running sandbox does not serve environment %s: it serves one from the working tree, and others once they were pushed", model.Quote(a.environment))
}

// tablePage is how many items are fetched at once.
const tablePage = 200

// itemsRead are items that were fetched, or why they were not.
type itemsRead struct {
	of *openTable
	// first says that they take the place of those before.
	first bool
	items []shownItem
	next  json.RawMessage
	count int64
	err   error
}

// shownItem is an item with its one line.
type shownItem struct {
	item      attribute.Item
	id        string
	text, low string
	// formatted is made when it is first looked at.
	formatted []string
}

// fetch gets the page that follows what is there of a table, or all of what was
// there again.
func (o *openTable) fetch(again bool) tea.Cmd {
	if o.fetching {
		o.again = o.again || again
		return nil
	}
	o.fetching = true
	at, from, want := o.at, o.next, tablePage
	if again {
		from, want = nil, max(tablePage, len(o.items))
	}
	return func() tea.Msg {
		msg := itemsRead{of: o, first: from == nil}
		msg.err = at.with(context.Background(), false, func(x sandbox.Items) (err error) {
			if msg.count, err = x.Count(context.Background()); err != nil {
				return err
			}
			for next := from; len(msg.items) < want; {
				var page []attribute.Item
				if page, next, err = x.Page(context.Background(), next, want-len(msg.items)); err != nil {
					return err
				}
				for _, item := range page {
					msg.items = append(msg.items, shownOf(x.Table, item))
				}
				if msg.next = next; next == nil {
					break
				}
			}
			return nil
		})
		return msg
	}
}

func shownOf(t sandbox.Table, item attribute.Item) shownItem {
	text := fit(string(item.AppendPlain(nil)))
	return shownItem{item: item, id: string(t.KeyOf(item).AppendPlain(nil)), text: text, low: strings.ToLower(text)}
}

// formattedItem is an item as lines of indented JSON.
func formattedItem(item attribute.Item) string {
	var b bytes.Buffer
	if json.Indent(&b, item.AppendPlain(nil), "", "  ") != nil {
		return string(item.AppendPlain(nil))
	}
	return b.String()
}

// mostFormatted is how many lines of an item are shown.
const mostFormatted = 1000

func (s *shownItem) lines() []string {
	if s.formatted == nil {
		for line := range strings.SplitSeq(formattedItem(s.item), "\n") {
			if len(s.formatted) == mostFormatted {
				s.formatted = append(s.formatted, "…")
				break
			}
			s.formatted = append(s.formatted, fit(line))
		}
	}
	return s.formatted
}

// itemCounts are how many items each table has, by deployed name.
type itemCounts struct {
	of     *tablesTab
	counts map[string]int64
	err    error
}

// count asks a running sandbox how many items the tables of the environment have.
func (tt *tablesTab) count() tea.Cmd {
	if tt.counting || len(tt.set.tables) == 0 || tt.set.why != "" {
		return nil
	}
	tt.counting = true
	set := tt.set
	return func() tea.Msg {
		msg := itemCounts{of: tt, counts: make(map[string]int64)}
		held, err := sandbox.ServedTables(context.Background(), deploy.SandboxState(set.root))
		if err != nil {
			msg.err = err
			return msg
		}
		for _, t := range set.tables {
			n, err := sandbox.Items{Tables: held, Table: t.table}.Count(context.Background())
			if err == nil {
				msg.counts[t.table.Name] = n
			} else if !sandbox.NoTable(err) {
				msg.err = err
				break
			}
		}
		return msg
	}
}

// write changes items of a table; title names it while it runs. The items are
// fetched again when it ended.
func (tt *tablesTab) write(title string, f tableFact, change func(context.Context, sandbox.Items) (said string, err error)) tea.Cmd {
	at := tt.at(f)
	tt.stale = true
	return tt.page.work(title, func(ctx context.Context) (said string, err error) {
		err = at.with(ctx, true, func(x sandbox.Items) (err error) {
			said, err = change(ctx, x)
			return err
		})
		return said, err
	})
}
