package request

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/deploy/deploytest"
	"gatewright/flow/request/requesttest"
	"gatewright/sandbox"
)

// served is a snapshot of the shop, which a sandbox at an address serves.
func served(t *testing.T) *Snapshot {
	s, err := Read(requesttest.WriteProject(t, requesttest.Shop(t)))
	must(t, err)
	s.Status.APIs = []sandbox.ServedAPI{{Environment: "dev", Label: "shop", Endpoint: "http://127.0.0.1:4280/abc/dev"}}
	return s
}

// The commands that this program copies are read as the requests that they are of.
func TestACopiedCommandIsReadBack(t *testing.T) {
	t.Parallel()
	s := served(t)
	read := 0
	rapid.Check(t, func(r *rapid.T) {
		f := drawnForm(r)
		want, err := f.Request()
		command, _, curlErr := s.Curl(f)
		if err != nil || curlErr != nil || !strings.HasPrefix(command, "curl ") {
			return
		}
		got, notes, err := s.FillCurl(Form{Environment: "dev", API: "shop", Path: "/staff"}, command)
		if err != nil || len(notes) > 0 {
			r.Fatalf("%s: %v %q", command, err, notes)
		}
		again, err := got.Request()
		if err != nil {
			r.Fatalf("%s: %v", command, err)
		}
		// A header without a value is left out by curl's own rule, and a guest signs nothing.
		for _, headers := range []http.Header{want.Headers, again.Headers} {
			delete(headers, "X-Empty")
		}
		if want.As != nil && want.As.Guest {
			want.As = nil
		}
		if again.Method != want.Method || again.Path != want.Path || again.Query != want.Query || string(again.Body) != string(want.Body) ||
			strings.Join(headerValues(again.Headers, "X-Trace"), "|") != strings.Join(headerValues(want.Headers, "X-Trace"), "|") || len(again.Headers) != len(want.Headers) ||
			(again.As == nil) != (want.As == nil) || again.As != nil && *again.As != *want.As {
			r.Fatalf("%s\nis %+v\nwant %+v", command, again, want)
		}
		read++
	})
	if read == 0 {
		t.Error("no command was read")
	}
}

func TestTheURLOfACommandLeadsToAPath(t *testing.T) {
	t.Parallel()
	s := served(t)
	for address, want := range map[string]string{
		"http://127.0.0.1:4280/abc/dev/books/1?x=1":                         "/books/{isbn} 1  x=1",
		"https://x1.execute-api.eu-west-1.amazonaws.com/prod/books/1/a%20b": "/books/{isbn} 1 /a%20b ",
		"api.example.org/open":                                              "/open   ",
		"https://example.org/v1/x/open?a#b":                                 "/open   a",
		"http://example.org/books/1":                                        "/books/{isbn} 1  ",
		"http://example.org":                                                "",
		"http://example.org/a/b/c/open":                                     "",
		"http://example.org/%zz/open":                                       "",
	} {
		f, _, err := s.FillCurl(Form{Environment: "dev", API: "shop", Path: "/staff"}, "curl '"+address+"'")
		got := ""
		if err == nil {
			got = f.Path + " " + strings.Join(f.Values, ",") + " " + f.Below + " " + f.Query
		}
		if got != want && strings.TrimRight(got, " ") != strings.TrimRight(want, " ") {
			t.Errorf("%s leads to %q (%v), want %q", address, got, err, want)
		}
	}
}

// The command of a saved request sends the same as the request if the shell has its variables.
func TestTheCommandOfASavedRequestTakesItsVariablesFromTheShell(t *testing.T) {
	t.Parallel()
	deploytest.NeedCurl(t)
	values := map[string]string{"ISBN": "978-0", "KEY": "k * 1", "BODY": "it is"}
	f := Form{
		Environment: "dev", API: "shop", Path: "/books/{isbn}", Method: "PUT", Values: []string{"${ISBN}"}, Query: "q=${ISBN}&x='", Variables: true,
		Headers: []string{"X-Key: ${KEY}'s", "X-Plain: $${KEY} $HOME"}, Body: `{"a": "${BODY}", "b": "it's"}`,
	}
	got := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- strings.Join([]string{r.RequestURI, r.Header.Get("X-Key"), r.Header.Get("X-Plain"), string(body)}, "\n")
	}))
	defer server.Close()
	s := served(t)
	s.Status.APIs[0].Endpoint = server.URL
	command, note, err := s.Curl(f)
	must(t, err)
	if !strings.Contains(note, "set the variables that it uses") {
		t.Errorf("the note is %q", note)
	}
	run := exec.Command("sh", "-c", command)
	run.Env = os.Environ()
	for name, value := range values {
		run.Env = append(run.Env, name+"="+value)
	}
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", command, err, out)
	}
	want := "/books/978-0?q=978-0&x='\nk * 1's\n${KEY} $HOME\n" + `{"a": "it is", "b": "it's"}`
	if sent := <-got; sent != want {
		t.Errorf("%s\nsends\n%s\nwant\n%s", command, sent, want)
	}
}
