package console

import (
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/tui/frame"
	"gatewright/tui/frame/frametest"
)

// terminal is the console without a terminal: keys go in, the text of the window
// comes out. Commands run to their end before the next key, but for timers.
type terminal struct {
	t     testing.TB
	page  *Page
	model tea.Model
	// copied is what was sent to the clipboard.
	copied string
}

// open shows the console for a route.
func open(t testing.TB, dir, theme string, w, h int, o Options, r Route) *terminal {
	t.Helper()
	o.Dir = dir
	context := &frame.Context{}
	term := &terminal{t: t}
	term.model = frame.New(frame.Options{
		Start: r, Context: context, Theme: theme, Env: []string{"TERM=xterm-256color"},
		Make: func(frame.Route) (frame.Page, error) {
			term.page = New(context, o, r)
			return term.page, nil
		},
	})
	term.send(tea.WindowSizeMsg{Width: w, Height: h})
	term.run(term.model.Init())
	return term
}

func (term *terminal) send(msg tea.Msg) {
	var cmd tea.Cmd
	term.model, cmd = term.model.Update(msg)
	_ = term.model.View()
	term.run(cmd)
}

// isTimer reports whether a message tells that a time is over.
func isTimer(msg tea.Msg) bool {
	switch msg.(type) {
	case overMsg, secondMsg:
		return true
	}
	return false
}

// run carries out a command and what follows from it. A command that waits for the
// clock alone is left.
func (term *terminal) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	msg, ended := frametest.Await(cmd)
	if !ended {
		return
	}
	list := reflect.ValueOf(msg)
	switch {
	case msg == nil, isTimer(msg):
	case list.Kind() == reflect.Slice && list.Type().Elem() == reflect.TypeFor[tea.Cmd]():
		for i := range list.Len() {
			term.run(list.Index(i).Interface().(tea.Cmd))
		}
	case strings.Contains(reflect.TypeOf(msg).String(), "setClipboard"):
		term.copied = list.String()
	default:
		term.send(msg)
	}
}

var named = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown},
	"left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "pgdown": {Code: tea.KeyPgDown}, "pgup": {Code: tea.KeyPgUp},
	"space": {Code: tea.KeySpace, Text: " "}, "backspace": {Code: tea.KeyBackspace}, "delete": {Code: tea.KeyDelete},
	"ctrl+s": {Code: 's', Mod: tea.ModCtrl}, "ctrl+r": {Code: 'r', Mod: tea.ModCtrl}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl},
}

// keys presses keys by name; one that is no name is typed.
func (term *terminal) keys(names ...string) *terminal {
	for _, name := range names {
		if code, ok := named[name]; ok {
			term.send(code)
			continue
		}
		for _, r := range name {
			term.send(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
	return term
}

// to moves the cursor to the row with a label.
func (term *terminal) to(label string) *terminal {
	term.t.Helper()
	term.keys("home")
	for range 30 {
		if strings.Contains(term.screen(), "> "+label) {
			return term
		}
		term.keys("down")
	}
	term.t.Fatalf("there is no row %s:\n%s", label, term.screen())
	return term
}

func (term *terminal) screen() string { return ansi.Strip(term.model.View().Content) }

// shows fails unless the window has every text.
func (term *terminal) shows(texts ...string) *terminal {
	term.t.Helper()
	screen := term.screen()
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			term.t.Fatalf("the window does not show %q:\n%s", text, screen)
		}
	}
	return term
}
