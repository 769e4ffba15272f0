package live_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/deploy/index"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/sandbox"
	"gatewright/sandbox/live"
)

// contractText is a contract of the API of shop, in which a GET answers a text of a type.
func contractText(kind string) string {
	return `{"openapi": "3.1.0", "info": {"title": "shop", "version": "1"}, "paths": {"/items": {"get": {"responses": {"200": {
  "description": "items", "content": {"application/json": {"schema": {"type": "` + kind + `"}, "example": "an example"}}}}}}}}`
}

func setContract(t *testing.T, dir, text string) {
	t.Helper()
	deploytest.Must(t, os.WriteFile(filepath.Join(dir, "backend/api/shop/openapi.json"), []byte(text), 0o644))
}

func TestAContractIsFollowedWhenItComesChangesAndGoes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	deploytest.Made(t, dir, deploytest.Shop(t))
	source(t, dir, "items", `"from the function"`)
	l := serve(t, dir, live.Options{Environment: "dev", Contracts: live.AllContracts})
	l.until(sandbox.EventContract, "API shop has no contract, so nothing of it is checked; put its OpenAPI document into backend/api/shop/openapi.json")
	setContract(t, dir, contractText("integer"))
	l.until(live.Definition, "the contract of API shop is new")
	if got := l.answers("dev shop", "/items"); got != `200 "from the function"` {
		t.Errorf("the answer is %s", got)
	}
	l.until(sandbox.EventContract, "API shop: GET /items breaks the contract: response body ")
	setContract(t, dir, contractText("boolean"))
	l.until(live.Definition, "the contract of API shop changed")
	l.answers("dev shop", "/items")
	l.until(sandbox.EventContract, "API shop: GET /items breaks the contract: response body ")
	setContract(t, dir, `{"openapi": `)
	l.until(live.Problem, "backend/api/shop/openapi.json:1:")
	deploytest.Must(t, os.Remove(filepath.Join(dir, "backend/api/shop/openapi.json")))
	l.until(live.Definition, "the contract of API shop is no longer used")
}

func TestOnlyTheEnvironmentOfTheWorkingTreeHasExamples(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := deploytest.Made(t, dir, deploytest.Shop(t))
	source(t, dir, "items", "from the function")
	deploytest.Pushed(t, index.Open(t.TempDir()), p, "prod")
	setContract(t, dir, contractText("string"))
	l := serve(t, dir, live.Options{Environment: "dev", Mock: []string{"/items"}})
	l.until(live.File, "")
	if got := l.answers("dev shop", "/items"); got != "200 \"an example\"\n" {
		t.Errorf("dev answers %q", got)
	}
	if got := l.answers("prod shop", "/items"); got != "200 from the function" {
		t.Errorf("prod answers %q", got)
	}
}

func TestAPathOfOneContractTakesNothingFromAnotherAPI(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := deploytest.Shop(t)
	deploytest.Must(t, edit.AddAPI(b, &access.API{Label: "other", Paths: []*access.Path{deploytest.Open("/items", "items"), deploytest.Open("/news", "items")}}))
	deploytest.Made(t, dir, b)
	source(t, dir, "items", "from the function")
	setContract(t, dir, contractText("string"))
	deploytest.Must(t, os.WriteFile(filepath.Join(dir, "backend/api/other/openapi.json"), []byte(strings.Replace(contractText("string"), "/items", "/news", 1)), 0o644))
	l := serve(t, dir, live.Options{Environment: "dev", Mock: []string{"/items"}})
	l.until(live.File, "")
	if got := l.answers("dev shop", "/items"); got != "200 \"an example\"\n" {
		t.Errorf("shop answers %q", got)
	}
	for _, path := range []string{"/items", "/news"} {
		if got := l.answers("dev other", path); got != "200 from the function" {
			t.Errorf("other answers %s with %q", path, got)
		}
	}
}

func TestAContractThatCannotBeReadStopsNothingUnlessItIsAskedFor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	deploytest.Made(t, dir, deploytest.Shop(t))
	source(t, dir, "items", "x")
	setContract(t, dir, `{"openapi": `)
	err := live.Run(t.Context(), live.Options{Dir: dir, Port: live.AnyPort, Environment: "dev", Contracts: live.AllContracts, Once: true})
	if err == nil || !strings.HasPrefix(err.Error(), "backend/api/shop/openapi.json:1:") {
		t.Errorf("where it is asked for: %v", err)
	}
	l := serve(t, dir, live.Options{Environment: "dev", Contracts: live.KeptContracts})
	l.until(sandbox.EventContract, "API shop is not checked against its contract: backend/api/shop/openapi.json:1:")
	l.until(live.File, "")
	if got := l.answers("dev shop", "/items"); got != "200 x" {
		t.Errorf("the answer is %s", got)
	}
}

func TestContractsThatNobodyAskedForAreNotTold(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	deploytest.Made(t, dir, deploytest.Shop(t))
	source(t, dir, "items", "x")
	l := serve(t, dir, live.Options{Environment: "dev", Contracts: live.KeptContracts})
	l.until(live.File, "")
	l.end()
	for _, seen := range l.seen {
		if strings.HasPrefix(seen, sandbox.EventContract) {
			t.Errorf("told was %s", seen)
		}
	}
}
