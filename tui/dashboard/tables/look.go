package tables

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/sandbox"
	"gatewright/sandbox/table/attribute"
	"gatewright/tui/filter"
	"gatewright/tui/frame"
)

// A filter looks through the items that are shown, and goes on behind them: it reads the rest
// of the table in the background, and keeps only the items that it finds.

const (
	// lookedAtOnce is how many items are read before those found are shown.
	lookedAtOnce = 1000
	// mostFound is how many found items are kept: the search ends there, and says how far it got.
	mostFound = 1000
)

// search is the search of a filter behind the items that are shown.
type search struct {
	typed, from string
	// number counts the searches: the answer to an earlier one is dropped.
	number int
	// found are the items that have the words, alike those that are only like them.
	found, alike []*shownItem
	looked       int
	next         json.RawMessage
	looking      bool
}

// moved is called when the cursor may have moved, or the filter has changed.
func (t *Tab) moved() tea.Cmd { return tea.Batch(t.fetchMore(), t.lookOn()) }

// lookOn begins the searches of a filter that has changed.
func (t *Tab) lookOn() tea.Cmd {
	if t.set.cloud != nil {
		// A person has not asked for all items of a table in AWS, which cost money.
		return nil
	}
	typed := strings.TrimSpace(t.List.Filter())
	var cmds []tea.Cmd
	dropped := false
	for _, f := range t.set.tables {
		o := t.opened[f.table.Name]
		if o == nil || o.search.typed == typed && o.search.from == string(o.next) {
			continue
		}
		dropped = dropped || len(o.search.shown()) > 0
		o.search = search{typed: typed, from: string(o.next), number: o.search.number + 1, next: o.next}
		if typed != "" && o.next != nil {
			cmds = append(cmds, t.look(o))
		}
	}
	if dropped {
		t.layOut()
	}
	return tea.Batch(cmds...)
}

// shown are the items that were found.
func (s *search) shown() []*shownItem {
	if len(s.found) > 0 {
		return s.found
	}
	return s.alike
}

// full reports whether no more items are kept.
func (s *search) full() bool { return len(s.found) >= mostFound || len(s.alike) >= mostFound }

// look reads the next items of a search.
func (t *Tab) look(o *openTable) tea.Cmd {
	o.search.looking = true
	at, s := o.at, o.search
	return func() tea.Msg {
		query, looked := filter.New(s.typed), 0
		err := at.with(context.Background(), false, func(x sandbox.Items) (err error) {
			for more := true; more && looked < lookedAtOnce && !s.full(); more = s.next != nil {
				var page []attribute.Item
				if page, s.next, err = x.Page(context.Background(), s.next, tablePage); err != nil {
					return err
				}
				looked += len(page)
				s.take(query, x.Table, page)
			}
			return nil
		})
		s.looked += looked
		return frame.ThenMsg(func() tea.Cmd { return t.takeFound(o, s, err) })
	}
}

// take keeps those items of a page that match.
func (s *search) take(query *filter.Query, table sandbox.Table, page []attribute.Item) {
	for _, item := range page {
		shown := showItem(table, item)
		switch query.In(strings.ToLower(shown.text)) {
		case filter.Written:
			s.found, s.alike = append(s.found[:len(s.found):len(s.found)], shown), nil
		case filter.Alike:
			if len(s.found) == 0 {
				s.alike = append(s.alike[:len(s.alike):len(s.alike)], shown)
			}
		case filter.Miss:
		}
	}
}

// takeFound shows the items that a search found, and goes on until it has looked through all.
func (t *Tab) takeFound(o *openTable, s search, err error) tea.Cmd {
	if t.opened[o.at.table.Name] != o || o.search.number != s.number {
		return nil
	}
	o.search = s
	o.search.looking = false
	var cmd tea.Cmd
	switch {
	case err != nil:
		cmd = frame.Say(frame.Warn, "not all items were searched: %s", prose.PrintableStart(err.Error()))
	case s.next != nil && !s.full():
		cmd = t.look(o)
	}
	t.layOut()
	return cmd
}

// looked says what a filter looked through, such as "4 found in 67 of 2501 items", and the same
// in short. If no table is unfolded, it says that no items were looked through: else nobody
// could tell them from items without the words.
func (t *Tab) looked() (text, short string) {
	looked, all, looking, any, partly := 0, 0, "", false, false
	for _, o := range t.opened {
		if !o.read || o.problem != "" {
			continue
		}
		any = true
		seen := len(o.items) + o.search.looked
		looked, all = looked+seen, all+max(seen, int(o.count))
		if o.search.looking {
			looking = " ..."
		}
		partly = partly || o.at.cloud != nil && o.next != nil
	}
	if !any {
		short = fmt.Sprintf("%d of %s", t.List.Count(func(r row) bool { return r.item == nil }),
			phrase.Count(len(t.set.tables), "table"))
		return short + "; items are folded", short
	}
	found := t.List.Count(func(r row) bool { return r.item != nil })
	if partly {
		// How many there are is a guess.
		return fmt.Sprintf("%d found in the %s read so far", found, phrase.Count(looked, "item")),
			fmt.Sprintf("%d in %d so far", found, looked)
	}
	if looked == all {
		return fmt.Sprintf("%d found in all %s", found, phrase.Count(all, "item")), fmt.Sprintf("%d in all %d", found, all)
	}
	return fmt.Sprintf("%d found in %d of %s%s", found, looked, phrase.Count(all, "item"), looking),
		fmt.Sprintf("%d in %d of %d%s", found, looked, all, looking)
}
