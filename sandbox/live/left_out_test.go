package live_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/sandbox/live"
	"gatewright/test/await"
)

// TestABrokenDefinitionCostsItsThingAlone breaks a file of each kind, one after another: what it
// defines does not run, and is not open; the rest is served.
func TestABrokenDefinitionCostsItsThingAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := deploytest.Made(t, dir, deploytest.Shop(t))
	source(t, dir, "items", "here")
	source(t, dir, "other", "other here")
	deploytest.Edited(t, p, func(b *model.Backend) error {
		f := *b.Function("items")
		f.Name = "other"
		if err := edit.AddFunction(b, &f); err != nil {
			return err
		}
		if err := edit.AddTable(b, &model.Table{Name: "drafts", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}); err != nil {
			return err
		}
		return edit.AddAPI(b, &access.API{Label: "second", Paths: []*access.Path{deploytest.Open("/a", "items"), deploytest.Open("/b", "other")}})
	})
	for _, tt := range []struct {
		file, was, is string
		// left begins what is told; answers are those of the paths of the APIs.
		left              string
		first, own, other string
	}{
		{"table/drafts/table.json", `"id"`, `"id`, "table drafts is left out, and the rest is served: backend/table/drafts/table.json:", "200 here", "200 here", "200 other here"},
		{"table/drafts/table.json", `"version": 1`, `"version": 1, "indexes": [{"name": "a", "partitionKey": {"name": "x", "type": "string"}}]`, "table drafts is left out", "200 here", "200 here", "200 other here"},
		{"function/other/function.json", `"version"`, `version`, "function other does not run, and its paths return 502: backend/function/other/function.json:", "200 here", "200 here", "502"},
		{"function/other/function.json", `"version": 1`, `"version": 1, "timeout": 9999`, "function other does not run", "200 here", "200 here", "502"},
		{"api/second/cli-inputs.json", `{`, `{{`, "API second is not served, and its paths return 502: backend/api/second/cli-inputs.json:", "200 here", "502", "502"},
		{"api/second/cli-inputs.json", `"open"`, `"opn"`, "API second is not served", "200 here", "502", "502"},
		{"api/second/cli-inputs.json", `"other"`, `"gone"`, "function gone does not run, and its paths return 502: backend/api/second/cli-inputs.json:", "200 here", "200 here", "502"},
	} {
		name := filepath.Join(dir, "backend", filepath.FromSlash(tt.file))
		good, err := os.ReadFile(name)
		deploytest.Must(t, err)
		broken := strings.Replace(string(good), tt.was, tt.is, 1)
		if broken == string(good) {
			t.Fatalf("%s has no %s", tt.file, tt.was)
		}
		deploytest.Must(t, os.WriteFile(name, []byte(broken), 0o644))
		l := serve(t, dir, live.Options{Environment: "dev"})
		l.until(live.Problem, tt.left)
		l.until(live.File, "is written")
		for _, ask := range [][3]string{{"dev shop", "/items", tt.first}, {"dev second", "/a", tt.own}, {"dev second", "/b", tt.other}} {
			if got := l.answers(ask[0], ask[1]); !strings.HasPrefix(got, ask[2]) {
				t.Errorf("%s is broken by %s: %s of %s answers %s, want %s", tt.file, tt.is, ask[1], ask[0], got, ask[2])
			}
		}
		l.stop()
		<-l.ended
		l.stop = nil
		if err := live.Run(t.Context(), live.Options{Dir: dir, Environment: "dev", Once: true, Port: live.AnyPort}); err == nil || !strings.Contains(err.Error(), tt.file) {
			t.Errorf("a check of %s gives %v", tt.file, err)
		}
		deploytest.Must(t, os.WriteFile(name, good, 0o644))
	}
	// Who may do what depends on the user pool, so nothing is served without it.
	auth := filepath.Join(dir, "backend", "auth.json")
	deploytest.Must(t, os.WriteFile(auth, []byte("{"), 0o644))
	if err := live.Run(t.Context(), live.Options{Dir: dir, Environment: "dev", Port: live.AnyPort}); err == nil || !strings.Contains(err.Error(), "auth.json") {
		t.Errorf("without the user pool it gives %v", err)
	}
}

