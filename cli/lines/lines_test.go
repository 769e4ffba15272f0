package lines_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/cli/lines"
	"gatewright/flow"
	"gatewright/flow/session"
)

func start(t *testing.T) *session.Session {
	t.Helper()
	dir, state := t.TempDir(), t.TempDir()
	s, err := session.Open(dir, func(name string) string {
		if name == "GATEWRIGHT_STATE" {
			return state
		}
		return ""
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Project.Close() })
	return s
}

func TestAnAPIIsMadeByPlainAnswers(t *testing.T) {
	t.Parallel()
	s := start(t)
	answers := []string{
		"bookshop", "eu west", "eu-west-1", "my shop", "shop", "", "image", "image/png, application/pdf", "items", "?", "/items", "", "items", "7", "", "", "", "",
		"", "Admins, b/d", "Admins, Editors", "back", "", "", "", "", "", "", "3", "", "Byers, Admins", "", "2", "2, 1", "none", "1,2,3,4", "5", "", "", "qa", "?", "yes",
	}
	var out strings.Builder
	if err := lines.Run(strings.NewReader(strings.Join(answers, "\n")+"\n"), &out, s, flow.Task{}); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	text, err := os.ReadFile(filepath.Join(s.Dir, "backend/api/shop/cli-inputs.json"))
	if err != nil || !strings.Contains(string(text), `"/items"`) || !strings.Contains(string(text), "\"binaryMediaTypes\": [\n    \"image/png\",\n    \"application/pdf\"\n  ]") {
		t.Fatalf("%s %v\n%s", text, err, out.String())
	}
	for _, want := range []string{
		`label: "my shop" is not a name for an API`, "path: items does not start with /", "7 is not one of the numbers 1 to 3",
		"the binary media type image is not a media type; use one such as image/png, image/* or */*", "API shop has the binary media types image/png, application/pdf\n", " --binary-media-types image/png,application/pdf",
		`region: "eu west" is not a region; did you mean eu-west-1?`, "group: b/d is not a name for a group", "groups: Byers is not a group of the user pool", "access: members of Admins have an entry without an action; grant an action",
		"Under /items:\n  guests may read\n  signed-in users may create and read\n  members of Admins may do everything\n  members of Editors may create and read, as signed-in users",
		"What to do next:\n  gatewright sandbox ", "  gatewright call GET /items ", "The same in another project:\n  gatewright update auth ", "\n  gatewright add group Admins\n  gatewright add group Editors\n  gatewright add function items",
		"It starts with /. A segment in braces is a variable.", "create backend/api/shop/cli-inputs.json", "+++ b/backend/api/shop/cli-inputs.json", "Written.",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Error("there are escape sequences in plain lines")
	}
}

func TestInputThatEndsEarlySavesADraftAndWritesNothing(t *testing.T) {
	t.Parallel()
	s := start(t)
	err := lines.Run(strings.NewReader("bookshop\n"), &strings.Builder{}, s, flow.Task{})
	if !errors.Is(err, lines.ErrLeft) {
		t.Fatalf("the end of the input: %v", err)
	}
	if entries, _ := os.ReadDir(s.Dir); len(entries) > 0 {
		t.Errorf("something was written: %v", entries)
	}
	if d, ok, err := s.Drafts.Load(); err != nil || !ok || d.Answers.Project.Name != "bookshop" {
		t.Errorf("the draft is %+v %v %v", d.Answers, ok, err)
	}
}

func TestEveryAnswerIsSavedBeforeTheNextQuestion(t *testing.T) {
	t.Parallel()
	s := start(t)
	answers := "bookshop\n\nshop\n\n\n/items\n\n\n\n\n\n\n3\nAdmins, Editors\nEditors, Admins\n1,2\n"
	var saved flow.Answers
	asked := func() { // the program could be killed here
		if draft, ok, err := s.Drafts.Load(); ok && err == nil {
			saved = draft.Answers
		}
	}
	_ = lines.Run(io.MultiReader(strings.NewReader(answers), endOfInput(asked)), io.Discard, s, flow.Task{})
	if saved.Project.Name != "bookshop" || saved.Label != "shop" || len(saved.Paths) != 1 || saved.Paths[0].Path != "/items" {
		t.Fatalf("the draft has %+v", saved)
	}
	access := saved.Paths[0].Access
	if access.Setting != "protected" || !slices.Equal(access.Guests, []string{"create", "read"}) || !slices.Equal(saved.Groups, []string{"Editors", "Admins"}) {
		t.Errorf("the draft has the access %+v and the groups %v", access, saved.Groups)
	}
}

// endOfInput calls a function when it is read, and ends.
type endOfInput func()

func (e endOfInput) Read([]byte) (int, error) {
	e()
	return 0, io.EOF
}

func TestTheReviewPrintsProblems(t *testing.T) {
	t.Parallel()
	s := start(t)
	answers := []string{
		"bookshop", "", "shop", "", "", "/books", "", "books", "", "", "", "", "1", "2",
		"/books/{isbn}", "", "book", "", "", "", "", "1", "1", "", "", "yes",
	}
	var out strings.Builder
	if err := lines.Run(strings.NewReader(strings.Join(answers, "\n")+"\n"), &out, s, flow.Task{}); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if want := "path /books/{isbn} of the API shop: serves everything below /books"; !strings.Contains(out.String(), want) {
		t.Errorf("%q is not in\n%s", want, out.String())
	}
}

func TestTheReviewKeepsTheAccessAsTestsIfThatIsAnswered(t *testing.T) {
	t.Parallel()
	for _, want := range []struct {
		answers []string
		kept    bool
	}{
		{[]string{"tests", "yes"}, true},
		{[]string{"tests", "?", "tests", "yes"}, false},
		{[]string{"yes"}, false},
	} {
		s := start(t)
		answers := append([]string{"bookshop", "", "shop", "", "", "/books", "", "books", "", "", "", "", "1", "", "", ""}, want.answers...)
		var out strings.Builder
		if err := lines.Run(strings.NewReader(strings.Join(answers, "\n")+"\n"), &out, s, flow.Task{}); err != nil {
			t.Fatalf("%v\n%s", err, out.String())
		}
		text, err := os.ReadFile(filepath.Join(s.Dir, "access.test.json"))
		if kept := err == nil; kept != want.kept {
			t.Errorf("%v: tests are kept: %t, want %t\n%s", want.answers, kept, want.kept, out.String())
		}
		if want.kept && (!strings.Contains(string(text), "of API shop") && !strings.Contains(string(text), "/books") || !strings.Contains(out.String(), "Tests of this access:\n")) {
			t.Errorf("%s\n%s", text, out.String())
		}
	}
}
