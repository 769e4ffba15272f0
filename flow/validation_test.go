package flow_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"gatewright/deploy/deploytest"
	"gatewright/flow/validation"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

func TestAProjectIsValidatedAgainOnlyWhenItsFilesChange(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := time.Date(2026, 11, 25, 13, 0, 0, 0, time.UTC)
	c := validation.New(dir, func() time.Time { at = at.Add(time.Second); return at })
	if r := c.Check(); !r.None || r.Err == nil {
		t.Fatalf("an empty folder gives %+v", r)
	}
	b := &model.Backend{}
	must(t, edit.SetProject(b, model.Project{Name: "shop", ApplicationID: "app1", Dialect: model.Neutral}))
	must(t, edit.AddFunction(b, &model.Function{Name: "f", Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}))
	must(t, edit.AddAPI(b, &access.API{Label: "shop", Paths: []*access.Path{{Name: "/a", Function: "f", Access: access.Access{Setting: access.Open}}}}))
	deploytest.Write(t, dir, b)
	r := c.Check()
	if r.None || r.Err != nil || r.Errors != 0 || r.Warnings != 1 || len(r.Problems) != 1 || len(r.Groups) != 1 {
		t.Fatalf("an open path gives %+v", r)
	}
	if again := c.Check(); again != r {
		t.Error("what did not change was validated again")
	}
	file := filepath.Join(dir, "backend", "api", "shop", "cli-inputs.json")
	must(t, os.WriteFile(file, []byte("{"), 0o644))
	broken := c.Check()
	if broken.Errors == 0 || broken.Number <= r.Number || !broken.At.After(r.At) {
		t.Errorf("a broken file gives %+v", broken)
	}
	must(t, os.RemoveAll(filepath.Join(dir, "backend")))
	if r := c.Check(); !r.None || len(r.Problems) != 0 {
		t.Errorf("without the project there is still %+v", r)
	}
}
