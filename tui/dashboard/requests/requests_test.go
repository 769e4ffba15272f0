package requests

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/internal/text/prose"
	"gatewright/model/access"
	"gatewright/sandbox"
	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/board/boardtest"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// Screens show local time, which has to be the same on every machine.
func init() { time.Local = time.UTC }

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// begun is the tab of a project whose sandbox runs.
func begun(t testing.TB) *Tab {
	t.Helper()
	tab := New(board.New(t.TempDir(), nil, "dev"))
	tab.board.Snap = boardtest.Snapshot(boardtest.Library(t, "Admins", "Editors"), "dev")
	tab.board.Sandbox = &board.Observed{Running: true, Status: sandbox.Status{APIs: []sandbox.ServedAPI{{Environment: "dev", Label: "shop"}}}}
	tab.board.SetFront(tab)
	return tab
}

// made is call n: each third one fails, each fifth is refused.
func made(n uint64) traffic.Call {
	c := traffic.Call{
		Number: n, Time: noon.Add(time.Duration(n) * 137 * time.Millisecond), Kind: traffic.Request, Environment: "dev", API: "shop", Method: access.Methods[n%5],
		Target: fmt.Sprintf("/books/%d?limit=%d", n, n%7), Path: "/books/{isbn}", Function: "f", Status: 200, Took: time.Duration(n%40) * 37 * time.Millisecond,
		Who: traffic.Who{Kind: traffic.User, Name: "emma", Groups: []string{"Editors"}, As: "members of Editors", Rule: "members of Editors may read under /books", Allowed: true}, Request: fmt.Sprintf("id-%d", n),
	}
	switch {
	case n%3 == 0:
		c.Status, c.Failed, c.Why = 502, true, "function f ended with an error: Error: \"it broke\""
	case n%5 == 0:
		c.Status, c.Function, c.Why, c.Who = 403, "", "it may not", traffic.Who{Kind: traffic.Guest, As: "guests", Rule: "guests may not update under /books", Groups: []string{}}
	}
	return c
}

// came are the rows of calls from and to included, as the stream puts them.
func came(from, to uint64, sandbox time.Time) []*row {
	var rows []*row
	for n := from; n <= to; n++ {
		rows = append(rows, rowOf(made(n), sandbox))
	}
	return rows
}

func (t *Tab) drawn(w, h int) string {
	return ansi.Strip(strings.Join(t.List.Draw(theme.New(theme.None), w, h, true), "\n")) + "\n" + ansi.Strip(t.List.Legend(theme.New(theme.None), w))
}

func (t *Tab) press(m keys.Meaning) { m.Do(append(t.Bindings(), t.List.Bindings()...)) }

// first is the number of the first call of the list.
func (t *Tab) first() string { return t.List.Rows()[0].id }

func TestNewCallsComeFirstUnlessTheListIsHeld(t *testing.T) {
	t.Parallel()
	tab := begun(t)
	tab.take(came(1, 30, noon))
	if tab.first() != "30" || !strings.Contains(tab.drawn(100, 10), "newest first, following") {
		t.Errorf("the list is\n%s", tab.drawn(100, 10))
	}
	tab.press(keys.Choose)
	tab.take(came(31, 40, noon))
	if tab.first() != "30" || !strings.Contains(tab.drawn(100, 10), "paused, 10 new") {
		t.Errorf("held still it is\n%s", tab.drawn(100, 10))
	}
	tab.press(keys.Choose)
	if tab.first() != "40" || !tab.List.AtFirst() || len(tab.List.Rows()) != 40 {
		t.Errorf("after that it is\n%s", tab.drawn(100, 10))
	}
	tab.press(keys.Down)
	tab.take(came(41, 43, noon))
	if r, _ := tab.List.Row(); r.id != "39" || tab.first() != "40" || !strings.Contains(tab.drawn(100, 10), "3 new above") {
		t.Errorf("while one reads below it is\n%s", tab.drawn(100, 10))
	}
	tab.press(keys.Up)
	if r, _ := tab.List.Row(); r.id != "43" || tab.first() != "43" {
		t.Errorf("back at the newest it is\n%s", tab.drawn(100, 10))
	}
}

