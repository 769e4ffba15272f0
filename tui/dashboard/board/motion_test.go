package board

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"gatewright/flow/session"
	"gatewright/sandbox/traffic"
	"gatewright/tui/theme"
)

func TestTheDigitsOfANumberThatDifferAreNew(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ was, now, want string }{
		{"3 requests", "3 requests", "3 requests"},
		{"1 request", "2 requests", "[2] requests"},
		{"128 requests", "131 requests", "1[31] requests"},
		{"99 requests, 1 failed", "100 requests, 1 failed", "[100] requests, 1 failed"},
		{"12 requests, 1 refused", "13 requests, 1 refused", "1[3] requests, 1 refused"},
		{"12 requests, 1 refused", "12 requests, 2 refused, 3/s", "12 requests, [2] refused, [3]/s"},
		{"3 requests", "4 requests, 1 refused", "[4] requests, [1] refused"},
		{"3 requests, 7 failed", "3 requests, 1 refused, 7 failed", "3 requests, [1] refused, 7 failed"},
		{"get 40  put 2 (1 failed)", "get 41  put 2 (1 failed)", "get 4[1]  put 2 (1 failed)"},
		{"", "get 1", "get [1]"},
		{"get 1", "", ""},
	} {
		got, from := "", 0
		for _, at := range NewDigits(tt.was, tt.now) {
			got += tt.now[from:at[0]] + "[" + tt.now[at[0]:at[1]] + "]"
			from = at[1]
		}
		if got += tt.now[from:]; got != tt.want {
			t.Errorf("after %q, %q is %q, want %q", tt.was, tt.now, got, tt.want)
		}
	}
}

// clocked is a board whose clock stands still.
func clocked() (b *Board, now *time.Time) {
	b, at := New("", nil, ""), time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	b.Now, b.Snap, b.Followed = func() time.Time { return at }, &Snapshot{}, true
	return b, &at
}

func TestWhatChangedStandsOutForOnePeriodAndThenNothingMoves(t *testing.T) {
	t.Parallel()
	b, now := clocked()
	if b.Mark() != nil || b.Move() != nil {
		t.Error("without a change there is a frame")
	}
	var fifty []any
	for i := range 50 {
		fifty = append(fifty, i)
	}
	if b.Mark(fifty...) == nil {
		t.Fatal("a change has no frame in which it ends")
	}
	if b.Move() != nil {
		t.Error("one change has two frames")
	}
	*now = now.Add(fresh / 2)
	b.Mark("later")
	*now = now.Add(fresh/2 - time.Millisecond)
	if !b.IsFresh(0) || !b.IsFresh(49) || b.IsFresh(50) {
		t.Error("they do not stand out together")
	}
	*now = now.Add(time.Millisecond)
	if b.IsFresh(0) || b.IsFresh(49) || !b.IsFresh("later") {
		t.Error("they do not end together, or end what came later")
	}
	*now = now.Add(fresh)
	if b.IsFresh("later") || b.next(*now) != 0 || b.Move() != nil {
		t.Error("when all is over there are frames")
	}
	b.Still = true
	if b.Mark(1) != nil || b.IsFresh(1) {
		t.Error("where nothing may move, something does")
	}
}

// TestWhatTheWizardChangedStandsOutWhenThePageIsSeen also has the change before it, which is over.
func TestWhatTheWizardChangedStandsOutWhenThePageIsSeen(t *testing.T) {
	t.Parallel()
	b, now := clocked()
	b.Session = &session.Session{}
	b.Mark("before")
	b.Session.Unseen = true
	if b.Mark("path") != nil && b.IsFresh("path") {
		t.Error("it stands out where nobody sees it")
	}
	*now = now.Add(time.Hour)
	b.Session.Unseen = false
	if b.Seen() == nil || !b.IsFresh("path") || b.IsFresh("before") {
		t.Error("when it is seen it does not stand out, or what was before does")
	}
	*now = now.Add(fresh)
	if b.Seen() != nil || b.IsFresh("path") {
		t.Error("it stands out twice")
	}
}

// TestAFrameThatIsNeededSoonerComesSooner has something that waits long, as a refusal on the map does.
func TestAFrameThatIsNeededSoonerComesSooner(t *testing.T) {
	t.Parallel()
	b, now := clocked()
	b.Mark("long")
	long := b.motion.due
	moving := &mover{}
	var tab Tab = moving
	b.front.Store(&tab)
	if moving.next = Frame; b.Move() == nil || !b.motion.due.Equal(now.Add(Frame)) || !long.After(b.motion.due) {
		t.Errorf("the next frame is at %s", b.motion.due)
	}
	if moving.next = Frame / 9; b.next(*now) != Frame {
		t.Errorf("frames follow each other after %s", b.next(*now))
	}
}

// mover is a tab on which something moves.
type mover struct {
	Tab
	next time.Duration
}

func (m *mover) Moves(time.Time) time.Duration { return m.next }

func TestCountsAreExactWhileTheirNewDigitsStandOut(t *testing.T) {
	t.Parallel()
	b, now := clocked()
	th := theme.New(theme.None)
	number := uint64(0)
	tell := func(calls int, anew bool) {
		batch := &Batch{Anew: anew}
		for range calls {
			number++
			batch.Calls = append(batch.Calls, traffic.Call{Number: number, Kind: traffic.Request, Time: *now})
		}
		b.count([]*Batch{batch}, func(int) {})
	}
	shows := func(requests int, bright string) {
		t.Helper()
		drawn := b.DrawSum(th, b.SumLine())
		if text := ansi.Strip(drawn); text != b.SumLine().Text || text != fmt.Sprintf("%d requests", requests) {
			t.Errorf("of %d requests it shows %q", requests, text)
		}
		if got := th.Fresh.Render(bright); bright != "" && !strings.Contains(drawn, got) || bright == "" && strings.Contains(drawn, "\x1b[1;4m") {
			t.Errorf("it draws %q, and %q should stand out", drawn, bright)
		}
	}
	tell(128, true)
	shows(128, "")
	tell(3, false)
	shows(131, "31")
	// As long as more come it is as bright as it was.
	*now = now.Add(fresh / 2)
	tell(2, false)
	shows(133, "33")
	*now = now.Add(fresh / 2)
	shows(133, "33")
	*now = now.Add(fresh / 2)
	if shows(133, ""); b.Move() != nil {
		t.Error("when no more come there are frames")
	}
	// The numbers of another environment are other ones, and none that changed.
	tell(1, false)
	if b.env = "other"; strings.Contains(b.DrawSum(th, b.SumLine()), "\x1b[1;4m") {
		t.Error("another environment stands out")
	}
}
