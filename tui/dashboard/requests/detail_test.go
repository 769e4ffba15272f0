package requests

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/flow/request"
	"gatewright/internal/text/prose"
	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/frame/frametest"
)

// calls are one call of each outcome.
func calls() map[string]traffic.Call {
	fine, failed, refused := made(1), made(3), made(5)
	fine.Started, fine.Ran, fine.Breaches = 90*time.Millisecond, 20*time.Millisecond, []string{"response body /price is a string", "response header x is missing"}
	fine.Who.By, fine.Who.Groups = "signature", []string{"Editors", "Readers"}
	failed.Fix = "mend the function"
	refused.Why, refused.Fix = "guests may not update under /books of API shop", "gatewright update path shop /books --guest update"
	nowhere, mocked, timed := made(1), made(2), made(4)
	nowhere.Status, nowhere.Function, nowhere.Path, nowhere.API, nowhere.Environment, nowhere.Why, nowhere.Who = 404, "", "", "", "", "no API has this address", traffic.Who{Kind: traffic.Nobody}
	mocked.Mocked, mocked.Function, mocked.Who = true, "", traffic.Who{Kind: traffic.Unknown, Allowed: true}
	timed.Kind, timed.Method, timed.Target, timed.Path, timed.API, timed.Status, timed.Who = traffic.Schedule, "", "", "", "", 0, traffic.Who{Kind: traffic.Nobody}
	timed.Why = "it wrote nothing"
	return map[string]traffic.Call{"fine": fine, "failed": failed, "refused": refused, "nowhere": nowhere, "mocked": mocked, "timed": timed}
}

func TestTheDetailsOfEachOutcomeAreWhole(t *testing.T) {
	t.Parallel()
	all := calls()
	for name, want := range map[string]string{
		"fine": `?200 OK in 37 ms   emma (Editors), by signature
?~ breaks the contract: response body /price is a string
?~ breaks the contract: response header x is missing
 let in: members of Editors may read under /books

.served by /books/{isbn} of shop, function f in 20 ms, after 90 ms in which its worker started
.member of Editors, Readers, acting as members of Editors
.2026-03-01 12:00:00.137 UTC   id id-1
`,
		"failed": `!502 Bad Gateway in 111 ms   emma (Editors)
!! failed: function f ended with an error: Error: "it broke"
 to do: mend the function

.served by /books/{isbn} of shop, function f in 0.0 ms
.member of Editors, acting as members of Editors
.2026-03-01 12:00:00.411 UTC   id id-3
`,
		"refused": `?403 Forbidden in 185 ms   guest, no credentials
?x refused: guests may not update under /books
 to do: gatewright update path shop /books --guest update

.path /books/{isbn} of shop
.2026-03-01 12:00:00.685 UTC   id id-5
`,
		"nowhere": `?404 Not Found in 37 ms   nobody
?x refused: no API has this address

.2026-03-01 12:00:00.137 UTC   id id-1
`,
		"mocked": `+200 OK in 74 ms   unknown, credentials that are not valid
ianswered with an example of the contract, without a function

.path /books/{isbn} of shop
.2026-03-01 12:00:00.274 UTC   id id-2
`,
		"timed": `+ok in 148 ms   nobody
!it wrote nothing

.2026-03-01 12:00:00.548 UTC   id id-4
`,
	} {
		got := frametest.Toned(begun(t).describe(rowOf(all[name], noon))...) + "\n"
		if difference := cmp.Diff(want, got); difference != "" {
			t.Errorf("the details of what is %s differ (-want +got):\n%s", name, difference)
		}
	}
}

