package app

import (
	"flag"
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
	"gatewright/tui/frame/frametest"
)

var update = flag.Bool("update", false, "write the goldens")

// TestMain has one time zone on every machine: screens show a person's own.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// terminal is the program without a terminal: keys go in, the text of the window
// comes out. Commands run to their end before the next key.
type terminal struct {
	t     testing.TB
	dir   string
	model tea.Model
	w, h  int
	quit  bool
}

// open starts the program in a folder.
func open(t testing.TB, dir, theme string, w, h int, start frame.Route) *terminal {
	t.Helper()
	state := filepath.Join(filepath.Dir(dir), "state")
	s, err := session.Open(dir, func(name string) string {
		switch name {
		case "GATEWRIGHT_STATE":
			return state
		case "EDITOR":
			return "true"
		}
		return ""
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Project.Close() })
	return begin(t, Options{Dir: dir, Theme: theme, Start: start, Environ: []string{"TERM=xterm-256color"}}, s, w, h)
}

// begin starts the program with options of a caller's own; without a session it
// only reads.
func begin(t testing.TB, o Options, s *session.Session, w, h int) *terminal {
	t.Helper()
	all := newScreens(o, s)
	t.Cleanup(all.close)
	model := frame.New(all.options())
	term := &terminal{t: t, dir: o.Dir, model: model}
	term.resize(w, h)
	term.run(model.Init())
	return term
}

// folder is an empty folder whose name does not change from run to run.
func folder(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bookshop")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func (term *terminal) resize(w, h int) {
	term.w, term.h = w, h
	term.send(tea.WindowSizeMsg{Width: w, Height: h})
}

func (term *terminal) send(msg tea.Msg) {
	var cmd tea.Cmd
	term.model, cmd = term.model.Update(msg)
	_ = term.model.View()
	term.run(cmd)
}

// run carries out a command and what follows from it. A timer is not waited for:
// it is for who has stopped pressing keys.
func (term *terminal) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	msg, ended := frametest.Await(cmd)
	if !ended {
		return
	}
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			term.run(c)
		}
	case tea.QuitMsg:
		term.quit = true
	default:
		if list := reflect.ValueOf(msg); list.Kind() == reflect.Slice && list.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
			for i := range list.Len() {
				term.run(list.Index(i).Interface().(tea.Cmd))
			}
			return
		}
		term.send(msg)
	}
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

var named = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift},
	"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight},
	"home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "pgdown": {Code: tea.KeyPgDown}, "pgup": {Code: tea.KeyPgUp},
	"space": {Code: tea.KeySpace, Text: " "}, "backspace": {Code: tea.KeyBackspace}, "delete": {Code: tea.KeyDelete}, "f1": {Code: tea.KeyF1},
	"ctrl+z": {Code: 'z', Mod: tea.ModCtrl}, "ctrl+y": {Code: 'y', Mod: tea.ModCtrl}, "ctrl+r": {Code: 'r', Mod: tea.ModCtrl},
	"ctrl+s": {Code: 's', Mod: tea.ModCtrl}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl}, "ctrl+c": {Code: 'c', Mod: tea.ModCtrl},
	"ctrl+p": {Code: 'p', Mod: tea.ModCtrl}, "ctrl+d": {Code: 'd', Mod: tea.ModCtrl},
}

// screen is the text of the window without its styles.
func (term *terminal) screen() string {
	return ansi.Strip(term.model.View().Content)
}

// shows fails unless the window has every text.
func (term *terminal) shows(texts ...string) {
	term.t.Helper()
	screen := term.screen()
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			term.t.Fatalf("the window does not show %q:\n%s", text, screen)
		}
	}
}

// golden compares the window with a file that was looked at.
func (term *terminal) golden(name string) {
	term.t.Helper()
	rows := strings.Split(term.screen(), "\n")
	for i, row := range rows {
		rows[i] = strings.TrimRight(row, " ")
	}
	term.compare(name, strings.Join(rows, "\n")+"\n")
}

// compare compares text with that of a file, or writes the file.
func (term *terminal) compare(name, got string) {
	term.t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			term.t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			term.t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		term.t.Fatal(err)
	}
	if got != string(want) {
		term.t.Errorf("%s: the window is\n%s\nwant\n%s", name, got, want)
	}
}

// styled compares the window with a file, escape sequences and all: an escape
// character is written as ␛.
func (term *terminal) styled(name string) {
	term.t.Helper()
	term.compare(name, strings.ReplaceAll(term.model.View().Content, "\x1b", "␛")+"\n")
}
