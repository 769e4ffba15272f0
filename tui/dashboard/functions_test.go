package dashboard

import (
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

// workshop is a project with the functions f, which serves all paths, mail, which serves
// none, and crud, which has many settings.
func workshop(t *testing.T) string {
	t.Helper()
	dir := paths(t, 3)
	deploytest.Change(t, dir, func(b *model.Backend) error {
		return errors.Join(
			edit.AddTable(b, &model.Table{Name: "items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}),
			edit.AddFunction(b, &model.Function{Name: "mail", Runtime: model.Python, Template: model.Plain, Handler: "index.handler"}),
			edit.AddFunction(b, &model.Function{
				Name: "crud", FunctionName: "shop-crud", Runtime: model.NodeJS, Template: model.CRUD, Handler: "index.handler", Table: "items", Schedule: "rate(5 minutes)", Timeout: 60,
				Environment: []model.Variable{{Name: "MODE", Value: "a value nobody asked for"}}, Access: []model.ResourceAccess{{Resource: "function/mail", Actions: access.ActionSet(access.Read)}},
			}),
		)
	})
	return dir
}

func TestTheLastCallsAndTheLogOfAFunctionAreShown(t *testing.T) {
	dir := paths(t, 1)
	handler(t, dir, `let n = 0
exports.handler = async () => { console.log("call number " + ++n); if (n == 2) console.error("this one failed"); return { statusCode: 200, body: "{}" } }`)
	endpoint, stop := serving(t, dir)
	for range 3 {
		if status := statusOfCall(t, endpoint+"/area0/thing0/1"); status != http.StatusOK {
			t.Fatalf("the API answers %d", status)
		}
	}
	d := openLive(t, dir, false)
	d.to("functions")
	d.shows("3 calls, 0 failed in 5 min")
	d.press("L")
	d.shows("log of f in dev", "call number 3", "; following")
	statusOfCall(t, endpoint+"/area0/thing0/1")
	d.shows("call number 4")
	stop()
	d.shows("the sandbox has ended")
	d.press("esc", "L")
	d.shows("no sandbox is running: these lines were kept", "call number 4")
	d.press("esc")
	d.press("L")
	d.shows("log of f in dev", "call number 4")
}

func TestRemovingAFunctionRemovesWhatRefersToItAndIsUndone(t *testing.T) {
	dir := workshop(t)
	d := openLive(t, dir, true)
	d.to("functions")
	for !strings.HasPrefix(d.cursor(), "f ") {
		d.press("down")
	}
	d.press("d")
	d.shows("Remove function f?", "API shop is removed too: it has no other path")
	d.press("enter")
	folder := filepath.Join(dir, "backend", "function", "f")
	if _, err := os.Stat(folder); err != nil {
		t.Fatalf("cancelled, it is gone: %v", err)
	}
	d.press("d")
	d.shows("Remove function f?")
	d.press("tab", "enter")
	d.shows("removed function f")
	if _, err := os.Stat(filepath.Join(folder, "function.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("its definition is still there: %v", err)
	}
	d.press("u")
	d.shows("undid: removed function f")
	if _, err := os.Stat(filepath.Join(folder, "function.json")); err != nil {
		t.Errorf("after undo it is missing: %v", err)
	}
}

func TestARemovalThatChangesAGuardedEnvironmentIsRefused(t *testing.T) {
	dir := workshop(t)
	deploytest.Change(t, dir, func(b *model.Backend) error {
		return edit.AddEnvironment(b, &model.Environment{Name: "prod", Provider: model.Local, Guarded: true, Variables: []model.FunctionVariables{{Function: "mail", Values: []model.Variable{{Name: "A", Value: "1"}}}}})
	})
	d := openLive(t, dir, true)
	d.to("functions")
	for !strings.HasPrefix(d.cursor(), "mail ") {
		d.press("down")
	}
	d.press("d")
	d.shows("changes environment prod, which is guarded; run: gatewright remove function mail")
}
