package activity

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/diff"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/project/status"
	"gatewright/sandbox/logs"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/board/boardtest"
	"gatewright/tui/frame"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/keys"
	"gatewright/tui/theme"
)

// shows is the tab of the library, with an API that a push updates for many reasons, and an
// unchanged function.
func shows(t *testing.T) *Tab {
	t.Helper()
	s := boardtest.Snapshot(boardtest.Library(t, "Admins", "Editors"), "dev")
	s.Env.Record = &project.Record{Environment: "dev", Stack: "s", Deployed: time.Unix(1700000000, 0), APIs: []project.Endpoint{{API: "shop", URL: "http://127.0.0.1:4280/1/dev"}}}
	s.Status.Deployed = s.Env.Record
	var reasons []string
	for i := range mostReasons + 3 {
		reasons = append(reasons, fmt.Sprint("reason ", i))
	}
	s.Status.Resources = []status.Resource{
		{Difference: diff.Difference{Of: model.Ref{Kind: model.KindFunction, Name: "f"}}},
		{
			Difference: diff.Difference{Of: model.Ref{Kind: model.KindAPI, Name: "shop"}, Operation: diff.ToUpdate, Reasons: reasons},
			Files:      []journal.Change{{Path: "backend/api/shop/cli-inputs.json", Old: []byte("{}\n"), Existed: true, New: []byte("{\"a\": 1}\n")}},
		},
	}
	tab := New(board.New("", nil, ""))
	tab.board.Snap = s
	tab.Read(&board.Reading{Snapshot: s})()
	return tab
}

func (t *Tab) drawn() string {
	none := theme.New(theme.None)
	lines := t.List.Draw(none, 80, 60, true)
	return ansi.Strip(strings.Join(append(lines, t.List.Legend(none, 80)), "\n"))
}

