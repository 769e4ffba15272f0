package request

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestARequestComesBackFromTheEventOfItsFunction(t *testing.T) {
	t.Parallel()
	s := served(t)
	f := Form{
		Environment: "dev", API: "shop", Path: "/books/{isbn}", Method: "PUT", Values: []string{"a b"}, Query: "x=1&x=2&y=<>",
		Headers: []string{"Authorization: secret", "X-A: 1", "X-A: 2", "X-B: 3"}, Body: `{"a":"<"}`,
	}
	plan, err := s.PlanEvent(f)
	must(t, err)
	must(t, plan.Write())
	file := filepath.Join(s.root, filepath.FromSlash(s.layout.EventFile("echo")))
	text, err := os.ReadFile(file)
	must(t, err)
	same(t, "event.json", string(text))
	options, fill, problems := s.Imports(Form{Environment: "dev", API: "shop", Path: "/staff", Method: "GET", Groups: []string{"A"}})
	if len(problems) > 0 {
		t.Error(problems)
	}
	same(t, "files", optionsTold(options))
	got, from, err := fill(options[len(options)-1].Key)
	want := f
	want.Query, want.Headers = "x=1&x=2&y=%3C%3E", []string{"Content-Type: application/json", "X-A: 1", "X-A: 2", "X-B: 3"}
	want.Values = []string{"a%20b"}
	if diff := cmp.Diff(want, got); diff != "" || from != nil || err != nil {
		t.Errorf("%v, %v (-want +got):\n%s", from, err, diff)
	}
	must(t, os.WriteFile(file, []byte("{}"), 0o600))
	if err := plan.Write(); err == nil {
		t.Error("a file that changed since it was planned is replaced")
	}
}

func TestAnEventThatCannotBeReadLeavesTheForm(t *testing.T) {
	t.Parallel()
	s := served(t)
	f := Form{Environment: "dev", API: "shop", Path: "/staff", Method: "GET"}
	file := filepath.Join(s.root, filepath.FromSlash(s.layout.EventFile("echo")))
	var b strings.Builder
	for _, text := range []string{"", "{", `{"path": "/staff"}`, `{"httpMethod": "GET", "path": "staff"}`, `{"httpMethod": "GET", "path": "/none"}`} {
		_ = os.Remove(file)
		if text != "" {
			must(t, os.WriteFile(file, []byte(text), 0o600))
		}
		got, err := s.readEvent(f, "echo")
		if diff := cmp.Diff(f, got); diff != "" {
			t.Errorf("%s: the form is another:\n%s", text, diff)
		}
		fmt.Fprintf(&b, "%s|%v\n", text, err)
	}
	must(t, os.WriteFile(file, []byte(`{"httpMethod": "get", "path": "/staff/", "queryStringParameters": {"a": "1", "b": "2"}, "multiValueQueryStringParameters": {"a": ["3", "4"], "b": []}}`), 0o600))
	got, err := s.readEvent(f, "echo")
	fmt.Fprintf(&b, "%+v|%v\n", got, err)
	same(t, "events", b.String())
}

func TestTheValueOfALineIsTheOneThatBeginsThere(t *testing.T) {
	t.Parallel()
	body := []byte(`{"a":[1,{"b":"x\n"},[]],"c":{},"d":null}`)
	var b strings.Builder
	for line := range bodyLines(body) {
		text, ok := ValueAt(body, line)
		fmt.Fprintf(&b, "%d %t %q\n", line, ok, text)
	}
	for _, other := range []string{"text", "{", "1"} {
		text, ok := ValueAt([]byte(other), 0)
		fmt.Fprintf(&b, "%s %t %q\n", other, ok, text)
	}
	_, ok := ValueAt(body, 99)
	fmt.Fprintf(&b, "99 %t\n", ok)
	same(t, "values", b.String())
}
