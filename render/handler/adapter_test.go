package handler

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/test/await"
	"gatewright/test/depth"
)

// outcome is the answer to a request, and what the app recorded about it.
type outcome struct {
	Answer answer
	Seen   *seen
	// Req and Res are the events of the request and the response of the app, in order, and
	// Notes the notes of the route.
	Req, Res, Notes []string
}

// answer is what a caller gets: a response, a failure (a closed connection or a failed
// handler), or nothing before a time limit.
type answer struct {
	Status     int
	Headers    []string
	Body       []byte
	Refused    bool
	Unanswered bool
	// More are the fields of a result that API Gateway refuses.
	More map[string]any
}

// seen is a request as the app got it.
type seen struct {
	Method, URL, Path, IP, Hostname, HTTPVersion string

	Query, Trailers map[string]any
	Headers         map[string]any
	Distinct        map[string]any
	RawHeaders      []string

	Readable, Writable, Head []any
}

// compared is one request, sent to a server and to the adapter.
type compared struct {
	Name string
	// Short says that the event has no headers, like one written by hand.
	Short           bool
	Server, Adapter outcome
}

// ofTheWay are headers about the transport, which differ between a connection and API
// Gateway.
var ofTheWay = []string{"connection", "date", "keep-alive", "transfer-encoding"}

// TestTheExpressAdapterBehavesLikeAServer runs one app behind a server of Node.js and behind
// the adapter of the template. The app and the requests are in testdata/adapter.
func TestTheExpressAdapterBehavesLikeAServer(t *testing.T) {
	t.Parallel()
	for _, c := range adapterRun(t) {
		t.Run(c.Name, func(t *testing.T) {
			server, adapter := c.Server, c.Adapter
			if len(adapter.Answer.More) > 0 {
				t.Errorf("the result has %v, which a gateway refuses", adapter.Answer.More)
			}
			adapter.Answer.More = nil
			server.Answer.Headers, adapter.Answer.Headers = answerHeaders(server.Answer, adapter.Answer)
			for _, o := range []*outcome{&server, &adapter} {
				o.Seen = o.Seen.withoutTheWay(c.Short)
			}
			// Bodies of megabytes are compared as a whole, not byte by byte.
			if diff := cmp.Diff(server, adapter, cmp.Comparer(bytes.Equal)); diff != "" {
				t.Errorf("(-server +adapter):\n%.3000s", diff)
			}
		})
	}
}

// TestTheComparisonWithAServerIsComplete checks that every route was reached and that there
// were answers of all kinds.
func TestTheComparisonWithAServerIsComplete(t *testing.T) {
	t.Parallel()
	all := adapterRun(t)
	if len(all) < 600 {
		t.Errorf("%d requests were compared, want 600 and more", len(all))
	}
	var refused, unanswered, binary, noted, ok int
	for _, c := range all {
		if c.Server.Seen == nil {
			t.Errorf("%s did not reach the app", c.Name)
		}
		switch a := c.Server.Answer; {
		case a.Refused:
			refused++
		case a.Unanswered:
			unanswered++
		case bytes.ContainsRune(a.Body, 0):
			binary++
		case a.Status == 200:
			ok++
		}
		if len(c.Server.Notes) > 0 {
			noted++
		}
	}
	if refused < 10 || unanswered < 2 || binary < 10 || noted < 50 || ok < 300 {
		t.Errorf("%d refused, %d unanswered, %d binary, %d with notes, %d with 200", refused, unanswered, binary, noted, ok)
	}
}

// answerHeaders returns the headers that must be equal, sorted. A server may send a body in
// chunks that has a length in a result.
func answerHeaders(server, adapter answer) (ofServer, ofAdapter []string) {
	lists := [2][]string{}
	for side, a := range [2]answer{server, adapter} {
		for pair := range slices.Chunk(a.Headers, 2) {
			name := strings.ToLower(pair[0])
			if !slices.Contains(ofTheWay, name) {
				lists[side] = append(lists[side], name+": "+pair[1])
			}
		}
		slices.Sort(lists[side])
	}
	isLength := func(line string) bool { return strings.HasPrefix(line, "content-length: ") }
	if slices.ContainsFunc(lists[0], isLength) != slices.ContainsFunc(lists[1], isLength) {
		for side := range lists {
			lists[side] = slices.DeleteFunc(lists[side], isLength)
		}
	}
	return lists[0], lists[1]
}

