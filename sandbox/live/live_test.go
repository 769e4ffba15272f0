package live_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/deploy/index"
	"gatewright/deploy/secretfile"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/live"
	"gatewright/test/await"
)

func TestTheWorkingTreeIsServedBesideWhatWasPushed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := deploytest.Made(t, dir, deploytest.Shop(t))
	source(t, dir, "items", "pushed")
	record, _ := deploytest.Pushed(t, index.Open(t.TempDir()), p, "prod")
	source(t, dir, "items", "here")

	l := serve(t, dir, live.Options{Environment: "dev"})
	l.until(live.File, "client_config.json is written, for environment dev")
	if got := l.answers("dev shop", "/items"); got != "200 here" {
		t.Errorf("the working tree answers %s", got)
	}
	if got := l.answers("prod shop", "/items"); got != "200 pushed" {
		t.Errorf("what was pushed answers %s", got)
	}
	if !strings.Contains(l.endpoints["prod shop"], "/"+record.APIs[0].ID+"/prod") {
		t.Errorf("the pushed API has the endpoint %s and the id %s", l.endpoints["prod shop"], record.APIs[0].ID)
	}
	if got := deploytest.At(written(t, dir), "custom", "API", "shop", "endpoint"); got != l.endpoints["dev shop"] {
		t.Errorf("the client configuration file has the endpoint %v, the API has %s", got, l.endpoints["dev shop"])
	}
	left, _ := filepath.Glob(filepath.Join(dir, ".gatewright/deployed/prod/*/backend/function/items/*"))
	if len(left) == 0 || strings.Contains(strings.Join(left, " "), "node_modules") {
		t.Errorf("the stored deployments are %q", left)
	}

	source(t, dir, "items", "changed")
	l.becomes("dev shop", "/items", "200 changed")
	if got := l.answers("prod shop", "/items"); got != "200 pushed" {
		t.Errorf("after an edit what was pushed answers %s", got)
	}
	deploytest.Pushed(t, index.Open(t.TempDir()), deploytest.Opened(t, dir), "prod")
	l.until(live.Serving, "environment prod, as it was pushed")
	l.becomes("prod shop", "/items", "200 changed")
	deploytest.Must(t, deploytest.Opened(t, dir).Undeploy("prod"))
	l.until(live.Definition, "environment prod is no longer served")
	if got := l.answers("prod shop", "/items"); strings.HasPrefix(got, "200") {
		t.Errorf("a removed environment answers %s", got)
	}
}

func TestChangesAreServedUnlessTheDefinitionIsBroken(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := deploytest.Made(t, dir, deploytest.Shop(t))
	source(t, dir, "items", "here")
	l := serve(t, dir, live.Options{Environment: "dev"})
	l.until(live.File, "is written")
	if got := l.answers("dev shop", "/news"); !strings.HasPrefix(got, "403") {
		t.Errorf("an unknown path answers %s", got)
	}
	deploytest.Edited(t, p, func(b *model.Backend) error {
		return edit.UpdateAPI(b, &access.API{Label: "shop", Paths: []*access.Path{deploytest.Open("/items", "items"), deploytest.Open("/news", "items"), deploytest.SignedIn("/own", "items")}})
	})
	l.until(live.Definition, "/news is new")
	if got := l.answers("dev shop", "/news"); got != "200 here" {
		t.Errorf("the new path answers %s", got)
	}
	if got := l.answers("dev shop", "/own"); !strings.HasPrefix(got, "403") {
		t.Errorf("a restricted path answers %s", got)
	}

	file := filepath.Join(dir, "backend/api/shop/cli-inputs.json")
	good, err := os.ReadFile(file)
	deploytest.Must(t, err)
	deploytest.Must(t, os.WriteFile(file, good[:len(good)/2], 0o644))
	l.until(live.Problem, "backend/api/shop/cli-inputs.json:")
	await.Until(t, "the response of a broken definition", func() bool { return strings.HasPrefix(l.answers("dev shop", "/news"), "502") })
	client, err := sandbox.Connect(filepath.Join(dir, ".gatewright/sandbox"))
	deploytest.Must(t, err)
	if err := client.Refresh(context.Background()); err == nil || !strings.Contains(err.Error(), "cli-inputs.json:") {
		t.Errorf("refreshing from a broken definition gives %v", err)
	}
	deploytest.Must(t, os.WriteFile(file, []byte(strings.ReplaceAll(string(good), "/news", "/more")), 0o644))
	deploytest.Must(t, client.Refresh(context.Background()))
	l.until(live.Definition, "the definition no longer has errors")
	if got := l.answers("dev shop", "/more"); got != "200 here" {
		t.Errorf("after a refresh the repaired path answers %s", got)
	}
	deploytest.Must(t, client.Stop(context.Background()))
	if err := <-l.ended; err != nil {
		t.Errorf("stopped by a client it ends with %v", err)
	}
	l.stop = nil
}

func TestASecretReachesItsFunctionAndNoLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := deploytest.Shop(t)
	f := *b.Function("items")
	f.Secrets = []string{"KEY", "OTHER"}
	deploytest.Must(t, edit.UpdateFunction(b, &f))
	deploytest.Made(t, dir, b)
	handler(t, dir, "items", `exports.handler = async () => { console.log("key", process.env.KEY); return { statusCode: 200, body: process.env.KEY + " " + process.env.OTHER }; };`)
	deploytest.Must(t, os.MkdirAll(filepath.Join(dir, ".gatewright/secrets"), 0o700))
	deploytest.Must(t, os.WriteFile(filepath.Join(dir, secretfile.Name("dev")), []byte(`{"KEY": "abracadabra"}`), 0o644))
	deploytest.Must(t, os.Chmod(filepath.Join(dir, secretfile.Name("dev")), 0o644))
	l := serve(t, dir, live.Options{Environment: "dev"})
	l.until(live.File, "is written")
	if got := l.answers("dev shop", "/items"); got != "200 abracadabra undefined" {
		t.Errorf("the function answers %s", got)
	}
	said := strings.Join(l.seen, "\n")
	for _, part := range []string{"chmod 600 .gatewright/secrets/dev.json", "runs without its secret OTHER; write it into .gatewright/secrets/dev.json"} {
		if !strings.Contains(said, part) {
			t.Errorf("the warning is missing: %s\n%s", part, said)
		}
	}
	deploytest.Must(t, os.WriteFile(filepath.Join(dir, secretfile.Name("dev")), []byte(`{"KEY": "abracadabra", "OTHER": "hocuspocus"}`), 0o600))
	l.becomes("dev shop", "/items", "200 abracadabra hocuspocus")
	l.end()
	log, err := os.ReadFile(filepath.Join(dir, ".gatewright/sandbox/data/logs/dev/items.log"))
	deploytest.Must(t, err)
	if strings.Contains(string(log), "abracadabra") || !strings.Contains(string(log), "key <redacted>") {
		t.Errorf("the log is\n%s", log)
	}
}

