package dashboard

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/tui/dialog"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

func grant(kind model.PrincipalKind, group string, actions ...model.Action) model.Grant {
	return model.Grant{To: model.Principal{Kind: kind, Group: group}, Actions: model.ActionSet(actions...)}
}

// library is a backend with groups and paths of every kind of access.
func library(t testing.TB, groups ...string) *model.Backend {
	t.Helper()
	b := &model.Backend{}
	must(t, b.SetProject(model.Project{Name: "library", ApplicationID: "app1", Region: "eu-west-1", Dialect: model.Neutral}))
	must(t, b.AddEnvironment(&model.Environment{Name: "dev", Provider: model.Local}))
	must(t, b.AddEnvironment(&model.Environment{Name: "prod", Provider: model.Local, Branch: "main", Guarded: true}))
	must(t, b.AddFunction(&model.Function{Name: "f", Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}))
	for _, group := range groups {
		must(t, b.AddGroup(group))
	}
	restricted := func(name string, setting model.Setting, grants ...model.Grant) *model.Path {
		return &model.Path{Name: name, Function: "f", Access: model.Access{Setting: setting, Grants: grants}}
	}
	must(t, b.AddAPI(api("shop",
		path("/news", "f"),
		restricted("/books", model.Protected, grant(model.Guest, "", model.Read), grant(model.Authenticated, "", model.Read, model.Create)),
		restricted("/books/{isbn}", model.Private, grant(model.Authenticated, "", model.Read), grant(model.Group, "Editors", model.Read, model.Update), grant(model.Group, "Admins", model.Delete)),
	)))
	return b
}

// folderOf is a project of a backend.
func folderOf(t testing.TB, b *model.Backend) string {
	t.Helper()
	dir := t.TempDir()
	fsys, err := disk.Open(dir)
	must(t, err)
	p := project.New(fsys, fsys.Close)
	plan, err := p.Plan(b)
	must(t, err)
	must(t, plan.Commit())
	must(t, p.Close())
	return dir
}

// toTabOf brings the tab of a name to the front.
func toTabOf(t testing.TB, p *Page, name string) {
	t.Helper()
	at := p.place(name)
	if at == none {
		t.Fatalf("there is no tab %s", name)
	}
	p.toTab(at)
	p.drawn.stale = true
}

// lineWith is the first line of the window that has a text.
func lineWith(t testing.TB, p *Page, text string) string {
	t.Helper()
	for line := range strings.Lines(shown(p)) {
		if strings.Contains(line, text) {
			return strings.Join(strings.Fields(line), " ")
		}
	}
	t.Fatalf("%q is not in\n%s", text, shown(p))
	return ""
}

func TestTheMatrixSaysWhoMayDoWhat(t *testing.T) {
	p := opened(t, folderOf(t, library(t, "Admins", "Editors", "Readers")), 120, 40)
	toTabOf(t, p, "access")
	for _, want := range []struct{ path, line string }{
		{"path ", "path world guests signed-in Admins Editors Readers"},
		{"/news", "/news ! open CRUD CRUD CRUD CRUD CRUD"},
		{"/books ", "/books · guests -R-- CR-- (CR--) (CR--) (CR--)"},
		{"/books/{isbn}", "/books/{isbn} ---- -R-- ---D -RU- (-R--)"},
	} {
		if line, _, _ := strings.Cut(strings.TrimPrefix(lineWith(t, p, want.path), "> "), " │"); line != want.line {
			t.Errorf("the line of %s is %q, want %q", want.path, line, want.line)
		}
	}
	press(p, "/", "isbn", "enter")
	for _, want := range []string{
		"guests are not served", "signed-in users may read (GET, HEAD)", "members of Admins may delete (DELETE)",
		"members of Editors may read (GET, HEAD), update", "members of Readers act as signed-in", "act as Admins and lose read, update",
		"/books",
	} {
		if text := strings.Join(strings.Fields(shown(p)), " "); !strings.Contains(strings.ReplaceAll(text, "│ ", ""), want) {
			t.Errorf("%q is not in\n%s", want, shown(p))
		}
	}
}

func TestColumnsThatDoNotFitScroll(t *testing.T) {
	var groups []string
	for i := range 12 {
		groups = append(groups, fmt.Sprintf("Group%02d", i))
	}
	groups = append(groups, "Admins", "Editors")
	p := opened(t, folderOf(t, library(t, groups...)), 60, 15)
	toTabOf(t, p, "access")
	heading := func() string { return lineWith(t, p, "path ") }
	if line := heading(); !strings.Contains(line, "guests") || strings.Contains(line, "Editors") || !strings.Contains(line, ">") {
		t.Errorf("at first the heading is %q", line)
	}
	for range 40 {
		press(p, ">")
	}
	if line := heading(); strings.Contains(line, "guests") || !strings.Contains(line, "Editors") || !strings.Contains(line, "<") {
		t.Errorf("at the end the heading is %q", line)
	}
	for range 40 {
		press(p, "<")
	}
	if line := heading(); !strings.Contains(line, "guests") {
		t.Errorf("back at the beginning the heading is %q", line)
	}
}

