package board

import (
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/plan"
	"gatewright/sandbox/traffic"
)

// contentsOf are the files and folders in a folder, with size and time.
func contentsOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	must(t, filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			all[name] = fmt.Sprint(info.Mode(), info.Size(), info.ModTime().UnixNano())
		}
		return err
	}))
	return all
}

func TestObservingWithoutASandboxCreatesNothing(t *testing.T) {
	t.Parallel()
	dir := newProject(t)
	before := contentsOf(t, dir)
	for o, n := observe(dir, nil, traffic.FiveMinutes), 0; n < 2; n++ {
		if o.Running || o.Err != "" || len(o.Lines) > 0 {
			t.Errorf("it says %+v", o)
		}
		o = observe(dir, o, traffic.FiveMinutes)
	}
	if diff := cmp.Diff(before, contentsOf(t, dir)); diff != "" {
		t.Errorf("looking for a sandbox changed files: %s", diff)
	}
}

func TestARunningSandboxAndItsEndAreObserved(t *testing.T) {
	t.Parallel()
	deploytest.NeedNode(t)
	dir := newProject(t)
	p, err := project.Open(dir)
	must(t, err)
	next, err := p.Backend.Edit(func(b *model.Backend) error {
		must(t, edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local}))
		must(t, edit.AddFunction(b, &model.Function{Name: "f", Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}))
		return edit.AddAPI(b, &access.API{Label: "shop", Paths: []*access.Path{{Name: "/thing", Function: "f", Access: access.Access{Setting: access.Open}}}})
	})
	must(t, err)
	plan, err := plan.Of(p, next)
	must(t, err)
	must(t, plan.Commit())
	must(t, p.Close())
	source := `exports.handler = async () => { console.log("hello from here"); return { statusCode: 200, body: "{}" } }`
	must(t, os.WriteFile(filepath.Join(dir, "backend", "function", "f", "src", "index.js"), []byte(source), 0o644))
	client, stop := deploytest.Serve(t, dir)
	status, err := client.Status(t.Context())
	must(t, err)
	endpoint := status.APIs[0].Endpoint
	answer, err := http.Get(endpoint + "/thing")
	must(t, err)
	if _ = answer.Body.Close(); answer.StatusCode != http.StatusOK {
		t.Fatalf("the API answers %d", answer.StatusCode)
	}
	o := observe(dir, nil, traffic.FiveMinutes)
	if !o.Running || o.Err != "" || !strings.Contains(endpoint, o.Address()) || !o.Serves("dev") || o.Serves("qa") {
		t.Errorf("it says %+v", o)
	}
	if c := o.Counts.Function("dev", "f"); c == nil || c.Calls != 1 || c.Failed != 0 {
		t.Errorf("of the calls it says %+v", c)
	}
	again := observe(dir, o, traffic.FiveMinutes)
	if again.Client != o.Client || !again.Running || !cmp.Equal(again.Status, o.Status) {
		t.Error("the second look asks another client, or finds another thing")
	}
	stop()
	if o := observe(dir, again, traffic.FiveMinutes); o.Running || o.Err != "" || o.Client != nil {
		t.Errorf("after its end it says %+v", o)
	}
}