// withoutTheWay returns s without the parts that API Gateway removes or rewrites. The URL
// keeps its path only, since API Gateway escapes the query in its own way; Query has the
// parameters.
func (s *seen) withoutTheWay(short bool) *seen {
	if s == nil {
		return nil
	}
	kept := *s
	kept.URL, _, _ = strings.Cut(s.URL, "?")
	kept.RawHeaders = nil
	for pair := range slices.Chunk(s.RawHeaders, 2) {
		name := strings.ToLower(pair[0])
		if name == "content-length" || slices.Contains(ofTheWay, name) {
			delete(kept.Headers, name)
			delete(kept.Distinct, name)
			continue
		}
		kept.RawHeaders = append(kept.RawHeaders, pair...)
	}
	if short {
		kept.Headers, kept.Distinct, kept.RawHeaders = nil, nil, nil
		kept.IP, kept.Hostname = "", ""
	}
	return &kept
}

// errNoPackages says that the packages of the app cannot be installed, for which the test is
// skipped.
var errNoPackages = errors.New("npm install")

// adapterOnce sends the requests once for all tests.
var adapterOnce struct {
	sync.Once
	all []compared
	err error
}

func adapterRun(t *testing.T) []compared {
	t.Helper()
	depth.Whole(t)
	depth.Needs(t, "node", "npm")
	once := &adapterOnce
	once.Do(func() { once.all, once.err = runAdapter(await.Limit(t)) })
	all, err := once.all, once.err
	if errors.Is(err, errNoPackages) {
		depth.Lacks(t, "npm's registry", err)
	}
	if err != nil {
		t.Fatalf("the adapter was not compared: %v", err)
	}
	return all
}

// runAdapter installs the app with its packages in a folder of its own and sends every
// request both ways, which may take so long.
func runAdapter(limit time.Duration) ([]compared, error) {
	root, err := os.MkdirTemp("", "gatewright-adapter-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(root)
	if err := os.CopyFS(root, os.DirFS("testdata/adapter")); err != nil {
		return nil, err
	}
	adapter, err := templates.ReadFile("templates/express/adapter.js")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(root, "adapter.js"), adapter, 0o600); err != nil {
		return nil, err
	}
	manifest, err := adapterPackages()
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(root, "package.json"), manifest, 0o600); err != nil {
		return nil, err
	}
	npm := exec.Command("npm", "install", "--no-audit", "--no-fund", "--prefer-offline")
	npm.Dir = root
	if out, err := npm.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %w: %s", errNoPackages, err, out)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	node := exec.CommandContext(ctx, "node", "driver.js", filepath.Join(root, "adapter.js"))
	node.Dir = root
	var said bytes.Buffer
	node.Stderr = &said
	out, err := node.Output()
	if err != nil {
		return nil, fmt.Errorf("the driver: %w: %s", err, &said)
	}
	return readCompared(out)
}

// adapterPackages is a package.json with the packages of the app and the Express of the
// template.
func adapterPackages() ([]byte, error) {
	wanted := map[string]string{}
	ours, err := os.ReadFile("testdata/adapter/package.json")
	if err != nil {
		return nil, err
	}
	template, err := templates.ReadFile("templates/express/package.json")
	if err != nil {
		return nil, err
	}
	for _, text := range [][]byte{ours, template} {
		var manifest struct{ Dependencies map[string]string }
		if err := json.Unmarshal(text, &manifest); err != nil {
			return nil, err
		}
		for name, version := range manifest.Dependencies {
			wanted[name] = version
		}
	}
	return indented(map[string]any{"private": true, "dependencies": wanted}), nil
}

func readCompared(out []byte) ([]compared, error) {
	var all []compared
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var c compared
		err := decoder.Decode(&c)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read what the driver wrote: %w", err)
		}
		all = append(all, c)
	}
}