func TestALossIsSaidWhereItIs(t *testing.T) {
	t.Parallel()
	tab := begun(t)
	tab.take(came(100, 102, noon))
	tab.take(came(1203, 1204, noon))
	if text := tab.drawn(100, 10); strings.Count(text, "missing") != 1 || !strings.Contains(text, "… 1100 requests missing here") || len(tab.List.Rows()) != 6 {
		t.Errorf("the list is\n%s", text)
	}
	tab.take(came(1206, 1206, noon))
	if text := tab.drawn(100, 10); !strings.Contains(text, "… 1 request missing here") || len(tab.List.Rows()) != 8 {
		t.Errorf("without one, the list is\n%s", text)
	}
	tab.press(keys.Filter)
	tab.List.Type(key("5"))
	if tab.drawn(100, 10); tab.List.Len() != 8 {
		t.Error("the filter loses rows")
	}
}

func TestAnotherSandboxBeginsAnew(t *testing.T) {
	t.Parallel()
	tab := begun(t)
	tab.take(came(1, 30, noon))
	later := noon.Add(time.Hour)
	tab.take(append(came(31, 32, noon), came(1, 2, later)...))
	if len(tab.List.Rows()) != 2 || tab.first() != "2" || !tab.List.Rows()[0].sandbox.Equal(later) {
		t.Errorf("the list is\n%s", tab.drawn(100, 10))
	}
}

func TestTheListIsBounded(t *testing.T) {
	t.Parallel()
	tab := begun(t)
	tab.take(came(1, 8000, noon))
	tab.press(keys.Choose)
	tab.take(came(8001, 20_000, noon))
	if len(tab.waiting) != traffic.MostCalls {
		t.Errorf("%d calls wait", len(tab.waiting))
	}
	tab.press(keys.Choose)
	if rows := tab.List.Rows(); len(rows) != traffic.MostCalls || rows[0].id != "20000" {
		t.Errorf("there are %d rows", len(rows))
	}
}

func TestAnotherEnvironmentHasItsOwnCalls(t *testing.T) {
	t.Parallel()
	tab := begun(t)
	rows := came(1, 4, noon)
	rows[1].call.Environment, rows[2].call.Environment = "prod", ""
	tab.take(rows)
	if len(tab.List.Rows()) != 3 || len(tab.all) != 4 {
		t.Errorf("of dev there are %d of %d", len(tab.List.Rows()), len(tab.all))
	}
	// Those of another environment are not counted as new either.
	tab.press(keys.Choose)
	rows = came(5, 9, noon)
	rows[0].call.Environment, rows[1].call.Environment, rows[4].call.Environment = "prod", "", "prod"
	tab.take(rows)
	if text := tab.drawn(100, 10); !strings.Contains(text, "paused, 3 new") {
		t.Errorf("the list is\n%s", text)
	}
	tab.press(keys.Choose)
	tab.board.Snap = boardtest.Snapshot(tab.board.Snap.Backend, "prod")
	tab.board.SwitchTo("prod")
	tab.Read(nil)()
	var ids []string
	for _, r := range tab.List.Rows() {
		ids = append(ids, r.id)
	}
	if got := strings.Join(ids, " "); got != "9 6 5 3 2" {
		t.Errorf("of prod there are %s", got)
	}
}

func TestAFilterKeepsWhatItMeansAndSaysHowMany(t *testing.T) {
	t.Parallel()
	tab := begun(t)
	tab.take(came(1, 30, noon))
	typed := func(text string) string {
		tab.List.Unfilter()
		tab.press(keys.Filter)
		for _, r := range text {
			tab.List.Type(key(string(r)))
		}
		return tab.drawn(110, 40)
	}
	for text, want := range map[string]string{
		"5xx": "10 of 30", "refused as:guest": "4 of 30", "!5xx !403": "16 of 30", "fn:g": "0 of 30", "/books/7?": "1 of 30",
		"fnn:x": `there is no filter "fnn:": did you mean fn: instead?`, "refus": `did you mean refused?`,
	} {
		if got := typed(text); !strings.Contains(got, want) {
			t.Errorf("%q shows\n%s\nwant %s", text, got, want)
		}
	}
}

