package environments

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/aws"
	"gatewright/deploy/remote"
	"gatewright/flow/session"
	"gatewright/internal/prove"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/board/boardtest"
	"gatewright/tui/theme"
)

// shows is the tab of a backend, read for an environment.
func shows(b *model.Backend, env string) *Tab {
	t := New(board.New("", nil, ""))
	t.board.Snap = boardtest.Snapshot(b, env)
	t.board.Snap.Chosen = "dev"
	t.Read(&board.Reading{Snapshot: t.board.Snap})()
	return t
}

func TestEnvironmentsAreShownSideBySide(t *testing.T) {
	t.Parallel()
	tab := shows(boardtest.Full(t), "prod")
	lines := tab.List.Draw(theme.New(theme.None), 100, 30, true)
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(ansi.Strip(line)), " ")
	}
	const want = `dev [prod]
▌ provider local local
region eu-west-1 eu-west-1
≠ branch dev main
≠ guarded no yes
apis all, later ones too all, later ones too
API shop yes yes
≠ data url - https://prod.example.com
last pushed never never
chosen on this machine yes no`
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("the rows are\n%s\nwant\n%s", got, want)
	}
	for _, want := range []string{
		"provider is the same everywhere:\nlocal",
		"branch differs:\nprod: main\ndev: dev",
		"chosen on this machine:\ndev: yes\nprod: no",
	} {
		name, _, _ := strings.Cut(want, "\n")
		for _, f := range tab.List.Rows() {
			if strings.HasPrefix(name, f.name) {
				if got := strings.Join(prose.Texts(tab.describe(f)), "\n"); got != want {
					t.Errorf("the details of %s are %q, want %q", f.name, got, want)
				}
			}
		}
	}
}

func TestTheShownEnvironmentStaysInView(t *testing.T) {
	t.Parallel()
	b := boardtest.Library(t, "Admins", "Editors")
	for _, name := range []string{"eins", "zwei", "drei", "vier", "five", "six", "seven"} {
		if err := edit.AddEnvironment(b, &model.Environment{Name: name, Provider: model.Local}); err != nil {
			t.Fatal(err)
		}
	}
	for _, env := range b.Environments {
		tab := shows(b, env.Name)
		for w := 30; w < 150; w++ {
			if line := ansi.Strip(tab.List.Draw(theme.New(theme.None), w, 20, true)[0]); !strings.Contains(line, "["+env.Name+"]") {
				t.Fatalf("at %d cells, the line of %s does not name it: %q", w, env.Name, line)
			}
		}
	}
}