func (t *Tab) types(text string) {
	for _, r := range text {
		t.List.Type(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// does runs the binding of a meaning.
func (t *Tab) does(of keys.Meaning) (label string) {
	for _, b := range append(t.Bindings(), t.List.Bindings()...) {
		if b.Has(of.Keys()[0]) && b.Disabled == "" {
			if cmd := b.Do(); cmd != nil {
				if then, ok := cmd().(frame.ThenMsg); ok {
					then()
				}
			}
			return b.Label()
		}
	}
	return ""
}

func TestAResourceUnfoldsToAllReasonsAndTheDifference(t *testing.T) {
	t.Parallel()
	tab := shows(t)
	for _, want := range []string{"1 to update since the last push", "▌ ~ Update     API shop", "  = No change  function f", "      reason 11\n", "      and 3 more: enter shows all"} {
		if text := tab.drawn(); !strings.Contains(text, want) {
			t.Errorf("folded, %q is not in\n%s", want, text)
		}
	}
	if got := tab.Title(); got != "Activity (1)" {
		t.Errorf("the tab is called %s", got)
	}
	if got := sumOf(tab.List.Rows()); got != "2 resources" {
		t.Errorf("it counts %s", got)
	}
	tab.List.Move(5)
	for _, meaning := range []keys.Meaning{keys.Open, keys.Fold} {
		if got := tab.does(meaning); got != "unfold" {
			t.Fatalf("it does %q", got)
		}
		for _, want := range []string{"▌ ~ Update     API shop", "reason 14", "      -{}", "      +{\"a\": 1}"} {
			if text := tab.drawn(); !strings.Contains(text, want) {
				t.Errorf("unfolded, %q is not in\n%s", want, text)
			}
		}
		tab.List.Move(20)
		if got := tab.does(meaning); got != "fold" || !strings.Contains(tab.drawn(), "▌ ~ Update     API shop") {
			t.Errorf("it does %q to\n%s", got, tab.drawn())
		}
	}
}

func TestADifferenceOfAnEarlierReadingIsDropped(t *testing.T) {
	t.Parallel()
	tab := shows(t)
	tab.unfolded[tab.board.Snap.Status.Resources[1].Of] = true
	compared := tab.compare()().(frame.ThenMsg)
	tab.Read(&board.Reading{Snapshot: tab.board.Snap})()
	if compared(); !strings.Contains(tab.drawn(), "comparing the files ...") {
		t.Errorf("it shows\n%s", tab.drawn())
	}
}

func TestAllLinesOfAResourceAreFoundByItsName(t *testing.T) {
	t.Parallel()
	tab := shows(t)
	tab.does(keys.Filter)
	tab.types("api shop")
	if text := tab.drawn(); !strings.Contains(text, "reason 11") || strings.Contains(text, "function f") {
		t.Errorf("it shows\n%s", text)
	}
	tab.List.Unfilter()
	tab.does(keys.Filter)
	// It is hidden while the resource is folded.
	tab.types("reason 14")
	if text := tab.drawn(); !strings.Contains(text, "API shop") {
		t.Errorf("it shows\n%s", text)
	}
}

func TestTheDetailsOfAPushHaveItsEndpoints(t *testing.T) {
	t.Parallel()
	tab := shows(t)
	at := slices.IndexFunc(tab.List.Rows(), func(r row) bool { return strings.HasPrefix(r.id, "push\x00dev") })
	text := strings.Join(prose.Texts(tab.List.Rows()[at].describe()), "\n")
	if !strings.Contains(text, "stack s") || !strings.Contains(text, "API shop http://127.0.0.1:4280/1/dev") {
		t.Errorf("it says\n%s", text)
	}
}

func TestAnOldCodeIsNotShown(t *testing.T) {
	t.Parallel()
	tab, now := shows(t), time.Now()
	code := func(at time.Time, text string) logs.Line {
		return logs.Line{Time: at, Environment: "dev", Function: logs.Identity, Text: text}
	}
	old := code(now.Add(-time.Minute), "old")
	observe := func(o *board.Observed) tea.Cmd {
		tab.board.Sandbox = o
		return tab.Observe(o)()
	}
	if cmd := observe(&board.Observed{Running: true, At: now, Lines: []logs.Line{old}}); cmd != nil {
		t.Errorf("a code from before is shown: %v", cmd())
	}
	fresh := []logs.Line{old, code(now.Add(time.Second), "first"), code(now.Add(2*time.Second), "fresh")}
	cmd := observe(&board.Observed{Running: true, At: now.Add(2 * time.Second), Lines: fresh})
	if cmd == nil {
		t.Fatal("a new code is not shown")
	}
	window := frametest.Open(t, frame.New(frame.Options{}), 120, 40)
	window.Send(cmd())
	window.Shows("dev: fresh (and 1 before it: see Activity)")
	if cmd := observe(&board.Observed{Running: true, At: now.Add(3 * time.Second), Lines: fresh}); cmd != nil {
		t.Errorf("a code is shown twice: %v", cmd())
	}
}

func TestTheLastRowIsFollowedUntilTheCursorMoves(t *testing.T) {
	t.Parallel()
	tab := shows(t)
	see := func(n int) {
		o := &board.Observed{Running: true, At: time.Unix(1700000100, 0)}
		for i := range n {
			o.Lines = append(o.Lines, lineOf(i, logs.Gateway, "a", logs.Warn, fmt.Sprintf("GET /%d 403: no", i)))
		}
		tab.board.Sandbox = o
		tab.Observe(o)()
	}
	on := func(when, want string) {
		t.Helper()
		if r, _ := tab.List.Row(); !strings.Contains(r.line.Text, want) {
			t.Errorf("%s, the cursor is on %q", when, r.line.Text)
		}
	}
	if tab.does(keys.Follow) != "" {
		t.Error("nothing can be followed")
	}
	see(3)
	tab.does(keys.Follow)
	see(5)
	on("followed", "GET /4")
	tab.does(keys.Up)
	see(7)
	on("moved", "GET /3")
	tab.does(keys.Follow)
	see(8)
	on("followed again", "GET /7")
}
