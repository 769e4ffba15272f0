package dashboard

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/flow/session"
	"gatewright/tui/frame"
)

// desk is the dashboard in the frame with somebody before it: commands run beside
// one another as in the program, and what they return comes when it comes.
type desk struct {
	t        *testing.T
	model    *frame.Model
	page     *Page
	messages chan tea.Msg
	over     chan struct{}
}

// sit opens the dashboard of a project; changing gives it a session.
func sit(t *testing.T, dir string, changing bool) *desk {
	t.Helper()
	d := &desk{t: t, messages: make(chan tea.Msg), over: make(chan struct{})}
	context := &frame.Context{}
	var s *session.Session
	if changing {
		t.Setenv("GATEWRIGHT_STATE", filepath.Join(t.TempDir(), "state"))
		t.Setenv("VISUAL", "true")
		var err error
		s, err = session.Open(dir, os.Getenv)
		must(t, err)
		t.Cleanup(func() { _ = s.Project.Close() })
	}
	d.model = frame.New(frame.Options{
		Start: Route{}, Context: context, Theme: "dark", Env: []string{"TERM=xterm-256color"},
		Make: func(r frame.Route) (frame.Page, error) {
			if _, ok := r.(Route); !ok {
				return nil, fmt.Errorf("asked for %#v", r)
			}
			d.page = New(context, dir, s, Route{})
			return d.page, nil
		},
	})
	t.Cleanup(func() {
		close(d.over)
		d.page.Close()
	})
	d.update(tea.WindowSizeMsg{Width: 120, Height: 60})
	d.run(d.model.Init())
	d.until("the project is read", func() bool { return d.page.snap != nil && d.page.sandbox != nil })
	return d
}

func (d *desk) update(msg tea.Msg) {
	_, cmd := d.model.Update(msg)
	_ = d.model.View()
	d.run(cmd)
}

// run runs a command, and those in the lists that it returns.
func (d *desk) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() { d.deliver(cmd()) }()
}

func (d *desk) deliver(msg tea.Msg) {
	list := reflect.ValueOf(msg)
	if list.IsValid() && list.Kind() == reflect.Slice && list.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		_, batch := msg.(tea.BatchMsg)
		for i := range list.Len() {
			cmd, _ := list.Index(i).Interface().(tea.Cmd)
			switch {
			case cmd == nil:
			case batch:
				d.run(cmd)
			default:
				d.deliver(cmd())
			}
		}
		return
	}
	if msg != nil {
		select {
		case d.messages <- msg:
		case <-d.over:
		}
	}
}

// until takes messages until something is so.
func (d *desk) until(what string, so func() bool) {
	d.t.Helper()
	const patience = 20 * time.Second
	given := time.After(patience)
	for !so() {
		select {
		case msg := <-d.messages:
			d.update(msg)
		case <-given:
			d.t.Fatalf("not so: %s; the window shows\n%s", what, d.shown())
		}
	}
}

// shown is the window as text, without the spaces at the ends of lines and without
// empty lines.
func (d *desk) shown() string {
	var lines []string
	for line := range strings.Lines(ansi.Strip(d.model.View().Content)) {
		if line = strings.TrimRight(line, " │\n"); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// shows waits for texts in the window.
func (d *desk) shows(texts ...string) {
	d.t.Helper()
	for _, text := range texts {
		d.until("it shows "+text, func() bool { return strings.Contains(d.shown(), text) })
	}
}

// press presses keys: names, or the letters of a text.
func (d *desk) press(keys ...string) {
	named := map[string]rune{"down": tea.KeyDown, "up": tea.KeyUp, "end": tea.KeyEnd, "tab": tea.KeyTab, "enter": tea.KeyEnter, "esc": tea.KeyEscape}
	for _, key := range keys {
		if code, ok := named[key]; ok {
			d.update(tea.KeyPressMsg{Code: code})
			continue
		}
		for _, r := range key {
			d.update(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
}

// to goes to the tab of a name.
func (d *desk) to(name string) {
	d.t.Helper()
	at := d.page.place(name)
	if at == none {
		d.t.Fatalf("there is no tab %s", name)
	}
	d.press(fmt.Sprint(at + 1))
}

// cursor is the row under the cursor of the tab in front.
func (d *desk) cursor() string {
	l := d.page.list()
	if row := l.row(); row != none {
		return l.entries[row].text
	}
	return ""
}
