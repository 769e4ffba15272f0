package handler

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"gatewright/model"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestNarrowerPathsComeFirst(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ given, want []string }{
		{[]string{"/book", "/book/{isbn}"}, []string{"/book/{isbn}", "/book"}},
		{[]string{"/book/{isbn}", "/book/new"}, []string{"/book/new", "/book/{isbn}"}},
		{[]string{"/", "/{id}", "/items"}, []string{"/items", "/{id}", "/"}},
		{[]string{"/a/{x}/c", "/a/b"}, []string{"/a/b", "/a/{x}/c"}},
		{[]string{"/b", "/a"}, []string{"/b", "/a"}},
	} {
		if diff := cmp.Diff(c.want, narrowFirst(c.given)); diff != "" {
			t.Errorf("narrowFirst(%q) (-want +got):\n%s", c.given, diff)
		}
	}
}

func TestExpressRoutesEscapeTheSyntaxOfExpress(t *testing.T) {
	t.Parallel()
	got := expressRoutes([]string{"/", "/v1.0/events:batchGet", "/u/{id}/{user-id}/{a.b}/{1}"}, "below")
	want := []string{
		"/", "/*below",
		`/v1.0/events\:batchGet`, `/v1.0/events\:batchGet/*below`,
		`/u/:id/:"user-id"/:"a.b"/:"1"`, `/u/:id/:"user-id"/:"a.b"/:"1"/*below`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// drawPaths draws one to four valid paths of few words, so that they often overlap.
func drawPaths(t *rapid.T) []string {
	fixed := rapid.OneOf(rapid.SampledFrom([]string{"a", "b", "object"}), rapid.StringMatching(`[A-Za-z0-9._:-]{1,4}`))
	name := rapid.OneOf(rapid.SampledFrom([]string{"id", "x", "below"}), rapid.StringMatching(`[A-Za-z0-9._-]{1,4}`))
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
		var path strings.Builder
		seen := map[string]bool{}
		for range rapid.IntRange(0, 4).Draw(t, "segments") {
			segment := fixed.Draw(t, "fixed")
			if rapid.Bool().Draw(t, "variable") {
				segment = "{" + name.Draw(t, "name") + "}"
			}
			if seen[segment] && isVariable(segment) || segment == "{proxy}" || segment == "." || segment == ".." {
				continue
			}
			seen[segment] = true
			path.WriteString("/" + segment)
		}
		if path.Len() == 0 {
			return "/"
		}
		return path.String()
	}), 1, 4).Draw(t, "paths")
}

// route returns the path that API Gateway chooses for the segments of a request, found
// without narrowFirst: it compares all paths at once, one segment at a time.
func route(paths []string, asked []string, at int) (path string, ok bool) {
	var fixed, variable []string
	for _, p := range paths {
		switch s := segments(p); {
		case len(s) <= at || at == len(asked):
		case isVariable(s[at]):
			variable = append(variable, p)
		case s[at] == asked[at]:
			fixed = append(fixed, p)
		}
	}
	for _, narrower := range [][]string{fixed, variable} {
		if len(narrower) > 0 {
			if path, ok := route(narrower, asked, at+1); ok {
				return path, true
			}
		}
	}
	for _, p := range paths {
		if len(segments(p)) == at {
			return p, true
		}
	}
	return "", false
}

// drawRequests draws, for each path, the segments of requests for it and below it.
func drawRequests(t *rapid.T, paths []string) (asked [][]string, events []json.RawMessage) {
	value := rapid.SampledFrom([]string{"1", "a", "object", "é /+%", "{id}", "..", "b c"})
	for _, path := range paths {
		var itself []string
		for _, segment := range segments(path) {
			if isVariable(segment) {
				segment = value.Draw(t, "value")
			}
			itself = append(itself, segment)
		}
		for _, below := range [][]string{{}, {"x"}, {"x", "y"}, {value.Draw(t, "below")}} {
			one := slices.Concat(itself, below)
			asked = append(asked, one)
			events = append(events, getEvent(escaped(one)))
		}
	}
	return asked, events
}

func TestExpressRoutesLikeAPIGateway(t *testing.T) {
	t.Parallel()
	e := packagesEngine(t)
	rapid.Check(t, func(t *rapid.T) {
		paths := drawPaths(t)
		files := edited(t, render(t, expressSpec(paths...)), `res.json({ ...req.params });`)
		folder := e.write(t, files)
		asked, events := drawRequests(t, paths)
		for i, got := range e.do(t, call{Folder: folder, Events: events}) {
			path, ok := route(paths, asked[i], 0)
			if !ok {
				t.Fatalf("%q serves no %q", paths, asked[i])
			}
			exchange{status: 200, body: wantParams(t, paths, path, asked[i])}.verify(t, got)
		}
	})
}

func TestCRUDRoutesLikeAPIGateway(t *testing.T) {
	t.Parallel()
	e := nodeEngine(t)
	const handler = `const { segmentsBelow } = require("./path");
exports.handler = async ({ path }) => ({ statusCode: 200, body: JSON.stringify(segmentsBelow(path)) });
`
	rapid.Check(t, func(t *rapid.T) {
		paths := drawPaths(t)
		s := expressSpec(paths...)
		s.Template, s.Table = model.CRUD, itemsTable()
		files := slices.DeleteFunc(render(t, s), func(f File) bool { return f.Name != "src/path.js" })
		folder := e.write(t, append(files, File{Name: "src/index.js", Data: []byte(handler)}))
		asked, events := drawRequests(t, paths)
		for i, got := range e.do(t, call{Folder: folder, Events: events}) {
			path, ok := route(paths, asked[i], 0)
			if !ok {
				t.Fatalf("%q serves no %q", paths, asked[i])
			}
			want := segments(escaped(asked[i]))[len(segments(path)):]
			var below []string
			if err := json.Unmarshal([]byte(got.Body), &below); err != nil || !slices.Equal(below, want) {
				t.Errorf("%q asked for %q: below is %s, want %q", paths, asked[i], got.Body, want)
			}
		}
	})
}

// escaped returns a request's path, with a colon as it is written in static segments.
func escaped(values []string) string {
	var path strings.Builder
	for _, v := range values {
		path.WriteString("/" + strings.ReplaceAll(url.PathEscape(v), "%3A", ":"))
	}
	if path.Len() == 0 {
		return "/"
	}
	return path.String()
}

// wantParams returns the req.params of a request that is served by path.
func wantParams(t *rapid.T, paths []string, path string, asked []string) string {
	t.Helper()
	params := map[string]any{}
	for i, segment := range segments(path) {
		if isVariable(segment) {
			params[strings.Trim(segment, "{}")] = asked[i]
		}
	}
	if below := asked[len(segments(path)):]; len(below) > 0 {
		params[belowName(paths)] = below
	}
	text, err := json.Marshal(params)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return string(text)
}
