package dashboard

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/model/access"
	"gatewright/tui/dashboard/board/boardtest"
)

func TestAnAPIIsMadeOfADocument(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, boardtest.Library(t, "Admins", "Editors"))
	const document = `openapi: 3.0.0
info: {title: Pets, version: "1"}
paths:
  /pets:
    get: {summary: all pets, security: [], responses: {"200": {description: ok}}}
    post: {security: [token: []], responses: {"200": {description: ok}}}
components: {securitySchemes: {token: {type: http, scheme: bearer}}}
`
	must(t, os.WriteFile(filepath.Join(dir, "pets.yaml"), []byte(document), 0o600))
	w := writable(t, dir, 100, 30).to("apis")
	w.press("i").Shows("From which OpenAPI").Keys("nothing.yaml", "enter").Shows("error: nothing.yaml: cannot be read")
	w.press("i").Keys("pets.yaml", "enter").Shows("What is the API called?", "Pets")
	w.press("enter").Shows("Add the API Pets?", "/pets  function pets, of 2 operations: guests: read; signed-in", "pets.yaml:7:32: the scheme token")
	w.yes().Shows("done: added the API Pets of pets.yaml")
	b := backendOf(t, dir)
	router := b.Router("Pets")
	if router == nil || !router.Decide(access.Caller{}, "GET", "/pets").Allowed || router.Decide(access.Caller{}, "POST", "/pets").Allowed {
		t.Errorf("it is decided otherwise than the document says")
	}
	if text := get(t, filepath.Join(dir, "backend", "api", "Pets", "openapi.json")); !strings.Contains(text, "all pets") {
		t.Errorf("the contract is\n%s", text)
	}
}
