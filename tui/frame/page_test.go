package frame

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/tui/dialog"
	"gatewright/tui/layout"
)

// listRoute shows a list; brokenRoute has no page.
type (
	listRoute   struct{ name string }
	brokenRoute struct{}
	sliceRoute  struct{ names []string }
)

func (r listRoute) Title() string { return "List of " + r.name }
func (brokenRoute) Title() string { return "Broken" }
func (sliceRoute) Title() string  { return "Slice" }

// listPage is a page as others write them: a list with a cursor and a filter.
type listPage struct {
	context *Context
	name    string
	layout  layout.Layout
	cursor  int
	filter  string
	typing  bool
	dirty   bool
	saveErr error
	answer  any // what SaveDraft returns; nil is a DraftSaved
	got     []tea.Msg
	log     *[]string
}

var (
	_ Page      = (*listPage)(nil)
	_ SaveDraft = (*listPage)(nil)
)

type loaded struct{ name string }

func (p *listPage) Init() tea.Cmd { return func() tea.Msg { return loaded{p.name} } }

func (p *listPage) Update(msg tea.Msg) tea.Cmd {
	p.got = append(p.got, msg)
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	switch name := key.String(); {
	case p.typing && name == "esc":
		p.typing = false
	case p.typing && key.Text != "":
		p.filter += key.Text
	case name == "/":
		p.typing = true
	case name == "down":
		p.cursor++
	case name == "o":
		return Go(listRoute{"orders"})
	case name == "r":
		return Replace(listRoute{"replaced"})
	case name == "b":
		return Go(brokenRoute{})
	case name == "s":
		return Say(Good, "%s is saved", p.name)
	case name == "c":
		return Open(dialog.Confirm("sure", "Remove it?", "Removing cannot be undone.",
			dialog.Button{ID: "remove", Label: "Remove"}, dialog.Button{ID: "keep", Label: "Keep", Cancel: true}))
	case name == "i":
		return Open(dialog.Input("name", "New name", "items", nil))
	case name == "l":
		return Open(dialog.Choose("pick", "Function", []dialog.Item{
			{ID: "a", Label: "items", Note: "nodejs20.x"}, {ID: "b", Label: "books", Disabled: "it is being written"},
		}))
	}
	return nil
}

func (p *listPage) View() string {
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

func (p *listPage) Cursor() *tea.Cursor {
	if !p.typing {
		return nil
	}
	return tea.NewCursor(len(p.filter), 2)
}

func (p *listPage) Keys() []Binding {
	keys := []Binding{
		{Keys: []string{"down"}, Label: "move", Help: "move in the list", Footer: true, Group: "List"},
		{Keys: []string{"/"}, Label: "filter", Help: "show what has a text", Footer: true, Group: "List"},
		{Keys: []string{"o"}, Label: "orders", Help: "show the orders", Footer: true, Group: "Pages"},
		{Keys: []string{"d"}, Label: "deploy", Help: "deploy the project", Disabled: "there is no environment", Footer: true, Group: "Pages"},
	}
	if p.typing {
		keys = append(keys, Binding{Keys: []string{"esc"}, Label: "stop filtering", Help: "leave the filter", Footer: true, Group: "List"})
	}
	return keys
}

func (p *listPage) SaveDraft() tea.Cmd {
	return func() tea.Msg {
		*p.log = append(*p.log, "save "+p.name)
		if p.answer != nil {
			return p.answer
		}
		return DraftSaved{Where: "drafts", Err: p.saveErr}
	}
}

func (p *listPage) DiscardDraft() tea.Cmd {
	return func() tea.Msg {
		*p.log = append(*p.log, "discard "+p.name)
		return DraftSaved{}
	}
}

// screen drives the root model without a terminal: it runs commands at once and
// notes when the program was told to quit.
type screen struct {
	t     *testing.T
	model *Model
	pages map[string][]*listPage // by name, every one that was made
	log   []string
	quit  bool
}

func start(t *testing.T, theme string, w, h int) *screen {
	t.Helper()
	context := &Context{}
	s := &screen{t: t, pages: make(map[string][]*listPage)}
	s.model = New(Options{
		Start: listRoute{"items"}, Context: context, Theme: theme, Env: []string{"TERM=xterm"},
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

// page is the one page of a name that was made.
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

// run runs a command, and those in the lists that commands return.
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

// press sends keys by their names, with a space between them.
func (s *screen) press(names string) {
	for name := range strings.FieldsSeq(names) {
		s.send(key(name))
	}
}

func key(name string) tea.KeyPressMsg {
	codes := map[string]tea.KeyPressMsg{
		"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab}, "down": {Code: tea.KeyDown},
		"up": {Code: tea.KeyUp}, "left": {Code: tea.KeyLeft}, "backspace": {Code: tea.KeyBackspace}, "f1": {Code: tea.KeyF1},
		"pgdown": {Code: tea.KeyPgDown}, "space": {Code: tea.KeySpace, Text: " "}, "ctrl+c": {Code: 'c', Mod: tea.ModCtrl},
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
