package access

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/project"
	"gatewright/test/depth"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/board/boardtest"
)

// compared is the tab of a backend that was pushed as another one.
func compared(was, now *model.Backend) *Tab {
	tab := New(board.New("", nil, ""))
	tab.board.Snap = boardtest.Snapshot(now, "dev")
	reading := &board.Reading{Snapshot: tab.board.Snap}
	reading.Status.Was = was
	found, complete := access.Compare(was.Gate(), now.Gate())
	reading.Status.Access, reading.Status.MoreAccess = found, !complete
	tab.Read(reading)()
	return tab
}

// told are the differences that the details of a row tell, of those that are given.
func (t *Tab) told(r *row, differences []access.Difference) []access.Difference {
	lines := prose.Texts(t.describe(r, len(t.groups), mostShown))
	var told []access.Difference
	for _, d := range differences {
		sign := narrowerSign + " "
		if d.Gained {
			sign = widerSign + " "
		}
		at := slices.Index(lines, sign+d.Sentence())
		if d.API == r.api.Label && at >= 0 && slices.Contains(lines[at:], "  "+d.Effect()) {
			told = append(told, d)
		}
	}
	return told
}

func TestEveryRequestThatIsOpenedIsToldByARowWithItsSign(t *testing.T) {
	depth.WithoutRace(t)
	rapid.Check(t, func(t *rapid.T) {
		was, now := accesstest.Sides(t)
		tab := compared(was, now)
		var named []access.Difference
		for _, r := range tab.rows {
			if r.Path == nil {
				continue
			}
			told := tab.told(r, tab.read.changed)
			if wider := slices.ContainsFunc(told, func(d access.Difference) bool { return d.Gained }); wider != strings.HasPrefix(r.sign(), widerSign) && !r.gone {
				t.Fatalf("the row of %s has the sign %q, and tells\n%s", r.called(), r.sign(), strings.Join(prose.Texts(tab.describe(r, 9, mostShown)), "\n"))
			}
			if !r.gone {
				named = append(named, told...)
			}
		}
		if unnamed := accesstest.Unnamed(accesstest.SomeRaws(t), was, now, named, true); unnamed != "" {
			t.Fatalf("%s is told by no row", unnamed)
		}
		if n := len(changedOf(tab.rows)); n == 0 && len(tab.read.changed) > 0 {
			t.Fatal("nothing changed, alone")
		}
	})
}

func TestEveryDifferenceIsToldBySomeRowOfTheChangesAlone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		was, now := accesstest.Sides(t)
		tab := compared(was, now)
		told := make(map[string]bool)
		for _, r := range changedOf(tab.rows) {
			if r.Path == nil {
				continue
			}
			for _, d := range tab.told(r, tab.read.changed) {
				told[d.String()] = true
			}
		}
		for _, d := range tab.read.changed {
			if !told[d.String()] {
				t.Fatalf("%s is told by no row", d)
			}
		}
	})
}

func TestWhatIsMoreOpenStandsFirst(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		was, now := accesstest.Sides(t)
		tab := compared(was, now)
		least, ofAPI := 0, 2
		tab.List.Move(-tab.List.Len())
		for range tab.List.Len() {
			r, _ := tab.List.Row()
			tab.List.Move(1)
			urgency := r.urgency()
			if r.Path != nil {
				if urgency > least {
					t.Fatalf("%s comes late", r.called())
				}
				least = urgency
				continue
			}
			least, urgency = 3, 0
			for _, d := range r.changed {
				if urgency = max(urgency, 1); d.Gained {
					urgency = 2
				}
			}
			if urgency > ofAPI {
				t.Fatalf("the API %s comes late", r.label)
			}
			ofAPI = urgency
		}
	})
}

// TestTheCellsAreWhatIsDecided holds what the cells of a changed row were and are against the
// decisions about a request to its path.
func TestTheCellsAreWhatIsDecided(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		was, now := accesstest.Sides(t)
		tab := compared(was, now)
		for _, r := range tab.rows {
			if r.Path == nil || r.was == nil && r.next == nil {
				continue
			}
			then, is := was.Router(r.api.Label), now.Router(r.api.Label)
			by := is
			if r.gone {
				by = then
			}
			raw := exampleOf(by, r)
			if raw == "" {
				continue
			}
			for i := range tab.principals {
				caller := access.Caller{SignedIn: i > 0}
				if i > 1 {
					caller.Groups = []string{tab.groups[i-2]}
				}
				if had := allowed(then, caller, raw); had != r.before(i) {
					t.Fatalf("%s could %s on %s, and the cell of %s says %s", tab.principals[i], had, raw, r.called(), r.before(i))
				}
				if has := allowed(is, caller, raw); has != r.after(i) {
					t.Fatalf("%s may %s on %s, and the cell of %s says %s", tab.principals[i], has, raw, r.called(), r.after(i))
				}
			}
		}
	})
}

// allowed are the actions that a router allows; nil allows none.
func allowed(of *access.Router, caller access.Caller, raw string) (all access.Actions) {
	for _, action := range access.AllActions {
		if of != nil && of.Decide(caller, (access.Terms{}).Methods(action)[0], raw).Allowed {
			all |= access.Actions(action)
		}
	}
	return all
}

func TestTheHeadSaysThatWhatIsOpenedIsUnknown(t *testing.T) {
	t.Parallel()
	const unknown = "▲ what is more open is unknown"
	for want, env := range map[string]board.Environment{
		"":            {},
		unknown:       {Record: &project.Record{}},
		unknown + " ": {Foreign: true},
	} {
		tab := New(board.New("", nil, ""))
		tab.board.Snap = boardtest.Snapshot(boardtest.Library(t, "Admins", "Editors"), "dev")
		env.Environment = tab.board.Snap.Env.Environment
		tab.board.Snap.Env = &env
		reading := &board.Reading{Snapshot: tab.board.Snap}
		reading.Status.Problem = "a file cannot be read"
		tab.Read(reading)()
		if line, _ := tab.Note(); line.Text != strings.TrimSpace(want) {
			t.Errorf("the head says %q, not %q", line.Text, want)
		}
	}
}
