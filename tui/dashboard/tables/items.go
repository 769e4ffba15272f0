package tables

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy/remote"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/sandbox"
	"gatewright/sandbox/live"
	"gatewright/sandbox/table/attribute"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/frame"
)

// itemSource is where the items of a table are. mayOpen permits opening the sandbox's state
// when no sandbox runs.
type itemSource struct {
	root, environment string
	table             sandbox.Table
	mayOpen           bool
	// mu lets one command at a time open the state.
	mu *sync.Mutex
	// cloud is set if the table is one in AWS.
	cloud *board.Reached
}

// errNoAccess says that items cannot be shown: no sandbox serves them, and the state must not
// be opened.
var errNoAccess = errors.New("this dashboard is read-only: it shows items while a sandbox runs")

// with gives access to the items, in AWS, through the running sandbox or in its state. Only a write
// creates a state.
func (a itemSource) with(ctx context.Context, writes bool, use func(sandbox.Items) error) error {
	if a.cloud != nil {
		return use(sandbox.Items{Tables: remote.TablesOf(a.cloud.Reached), Table: a.table})
	}
	a.mu.Lock()
	defer a.mu.Unlock()
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
		// A table is made when something is first written to it.
		err = nil
		if held.Served() {
			err = fmt.Errorf("the running sandbox does not serve environment %s: it serves one from the working tree, and "+
				"others after a push", phrase.Quote(a.environment))
		}
	}
	return errors.Join(err, held.Close())
}

// held opens the tables; nil if there is no state.
func (a itemSource) held(ctx context.Context, writes bool) (*sandbox.HeldTables, error) {
	state := live.State(a.root)
	held, err := sandbox.ServedTables(ctx, state)
	if !errors.Is(err, sandbox.ErrNotRunning) {
		return held, err
	}
	if _, err := os.Lstat(state); errors.Is(err, os.ErrNotExist) && !writes {
		return nil, nil
	}
	if !a.mayOpen {
		return nil, errNoAccess
	}
	if state, err = live.MakeState(a.root); err != nil {
		return nil, err
	}
	return sandbox.OpenTables(ctx, state, "")
}

// tablePage is how many items are fetched at once.
const tablePage = 200

// shownItem is an item with its texts for the screen.
type shownItem struct {
	item attribute.Item
	id   string
	text string
	// formatted is made when it is first needed.
	formatted []prose.Line
}

// fetch fetches the next page of items, or again all that were fetched.
func (t *Tab) fetch(o *openTable, again bool) tea.Cmd {
	if o.fetching {
		o.again = o.again || again
		return nil
	}
	o.fetching = true
	at, items, next, want := o.at, slices.Clip(o.items), o.next, len(o.items)+tablePage
	if again {
		items, next, want = nil, nil, max(tablePage, len(o.items))
	}
	return func() tea.Msg {
		count := int64(0)
		err := at.with(context.Background(), false, func(x sandbox.Items) (err error) {
			if count, err = x.Count(context.Background()); err != nil {
				return err
			}
			for more := true; more && len(items) < want; more = next != nil {
				var page []attribute.Item
				if page, next, err = x.Page(context.Background(), next, want-len(items)); err != nil {
					return err
				}
				for _, item := range page {
					items = append(items, showItem(x.Table, item))
				}
			}
			return nil
		})
		return frame.ThenMsg(func() tea.Cmd { return t.takeItems(o, items, next, count, err) })
	}
}

func showItem(t sandbox.Table, item attribute.Item) *shownItem {
	return &shownItem{
		item: item, id: string(t.KeyOf(item).AppendPlain(nil)),
		text: prose.PrintableStart(string(item.AppendPlain(nil))),
	}
}

// mostFormatted is how many lines of an item are shown.
const mostFormatted = 1000

func (s *shownItem) lines() []prose.Line {
	if s.formatted == nil {
		texts := strings.Split(jsonText(s.item), "\n")
		s.formatted = prose.InTone(prose.Code, prose.PrintableStarts(texts[:min(len(texts), mostFormatted)])...)
		if len(texts) > mostFormatted {
			s.formatted = append(s.formatted, prose.Line{Tone: prose.Muted, Text: "…"})
		}
	}
	return s.formatted
}

// jsonText is an item as indented JSON.
func jsonText(item attribute.Item) string {
	return board.JSONText(json.RawMessage(item.AppendPlain(nil)))
}

// itemCounts are the numbers of items in a running sandbox, by deployed name of the table;
// trouble is why it could not be asked.
type itemCounts struct {
	environment string
	of          map[string]int64
	trouble     string
}

// count asks a running sandbox how many items the tables have.
func (s *tableSet) count() itemCounts {
	counts := itemCounts{environment: s.environment, of: make(map[string]int64)}
	held, err := sandbox.ServedTables(context.Background(), live.State(s.root))
	for i := 0; err == nil && i < len(s.tables); i++ {
		of, n := s.tables[i].table, int64(0)
		if n, err = (sandbox.Items{Tables: held, Table: of}).Count(context.Background()); err == nil {
			counts.of[of.Name] = n
		} else if sandbox.NoTable(err) {
			err = nil
		}
	}
	// Other tabs show that the sandbox has ended.
	if err != nil && !errors.Is(err, sandbox.ErrNotRunning) {
		counts.trouble = prose.PrintableStart(err.Error())
	}
	return counts
}
