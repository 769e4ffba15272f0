package live_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatewright/deploy/deploytest"
	"gatewright/sandbox"
	"gatewright/sandbox/live"
	"gatewright/test/await"
	"gatewright/test/depth"
)

// living is a project that is being served.
type living struct {
	t      *testing.T
	events chan sandbox.Event
	ended  chan error
	stop   context.CancelFunc
	// endpoints are those of APIs, by environment and label.
	endpoints map[string]string
	// seen are the events so far, a line each.
	seen []string
}

// serve serves a project and waits until the client configuration file is
// written.
func serve(t *testing.T, dir string, o live.Options) *living {
	t.Helper()
	depth.Needs(t, "node")
	ctx, cancel := context.WithCancel(context.Background())
	l := &living{t: t, events: make(chan sandbox.Event, 10000), ended: make(chan error, 1), stop: cancel, endpoints: make(map[string]string)}
	o.Dir, o.Port = dir, live.AnyPort
	o.Notify = func(e sandbox.Event) { l.events <- e }
	go func() { l.ended <- live.Run(ctx, o) }()
	t.Cleanup(l.end)
	return l
}

func (l *living) end() {
	l.t.Helper()
	if l.stop == nil {
		return
	}
	l.stop()
	l.stop = nil
	if err := <-l.ended; err != nil {
		l.t.Errorf("serving ends with %v", err)
	}
}

// until waits for an event of a kind with a text in it.
func (l *living) until(kind, text string) {
	l.t.Helper()
	late := time.After(await.Limit(l.t))
	for {
		select {
		case e := <-l.events:
			l.seen = append(l.seen, e.Kind+" "+e.Environment+" "+e.Function+" "+e.Text)
			if strings.ContainsAny(e.Text, "\n\x1b") {
				l.t.Errorf("an event has more than one line: %q", e.Text)
			}
			if e.Kind == live.API {
				_, rest, _ := strings.Cut(e.Text, " ")
				label, endpoint, _ := strings.Cut(rest, " ")
				l.endpoints[e.Environment+" "+label] = endpoint
			}
			if e.Kind == kind && strings.Contains(e.Text, text) {
				return
			}
		case err := <-l.ended:
			l.ended <- err
			l.t.Fatalf("it ended with %v before the event %s %q:\n%s", err, kind, text, strings.Join(l.seen, "\n"))
		case <-late:
			l.t.Fatalf("the event %s %q is missing:\n%s", kind, text, strings.Join(l.seen, "\n"))
		}
	}
}

// answers returns the answer to a GET of a path of an API.
func (l *living) answers(api, path string) string {
	l.t.Helper()
	response, err := http.Get(l.endpoints[api] + path)
	deploytest.Must(l.t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	deploytest.Must(l.t, err)
	return fmt.Sprintf("%d %s", response.StatusCode, body)
}

// becomes waits until a GET gets an answer.
func (l *living) becomes(api, path, want string) {
	l.t.Helper()
	var got string
	defer func() {
		if l.t.Failed() {
			l.t.Logf("the last answer of %s is %s", path, got)
		}
	}()
	await.Until(l.t, "the answer "+want+" of "+path, func() bool {
		got = l.answers(api, path)
		return got == want
	})
}

// source writes a handler for a function that answers with a text.
func source(t *testing.T, dir, function, text string) {
	t.Helper()
	handler(t, dir, function, fmt.Sprintf(`exports.handler = async () => ({ statusCode: 200, body: %q });`, text))
}

func handler(t *testing.T, dir, function, code string) {
	t.Helper()
	folder := filepath.Join(dir, "backend/function", function, "src")
	deploytest.Must(t, os.MkdirAll(folder, 0o755))
	deploytest.Must(t, os.WriteFile(filepath.Join(folder, "index.js"), []byte(code), 0o644))
}