// key is the press of a character.
func key(text string) tea.Msg { return tea.KeyPressMsg{Code: rune(text[0]), Text: text} }

func TestARowFitsEveryWindow(t *testing.T) {
	t.Parallel()
	tab := begun(t)
	rows := came(1, 30, noon)
	rows[3].path, rows[4].who = strings.Repeat("/長い", 60), strings.Repeat("w", 200)
	tab.take(rows)
	for w := 40; w <= 200; w++ {
		for line := range strings.SplitSeq(tab.drawn(w, 12), "\n") {
			if got := layout.Width(line); got > w {
				t.Fatalf("in %d cells a line takes %d: %s", w, got, line)
			}
		}
	}
}

func TestARowOfANarrowWindowShowsWhatStandsOut(t *testing.T) {
	t.Parallel()
	calls := []traffic.Call{made(1), made(2), made(3), made(5), made(7)}
	calls[1].Breaches = []string{"response body /price is a string and not a number (backend/api/shop/openapi.json:41:26)"}
	// The function refuses by itself.
	calls[4].Status, calls[4].Target = 403, "/books/7"
	tab := begun(t)
	var rows []*row
	for _, c := range calls {
		rows = append(rows, rowOf(c, noon))
	}
	tab.take(rows)
	// These are the insides of windows with 60 and with 80 columns.
	for _, w := range []int{58, 78} {
		text := layout.ASCII(tab.drawn(w, 10))
		for path, want := range map[string]string{"/books/1?": " 200 ", "/books/2?": " ~ 200 ", "/books/3?": " ! 502 ", "/books/5?": " x 403 ", "/books/7 ": " 403 "} {
			line, _, _ := strings.Cut(text[max(0, strings.Index(text, path)):], "\n")
			if marked := strings.ContainsAny(line, "~!"); !strings.Contains(line, want) || marked != strings.ContainsAny(want, "~!") {
				t.Errorf("in %d cells, the row of %s shows no %q:\n%s", w, path, want, text)
			}
		}
	}
	for i, want := range map[int]string{1: "~ breaks the contract: response body /price ", 2: "! failed: function f ended", 3: "x refused: guests may not"} {
		if text := strings.Join(prose.Texts(tab.describe(rows[i])), "\n"); !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
}

func TestTheDetailsOfACallSayWhoAndWhy(t *testing.T) {
	t.Parallel()
	tab := begun(t)
	r := rowOf(made(5), noon)
	tab.shown = &shown{id: r.id, detail: traffic.Detail{
		Call: r.call, Headers: []traffic.Header{{Name: "content-type", Value: "application/json"}}, Body: `{"title": "Emma"}`,
		AnswerHeaders: []traffic.Header{{Name: "x-amzn-ErrorType", Value: "AccessDeniedException"}}, AnswerBody: `{"Message":"no"}`,
	}, ways: []string{"gatewright update path shop /books --guest read,update"}}
	text := strings.Join(prose.Texts(tab.describe(r)), "\n")
	for _, want := range []string{
		"403 Forbidden in 185 ms   guest, no credentials", "refused: guests may not update under /books",
		"to allow it: gatewright update path shop /books --guest read,update", `request   content-type: application/json`, `  {"title": "Emma"}`,
		`response  x-amzn-ErrorType: AccessDeniedException`, "id id-5",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
}

func TestBodiesThatAreNotTextAreCountedAndShownAsNumbers(t *testing.T) {
	t.Parallel()
	tab := begun(t)
	r := rowOf(made(5), noon)
	d := traffic.Detail{
		Call: r.call, Body: base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\n\x1b[31m")), Base64: true,
		AnswerHeaders: []traffic.Header{{Name: "Content-Type", Value: "image/png"}},
		AnswerBody:    base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{0xff}, 1000)), AnswerBase64: true,
	}
	d.Kind = traffic.Request
	tab.shown = &shown{id: r.id, detail: d}
	brief := strings.Join(prose.Texts(tab.describe(r)), "\n")
	for _, want := range []string{"request\n  not text, 13 bytes", "response  Content-Type: image/png\n  not text, 1000 bytes"} {
		if !strings.Contains(brief, want) {
			t.Errorf("there is no %q in\n%s", want, brief)
		}
	}
	all := strings.Join(prose.Texts(sections(&d, nil, 0)), "\n")
	for _, want := range []string{
		"the body is not text: 13 bytes\n00000000  89 50 4e 47 0d 0a 1a 0a  1b 5b 33 31 6d           |.PNG.....[31m|",
		"the body is not text: 1000 bytes; the first 256:\n00000000  ff ff", "\n000000f0  ff",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("there is no %q in\n%s", want, all)
		}
	}
	if strings.Contains(all, "\x1b") || strings.Contains(all, "00000100") {
		t.Errorf("it shows\n%s", all)
	}
}

