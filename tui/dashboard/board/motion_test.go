package board

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"gatewright/flow/session"
	"gatewright/internal/text/prose"
	"gatewright/sandbox/traffic"
	"gatewright/tui/theme"
)

func TestTheDigitsOfANumberThatDifferAreNew(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ was, now, want string }{
		{"3 requests", "3 requests", "3 requests"},
		{"1 request", "2 requests", "[2] requests"},
		{"128 requests", "131 requests", "1[3][1] requests"},
		{"109 requests, 1 failed", "110 requests, 1 failed", "1[1][0] requests, 1 failed"},
		{"99 requests, 1 failed", "100 requests, 1 failed", "[1][0][0] requests, 1 failed"},
		{"12 requests, 1 refused, 3 failed", "14 requests, 1 refused, 4 failed", "1[4] requests, 1 refused, [4] failed"},
		{"3 requests", "4 requests, 1 refused", "[4] requests, [1] refused"},
		{"3 requests, 7 failed", "3 requests, 1 refused, 7 failed", "3 requests, [1] refused, 7 failed"},
		{"get 40  put 2 (1 failed)", "get 41  put 2 (1 failed)", "get 4[1]  put 2 (1 failed)"},
		{"", "get 1", "get [1]"},
		{"get 1", "", ""},
	} {
		got, from := "", 0
		for _, at := range NewDigits(tt.was, tt.now) {
			got += tt.now[from:at] + "[" + tt.now[at:at+1] + "]"
			from = at + 1
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

// shows has a list show numbers, from 0 on.
func (b *Board) shows(scope string, numbers ...int) bool {
	now := Texts{scope, []string{""}, make(map[string]string)}
	for i, n := range numbers {
		now.Rows[row(i).Row] = fmt.Sprint(n)
	}
	return b.Shows("list", now) != nil
}

func row(i int) Cell { return Cell{List: "list", Row: fmt.Sprint(i)} }

func (b *Board) isFresh(i int) bool { return b.Or(row(i), prose.Plain) == prose.Fresh }

func TestWhatChangedStandsOutForOnePeriodAndThenNothingMoves(t *testing.T) {
	t.Parallel()
	b, now := clocked()
	numbers := make([]int, 60)
	first := b.shows("", numbers...)
	if again := b.shows("", numbers...); first || again || b.shows("other", slices.Repeat([]int{9}, 60)...) || b.shows("", numbers...) {
		t.Error("the first reading, one that is the same, or another scope is a change")
	}
	for i := range 50 {
		numbers[i]++
	}
	if !b.shows("", numbers...) {
		t.Fatal("a change has no frame in which it ends")
	}
	if b.shows("", numbers...) || b.Move() != nil {
		t.Error("one change has two frames")
	}
	*now = now.Add(fresh / 2)
	numbers[50]++
	b.shows("", numbers...)
	*now = now.Add(fresh/2 - time.Millisecond)
	if !b.isFresh(0) || !b.isFresh(49) || !b.isFresh(50) || b.isFresh(51) {
		t.Error("they do not stand out together, or others do")
	}
	*now = now.Add(time.Millisecond)
	if b.isFresh(0) || b.isFresh(49) || !b.isFresh(50) {
		t.Error("they do not end together, or end what came later")
	}
	*now = now.Add(fresh / 2)
	if b.isFresh(50) || b.Move() != nil || !b.None() {
		t.Error("when all is over there are frames")
	}
	numbers[1]++
	if b.Still = true; b.shows("", numbers...) || b.isFresh(1) {
		t.Error("where nothing may move, something does")
	}
}

// TestWhatTheWizardChangedStandsOutWhenThePageIsSeen also has the change before it, which is over.
func TestWhatTheWizardChangedStandsOutWhenThePageIsSeen(t *testing.T) {
	t.Parallel()
	b, now := clocked()
	b.Session = &session.Session{}
	b.shows("", 1, 1)
	b.shows("", 2, 1)
	b.Session.Unseen = true
	if b.shows("", 2, 2); b.isFresh(1) {
		t.Error("it stands out where nobody sees it")
	}
	*now = now.Add(time.Hour)
	b.Session.Unseen = false
	if b.Seen() == nil || !b.isFresh(1) || b.isFresh(0) {
		t.Error("when it is seen it does not stand out, or what was before does")
	}
	*now = now.Add(fresh)
	if b.Seen() != nil || b.isFresh(1) {
		t.Error("it stands out twice")
	}
}

// TestAFrameThatIsNeededSoonerComesSooner has something that waits long, as a refusal on the map does.
func TestAFrameThatIsNeededSoonerComesSooner(t *testing.T) {
	t.Parallel()
	b, now := clocked()
	b.shows("", 1)
	b.shows("", 2)
	long := b.due
	moving := &mover{}
	var tab Tab = moving
	b.front.Store(&tab)
	if moving.next = Frame; b.Move() == nil || !b.due.Equal(now.Add(Frame)) || !long.After(b.due) {
		t.Errorf("the next frame is at %s", b.due)
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
		b.Told.Take(batch, *now)
		b.showSum(time.Time{})
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
	shows(131, "3")
	// As long as more come it is as bright as it was.
	*now = now.Add(fresh / 2)
	tell(2, false)
	shows(133, "3")
	*now = now.Add(fresh / 2)
	shows(133, "3")
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

// TestTheRateIsThatOfTheLastSecondThatIsKnown also between batches, which are further apart at high rates.
func TestTheRateIsThatOfTheLastSecondThatIsKnown(t *testing.T) {
	t.Parallel()
	const apart, between, took = 25 * time.Millisecond, 750 * time.Millisecond, 3 * time.Millisecond
	var told Told
	start := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	ended, taken, number := 0, start, uint64(0)
	for now := start; now.Before(start.Add(5 * time.Second)); now = now.Add(50 * time.Millisecond) {
		if now.Sub(taken) >= between {
			batch := &Batch{}
			for ; start.Add(time.Duration(ended)*apart + took).Before(now); ended++ {
				number++
				batch.Calls = append(batch.Calls, traffic.Call{
					Number: number, Environment: map[bool]string{true: "qa", false: "dev"}[ended%4 == 0],
					Time: start.Add(time.Duration(ended) * apart), Took: took,
				})
			}
			told.Take(batch, now)
			taken = now
		}
		if rate := told.Rate("dev", now); now.Sub(start) > 2*time.Second && rate != 30 {
			t.Fatalf("of 40 calls a second, 30 of them of dev, the rate after %s is %d", now.Sub(start), rate)
		}
	}
	if rate := told.Rate("dev", taken.Add(time.Second)); rate != 0 {
		t.Errorf("a second after the last calls the rate is %d", rate)
	}
}
