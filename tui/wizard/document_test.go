package wizard_test

import (
	"os"
	"path/filepath"
	"testing"

	"gatewright/model/access"
	"gatewright/tui/route"
)

func TestTheWizardTakesADocument(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	open(t, dir, route.Wizard{Start: route.FromSample}, 100, 30).Keys("ctrl+s").Shows("Review").Keys("ctrl+p", "from openapi").Shows("there is no project yet").
		Keys("esc", "ctrl+s").Shows("Written")
	const document = `{"openapi": "3.0.0", "info": {"title": "Pets"}, "paths": {"/pets": {"get": {}}}}`
	if err := os.WriteFile(filepath.Join(dir, "pets.json"), []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	term := open(t, dir, route.Wizard{}, 100, 30)
	term.Keys("ctrl+p", "from openapi", "enter").Shows("An API of which document").Keys("pets.json", "enter").Shows("What is the API called?", "Pets")
	term.Keys("enter").Shows("Add the API Pets?", "/pets  function pets, of 1 operation: open to everybody", "create backend/api/Pets/cli-inputs.json")
	term.Keys("tab", "enter").Shows("this is home", "done: added the API Pets of pets.json")
	if router := reload(t, dir).Backend.Router("Pets"); router == nil || !router.Decide(access.Caller{}, "GET", "/pets").Allowed {
		t.Error("the API of the document is not there")
	}
}
