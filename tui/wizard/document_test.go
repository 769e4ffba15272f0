package wizard_test

import (
	"os"
	"path/filepath"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
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
	term.Keys("ctrl+p", "from openapi", "enter").Shows("From which OpenAPI").Keys("pets.json", "enter").Shows("What is the API called?", "Pets")
	term.Keys("enter").Shows("Add the API Pets?", "/pets  function pets, of 1 operation: open to everybody", "create backend/api/Pets/cli-inputs.json")
	term.Keys("tab", "enter").Shows("this is home", "done: added the API Pets of pets.json")
	if router := reload(t, dir).Backend.Router("Pets"); router == nil || !router.Decide(access.Caller{}, "GET", "/pets").Allowed {
		t.Error("the API of the document is not there")
	}
}

func TestAnOpenReviewOfADocumentIsOfTheFilesOfNow(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	open(t, dir, route.Wizard{Start: route.FromSample}, 100, 30).Keys("ctrl+s").Shows("Review").Keys("ctrl+s").Shows("Written")
	const document = `{"openapi": "3.0.0", "info": {"title": "Pets"}, "paths": {"/pets": {"get": {}}}}`
	if err := os.WriteFile(filepath.Join(dir, "pets.json"), []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	term := open(t, dir, route.Wizard{}, 100, 40)
	s := &screen{Terminal: term.Terminal, dir: dir, page: term.page}
	s.look()
	s.Keys("ctrl+p", "from openapi", "enter", "pets.json", "enter", "enter").Shows("Add the API Pets?", "create backend/function/pets/function.json")
	function := func(name string) {
		deploytest.Change(t, dir, func(b *model.Backend) error {
			return edit.AddFunction(b, &model.Function{Name: name, Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"})
		})
	}
	// The name of its function is taken meanwhile, before the yes and at it.
	function("pets")
	s.look().Shows("Add the API Pets?", "function pets changed outside").Hides("create backend/function/pets/function.json")
	function("other")
	s.Keys("tab", "enter").Shows("nothing was written yet: function other changed outside", "Add the API Pets?")
	s.Keys("tab", "enter").Shows("added the API Pets of pets.json")
	if b := reload(t, dir).Backend; b.API("Pets") == nil || b.Function("other") == nil || b.Function("pets-2") == nil {
		t.Errorf("the functions are %v", b.Names(model.KindFunction))
	}
}