func TestOnceWritesChecksAndEnds(t *testing.T) {
	t.Parallel()
	once := func(dir string) error {
		return live.Run(context.Background(), live.Options{Dir: dir, Environment: "dev", Port: live.AnyPort, Once: true})
	}
	dir := t.TempDir()
	p := deploytest.Made(t, dir, deploytest.Shop(t))
	deploytest.Must(t, once(dir))
	if endpoint, _ := deploytest.At(written(t, p.Root), "custom", "API", "shop", "endpoint").(string); !strings.HasPrefix(endpoint, "http://127.0.0.1:") {
		t.Errorf("the client configuration file has the endpoint %q", endpoint)
	}
	if _, err := sandbox.Connect(filepath.Join(dir, ".gatewright/sandbox")); !errors.Is(err, sandbox.ErrNotRunning) {
		t.Errorf("afterwards connecting gives %v", err)
	}
	deploytest.Must(t, os.Rename(filepath.Join(dir, "backend/function/items/src/index.js"), filepath.Join(dir, "backend/function/items/src/main.js")))
	if err := once(dir); err == nil || !strings.Contains(err.Error(), "function items: the handler index.handler has no file") {
		t.Errorf("without the handler's file it ends with %v", err)
	}
	deploytest.Must(t, os.RemoveAll(filepath.Join(dir, "backend/function/items")))
	if err := once(dir); err == nil || !strings.Contains(err.Error(), "names the function items, which does not exist") {
		t.Errorf("without the function it ends with %v", err)
	}
	deploytest.Must(t, os.WriteFile(filepath.Join(dir, "backend/api/shop/cli-inputs.json"), []byte("{"), 0o644))
	if err := once(dir); err == nil || !strings.Contains(err.Error(), "cli-inputs.json:1:2") {
		t.Errorf("with a broken definition it ends with %v", err)
	}
}

func TestErrorsThatPreventAStart(t *testing.T) {
	t.Parallel()
	held, err := net.Listen("tcp4", "127.0.0.1:0")
	deploytest.Must(t, err)
	defer held.Close()
	dir := t.TempDir()
	deploytest.Made(t, dir, deploytest.Shop(t))
	// Somebody who cloned the project has chosen no environment.
	deploytest.Must(t, os.RemoveAll(filepath.Join(dir, project.StateFolder)))
	ctx, cancel := context.WithTimeout(t.Context(), await.Limit(t))
	defer cancel()
	run := func(o live.Options) error {
		o.Dir = dir
		return live.Run(ctx, o)
	}
	var taken *sandbox.PortError
	if err := run(live.Options{Environment: "dev", Port: held.Addr().(*net.TCPAddr).Port}); !errors.As(err, &taken) {
		t.Errorf("a busy port gives %v", err)
	}
	if err := run(live.Options{}); !errors.Is(err, index.ErrRequest) || !strings.Contains(err.Error(), "dev, prod") {
		t.Errorf("without an environment it gives %v", err)
	}
	if err := run(live.Options{Environment: "prad"}); err == nil || !strings.Contains(err.Error(), "did you mean prod?") {
		t.Errorf("an unknown environment gives %v", err)
	}
	if err := run(live.Options{Environment: "dev", Inspect: "itms"}); err == nil || !strings.Contains(err.Error(), "did you mean items?") {
		t.Errorf("an unknown function to inspect gives %v", err)
	}
}

func TestAProjectOfTheAmplifyCLIIsServedUnchanged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	deploytest.Must(t, os.CopyFS(dir, os.DirFS("../../testdata/amplify")))
	before := deploytest.Files(t, dir)
	l := serve(t, dir, live.Options{Environment: "dev"})
	l.until(live.API, "API shop ")
	if got := l.answers("dev shop", "/book/1"); got != "200 books" {
		t.Errorf("an open path answers %s", got)
	}
	if got := l.answers("dev shop", "/items"); !strings.HasPrefix(got, "403 ") {
		t.Errorf("a restricted path answers %s", got)
	}
	l.end()
	after := slices.DeleteFunc(deploytest.Files(t, dir), func(name string) bool { return strings.Contains(name, project.StateFolder) })
	if !slices.Equal(after, before) {
		t.Errorf("the files of the project changed: %q", after)
	}
	if ignored, err := os.ReadFile(filepath.Join(dir, project.StateFolder, ".gitignore")); err != nil || string(ignored) != "*\n" {
		t.Errorf("version control ignores %q of the state: %v", ignored, err)
	}
	p := deploytest.Opened(t, dir)
	if p.Layout != project.Amplify {
		t.Fatalf("the project has the layout %s", p.Layout)
	}
}

// written returns the values of the client configuration file in a folder.
func written(t *testing.T, dir string) (values map[string]any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "client_config.json"))
	deploytest.Must(t, err)
	deploytest.Must(t, json.Unmarshal(text, &values))
	return values
}
