package frame

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/internal/text/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
)

// listRoute shows a list; brokenRoute has no page; a sliceRoute cannot be compared.
type (
	listRoute   struct{ name string }
	brokenRoute struct{}
	sliceRoute  struct{ names []string }
)

func (r listRoute) Title() string { return "List of " + r.name }
func (brokenRoute) Title() string { return "Broken" }
func (sliceRoute) Title() string  { return "Slice" }

// listPage is a list with a cursor and a filter.
type listPage struct {
	context *Context
	name    string
	layout  layout.Layout
	cursor  int
	filter  string
	typing  bool
	dirty   bool
	saveErr error
	answer  tea.Msg // what SaveDraft returns; nil is a DraftSavedMsg
	did     []string
	got     []tea.Msg
	views   int
	log     *[]string
}

var (
	_ Page      = (*listPage)(nil)
	_ SaveDraft = (*listPage)(nil)
)

// loadedMsg is the message of a page's Init.
type loadedMsg = struct{ name string }

func (p *listPage) Init() tea.Cmd { return func() tea.Msg { return loadedMsg{p.name} } }

func (p *listPage) Update(msg tea.Msg) tea.Cmd {
	p.got = append(p.got, msg)
	if key, ok := msg.(tea.KeyPressMsg); ok && p.typing && key.Text != "" {
		p.filter += key.Text
	}
	return nil
}

func (p *listPage) Bindings() []keys.Binding {
	does := func(name string, cmd tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd {
			p.did = append(p.did, name)
			return cmd
		}
	}
	says := func(text string) func() tea.Cmd { return does(text, func() tea.Msg { return text }) }
	bindings := []keys.Binding{
		keys.Down.Does("move", "move in the list", keys.NoCmd(func() { p.cursor++ })).Shown().In("List"),
		keys.Filter.Does("filter", "show what has a text", keys.NoCmd(func() { p.typing = true })).Shown().In("List"),
		keys.Order.Does("orders", "show the orders", does("orders", Go(listRoute{"orders"}))).Shown().In("Pages"),
		keys.Push.Does("push", "push the project", does("push", nil)).Unless("", "there is no environment").In("Pages"),
	}
	for _, b := range []keys.Binding{
		keys.Run.Does("replace", "", does("replace", Replace(listRoute{"replaced"}))),
		keys.Before.Does("broken", "", does("broken", Go(brokenRoute{}))),
		keys.Sandbox.Does("say", "", does("say", Say(Good, "%s is saved", p.name))),
		keys.Call.Does("confirm", "", does("confirm", Open(dialog.Confirm("Remove it?", "Removing cannot be undone.",
			dialog.Button{Label: "Remove", Do: says("removed")}, dialog.Button{Label: "Keep", Cancel: true})))),
		keys.Import.Does("input", "", does("input", Open(dialog.Input("New name", "items", nil, func(text string) tea.Cmd { return says(text)() })))),
		keys.Log.Does("choose", "", does("choose", Open(dialog.Choose("Function", []prose.Option{
			{Key: "a", Title: "items", Detail: "nodejs20.x"}, {Key: "b", Title: "books", Disabled: "it is being written"},
		}, "", func(id string) tea.Cmd { return says(id)() })))),
	} {
		bindings = append(bindings, b.In("Others"))
	}
	if p.typing {
		bindings = append(bindings, keys.Back.Does("stop filtering", "leave the filter", keys.NoCmd(func() { p.typing = false })).Shown().In("List"))
	}
	return bindings
}

func (p *listPage) View() string {
	p.views++
	t := p.context.Theme
	var left strings.Builder
	left.WriteString(t.Title.Render("Paths") + "\n")
	for i := range p.layout.Main.H + 5 { // more than fits: the frame cuts
		if i == p.cursor {
			left.WriteString(t.Selected.Render(fmt.Sprintf("› /%s/%d", p.name, i)) + "\n")
		} else {
			left.WriteString(t.Base.Render(fmt.Sprintf("  /%s/%d", p.name, i)) + "\n")
		}
	}
	if p.layout.Side.Empty() {
		return left.String()
	}
	side := t.Border.Render(strings.Repeat("│\n", p.layout.Side.H))
	return layout.Beside(layout.Block(left.String(), p.layout.Main.W, p.layout.Main.H), layout.Clip(side, p.layout.Side.W, p.layout.Side.H))
}

func (p *listPage) SetSize(l layout.Layout) { p.layout = l }
func (p *listPage) Dirty() bool             { return p.dirty }
func (p *listPage) Typing() bool            { return p.typing }