func TestTheMostOpenPathsCanStandFirst(t *testing.T) {
	p := opened(t, folderOf(t, library(t, "Admins", "Editors")), 80, 24)
	toTabOf(t, p, "access")
	press(p, "o")
	text := shown(p)
	news, books, isbn := strings.Index(text, "/news of shop"), strings.Index(text, "/books of shop"), strings.Index(text, "/books/{isbn} of shop")
	if news < 0 || news >= books || books >= isbn {
		t.Errorf("the rows stand as in\n%s", text)
	}
}

// askFor asks in the dialog of the tab, and gives the answer as its text.
func askFor(t testing.TB, p *Page, who, method, raw string) string {
	t.Helper()
	tab := p.tabs[p.place("access")].(*accessTab)
	values := []string{who, method, raw}
	if at, err := tab.checkQuestion(values); err != nil {
		return fmt.Sprintf("%d: %v", at, err)
	}
	cmd := p.Update(dialog.Result{ID: askDialog, Action: dialog.Filled(values)})
	var told toldAnswer
	for _, msg := range messages(cmd) {
		if m, ok := msg.(toldAnswer); ok {
			told = m
		}
	}
	if told.of == nil {
		t.Fatalf("%v is not answered", values)
	}
	if told.err != nil {
		return told.err.Error()
	}
	return answerText(told.answer.Words())
}

// messages are what a command and those that it is made of return.
func messages(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	batch, ok := cmd().(tea.BatchMsg)
	if !ok {
		return []tea.Msg{cmd()}
	}
	var all []tea.Msg
	for _, c := range batch {
		all = append(all, messages(c)...)
	}
	return all
}

func TestAQuestionIsAnsweredWithItsRuleAndWhatWouldChangeIt(t *testing.T) {
	p := opened(t, folderOf(t, library(t, "Admins", "Editors")), 80, 24)
	toTabOf(t, p, "access")
	for _, test := range []struct{ who, method, raw, want string }{
		{"guest", "GET", "/news", "yes: /news is open to everybody"},
		{"group:Editors", "DELETE", "/books/1", "no: members of Editors may not delete under /books/{isbn}"},
		{"group:Editors", "DELETE", "/books/1", "gatewright update path shop '/books/{isbn}' --group Editors=read,update,delete"},
		{"group:Editors,Admins", "PUT", "/books/1", "members of Admins, the first in order of the caller's groups"},
		{"guest", "GET", "/nowhere", "no: no path serves /nowhere"},
		{"group:Editor", "GET", "/news", "0: group Editor: not found; did you mean Editors?"},
		{"emma", "GET", "/news", "0: users are asked about with: gatewright can USER METHOD PATH"},
		{"guest", "GET", "news", "2: "},
	} {
		if text := askFor(t, p, test.who, test.method, test.raw); !strings.Contains(text, test.want) {
			t.Errorf("%s %s %s is answered\n%s\nwithout %q", test.who, test.method, test.raw, text, test.want)
		}
	}
}

func TestAccessIsEditedInTheWizardOnlyWhereWritingIs(t *testing.T) {
	dir := folderOf(t, library(t, "Admins", "Editors"))
	disabled := func(p *Page) string {
		toTabOf(t, p, "access")
		press(p, "down")
		for _, b := range p.Keys() {
			if b.Has("E") {
				return b.Disabled
			}
		}
		return "no such key"
	}
	if why := disabled(opened(t, dir, 80, 24)); !strings.Contains(why, "only reads") {
		t.Errorf("reading, the reason is %q", why)
	}
	if why := disabled(writable(t, dir, 80, 24)); why != "" {
		t.Errorf("writing, the reason is %q", why)
	}
}

// TestEveryWindowOfMyTabsIsFilledAndNotMore draws the three tabs at any size.
func TestEveryWindowOfMyTabsIsFilledAndNotMore(t *testing.T) {
	var groups []string
	for i := range 30 {
		groups = append(groups, fmt.Sprintf("a-group-with-a-long-name-%02d", i))
	}
	p := opened(t, folderOf(t, library(t, append(groups, "Admins", "Editors")...)), 80, 24)
	rapid.Check(t, func(r *rapid.T) {
		w, h := rapid.IntRange(layout.MinWidth, 240).Draw(r, "w"), rapid.IntRange(layout.MinHeight, 70).Draw(r, "h")
		p.SetSize(layout.For(w, h))
		p.toTab(p.place(rapid.SampledFrom([]string{"access", "environments", "definitions"}).Draw(r, "tab")))
		for range rapid.IntRange(0, 6).Draw(r, "keys") {
			press(p, rapid.SampledFrom([]string{"down", "up", "end", ">", "<", "o", "g"}).Draw(r, "key"))
		}
		p.drawn.stale = true
		for line := range strings.Lines(shown(p)) {
			if n := layout.Width(strings.TrimSuffix(line, "\n")); n != p.layout.Body().W {
				r.Fatalf("in %dx%d a line has %d cells: %q", w, h, n, line)
			}
		}
		at := p.tabs[p.at]
		for i := range at.entries() {
			if n := layout.Width(at.row(theme.New(theme.None), i, true, w-4)); n > w-4 {
				r.Fatalf("in %d cells a row has %d", w-4, n)
			}
		}
	})
}
