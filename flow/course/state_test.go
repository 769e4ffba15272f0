package course_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/flow"
	"gatewright/flow/course"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

func TestTheWizardOpensWhereTheTaskIs(t *testing.T) {
	t.Parallel()
	shop := func(names ...string) *model.Backend {
		b := &model.Backend{Functions: []*model.Function{{Name: "books"}}}
		api := &access.API{Label: "shop"}
		for _, name := range names {
			api.Paths = append(api.Paths, path(name, "books", everybody))
		}
		b.APIs = []*access.API{api}
		return b
	}
	stock := shop("/books")
	stock.APIs = append(stock.APIs, &access.API{Label: "stock", Paths: []*access.Path{path("/stocks", "books", everybody), path("/other", "books", everybody)}})
	right := shop("/books")
	right.APIs = append(right.APIs, &access.API{Label: "stock", Paths: []*access.Path{path("/other", "books", everybody), path("/stock", "books", everybody)}})
	for _, test := range []struct {
		id   string
		b    *model.Backend
		want flow.Task
	}{
		{"first-api", &model.Backend{}, flow.Task{}},
		{"first-api", shop("/a", "/books"), flow.Task{API: "shop", Path: "/books"}},
		{"first-api", shop("/book"), flow.Task{API: "shop", Path: "/book"}},
		{"first-api", shop("/book", "/b"), flow.Task{API: "shop"}},
		{"paths", &model.Backend{}, flow.Task{API: "shop"}},
		{"paths", shop("/books"), flow.Task{API: "shop"}},
		{"paths", shop("/bookshelf", "/books", "/books/{id}", "/books/x"), flow.Task{API: "shop", Path: "/books/{id}"}},
		{"paths", shop("/books", "/books/x", "/books/{isbn}"), flow.Task{API: "shop"}},
		{"access", shop("/books"), flow.Task{API: "shop", Path: "/books/{isbn}"}},
		{"environments", shop("/books"), flow.Task{}},
		{"environments", stock, flow.Task{API: "stock", Path: "/stocks"}},
		{"environments", right, flow.Task{API: "stock", Path: "/stock"}},
	} {
		if got := find(t, test.id).WizardTask(test.b); got != test.want {
			t.Errorf("%s of %v opens %+v, want %+v", test.id, test.b.Names(model.KindAPI), got, test.want)
		}
	}
}

func TestEachLessonSumsUpTheStateOfItsTask(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"first-api": `GET /books: books, by /books
POST /books: books, by /books
GET /books/978: books, by /books/{proxy+}, proxy is 978`,
		"access": `Guests may, under /books/{isbn}: read
Signed-in users may, under /books/{isbn}: read
Members of Editors may, under /books/{isbn}: read, update, delete`,
		"environments": "Environment dev has shop\nEnvironment qa has shop, stock",
		"outputs":      "The output covers has custom, storage",
	} {
		l := find(t, id)
		if got := strings.Join(l.Summarize(solved(t, id)), "\n"); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", id, got, want)
		}
	}
	access := find(t, "access")
	open, err := access.Seed()
	must(t, err)
	if got := access.Summarize(open); len(got) != 3 || got[0] != "Guests may, under /books/{isbn}: everything" {
		t.Errorf("of an open path: %q", got)
	}
	nothing := edited(t, solved(t, "environments"), func(b *model.Backend) error {
		return edit.AddEnvironment(b, &model.Environment{Name: "none", Provider: model.Local, APIs: []string{}})
	})
	if got := find(t, "environments").Summarize(nothing); got[1] != "Environment none has no API" {
		t.Errorf("of an environment without an API: %q", got)
	}
	if got := find(t, "outputs").Summarize(&model.Backend{}); !slices.Equal(got, []string{"There is no output yet"}) {
		t.Errorf("without outputs: %q", got)
	}
	if got := find(t, "first-api").Summarize(edited(t, solved(t, "first-api"), func(b *model.Backend) error {
		return edit.UpdatePath(b, "shop", "/books", path("/else", "books", everybody))
	})); got[0] != "GET /books: no path serves it" {
		t.Errorf("of another path: %q", got)
	}
}