func (p *listPage) SaveDraft() tea.Cmd {
	return func() tea.Msg {
		*p.log = append(*p.log, "save "+p.name)
		if p.answer != nil {
			return p.answer
		}
		return DraftSavedMsg{Where: "drafts", Err: p.saveErr}
	}
}

func (p *listPage) DiscardDraft() tea.Cmd {
	return func() tea.Msg {
		*p.log = append(*p.log, "discard "+p.name)
		return DraftSavedMsg{}
	}
}

// screen drives the root model without a terminal: it runs commands at once, and quit
// says that one of them was tea.Quit.
type screen struct {
	t     *testing.T
	model *Model
	pages map[string][]*listPage // all pages that were made, by name
	log   []string
	quit  bool
}

func start(t *testing.T, theme string, w, h int) *screen {
	t.Helper()
	return startIn(t, []string{"TERM=xterm"}, theme, w, h)
}

// startIn is start in a terminal with some environment variables.
func startIn(t *testing.T, env []string, theme string, w, h int) *screen {
	t.Helper()
	context := &Context{}
	s := &screen{t: t, pages: make(map[string][]*listPage)}
	s.model = New(Options{
		Start: listRoute{"items"}, Context: context, Theme: theme, Env: env,
		Make: func(r Route) (Page, error) {
			list, ok := r.(listRoute)
			if !ok {
				return nil, errors.New("its file is gone")
			}
			p := &listPage{context: context, name: list.name, log: &s.log}
			s.pages[list.name] = append(s.pages[list.name], p)
			return p, nil
		},
	})
	s.run(s.model.Init())
	s.send(tea.WindowSizeMsg{Width: w, Height: h})
	return s
}

// last is the last message that a page got.
func (p *listPage) last() tea.Msg {
	if len(p.got) == 0 {
		return nil
	}
	return p.got[len(p.got)-1]
}

// page returns the page with a name; the test fails unless exactly one was made.
func (s *screen) page(name string) *listPage {
	s.t.Helper()
	if n := len(s.pages[name]); n != 1 {
		s.t.Fatalf("%d pages of %s were made, want 1", n, name)
	}
	return s.pages[name][0]
}

func (s *screen) send(msg tea.Msg) {
	_, cmd := s.model.Update(msg)
	s.model.View()
	s.run(cmd)
}

// run runs a command, and those that follow from it.
func (s *screen) run(cmd tea.Cmd) {
	if cmd == nil || s.quit {
		return
	}
	msg := cmd()
	list := reflect.ValueOf(msg)
	switch {
	case msg == nil:
	case reflect.TypeOf(msg) == reflect.TypeOf(tea.Quit()):
		s.quit = true
	case list.Kind() == reflect.Slice:
		for i := range list.Len() {
			s.run(list.Index(i).Interface().(tea.Cmd))
		}
	default:
		s.send(msg)
	}
}

// press sends keys by their names, which are separated by spaces.
func (s *screen) press(names string) {
	for name := range strings.FieldsSeq(names) {
		s.send(key(name))
	}
}

func key(name string) tea.KeyPressMsg {
	if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: []rune(rest)[0], Mod: tea.ModCtrl}
	}
	if rest, ok := strings.CutPrefix(name, "alt+"); ok {
		return tea.KeyPressMsg{Code: []rune(rest)[0], Mod: tea.ModAlt}
	}
	codes := map[string]tea.KeyPressMsg{
		"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab}, "down": {Code: tea.KeyDown},
		"up": {Code: tea.KeyUp}, "left": {Code: tea.KeyLeft}, "backspace": {Code: tea.KeyBackspace}, "f1": {Code: tea.KeyF1},
		"pgdown": {Code: tea.KeyPgDown}, "space": {Code: tea.KeySpace, Text: " "},
	}
	if press, ok := codes[name]; ok {
		return press
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// view is the window as text, line by line.
func (s *screen) view() string { return ansi.Strip(s.model.View().Content) }

func (s *screen) shows(text string) {
	s.t.Helper()
	if view := s.view(); !strings.Contains(view, text) {
		s.t.Errorf("%q is not in\n%s", text, view)
	}
}

func (s *screen) hides(text string) {
	s.t.Helper()
	if view := s.view(); strings.Contains(view, text) {
		s.t.Errorf("%q is in\n%s", text, view)
	}
}

// line is one line of the window; a negative number counts from the end.
func (s *screen) line(number int) string {
	lines := strings.Split(s.view(), "\n")
	return lines[(number+len(lines))%len(lines)]
}
