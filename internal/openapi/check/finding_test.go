package check_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gatewright/internal/openapi/check"
)

func TestAFindingSaysWhereTheContractSaysSo(t *testing.T) {
	t.Parallel()
	findings := contractOf(t, shop).Request(requestOf(t, "GET /books?limit=x"+trace))
	if len(findings) != 1 || findings[0].String() != "query limit is a string and not an integer, see line 7 of the contract" || findings[0].Column != 49 {
		t.Errorf("%#v", findings)
	}
}

func TestWhatIsNotJudgedIsListed(t *testing.T) {
	t.Parallel()
	got := said(contractOf(t, strings.Replace(shop, `'^\d+$'`, `'^(?=1)'`, 1)).Unjudged())
	want := "contract /paths/~1elsewhere is not judged: other.yaml is in another document, which is not read\n" +
		"contract /paths/~1books~1{isbn}/parameters/0/schema/pattern is not judged: the pattern (?=1) is none"
	if !strings.HasPrefix(got, strings.Replace(want, "(?=1)", "^(?=1)", 1)) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestALargeBodyIsNotChecked(t *testing.T) {
	t.Parallel()
	c := contractOf(t, shop)
	for size, want := range map[int]string{
		check.MaxBody:     "body is a string and not an object",
		check.MaxBody + 1: "body was not checked, because it has more than 1048576 bytes",
	} {
		body := `"` + strings.Repeat("a", size-2) + `"`
		if got := said(c.Request(requestOf(t, "POST /books\nContent-Type: application/json\n\n"+body))); got != want {
			t.Errorf("%d: %s, want %s", size, got, want)
		}
	}
}

func TestNoFindingHasAValueOfTheRequest(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	c := contractOf(t, shop)
	for _, request := range []string{
		"GET /books?limit=" + secret + "&tags=" + secret + "&filter[year]=" + secret + "\nX-Trace: " + secret + "\nCookie: sid=" + secret,
		"POST /books\nContent-Type: application/json\n\n" + `{"title": ["` + secret + `"], "pages": "` + secret + `"}`,
	} {
		findings := c.Request(requestOf(t, request))
		if got := said(findings); len(findings) == 0 || strings.Contains(got, secret) {
			t.Errorf("%s: %s", request, got)
		}
	}
}

func TestFindingsAreSafeForATerminalAndShort(t *testing.T) {
	t.Parallel()
	c := contractOf(t, shop)
	name := strings.Repeat("\x1b]0;x\x07\u202e", 1000)
	for _, r := range []check.Request{
		{Method: "GET", Path: "/books", Query: url.Values{name: {"1"}}},
		{Method: name, Path: "/books"},
		{Method: "POST", Path: "/books", Header: http.Header{"Content-Type": {name}}, Body: []byte("a")},
	} {
		findings := c.Request(r)
		if len(findings) == 0 {
			t.Errorf("%q holds", r.Path)
		}
		for _, f := range findings {
			if line := f.String(); len(line) > 4000 || strings.ContainsAny(line, "\x1b\x07\u202e\n") {
				t.Errorf("%q", line)
			}
		}
	}
}
