package wizard_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/flow"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/route"
)

// walked are the keys of a random walk. Some are likelier.
var walked = []string{
	"enter", "enter", "enter", "enter", "space", "space", "*", "[", "]", "]", "u", "u", "ctrl+z", "ctrl+y", "ctrl+y", "esc", "esc", "up", "down", "down", "left", "right", "tab", "d", "J", "K",
	"ctrl+s", "Admins, Editors", "/b", "/a/{x}", "2", "5", "<", ">", "n", "z",
}

// TestWhatIsReviewedIsWhatIsWrittenAndDecided walks at random through the wizard, with undo,
// redo, a kill and the draft in between. What the review then shows of access is what is
// written, and what the decisions of the written project are.
func TestWhatIsReviewedIsWhatIsWrittenAndDecided(t *testing.T) {
	t.Parallel()
	written := 0
	rapid.Check(t, func(rt *rapid.T) {
		dir := filepath.Join(t.TempDir(), rapid.StringMatching(`[a-z]{8}`).Draw(rt, "folder"))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		term := open(t, dir, route.Wizard{}, 200, 60)
		term.Unseen = true
		term.Keys("enter", "shop", "enter", "/a", "enter", "enter")
		for range rapid.IntRange(0, 40).Draw(rt, "steps") {
			key := rapid.SampledFrom(append(walked, "kill")).Draw(rt, "key")
			if term.page == nil || term.page.Written() {
				break
			}
			switch key {
			case "kill":
				again := open(t, dir, route.Wizard{Start: route.FromDraft}, 200, 60)
				if got, want := accessOf(again), accessOf(term); got != want {
					rt.Fatalf("the draft has the access\n%s\nwant\n%s", got, want)
				}
				term = again
				term.Unseen = true
			case "Admins, Editors":
				if !term.page.Typing() {
					term.Keys("a")
				}
				term.Keys(key)
			default:
				if _, named := frametest.Key(key); named || len(key) == 1 || term.page.Typing() {
					term.Keys(key)
				}
			}
		}
		if term.page.Written() {
			return
		}
		for range 8 {
			switch {
			case strings.Contains(term.Screen(), "esc cancel"):
				term.Keys("esc")
			case term.page.Reviewing():
			case strings.Contains(term.Screen(), "━ Which path"):
				term.Keys("ctrl+u", rapid.StringMatching(`/[a-z]{6}`).Draw(rt, "path"), "ctrl+s")
			default:
				term.Keys("ctrl+s")
			}
		}
		if !term.page.Reviewing() || !strings.Contains(term.Screen(), "ctrl+s write") {
			return // a question is open
		}
		term.Keys("shift+tab", "g")
		if !strings.Contains(term.Screen(), "┏━ Review") {
			term.Keys("tab", "g")
		}
		shown := drawnAccess(rt, term.Screen())
		term.Keys("ctrl+s")
		if !term.page.Written() {
			rt.Fatalf("it is not written:\n%s", term.Screen())
		}
		written++
		p, err := project.Open(dir)
		if err != nil {
			rt.Fatal(err)
		}
		defer func() { _ = p.Close() }()
		if len(shown) == 0 {
			rt.Fatal("the review shows no path")
		}
		for path, rows := range shown {
			held(rt, p.Backend, path, rows)
		}
	})
	if written == 0 {
		t.Error("no walk ended with files")
	}
	t.Logf("%d walks ended with files", written)
}

// drawnRow finds a row of a matrix that is drawn in the review: its caller and its letters.
var drawnRow = regexp.MustCompile(`│   (\S+(?: users)?) +(?:\d+ +)?([▲▼]? ?[CcRrUuDd·]) +([▲▼]? ?[CcRrUuDd·]) +([▲▼]? ?[CcRrUuDd·]) +([▲▼]? ?[CcRrUuDd·]) `)

// drawnAccess reads the access of each path from the window.
func drawnAccess(t *rapid.T, screen string) map[string]map[string]access.Actions {
	shown := make(map[string]map[string]access.Actions)
	path := ""
	for line := range strings.Lines(screen) {
		if name := regexp.MustCompile(`││ (/\S*) +│`).FindStringSubmatch(strings.ReplaceAll(line, "┃│", "││")); name != nil {
			path = name[1]
			shown[path] = make(map[string]access.Actions)
		}
		row := drawnRow.FindStringSubmatch(line)
		if row == nil {
			continue
		}
		var set access.Actions
		for i, letter := range row[2:] {
			if !strings.HasSuffix(letter, "·") {
				set |= access.Actions(access.AllActions[i])
			}
		}
		if path == "" {
			t.Fatalf("a row stands below no path:\n%s", screen)
		}
		shown[path][row[1]] = set
	}
	return shown
}

// held checks the rows of a path against the decisions of a project.
func held(t *rapid.T, b *model.Backend, path string, rows map[string]access.Actions) {
	callers := map[string]access.Caller{"guests": {}, "signed-in users": {SignedIn: true}}
	for _, group := range b.Groups {
		callers[group] = access.Caller{SignedIn: true, Groups: []string{group}}
	}
	if len(rows) != len(callers) {
		t.Fatalf("%s shows the callers %v, and the project has the groups %v", path, rows, b.Groups)
	}
	for who, caller := range callers {
		actions, ok := rows[who]
		if !ok {
			t.Fatalf("%s shows no row for %s: %v", path, who, rows)
		}
		for _, action := range access.AllActions {
			d := b.Router(b.APIs[0].Label).Decide(caller, access.Terms{}.Methods(action)[0], access.ExamplePath([]string{path}))
			if d.Route.Path != nil && d.Route.Path.Name != path {
				continue // another path takes the example
			}
			if d.Allowed != actions.Has(action) {
				t.Fatalf("%s: %s may %s is shown as %v, and decided otherwise: %s", path, who, action, actions.Has(action), d.Reason())
			}
		}
	}
}

// access is the access that the answers of a wizard make, as text.
func accessOf(s *screen) string {
	answers := s.page.Answers()
	again := flow.New(s.page.Base(), flow.Task{}, "x")
	again.Restore(answers)
	var b strings.Builder
	for i := range answers.Paths {
		m := again.Matrix(i)
		b.WriteString(m.Path + " " + m.Access.String() + " " + strings.Join(m.Groups, ",") + "\n")
	}
	return b.String()
}