func TestTheDetailsSayWhatIsKnownOfBodiesAndWays(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]struct {
		change func(*shown)
		want   string
	}{
		"ways": {func(s *shown) { s.ways = []string{"one", "two", "three"} }, `?403 Forbidden in 185 ms   guest, no credentials
?x refused: guests may not update under /books
 to allow it: one
 to allow it: two

.request   content-type: text/plain
.response
{  no

.path /books/{isbn} of shop
.2026-03-01 12:00:00.685 UTC   id id-5
`},
		"gone": {func(s *shown) { s.detail.Gone = true }, `?403 Forbidden in 185 ms   guest, no credentials
?x refused: guests may not update under /books
 to do: gatewright update path shop /books --guest update
?the request and the response are no longer kept: later requests needed the memory

.path /books/{isbn} of shop
.2026-03-01 12:00:00.685 UTC   id id-5
`},
		"unanswered": {func(s *shown) { s.err = errors.New("no\x1b answer") }, `?403 Forbidden in 185 ms   guest, no credentials
?x refused: guests may not update under /books
 to do: gatewright update path shop /books --guest update
?no␛ answer

.path /books/{isbn} of shop
.2026-03-01 12:00:00.685 UTC   id id-5
`},
		"another": {func(s *shown) { s.detail.Time = s.detail.Time.Add(1) }, `?403 Forbidden in 185 ms   guest, no credentials
?x refused: guests may not update under /books
 to do: gatewright update path shop /books --guest update

.path /books/{isbn} of shop
.2026-03-01 12:00:00.685 UTC   id id-5
`},
		"long": {func(s *shown) {
			s.detail.Headers = []traffic.Header{{Name: "Accept", Value: "a"}, {Name: "LOCATION", Value: "l"}, {Name: "content-type", Value: "c"}}
			s.detail.Body, s.detail.AnswerBody, s.detail.AnswerHeaders = "{\n  \"a\":  1\n}", strings.Repeat("é", 201), nil
		}, `?403 Forbidden in 185 ms   guest, no credentials
?x refused: guests may not update under /books
 to do: gatewright update path shop /books --guest update

.request   LOCATION: l   content-type: c
{  { "a": 1 }
.response
{  éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé…

.path /books/{isbn} of shop
.2026-03-01 12:00:00.685 UTC   id id-5
`},
	} {
		tab, c := begun(t), calls()["refused"]
		s := &shown{id: "5", detail: traffic.Detail{Call: c, Headers: []traffic.Header{{Name: "content-type", Value: "text/plain"}}, AnswerBody: "no"}}
		of.change(s)
		tab.shown = s
		got := frametest.Toned(tab.describe(rowOf(c, noon))...) + "\n"
		if difference := cmp.Diff(of.want, got); difference != "" {
			t.Errorf("the details that are %s differ (-want +got):\n%s", name, difference)
		}
	}
}

func TestEverythingOfARequestIsInItsSections(t *testing.T) {
	t.Parallel()
	all := calls()
	whole := traffic.Detail{
		Call: all["refused"], Headers: []traffic.Header{{Name: "A", Value: "1"}, {Name: "B", Value: "2"}}, Body: `{"a":[1]}`, AnswerBody: "plain\r\ntext",
		AnswerHeaders: []traffic.Header{{Name: "C", Value: "3"}}, Event: `{"e":1}`, Result: `{"r":2}`, Left: []string{"the header x", "the end"},
	}
	gone, timed := whole, whole
	gone.Gone, timed.Call = true, all["timed"]
	log := []prose.Line{{Tone: prose.Plain, Text: "one"}, {Tone: prose.Plain, Text: "two"}}
	for name, of := range map[string]struct {
		detail traffic.Detail
		want   string
	}{
		"a request": {whole, `?403 Forbidden in 185 ms   guest, no credentials
?x refused: guests may not update under /books
 guests may not update under /books of API shop
 to do: gatewright update path shop /books --guest update
.path /books/{isbn} of shop
.2026-03-01 12:00:00.685 UTC   id id-5
ileft out: the header x; the end

#Request
.A: 1
.B: 2

{{
{  "a": [
{    1
{  ]
{}

#Response
.C: 3

 plain
 text

#Event
{{
{  "e": 1
{}

#Result
{{
{  "r": 2
{}

#Log (2 lines)
 one
 two
`},
		"one that is gone": {gone, `?403 Forbidden in 185 ms   guest, no credentials
?x refused: guests may not update under /books
 guests may not update under /books of API shop
 to do: gatewright update path shop /books --guest update
.path /books/{isbn} of shop
.2026-03-01 12:00:00.685 UTC   id id-5
ileft out: the header x; the end
?the request and the response are no longer kept: later requests needed the memory
`},
		"a schedule": {timed, `+ok in 148 ms   nobody
!it wrote nothing
.2026-03-01 12:00:00.548 UTC   id id-4
ileft out: the header x; the end

#Event
{{
{  "e": 1
{}

#Result
{{
{  "r": 2
{}

#Log (2 lines)
 one
 two
`},
	} {
		got := frametest.Toned(sections(&of.detail, log, 2)...) + "\n"
		if difference := cmp.Diff(of.want, got); difference != "" {
			t.Errorf("the sections of %s differ (-want +got):\n%s", name, difference)
		}
	}
}