func TestHostileTextsAreSafeForTheScreen(t *testing.T) {
	t.Parallel()
	c := made(1)
	c.Target, c.Who.Name, c.Why, c.Method = "/\x1b]52;c;x\x07", "\x1b[31m", "\x1b[2J", "G\x1bT"
	tab := begun(t)
	r := rowOf(c, noon)
	tab.take([]*row{r})
	text := tab.drawn(120, 10) + strings.Join(prose.Texts(tab.describe(r)), "\n") + strings.Join(prose.Texts(sections(&traffic.Detail{Call: c, Body: "\x1b[31m", Event: "\x1b[31m"}, nil, 0)), "\n")
	if strings.Contains(text, "\x1b") {
		t.Errorf("the text is %q", text)
	}
}

func TestEmptyScreensTeach(t *testing.T) {
	t.Parallel()
	tab := begun(t)
	if text := tab.drawn(80, 10); !strings.Contains(text, "reading the requests") || strings.Contains(text, "no request") {
		t.Errorf("before the requests are read it says\n%s", text)
	}
	tab.Follow(new(board.Batch))()
	if text := tab.drawn(80, 10); !strings.Contains(text, "gatewright call GET") {
		t.Errorf("without a request it says\n%s", text)
	}
	tab.board.Sandbox = &board.Observed{}
	if text := tab.drawn(80, 10); !strings.Contains(text, "gatewright sandbox") {
		t.Errorf("without a sandbox it says\n%s", text)
	}
}

// BenchmarkRequests measures what calls cost inside Update while 500 come in a second, and a
// key, with a full list, and with a filter and an order.
func BenchmarkRequests(b *testing.B) {
	th := theme.New(theme.Dark)
	for _, how := range []string{"plain", "filtered", "ordered"} {
		tab := begun(b)
		tab.take(came(1, traffic.MostCalls, noon))
		switch how {
		case "filtered":
			tab.press(keys.Filter)
			for _, r := range "fn:f !500 books" {
				tab.List.Type(key(string(r)))
			}
			tab.press(keys.Open)
		case "ordered":
			tab.press(keys.Order)
		}
		n := uint64(traffic.MostCalls)
		b.Run(how+"/batch", func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				rows := came(n+1, n+50, noon)
				n += 50
				b.StartTimer()
				tab.take(rows)
				_ = tab.List.Draw(th, 120, 40, true)
			}
		})
		b.Run(how+"/key", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				tab.press([]keys.Meaning{keys.Down, keys.Last, keys.Up, keys.First}[i%4])
				_ = tab.List.Draw(th, 120, 40, true)
			}
		})
	}
}

func TestTheHeadingOfTheTimesNamesTheirZone(t *testing.T) {
	t.Parallel()
	tab := begun(t)
	tab.take(came(1, 1, noon))
	if drawn := tab.drawn(100, 10); !strings.Contains(drawn, "time UTC ") || !strings.Contains(drawn, " 12:00:00.137 ") {
		t.Errorf("the list is\n%s", drawn)
	}
}
