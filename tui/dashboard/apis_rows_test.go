package dashboard

import (
	"fmt"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/project"
)

func path(name, function string) *model.Path {
	return &model.Path{Name: name, Function: function, Access: model.Access{Setting: model.Open}}
}

func backend(apis ...*model.API) *model.Backend { return &model.Backend{APIs: apis} }

func api(label string, paths ...*model.Path) *model.API {
	return &model.API{Label: label, Paths: paths}
}

// drawnRows are rows as text: mark, name, endpoints, reasons.
func drawnRows(rows []apiRow) string {
	var b strings.Builder
	for _, r := range rows {
		_, word, _ := strings.Cut(r.mark.words(), " ")
		_, _ = fmt.Fprintln(&b, strings.Join(strings.Fields(strings.Join([]string{word + ":", strings.TrimSpace(r.name()), r.url, r.proxy, strings.Join(r.reasons, "; ")}, " ")), " "))
	}
	return b.String()
}

func TestPathsAreMarkedByWhatAPushWouldDo(t *testing.T) {
	env := &environment{Environment: &model.Environment{Name: "dev", APIs: []string{"gone", "new", "shop"}}, record: &project.Record{
		APIs: []project.Endpoint{{API: "shop", URL: "http://h/1/dev"}, {API: "gone", URL: "http://h/2/dev"}},
	}}
	now := backend(
		api("shop", path("/b", "f"), path("/new", "f"), path("/a", "g"), path("/", "f"), path("/moved", "g")),
		api("elsewhere", path("/", "f")), api("new", path("/", "f")))
	then := backend(api("shop", path("/b", "f"), path("/a", "g"), path("/old", "f"), path("/", "f"), path("/moved", "f")), api("gone", path("/x", "f")))
	s := &snapshot{backend: now, env: env}
	s.status.Resources = []project.ResourceStatus{{Difference: model.Difference{
		Of: model.Ref{Kind: model.KindFunction, Name: "g"}, Operation: model.ToUpdate, Reasons: []string{"src/index.js changed"},
	}}}
	want := `not here: elsewhere
not here: /
gone: gone http://h/2/dev
gone: /x http://h/2/dev/x http://h/2/dev/x/{proxy+}
new: new
new: /
changed: shop http://h/1/dev
no change: / http://h/1/dev/ http://h/1/dev/{proxy+}
function: /a http://h/1/dev/a http://h/1/dev/a/{proxy+} src/index.js changed
no change: /b http://h/1/dev/b http://h/1/dev/b/{proxy+}
changed: /moved http://h/1/dev/moved http://h/1/dev/moved/{proxy+} /moved: served by g instead of f
new: /new
gone: /old http://h/1/dev/old http://h/1/dev/old/{proxy+}
`
	if got := drawnRows(apiRows(s, then)); got != want {
		t.Errorf("the rows are\n%s\nwant\n%s", got, want)
	}
	s.status.untold = "it cannot be told"
	for _, r := range apiRows(s, nil) {
		if r.mark != unknown && r.mark != absent {
			t.Errorf("%s%s is marked %q though nothing was compared", r.label, r.path, r.mark.words())
		}
	}
}

func TestPathsStandInTheOrderOfTheTree(t *testing.T) {
	names := []string{"/{proxy+}", "/b", "/a/{id}/x", "/a-b", "/", "/a", "/a/{id}", "/a/z", "/{any}"}
	var paths []*model.Path
	for _, name := range names {
		paths = append(paths, path(name, "f"))
	}
	sortPaths(paths)
	var got []string
	for _, p := range paths {
		got = append(got, p.Name)
	}
	if want := "/ /a /a/z /a/{id} /a/{id}/x /a-b /b /{any} /{proxy+}"; strings.Join(got, " ") != want {
		t.Errorf("the order is %s, want %s", strings.Join(got, " "), want)
	}
}

func TestAPathThatIsTakenBelowHasNoProxyEndpoint(t *testing.T) {
	env := &environment{Environment: &model.Environment{Name: "dev"}, record: &project.Record{APIs: []project.Endpoint{{API: "shop", URL: "http://h"}}}}
	b := backend(api("shop", path("/book", "f"), path("/book/{isbn}", "g"), path("/{proxy+}", "f")))
	rows := apiRows(&snapshot{backend: b, env: env}, b)
	if r := rows[1]; r.url != "http://h/book" || r.proxy != "" || r.taken != "/book/{isbn}" {
		t.Errorf("the row of /book is %+v", r)
	}
	if r := rows[2]; r.url != "http://h/book/{isbn}" || r.proxy != "http://h/book/{isbn}/{proxy+}" || r.taken != "" {
		t.Errorf("the row of /book/{isbn} is %+v", r)
	}
	if r := rows[3]; r.url != "http://h/{proxy+}" || r.proxy != "" {
		t.Errorf("the row of the reserved path is %+v", r)
	}
}
