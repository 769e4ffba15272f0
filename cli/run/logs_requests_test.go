package run

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"gatewright/internal/clock"
	"gatewright/sandbox/traffic"
	"gatewright/tui/layout"
)

func TestARequestFitsATerminalOfAnyWidthAndCannotCommandIt(t *testing.T) {
	t.Parallel()
	calls := []traffic.Call{
		{Kind: traffic.Request, Time: time.Now(), Method: "GET", Target: "/books/" + strings.Repeat("long/", 40), Status: 502, Took: 3 * time.Second, Failed: true, Function: "books", Why: strings.Repeat("why ", 60)},
		{Kind: traffic.Request, Time: time.Now(), Method: "P\x1b[2JT", Target: "/\x1b]52;c;x\x07", Status: 403, Who: traffic.Who{Kind: traffic.User, Name: "\x1b[31mé長い"}},
		{Kind: traffic.Schedule, Time: time.Now(), Function: "orders"},
	}
	for _, width := range []int{60, 70, 80, 100, 120, 200} {
		var out bytes.Buffer
		p := requestPrinter{out: &out, width: width}
		for i := range calls {
			if err := p.print(&calls[i]); err != nil {
				t.Fatal(err)
			}
		}
		if strings.Contains(out.String(), "\x1b") {
			t.Errorf("the output commands the terminal: %q", out.String())
		}
		for line := range strings.Lines(out.String()) {
			if got := layout.Width(strings.TrimRight(line, "\n")); got > width {
				t.Errorf("in %d cells a line takes %d: %s", width, got, line)
			}
		}
		if !strings.HasPrefix(out.String(), "time ") || strings.Count(out.String(), "\n") != 2+len(calls) {
			t.Errorf("it prints\n%s", out.String())
		}
	}
}

func TestARequestInANarrowTerminalShowsWhatStandsOut(t *testing.T) {
	t.Parallel()
	c := traffic.Call{Kind: traffic.Request, Time: time.Now(), Method: "GET", Target: "/books", Function: "books", Status: 200}
	failed, refused, broke := c, c, c
	failed.Failed, failed.Status = true, 502
	refused.Function, refused.Status = "", 403
	broke.Breaches = []string{"body is missing"}
	for _, width := range []int{60, 79, 80, 120} {
		var out bytes.Buffer
		p := requestPrinter{out: &out, width: width}
		for _, each := range []traffic.Call{failed, refused, broke, c} {
			if err := p.print(&each); err != nil {
				t.Fatal(err)
			}
		}
		for _, want := range []string{" ! 502 ", " x 403 ", " ~ 200 ", "   200 "} {
			if strings.Count(out.String(), want) != 1 {
				t.Errorf("in %d cells there is not one %q in\n%s", width, want, out.String())
			}
		}
	}
}

func TestARequestInAPipeIsOneLineWithNineColumns(t *testing.T) {
	t.Parallel()
	c := traffic.Call{Kind: traffic.Request, Time: time.Now(), Method: "GET", Target: "/a\tb\n", Status: 200, Who: traffic.Who{Kind: traffic.Guest}, Request: "id"}
	c.Function = "a\tfunction\nof two"
	line := plainRequest(&c, clock.Zoned{})
	if cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(cells) != 9 || strings.Count(line, "\n") != 1 || cells[6] != "a function of two" || cells[7] != "-" || cells[8] != "id" {
		t.Errorf("the line is %q", line)
	}
}

func TestARequestByItsIDSaysWhereItsTimeWent(t *testing.T) {
	t.Parallel()
	c := traffic.Call{
		Kind: traffic.Request, Method: "GET", Target: "/books", Function: "books", Status: 200, UsesLeft: 2,
		Parts: []traffic.Part{{Kind: traffic.Gate, Took: 400 * time.Microsecond}, {Kind: traffic.Wait, Took: 4 * time.Microsecond}, {Kind: traffic.Start, Took: 412 * time.Millisecond}, {Kind: traffic.Handler, Took: 2600 * time.Millisecond}},
		Uses: []traffic.Use{
			{Resource: "table/books", Operation: "GetItem", At: 431 * time.Millisecond, Took: 800 * time.Microsecond},
			{Resource: "s3", Operation: "Put\x1b[31m", At: time.Second, Took: time.Millisecond, Failed: true, Why: "not here"},
		},
	}
	const want = "  gate 0.4 ms, wait <0.1 ms, start 412 ms, handler 2.6 s\n" +
		"  table/books GetItem at 431 ms, took 0.8 ms\n" +
		"  s3 Put␛[31m at 1.0 s, took 1.0 ms, failed: not here\n" +
		"  and 2 further uses\n"
	for _, width := range []int{0, 100} {
		var out bytes.Buffer
		p := requestPrinter{out: &out, width: width, whole: true}
		if err := p.print(&c); err != nil || !strings.HasSuffix(out.String(), "\n"+want) {
			t.Errorf("%v, in %d cells it is\n%s", err, width, out.String())
		}
	}
	var out bytes.Buffer
	if err := (&requestPrinter{out: &out}).print(&c); err != nil || strings.Contains(out.String(), "gate") {
		t.Errorf("%v, without an id it is %s", err, out.String())
	}
}
