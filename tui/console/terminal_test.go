package console

import (
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/frame"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/route"
)

// terminal drives the console without a real terminal.
type terminal struct {
	*frametest.Terminal
	page *Page
	// copied is what was sent to the clipboard.
	copied string
}

// open opens the console for a route.
func open(t testing.TB, dir, theme string, w, h int, o Options, start route.Console) *terminal {
	t.Helper()
	o.Dir = dir
	context, term := &frame.Context{}, &terminal{}
	model := frame.New(frame.Options{
		Start: start, Context: context, Theme: theme, Env: []string{"TERM=xterm-256color"},
		Make: func(frame.Route) (frame.Page, error) {
			term.page = New(context, o, start)
			return term.page, nil
		},
	})
	term.Terminal = frametest.Open(t, clipboard{model, &term.copied}, w, h)
	return term
}

// clipboard records what the program sends to the terminal's clipboard.
type clipboard struct {
	tea.Model
	text *string
}

func (c clipboard) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if of := reflect.TypeOf(msg); strings.Contains(of.String(), "setClipboard") {
		*c.text = reflect.ValueOf(msg).String()
	}
	var cmd tea.Cmd
	c.Model, cmd = c.Model.Update(msg)
	return c, cmd
}

// keys presses keys by name; an argument that is not the name of a key is typed.
func (term *terminal) keys(names ...string) *terminal {
	term.Keys(names...)
	return term
}

// to moves the cursor to the row with a label.
func (term *terminal) to(label string) *terminal {
	term.Helper()
	term.keys("home")
	for range 30 {
		if strings.Contains(term.Screen(), "▌ "+label) {
			return term
		}
		term.keys("down")
	}
	term.Fatalf("there is no row %s:\n%s", label, term.Screen())
	return term
}

// shows fails unless the window has every text.
func (term *terminal) shows(texts ...string) *terminal {
	term.Helper()
	term.Shows(texts...)
	return term
}

// tell gives a message to the page.
func (term *terminal) tell(msg tea.Msg) { term.Run(frame.Announce(msg)) }

// meanwhile presses a key without waiting for its commands; the result waits for them.
func (term *terminal) meanwhile(name string) (finish func()) {
	_, cmd := term.Model.Update(tea.KeyPressMsg{Code: rune(name[0]), Text: name})
	all := make(chan []tea.Msg, 1)
	go func() { all <- messages(cmd) }()
	return func() {
		for _, msg := range <-all {
			term.Send(msg)
		}
	}
}

// messages are the messages of a command or of a list of commands.
func messages(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	msg, ended := frametest.Await(cmd)
	list := reflect.ValueOf(msg)
	switch {
	case !ended || msg == nil:
		return nil
	case list.Kind() != reflect.Slice || list.Type().Elem() != reflect.TypeFor[tea.Cmd]():
		return []tea.Msg{msg}
	}
	var all []tea.Msg
	for i := range list.Len() {
		all = append(all, messages(list.Index(i).Interface().(tea.Cmd))...)
	}
	return all
}
