package project_test

import (
	"strings"
	"testing"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/plan"
)

const bookSource = "backend/function/book/src/app.js"

// withBook returns a project with a function of the Express template that serves
// /book.
func withBook(t *testing.T, fsys afero.Fs) *project.Project {
	t.Helper()
	edited(t, native(t, fsys, &model.Backend{}, nil), func(b *model.Backend) error {
		must(t, edit.AddFunction(b, &model.Function{Name: "book", Runtime: model.NodeJS, Template: model.Express}))
		return edit.AddAPI(b, &access.API{Label: "shop", Paths: []*access.Path{{Name: "/book", Function: "book", Access: access.Access{Setting: access.Open}}}})
	})
	return load(t, fsys, project.Native)
}

func addAuthor(b *model.Backend) error {
	return edit.AddPath(b, "shop", &access.Path{Name: "/author", Function: "book", Access: access.Access{Setting: access.Open}})
}

func TestASourceThatNobodyEditedFollowsThePathsOfItsFunction(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	p := withBook(t, fsys)
	first := get(t, fsys, bookSource)
	plan := edited(t, p, addAuthor)
	if source := get(t, fsys, bookSource); !strings.Contains(source, `"/author"`) || len(plan.Notes) != 0 {
		t.Errorf("notes %q, the source is\n%s", plan.Notes, source)
	}
	edited(t, load(t, fsys, project.Native), func(b *model.Backend) error { return edit.RemovePath(b, "shop", "/author") })
	if source := get(t, fsys, bookSource); source != first {
		t.Errorf("without the path again the source is\n%s", source)
	}
}

func TestAnEditedSourceStaysAndIsNoted(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	p := withBook(t, fsys)
	theirs := get(t, fsys, bookSource) + "// mine\n"
	put(t, fsys, bookSource, theirs)
	plan := edited(t, p, addAuthor)
	want := "backend/function/book has edited sources, which stay unchanged; add /author where they list the paths"
	if len(plan.Notes) != 1 || plan.Notes[0] != want {
		t.Errorf("notes are %q", plan.Notes)
	}
	if source := get(t, fsys, bookSource); source != theirs {
		t.Errorf("the source is\n%s", source)
	}
	if event := get(t, fsys, "backend/function/book/src/event.json"); !strings.Contains(event, "/author") && !strings.Contains(event, "/book") {
		t.Errorf("the event is\n%s", event)
	}
}

func TestAChangedAccessLeavesSourcesAlone(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	p := withBook(t, fsys)
	plan := edited(t, p, func(b *model.Backend) error {
		path := *b.API("shop").Paths[0]
		path.Access = access.Access{Setting: access.Private, Grants: []access.Grant{{To: access.Principal{Kind: access.Authenticated}, Actions: access.Actions(access.Read)}}}
		return edit.UpdatePath(b, "shop", "/book", &path)
	})
	for _, c := range plan.Changes {
		if strings.HasPrefix(c.Path, "backend/function/") {
			t.Errorf("changed %s", c.Path)
		}
	}
}

func TestARenamedTableIsRenamedInTheSourceOfItsFunction(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	p := native(t, fsys, &model.Backend{}, nil)
	edited(t, p, func(b *model.Backend) error {
		must(t, edit.AddTable(b, &model.Table{Name: "books", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}))
		return edit.AddFunction(b, &model.Function{Name: "book", Runtime: model.NodeJS, Template: model.CRUD, Table: "books"})
	})
	must(t, renamed(t, load(t, fsys, project.Native), plan.Renamed{From: ref(model.KindTable, "books"), To: "volumes"}).Commit())
	for name, text := range tree(t, fsys) {
		if strings.Contains(text, `"books"`) && !strings.HasPrefix(name, ".gatewright") {
			t.Errorf("%s names the table by its old name:\n%s", name, text)
		}
	}
}