func TestANewEnvironmentCopiesAnother(t *testing.T) {
	t.Parallel()
	b := boardtest.Full(t)
	if err := addEnvironment(b, []string{"qa", "local", "", "eu-north-1", "release", "no", "prod"}); err != nil {
		t.Fatal(err)
	}
	env := b.Environment("qa")
	if env.Region != "eu-north-1" || env.Branch != "release" || env.Guarded || env.Data == nil || env.Data.URL != "https://prod.example.com" {
		t.Errorf("the environment is %+v", env)
	}
	prod := *b.Environment("prod")
	prod.Provider, prod.Account, prod.Region, prod.Variables = model.AWS, "123456789012", "eu-central-1", []model.FunctionVariables{{Function: "f", Values: []model.Variable{{Name: "A", Value: "1"}}}}
	if err := edit.UpdateEnvironment(b, &prod); err != nil {
		t.Fatal(err)
	}
	for _, of := range []struct {
		name, want string
		values     []string
	}{
		{"a", "aws 123456789012 eu-central-1 - true 1", []string{" a ", "aws", "", "", "", "yes", "prod"}},
		{"b", "aws 210987654321 eu-west-2 next false 1", []string{"b", "aws", " 210987654321 ", " eu-west-2 ", " next ", "no", "prod"}},
		{"c", "local - eu-central-1 - false 1", []string{"c", "local", "", "", "", "no", "prod"}},
		{"none", "local - - - false 0", []string{"none", "local", "", "", "", "no", "none"}},
		{"d", "local - - - false 0", []string{"d", "local", "", "", "", "no", "dev"}},
	} {
		if err := addEnvironment(b, of.values); err != nil {
			t.Fatal(err)
		}
		e := b.Environment(of.name)
		if got := fmt.Sprint(e.Provider, " ", orDash(e.Account), " ", orDash(e.Region), " ", orDash(e.Branch), " ", e.Guarded, " ", len(e.Variables)); got != of.want {
			t.Errorf("%q make %s, want %s", of.values, got, of.want)
		}
	}
	for _, of := range []struct {
		values []string
		at     int
		want   string
	}{
		{[]string{"new", "aws", "12", "", "", "no", "none"}, accountLine, "12"},
		{[]string{"new", "local", "", "eu west", "", "no", "none"}, regionLine, "eu west"},
		{[]string{"qa", "local", "", "", "", "no", "none"}, nameLine, "exists already"},
		{[]string{"a b", "local", "", "", "", "no", "none"}, nameLine, "a b"},
		{[]string{"new", "local", "", "", "release", "no", "none"}, branchLine, "release"},
	} {
		next := *b
		err := addEnvironment(&next, of.values)
		if err == nil || !strings.Contains(err.Error(), of.want) || newForm(b).LineOf(err, nameLine) != of.at {
			t.Errorf("%q is refused with %v at line %d, want %q at %d", of.values, err, newForm(b).LineOf(err, nameLine), of.want, of.at)
		}
	}
}

func TestAllEnvironmentsAreInViewWhereThereIsRoom(t *testing.T) {
	t.Parallel()
	tab := New(&board.Board{})
	tab.names = []string{"dev", "prod", "qa", "staging"}
	tab.List.SetColumns(tab.columns())
	tab.List.SetRows([]*fact{{name: "chosen on this machine", values: []string{"2026-03-01 12:00", "eu-central-1", "local", "123456789012"}}})
	for w, hidden := range map[int]int{54: 1, 68: 0, 74: 0, 120: 0} {
		tab.List.Draw(theme.New(theme.None), w, 20, true)
		if left, right := tab.List.HiddenColumns(); left+right != hidden {
			t.Errorf("in %d cells %d environments are hidden, want %d", w, left+right, hidden)
		}
	}
}

// TestTheHealthOfEachEnvironmentStandsInItsColumn has one that could not be asked, one that was
// never pushed, and one that differs.
func TestTheHealthOfEachEnvironmentStandsInItsColumn(t *testing.T) {
	t.Parallel()
	b := boardtest.Library(t, "Admins", "Editors")
	for _, name := range []string{"qa", "test"} {
		if err := edit.AddEnvironment(b, &model.Environment{Name: name, Provider: model.Local}); err != nil {
			t.Fatal(err)
		}
	}
	tab := New(board.New("", nil, ""))
	s := boardtest.Snapshot(b, "dev")
	at := time.Now()
	s.Environments[1].Health = &board.Health{At: at, Problem: "no credentials"}
	s.Environments[2].Health = &board.Health{At: at}
	s.Environments[3].Health = &board.Health{At: at, Pushed: at, Functions: []remote.FunctionMetrics{{Function: "f", Calls: 7, Errors: 2, P95: time.Second}}, Drift: &aws.Drift{Access: new(prove.Report), Unread: []string{"the pool was not read"}}}
	tab.board.Snap = s
	tab.Read(&board.Reading{Snapshot: s})()
	if f, _ := tab.List.Row(); f.name != driftFact {
		t.Errorf("after it was asked the cursor is on %s", f.name)
	}
	var got []string
	for _, f := range tab.List.Rows() {
		if !slices.Contains([]string{healthFact, callsFact, driftFact}, f.name) {
			continue
		}
		values := slices.Clone(f.values)
		for i, value := range values {
			if strings.HasPrefix(value, "as of ") {
				_, rest, _ := strings.Cut(value, ": ")
				values[i] = "asked: " + rest
			}
		}
		got = append(got, f.name+": "+strings.Join(values, " | "))
	}
	want := []string{
		"checked in AWS:  | asked: no credentials | asked: never pushed | asked: ",
		`last hour:  |  |  | 7 calls, 2 errors, p95 1.0 s (f)`,
		"drift:  |  |  | not all compared",
	}
	if difference := cmp.Diff(want, got); difference != "" {
		t.Errorf("the facts differ (-want +got):\n%s", difference)
	}
	f, _ := tab.List.Row()
	if text := strings.Join(prose.Texts(tab.describe(f)), "\n"); !strings.Contains(text, "test:\nthe pool was not read\nnot looked at: ") || strings.Contains(text, "qa:\nthe") {
		t.Errorf("the details of what differs are\n%s", text)
	}
	// Asked before, the cursor stays where a person moved it.
	tab.List.To("provider")
	tab.Read(&board.Reading{Snapshot: s})()
	if f, _ := tab.List.Row(); f.name != "provider" {
		t.Errorf("read again, the cursor is on %s", f.name)
	}
}