func TestTheReportOfALessonHasAllThatIsKnownOfItsFolder(t *testing.T) {
	c := newCourse(t)
	l := find(t, "environments")
	must(t, c.Prepare(l, false))
	before, err := c.Report(l)
	must(t, err)
	if before.Done() || len(before.ChangedFiles) > 0 || !slices.Equal(before.Summary, []string{"Environment dev has shop"}) {
		t.Errorf("at its beginning the report is %+v", before)
	}
	commit(t, c, func(b *model.Backend) error {
		solved, err := l.Solve(b)
		if err == nil {
			*b = *solved
		}
		return err
	})
	after, err := c.Report(l)
	must(t, err)
	want := []string{"backend/api/stock/cli-inputs.json", "backend/environments/dev.json", "backend/environments/qa.json", "backend/function/stock/function.json"}
	for _, name := range want {
		if !slices.Contains(after.ChangedFiles, name) {
			t.Errorf("the changed files %q have no %s", after.ChangedFiles, name)
		}
	}
	if !slices.IsSorted(after.ChangedFiles) || !after.Done() || len(after.Summary) != 2 {
		t.Errorf("at its end the report is %+v", after)
	}
	pushed := map[string]course.Push{"dev": {Never: true, Behind: 6}, "qa": {Never: true, Behind: 7}}
	if difference := cmp.Diff(pushed, after.Pushed); difference != "" || !after.Project || len(after.Broken) > 0 {
		t.Errorf("the facts are %+v\n%s", after.Facts, difference)
	}
	called := []string{"dev/book", "dev/books", "dev/stock", "qa/book", "qa/books", "qa/stock"}
	var known []string
	for name, was := range after.Called {
		if known = append(known, name); was {
			t.Errorf("%s was called", name)
		}
	}
	if slices.Sort(known); !slices.Equal(known, called) {
		t.Errorf("it is known of %q whether they were called", known)
	}
	if after.Events["books"] == "" || len(after.Events) != 3 {
		t.Errorf("the events are of %d functions", len(after.Events))
	}
	must(t, os.WriteFile(filepath.Join(c.Dir, "backend", "api", "shop", "cli-inputs.json"), []byte("{"), 0o644))
	broken, err := c.Report(l)
	must(t, err)
	if broken.Done() || len(broken.Missing) != 1 || !strings.HasPrefix(broken.Missing[0], "A file cannot be read: backend/api/shop/cli-inputs.json:") {
		t.Errorf("with a broken file the report is %+v", broken)
	}
}

func TestALessonThatIsDoneAgainIsSavedOnce(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	p, err := course.ReadProgress(state)
	must(t, err)
	for _, id := range []string{"paths", "first-api", "paths"} {
		must(t, p.Finish(id))
	}
	text, err := os.ReadFile(filepath.Join(state, "learn.json"))
	must(t, err)
	if got := strings.Join(strings.Fields(string(text)), ""); got != `{"version":1,"done":["paths","first-api"]}` {
		t.Errorf("the file is %s", got)
	}
	must(t, os.WriteFile(filepath.Join(state, "learn.json"), []byte(`{"version": 1, "done": ["gone", "testing"]}`), 0o600))
	p, err = course.ReadProgress(state)
	must(t, err)
	if p.Done("gone") || !p.Done("testing") {
		t.Error("a lesson that there is no longer is done")
	}
	for _, l := range course.Lessons() {
		must(t, p.Finish(l.ID))
	}
	if next := p.Next().ID; next != "first-api" {
		t.Errorf("after all lessons comes %s", next)
	}
}

func TestAfterALessonComesTheNext(t *testing.T) {
	t.Parallel()
	var order []string
	for l := &course.Lessons()[0]; l != nil; l = l.Next() {
		order = append(order, fmt.Sprintf("%d %s in %s", l.Number, l.ID, l.Place))
	}
	want := []string{
		"1 first-api in the wizard", "2 paths in the wizard", "3 access in the wizard", "4 environments in the wizard", "5 outputs in the dashboard", "6 testing in the console",
	}
	if difference := cmp.Diff(want, order); difference != "" {
		t.Error(difference)
	}
}

func TestTheMarksOfALessonsTextAreRead(t *testing.T) {
	t.Parallel()
	const text = "\n# A title\n\n- one **bold** and `code`\n12. twelve\n```\n**as** it is\n```\nnot **closed\n"
	plain := func(text string) prose.Line { return prose.Line{Text: text} }
	want := []course.Line{
		{Spans: []prose.Line{{Tone: prose.Title, Text: "A title"}}},
		{},
		{Mark: "- ", Spans: []prose.Line{plain("one "), {Tone: prose.Title, Text: "bold"}, plain(" and "), {Tone: prose.Strong, Text: "code"}}},
		{Mark: "12. ", Spans: []prose.Line{plain("twelve")}},
		{Mark: "  ", Spans: []prose.Line{{Tone: prose.Strong, Text: "**as** it is"}}, Code: true},
		{Spans: []prose.Line{plain("not **closed")}},
	}
	if difference := cmp.Diff(want, course.Lines(text)); difference != "" {
		t.Error(difference)
	}
	if got := strings.Join(course.PlainLines(text), "|"); got != "A title||- one bold and code|12. twelve|  **as** it is|not **closed" {
		t.Errorf("in plain lines it is %s", got)
	}
}

func TestTheFolderOfACourseIsDescribed(t *testing.T) {
	c := newCourse(t)
	if got := c.FolderNote(); got != "The course works in a temporary folder, which is removed when you leave." {
		t.Errorf("of a temporary folder: %s", got)
	}
	into := filepath.Join(t.TempDir(), "here")
	named, err := course.Begin(into, t.TempDir(), "")
	must(t, err)
	if got := named.FolderNote(); !strings.Contains(got, filepath.Base(into)) || !strings.HasSuffix(got, ", which stays when you leave.") {
		t.Errorf("of a named folder: %s", got)
	}
}
