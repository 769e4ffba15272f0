package project_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/journal"
)

const shopFile = `{"version": 1, "paths": {"/items": {"name": "/items", "lambdaFunction": "items", "permissions": {"setting": "open"}}}}`

// shop returns a project with two environments, an API and its function.
func shop(t testing.TB, fsys afero.Fs) *project.Project {
	t.Helper()
	b := &model.Backend{}
	for _, env := range []string{"dev", "prod"} {
		must(t, edit.AddEnvironment(b, &model.Environment{Name: env, Provider: model.Local}))
	}
	must(t, edit.AddFunction(b, &model.Function{Name: "items", Runtime: model.NodeJS, Template: model.Plain}))
	return native(t, fsys, b, map[string]string{"shop": shopFile})
}

// deploy makes the project the deployment of an environment, whose API has the address.
func deploy(t testing.TB, p *project.Project, env, address string) {
	t.Helper()
	must(t, p.Deploy(recordOf(env, address)))
}

func recordOf(env, address string) project.Record {
	outputs := model.Outputs{"custom": map[string]any{"API": map[string]any{"shop": map[string]any{"endpoint": address, "region": "eu-west-1", "apiName": "shop"}}}}
	return project.Record{
		Stack: "gatewright-app1-" + env, ApplicationID: "app1", Branch: env, Environment: env, Provider: model.Local, Region: "eu-west-1",
		Deployed: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Outputs: outputs, Values: outputs, APIs: []project.Endpoint{{API: "shop", ID: "a1", URL: address}},
	}
}

func TestADeploymentKeepsTheProjectAsItWasDeployed(t *testing.T) {
	t.Parallel()
	onEveryFS(t, func(t *testing.T, fsys afero.Fs) {
		p := shop(t, fsys)
		put(t, fsys, "backend/function/items/node_modules/left/pad.js", "x")
		if _, err := p.Deployed("dev"); !errors.Is(err, project.ErrNeverDeployed) {
			t.Fatalf("before the first push: %v", err)
		}
		deploy(t, p, "dev", "http://127.0.0.1:4280/a1/dev")
		edited(t, p, func(b *model.Backend) error { return edit.Remove(b, ref(model.KindAPI, "shop"), true) })
		put(t, fsys, "backend/function/items/src/index.js", "changed")

		d, err := load(t, fsys, project.Native).Deployed("dev")
		must(t, err)
		if d.Stack != "gatewright-app1-dev" || d.APIs[0].URL != "http://127.0.0.1:4280/a1/dev" || !d.Deployed.Equal(recordOf("dev", "").Deployed) {
			t.Errorf("the record is %+v", d.Record)
		}
		if d.Project.Backend.API("shop") == nil || d.Project.Backend.Function("items") == nil {
			t.Error("what was deployed lacks what the project had then")
		}
		kept := tree(t, fsys)
		for name, text := range kept {
			if strings.Contains(name, "deployed") && (strings.Contains(name, "node_modules") || text == "changed") {
				t.Errorf("%s is in what was deployed", name)
			}
		}
		if _, err := p.Deployed("prod"); !errors.Is(err, project.ErrNeverDeployed) {
			t.Errorf("the other environment: %v", err)
		}
	})
}

func TestAPushReplacesTheOneBefore(t *testing.T) {
	t.Parallel()
	onEveryFS(t, func(t *testing.T, fsys afero.Fs) {
		p := shop(t, fsys)
		deploy(t, p, "dev", "http://127.0.0.1:1/a/dev")
		deploy(t, p, "dev", "http://127.0.0.1:2/a/dev")
		d, err := p.Deployed("dev")
		must(t, err)
		if d.APIs[0].URL != "http://127.0.0.1:2/a/dev" {
			t.Errorf("deployed is %s", d.APIs[0].URL)
		}
		entries, err := afero.ReadDir(fsys, ".gatewright/deployed/dev")
		must(t, err)
		if len(entries) != 2 {
			t.Errorf("beside the record and one snapshot there are %d entries", len(entries)-2)
		}
		must(t, p.Undeploy("dev"))
		must(t, p.Undeploy("dev"))
		if _, err := p.Deployed("dev"); !errors.Is(err, project.ErrNeverDeployed) {
			t.Errorf("after it was forgotten: %v", err)
		}
		if entries, err := afero.ReadDir(fsys, ".gatewright/deployed"); err != nil || len(entries) != 0 {
			t.Errorf("%d things are left, %v", len(entries), err)
		}
	})
}

// breaks is a filesystem whose n-th call that changes something fails, and all later
// ones, as after a kill.
type breaks struct {
	afero.Fs
	left int
}

var errKilled = errors.New("killed")

func (b *breaks) next() error {
	b.left--
	if b.left < 0 {
		return errKilled
	}
	return nil
}

func (b *breaks) OpenFile(name string, flag int, mode fs.FileMode) (afero.File, error) {
	if flag&(os.O_WRONLY|os.O_RDWR) != 0 {
		if err := b.next(); err != nil {
			return nil, err
		}
	}
	return b.Fs.OpenFile(name, flag, mode)
}

func (b *breaks) Rename(from, to string) error {
	if err := b.next(); err != nil {
		return err
	}
	return b.Fs.Rename(from, to)
}