func TestEachKeyOfAnEnvironmentSaysWhyItDoesNothing(t *testing.T) {
	t.Parallel()
	for _, of := range []struct {
		name, env, want string
		state           func(tab *Tab, s *board.Snapshot)
	}{
		{"the chosen one", "dev", `enter show all*
space use: dev is chosen on this machine already
a new*
! guard*
C health: no environment is in AWS
ctrl+e file*
left,h previous column: it is the first environment
right,l next column
y,alt+y copy`, nil},
		{"a guarded one", "prod", `enter show all*
space use*
a new*
! unguard*
C health: no environment is in AWS
ctrl+e file*
left,h previous column
right,l next column: it is the last environment
y,alt+y copy`, nil},
		{"read only", "prod", `enter show all*
space use: this dashboard is read-only: run gatewright instead
a new: this dashboard is read-only: run gatewright instead
! unguard: this dashboard is read-only: run gatewright instead
C health: no environment is in AWS
ctrl+e file: this dashboard is read-only: run gatewright instead
left,h previous column
right,l next column: it is the last environment
y,alt+y copy`, func(tab *Tab, _ *board.Snapshot) { tab.board.Session = nil }},
		{"an Amplify project", "prod", `enter show all*
space use*
a new: the Amplify CLI manages environments: run amplify env
! unguard: the Amplify CLI manages environments: run amplify env
C health: no environment is in AWS
ctrl+e file*
left,h previous column
right,l next column: it is the last environment
y,alt+y copy`, func(_ *Tab, s *board.Snapshot) { s.Layout = project.Amplify }},
		{"one in AWS", "dev", `enter show all*
space use: dev is chosen on this machine already
a new*
! guard*
C health*
ctrl+e file*
left,h previous column: it is the first environment
right,l next column
y,alt+y copy`, func(_ *Tab, s *board.Snapshot) {
			e := *s.Environments[1].Environment
			e.Provider = model.AWS
			s.Environments[1].Environment = &e
		}},
		{"none", "", `a new*`, func(_ *Tab, s *board.Snapshot) { s.Environments = nil }},
	} {
		tab := New(board.New("", &session.Session{Editor: "vi"}, ""))
		s := boardtest.Snapshot(boardtest.Full(t), of.env)
		s.Chosen, tab.board.Snap, s.Layout = "dev", s, project.Native
		if of.state != nil {
			of.state(tab, s)
		}
		tab.Read(&board.Reading{Snapshot: s})()
		if got := boardtest.Keys(tab.Bindings()); got != of.want {
			t.Errorf("%s:\n%s\nwant\n%s", of.name, got, of.want)
		}
	}
}
