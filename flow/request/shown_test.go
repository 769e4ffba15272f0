package request

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"gatewright/internal/text/prose"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/logs"
)

// told are lines with their tones.
func told(lines []prose.Line) string {
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "%v|%s\n", l.Tone, l.Text)
	}
	return b.String()
}

func optionsTold(options []prose.Option) string {
	var b strings.Builder
	for _, o := range options {
		fmt.Fprintf(&b, "%s|%s|%s", o.Key, o.Title, o.Detail)
		if o.Disabled != "" {
			fmt.Fprintf(&b, "|%s", o.Disabled)
		}
		b.WriteString("\n")
	}
	return b.String()
}

var update = flag.Bool("update", false, "write testdata/shown.txtar, what the tests show")

// same compares a text with its section of testdata/shown.txtar.
func same(t *testing.T, section, got string) {
	t.Helper()
	const file = "testdata/shown.txtar"
	archive, err := txtar.ParseFile(file)
	must(t, err)
	got = strings.TrimSpace(got) + "\n"
	at := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == section })
	if *update {
		if at < 0 {
			at, archive.Files = len(archive.Files), append(archive.Files, txtar.File{Name: section})
		}
		archive.Files[at].Data = []byte(got)
		must(t, os.WriteFile(file, txtar.Format(archive), 0o644))
		return
	}
	if at < 0 {
		t.Fatalf("%s has no section %s", file, section)
	}
	if diff := cmp.Diff(string(archive.Files[at].Data), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", section, diff)
	}
}

func TestAnAnswerIsDescribedWholeAndInItsOrder(t *testing.T) {
	t.Parallel()
	books := Form{Environment: "dev", API: "shop", Path: "/books/{isbn}", Values: []string{"1"}, Method: "PUT", Query: "?a=1"}
	headers := http.Header{"X-B": {"1", "2"}, "Date": {"today\x1b"}}
	for what, x := range map[string]Exchange{
		"well": {Form: books, Function: "echo", Answer: call.Answer{
			Status: 200, Latency: 1500 * time.Microsecond, Headers: headers, Body: []byte(`{"a":[1]}`), Breaches: []string{"its body breaks it"},
			Written: []logs.Line{{Time: time.Date(2026, 3, 1, 12, 0, 0, 0, time.Local), Text: "hello", Level: logs.Error}},
		}},
		"refused": {Form: Form{Path: "/staff", Method: "GET", As: identitypool.Signer{Group: "A"}}, Answer: call.Answer{
			Status: 403, Headers: headers, Body: []byte("no\r\nway\n"), Refusal: []string{"no rule", "add\x1b one"},
		}},
		"failed": {Form: Form{Path: "/staff", Method: "GET", Test: true}, Function: "echo", Answer: call.Answer{
			Status: 502, Headers: headers, Body: []byte{0xff}, Refusal: []string{"it failed"}, Log: []string{"line 1", "line 2"}, Event: []byte(`{"e":1}`),
		}},
		"moved in AWS": {Form: Form{Path: "/staff", Method: "GET", Cloud: true, Environment: "my env"}, Function: "e cho", Answer: call.Answer{Status: 302}},
		"test in AWS":  {Form: Form{Path: "/staff", Method: "GET", Cloud: true, Test: true}, Function: "echo", Answer: call.Answer{Status: 299}},
	} {
		same(t, what, told(Describe(x)))
	}
}

func TestAnswersAreCompared(t *testing.T) {
	t.Parallel()
	x := func(status int, date, body string, more ...string) Exchange {
		return Exchange{Form: Form{Path: "/staff", Method: "GET"}, Answer: call.Answer{
			Status: status, Headers: http.Header{"date": {date}, "X-Amzn-Requestid": {date}, "X-More": more}, Body: []byte(body),
		}}
	}
	same(t, "the same", told(Compare(x(200, "1", `{"a":1}`, "b"), x(200, "2", `{"a": 1}`, "b"))))
	same(t, "others", told(Compare(x(200, "1", `{"a":1}`, "b"), x(404, "1", `{"a":2}`, "c"))))
	kept := []Difference{{Where: "body\x1b", Expected: "1", Got: "2"}, {Where: "status", Expected: "3", Got: "4"}}
	same(t, "as kept", told(CompareKept("my\x1b file", nil, x(200, "1", "a"))))
	same(t, "not as kept", told(CompareKept("a", kept, x(500, "1", "a"))))
}

func TestARequestIsSaidInOneLine(t *testing.T) {
	t.Parallel()
	f := Form{Environment: "de v", Path: "/books/{isbn}/{page}", Method: "DELETE", Values: []string{"a/b"}, Below: "/x", Query: "?q=1", Headers: []string{"A: 1", " ", "B: 2"}, Body: "abc"}
	var b strings.Builder
	for _, as := range []identitypool.Signer{{}, {Guest: true}, {Own: true}, {AnyUser: true}, {Group: "a b"}, {User: "emma"}} {
		f.As, f.Groups = as, []string{"A", "B"}
		fmt.Fprintf(&b, "%s|%s|%s|%s\n", f.Sentence(), f.Summary(), f.who(), f.DeleteQuestion())
	}
	fmt.Fprintln(&b, Form{Cloud: true}.who())
	f.Test = true
	fmt.Fprintf(&b, "%s|%s|%s|%s\n", f.Sentence(), f.Summary(), f.who(), f.DeleteQuestion())
	same(t, "requests", b.String())
}