// TestASecondSendingIsAskedAboutAsMuchAsItMayDo has a sandbox that serves dev from the working
// tree, and prod, which is guarded, as it was pushed.
func TestASecondSendingIsAskedAboutAsMuchAsItMayDo(t *testing.T) {
	t.Parallel()
	tab := begun(t)
	tab.board.Sandbox.Status.Environment = "dev"
	for _, of := range []struct{ method, environment, caller, want, word string }{
		{"GET", "dev", "", "", ""},
		{"GET", "dev", "nobody", "GET /books/1?limit=1\n\nIt is sent as nobody.", ""},
		{"POST", "dev", "", "POST /books/1?limit=1\n\nIt may change data.\nIt is sent as emma (Editors), as before.", ""},
		{"POST", "dev", "nobody", "POST /books/1?limit=1\n\nIt may change data.\nIt is sent as nobody.", ""},
		{"GET", "prod", "", "GET /books/1?limit=1\n\nIt is sent to environment prod as last pushed, not to the working tree.", ""},
		{"DELETE", "prod", "", "DELETE /books/1?limit=1\n\nIt may change data.\nIt is sent as emma (Editors), as before.\nIt is sent to environment prod as last pushed, not to the working tree.", "prod"},
	} {
		c := made(1)
		c.Method, c.Environment = of.method, of.environment
		text, word := tab.question(traffic.Detail{Call: c}, request.Remembered{Caller: of.caller})
		if text != of.want || word != of.word {
			t.Errorf("%s of %s as %q asks\n%s\nfor the word %q", of.method, of.environment, of.caller, text, word)
		}
	}
}

func TestTheNoteHasTheCountsAndTheRate(t *testing.T) {
	t.Parallel()
	tab := begun(t)
	if line, short := tab.Note(); line.Text != "" || short != "" {
		t.Errorf("without a sandbox it says %s (%s)", line.Text, short)
	}
	tab.board.Followed = true
	now := time.Now()
	calls := []traffic.Call{
		{Kind: traffic.Request, Number: 1, Environment: "dev", Time: now.Add(-time.Minute), Status: 200},
		{Kind: traffic.Request, Number: 2, Environment: "qa", Time: now.Add(-time.Minute), Status: 200},
		{Kind: traffic.Request, Number: 3, Environment: "dev", Time: now.Add(-time.Minute), Status: 403},
		{Kind: traffic.Request, Number: 4, Time: now, Status: 403},
		{Kind: traffic.Request, Number: 5, Environment: "dev", Time: now, Status: 502, Failed: true},
	}
	for _, of := range []struct {
		calls []traffic.Call
		want  string
	}{
		{nil, ".0 requests (0 requests)"},
		{calls[:2], ".1 request (1 request)"},
		{calls[2:], "!4 requests, 2 refused, 1 failed, 2/s (4 requests, 2 refused, 1 failed)"},
	} {
		tab.board.Told.Take(&board.Batch{Moment: traffic.Moment{Calls: of.calls}}, now)
		line, short := tab.Note()
		if got := strings.TrimSpace(frametest.Toned(line)) + fmt.Sprintf(" (%s)", short); got != of.want {
			t.Errorf("it says %s, want %s", got, of.want)
		}
	}
}

// TestTheThirdPaneSaysWhetherTheLogWasRead goes from a call that nothing is known of to one with a log.
func TestTheThirdPaneSaysWhetherTheLogWasRead(t *testing.T) {
	t.Parallel()
	tab := begun(t)
	tab.take(came(5, 5, noon))
	says := func(want string) {
		t.Helper()
		if got := strings.Join(prose.Texts(tab.Third(nil).Lines), "|"); got != want {
			t.Errorf("the third pane says %q, want %q", got, want)
		}
	}
	says("its log is not read; enter shows everything")
	tab.asking = true
	says("reading its log ...")
	tab.asking = false
	tab.shown = &shown{id: "5", detail: traffic.Detail{Call: made(5)}}
	says("its log is not read; enter shows everything")
	tab.shown.log = prose.InTone(prose.Plain, "handler", "hello")
	says("handler|hello")
	tab.shown, tab.board.Sandbox.Running = nil, false
	says("")
}
