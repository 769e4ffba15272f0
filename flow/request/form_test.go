package request

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project/saved"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/identitypool"
)

func TestAFormBecomesTheRequestThatItDescribes(t *testing.T) {
	t.Parallel()
	guest := identitypool.Signer{Guest: true}
	for _, row := range []struct {
		form Form
		want call.Request
	}{
		{Form{Path: "/a", Method: "GET"}, call.Request{Path: "/a", Method: "GET", Headers: http.Header{}, Body: []byte{}}},
		{
			Form{Path: "/a/{x}/{y}", Method: "PUT", Values: []string{"1/2", "%41"}, Below: "c d/é", Query: "?q=a b&c", Headers: []string{"X: 1", " ", "X:2"}, Body: "{}", As: guest},
			call.Request{
				Path: "/a/1%2F2/%41/c%20d/%C3%A9", Method: "PUT", Query: "q=a%20b&c", Headers: http.Header{"X": {"1", "2"}, "Content-Type": {"application/json"}}, Body: []byte("{}"), As: &guest,
			},
		},
		{
			Form{Path: access.ProxyPath, Method: "POST", Below: "/b/", Headers: []string{"content-type: text/plain", "authorization: x"}, Body: "x", Test: true, As: guest},
			call.Request{Path: "/b/", Method: "POST", Headers: http.Header{"content-type": {"text/plain"}, "authorization": {"x"}}, Body: []byte("x"), Test: true},
		},
		{Form{Path: access.ProxyPath, Method: "GET"}, call.Request{Path: "/", Method: "GET", Headers: http.Header{}, Body: []byte{}}},
	} {
		got, err := row.form.Request()
		if diff := cmp.Diff(row.want, got); err != nil || diff != "" {
			t.Errorf("%+v: %v (-want +got):\n%s", row.form, err, diff)
		}
	}
	for _, row := range []struct {
		form Form
		want model.Problem
	}{
		{Form{}, model.Problem{Field: "path", Text: "there is no path", Fix: "add an API first"}},
		{Form{Path: "/a/{x}/{y}", Values: []string{"1"}}, model.Problem{Field: "{y}", Text: "has no value", Fix: "give the value that replaces it in the path"}},
		{Form{Path: "/a", Below: "/b?c"}, model.Problem{Field: "below", Text: "has a ?", Fix: "move what follows the ? to the query"}},
		{Form{Path: "/a", Below: "/%zz"}, model.Problem{Field: "path", Text: "/a/%zz is not a URL path", Fix: "write a % as %25"}},
		{Form{Path: "/a", Headers: []string{"X: 1", "no header"}}, model.Problem{Field: "header", Text: `"no header" is not a header`, Fix: "write it like X-Trace: 1"}},
		{Form{Path: "/a", Headers: []string{"x-amz-date: 1"}, As: guest}, model.Problem{Field: "header", Text: "X-Amz-Date is set by the signature", Fix: "remove it, or let nobody sign"}},
	} {
		_, err := row.form.Request()
		got, is := errors.AsType[*model.Problem](err)
		if !is {
			t.Errorf("%+v: %v", row.form, err)
			continue
		}
		if diff := cmp.Diff(row.want, *got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", row.form, diff)
		}
	}
	for method, changes := range map[string]bool{"GET": false, "HEAD": false, "OPTIONS": false, "POST": true, "PUT": true, "PATCH": true, "DELETE": true} {
		if (Form{Method: method}).Changes() != changes || (Form{Method: method}).Deletes() != (method == "DELETE") {
			t.Errorf("%s changes: %t", method, !changes)
		}
	}
}

// The form of a request that was sent is the one that it would have been filled in with.
func TestTheFormOfARequestIsThatOfItsPath(t *testing.T) {
	t.Parallel()
	router := access.NewRouter(&access.API{Label: "shop", Paths: []*access.Path{{Name: "/books/{isbn}"}, {Name: "/books/{isbn}/pages/{n}"}}}, nil, access.Terms{})
	guest := identitypool.Signer{Guest: true}
	sent := func(path string) call.Request {
		return call.Request{Method: "PUT", Path: path, Query: "q", Headers: http.Header{"B": {"2"}, "A": {"1"}}, Body: []byte("b"), As: &guest, Test: true}
	}
	form := func(path, below string, values ...string) Form {
		return Form{
			Environment: "dev", API: "shop", Path: path, Values: values, Below: below, Method: "PUT", Query: "q", Headers: []string{"A: 1", "B: 2"}, Body: "b", As: guest, Test: true,
		}
	}
	for path, want := range map[string]Form{
		"/books/1":             form("/books/{isbn}", "", "1"),
		"/books/1/":            form("/books/{isbn}", "/", "1"),
		"/books/1/x/y":         form("/books/{isbn}", "/x/y", "1"),
		"/books/1/pages/2/b/c": form("/books/{isbn}/pages/{n}", "/b/c", "1", "2"),
		"/nowhere/1":           form("", "/nowhere/1"),
	} {
		if diff := cmp.Diff(want, FormOf(router, "dev", "shop", sent(path))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	if diff := cmp.Diff(form("", "/books/1"), FormOf(nil, "dev", "shop", sent("/books/1"))); diff != "" {
		t.Errorf("without an API (-want +got):\n%s", diff)
	}
}

func TestABodyThatIsNotShownWholeIsSearchedWhole(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		body      string
		shortened bool
	}{
		{"short, with the END", false},
		{strings.Repeat("x\n", mostLines-1) + "the End", false},
		{strings.Repeat("x\n", mostLines) + "the end", true},
		{strings.Repeat("x ", mostShown/2) + "the end", true},
		{"", false},
	} {
		x := Exchange{Form: Form{Path: "/a", Method: "GET"}, Answer: call.Answer{Status: 200, Body: []byte(row.body)}}
		if lines := Describe(x); Shortened(lines) != row.shortened {
			t.Errorf("%.20q of %d bytes is shortened: %t", row.body, len(row.body), !row.shortened)
		}
		if x.Has("The eNd") != (row.body != "") || x.Has("nothing of it") {
			t.Errorf("%.20q of %d bytes is not searched", row.body, len(row.body))
		}
	}
	for status, tone := range map[int]prose.Tone{200: prose.Good, 299: prose.Good, 300: prose.Note, 399: prose.Note, 400: prose.Warning, 499: prose.Warning, 500: prose.Bad} {
		if got := (Exchange{Answer: call.Answer{Status: status}}).Tone(); got != tone {
			t.Errorf("%d has the tone %v", status, got)
		}
	}
}

func TestASavedRequestIsSaidInOneLine(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]saved.Request{
		"GET /a": {Method: "GET", Path: "/a"},
		"PUT /a as group:A, with its expected response; what it is for": {Method: "PUT", Path: "/a", As: "group:A", Expect: new(saved.Answer), Description: "what it is for"},
	} {
		if got := savedWords(r); got != want {
			t.Errorf("it is %q, want %q", got, want)
		}
	}
}