func (b *breaks) Remove(name string) error {
	if err := b.next(); err != nil {
		return err
	}
	return b.Fs.Remove(name)
}

func (b *breaks) RemoveAll(name string) error {
	if err := b.next(); err != nil {
		return err
	}
	return b.Fs.RemoveAll(name)
}

func (b *breaks) MkdirAll(name string, mode fs.FileMode) error {
	if err := b.next(); err != nil {
		return err
	}
	return b.Fs.MkdirAll(name, mode)
}

// TestAnInterruptedPushLeavesTheOldOrTheNewDeployment cuts a push off at each call
// that changes something.
func TestAnInterruptedPushLeavesTheOldOrTheNewDeployment(t *testing.T) {
	t.Parallel()
	outcomes := make(map[string]int)
	for n := 0; ; n++ {
		fsys := disk.Memory()
		p := shop(t, fsys)
		deploy(t, p, "dev", "http://127.0.0.1:1/old/dev")
		edited(t, p, func(b *model.Backend) error { return edit.AddGroup(b, "Admins") })

		cut := &breaks{Fs: fsys, left: n}
		err := load(t, cut, project.Native).Deploy(recordOf("dev", "http://127.0.0.1:2/new/dev"))

		p = load(t, fsys, project.Native)
		d, readErr := p.Deployed("dev")
		if readErr != nil {
			t.Fatalf("cut off at call %d: %v", n, readErr)
		}
		groups := len(d.Project.Backend.Groups)
		switch {
		case strings.Contains(d.APIs[0].URL, "old") && groups == 0:
			outcomes["old"]++
		case strings.Contains(d.APIs[0].URL, "new") && groups == 1:
			outcomes["new"]++
		default:
			t.Fatalf("cut off at call %d: record of %s with %d groups", n, d.APIs[0].URL, groups)
		}
		deploy(t, p, "dev", "http://127.0.0.1:3/next/dev")
		if entries, err := afero.ReadDir(fsys, ".gatewright/deployed/dev"); err != nil || len(entries) != 2 {
			t.Fatalf("cut off at call %d: the next push leaves %d entries, %v", n, len(entries), err)
		}
		if err == nil {
			break
		}
	}
	if outcomes["old"] == 0 || outcomes["new"] == 0 {
		t.Errorf("outcomes %v: the cuts did not reach both sides", outcomes)
	}
}

func TestOnePushAtATime(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fsys, err := disk.Open(dir)
	must(t, err)
	t.Cleanup(func() { _ = fsys.Close() })
	p := shop(t, fsys)
	deploy(t, p, "dev", "http://127.0.0.1:1/a/dev")
	lock, err := journal.Hold(fsys, "deployed/dev/lock")
	must(t, err)
	if err := p.Deploy(recordOf("dev", "http://127.0.0.1:2/a/dev")); !errors.Is(err, project.ErrDeploying) || !strings.Contains(err.Error(), fmt.Sprintf(" is being deployed by process %d on ", os.Getpid())) {
		t.Errorf("a second push: %v", err)
	}
	if _, err := project.ReadRecord(dir, "dev"); !errors.Is(err, project.ErrDeploying) {
		t.Errorf("reading in the middle of a push: %v", err)
	}
	must(t, lock.Release())
	record, err := project.ReadRecord(dir, "dev")
	must(t, err)
	if record.Stack != "gatewright-app1-dev" {
		t.Errorf("the record is %+v", record)
	}
	put(t, fsys, ".gatewright/deployed/dev/lock", `{"pid": 1, "host": "elsewhere"}`)
	if _, err := project.ReadRecord(dir, "dev"); err != nil {
		t.Errorf("after a push that was killed: %v", err)
	}
}

func TestAProjectThatChangesMeanwhileIsNotDeployed(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	p := shop(t, fsys)
	put(t, fsys, "backend/api/shop/cli-inputs.json", strings.Replace(shopFile, "open", "private", 1))
	if err := p.Deploy(recordOf("dev", "http://127.0.0.1:1/a/dev")); err == nil || !strings.Contains(err.Error(), "changed while") {
		t.Errorf("the push says %v", err)
	}
	if _, err := p.Deployed("dev"); !errors.Is(err, project.ErrNeverDeployed) {
		t.Errorf("deployed is %v", err)
	}
}

func TestABrokenRecordIsNamed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{`:             "cannot be read",
		`{"version":2}`: "has the version 2",
		`{"version":1,"environment":"prod","snapshot":"snapshot-a"}`:             "belongs to the environment prod",
		`{"version":1,"environment":"dev","snapshot":"../prod"}`:                 "names no folder",
		`{"version":1,"environment":"dev","snapshot":"gone"}`:                    "is missing",
		`{"version":1,"environment":"dev","snapshot":"a/snapshot"}`:              "names no folder",
		`{"version":1,"environment":"dev","snapshot":"."}`:                       "names no folder",
		`{"version":1,"environment":"dev","snapshot":"gone","region":"eu west"}`: `"eu west" is not a region`,
	} {
		fsys := disk.Memory()
		p := shop(t, fsys)
		put(t, fsys, ".gatewright/deployed/dev/record.json", text)
		_, err := p.Deployed("dev")
		if err == nil || errors.Is(err, project.ErrNeverDeployed) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), ".gatewright/deployed/dev") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