// TestWhatBreaksWhileItIsServedCostsItAlone breaks a table, an API and an environment that is not served, and
// mends them: the rest follows its files all the while.
func TestWhatBreaksWhileItIsServedCostsItAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := deploytest.Made(t, dir, deploytest.Shop(t))
	source(t, dir, "items", "here")
	deploytest.Edited(t, p, func(b *model.Backend) error {
		if err := edit.AddTable(b, &model.Table{Name: "drafts", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}); err != nil {
			return err
		}
		return edit.AddAPI(b, &access.API{Label: "second", Paths: []*access.Path{deploytest.Open("/a", "items")}})
	})
	at := func(name string) string { return filepath.Join(dir, "backend", filepath.FromSlash(name)) }
	write := func(name, text string) { deploytest.Must(t, os.WriteFile(at(name), []byte(text), 0o644)) }
	text := func(name string) string {
		all, err := os.ReadFile(at(name))
		deploytest.Must(t, err)
		return string(all)
	}
	write("environments/broken.json", "{")
	l := serve(t, dir, live.Options{Environment: "dev"})
	l.until(live.Problem, "environment broken is left out, and the rest is served: backend/environments/broken.json:1:")
	l.until(live.File, "is written")
	l.becomes("dev shop", "/items", "200 here")
	table, api := text("table/drafts/table.json"), text("api/second/cli-inputs.json")
	write("table/drafts/table.json", "{")
	l.until(live.Problem, "table drafts is left out, and the rest is served: backend/table/drafts/table.json:1:")
	write("api/second/cli-inputs.json", strings.Replace(api, `"/a"`, `"/b"`, 2))
	l.becomes("dev second", "/b", "200 here")
	write("api/second/cli-inputs.json", strings.Replace(api, `"open"`, `"opn"`, 1))
	l.until(live.Problem, "API second is not served, and its paths return 502")
	await.Until(t, "a 502 of /a", func() bool { return strings.HasPrefix(l.answers("dev second", "/a"), "502") })
	l.becomes("dev shop", "/items", "200 here")
	write("api/second/cli-inputs.json", api)
	write("table/drafts/table.json", table)
	deploytest.Must(t, os.Remove(at("environments/broken.json")))
	l.until(live.Definition, "the definition no longer has errors, and is served")
	l.becomes("dev second", "/a", "200 here")
	// What is left out is not gone, and its data stay.
	for _, line := range l.seen {
		if strings.Contains(line, "delete ") {
			t.Errorf("it is told that %s", line)
		}
	}
}

// TestInAProjectOfTheAmplifyCLIABrokenFileCostsItsThingAlone too.
func TestInAProjectOfTheAmplifyCLIABrokenFileCostsItsThingAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	deploytest.Must(t, os.CopyFS(dir, os.DirFS("../../testdata/amplify")))
	for _, name := range []string{"storage/lost", "api/second"} {
		folder := filepath.Join(dir, "amplify/backend", filepath.FromSlash(name))
		deploytest.Must(t, os.MkdirAll(folder, 0o755))
		deploytest.Must(t, os.WriteFile(filepath.Join(folder, "cli-inputs.json"), []byte(`{"version": 1, "paths": {"/a"`), 0o644))
	}
	l := serve(t, dir, live.Options{Environment: "dev"})
	l.until(live.API, "API shop ")
	l.until(live.Problem, "API second is not served, and its paths return 502: amplify/backend/api/second/cli-inputs.json:1:")
	l.until(live.Problem, "table lost is left out, and the rest is served: amplify/backend/storage/lost/cli-inputs.json:1:")
	for _, ask := range [][3]string{{"dev shop", "/book/1", "200 books"}, {"dev shop", "/items", "403 "}, {"dev second", "/a", "502 "}} {
		if got := l.answers(ask[0], ask[1]); !strings.HasPrefix(got, ask[2]) {
			t.Errorf("%s of %s answers %s, want %s", ask[1], ask[0], got, ask[2])
		}
	}
}
