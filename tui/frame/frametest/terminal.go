package frametest

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// Terminal runs a program without a terminal: a test presses keys and reads the text of
// the window. Commands run to their end before the next key.
type Terminal struct {
	testing.TB
	Model tea.Model
	W, H  int
	// Quit says that the program has quit.
	Quit bool
	// Unseen says that the window is drawn only when it is looked at, and not after each message.
	Unseen bool
	// Programs says that other programs run, such as an editor.
	Programs bool
}

// Open starts a program in a window of w by h cells.
func Open(t testing.TB, model tea.Model, w, h int) *Terminal {
	t.Helper()
	term := &Terminal{TB: t, Model: model}
	term.Resize(w, h)
	term.Run(model.Init())
	return term
}

// Resize gives the window another size.
func (term *Terminal) Resize(w, h int) {
	term.W, term.H = w, h
	term.Send(tea.WindowSizeMsg{Width: w, Height: h})
}

// Send gives the program a message, and runs the commands that follow from it.
func (term *Terminal) Send(msg tea.Msg) {
	var cmd tea.Cmd
	term.Model, cmd = term.Model.Update(msg)
	if !term.Unseen {
		_ = term.Model.View()
	}
	term.Run(cmd)
}

// Run runs a command and those that follow from it, except timers (see [Await]).
func (term *Terminal) Run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	msg, ended := Await(cmd)
	if !ended {
		return
	}
	switch msg := msg.(type) {
	case nil:
	case tea.QuitMsg:
		term.Quit = true
	default:
		if list := reflect.ValueOf(msg); list.Kind() == reflect.Slice && list.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
			for i := range list.Len() {
				term.Run(list.Index(i).Interface().(tea.Cmd))
			}
			return
		}
		if term.Programs && term.runProgram(msg) {
			return
		}
		term.Send(msg)
	}
}

// Keys presses keys by name; an argument that is not the name of a key is typed, and drawn at
// its end.
func (term *Terminal) Keys(names ...string) *Terminal {
	for _, name := range names {
		if key, ok := Key(name); ok {
			term.Send(key)
			continue
		}
		unseen, typed := term.Unseen, []rune(name)
		for i, r := range typed {
			term.Unseen = unseen || i < len(typed)-1
			term.Send(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
		term.Unseen = unseen
	}
	return term
}

// Key is the press of the key with a name.
func Key(name string) (key tea.KeyPressMsg, ok bool) {
	key, ok = named[name]
	for prefix, mod := range map[string]tea.KeyMod{"ctrl+": tea.ModCtrl, "alt+": tea.ModAlt} {
		if letter, found := strings.CutPrefix(name, prefix); found && len(letter) == 1 {
			key, ok = tea.KeyPressMsg{Code: rune(letter[0]), Mod: mod}, true
		}
	}
	return key, ok
}

var named = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab},
	"shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift},
	"up":        {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "left": {Code: tea.KeyLeft},
	"right": {Code: tea.KeyRight},
	"home":  {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "pgdown": {Code: tea.KeyPgDown}, "pgup": {Code: tea.KeyPgUp},
	"space": {Code: tea.KeySpace, Text: " "}, "backspace": {Code: tea.KeyBackspace}, "delete": {Code: tea.KeyDelete},
	"shift+up": {Code: tea.KeyUp, Mod: tea.ModShift}, "shift+down": {Code: tea.KeyDown, Mod: tea.ModShift},
	"f1": {Code: tea.KeyF1}, "f2": {Code: tea.KeyF2}, "f3": {Code: tea.KeyF3},
}

// Names are the names of all keys that [Key] knows, and every character of ASCII.
func Names() []string {
	all := slices.Sorted(maps.Keys(named))
	for c := 'a'; c <= 'z'; c++ {
		all = append(all, "ctrl+"+string(c), "alt+"+string(c))
	}
	for c := '!'; c <= '~'; c++ {
		all = append(all, string(c))
	}
	return all
}

// Screen is the text of the window without its styles.
func (term *Terminal) Screen() string { return ansi.Strip(term.Model.View().Content) }

// Shows fails unless the window has every text.
func (term *Terminal) Shows(texts ...string) *Terminal {
	term.Helper()
	screen := term.Screen()
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			rows := strings.Split(screen, "\n")
			term.Fatalf("the window does not show %q; it ends with %q:\n%s", text, rows[max(0, len(rows)-2):], screen)
		}
	}
	return term
}

// Hides fails if the window has any of the texts.
func (term *Terminal) Hides(texts ...string) *Terminal {
	term.Helper()
	screen := term.Screen()
	for _, text := range texts {
		if strings.Contains(screen, text) {
			term.Fatalf("the window shows %q:\n%s", text, screen)
		}
	}
	return term
}

// Golden compares the text of the window with a golden, see [Golden].
func (term *Terminal) Golden(name string) {
	term.Helper()
	rows := strings.Split(term.Screen(), "\n")
	for i, row := range rows {
		rows[i] = strings.TrimRight(row, " ")
	}
	Golden(term, name, strings.Join(rows, "\n")+"\n")
}

// Styled is Golden with escape sequences; the golden has ␛ for an escape character.
func (term *Terminal) Styled(name string) {
	term.Helper()
	Golden(term, name, strings.ReplaceAll(term.Model.View().Content, "\x1b", "␛")+"\n")
}

// Fits fails if the text is larger than the window. after is for the failure message.
func (term *Terminal) Fits(after any) {
	term.Helper()
	lines := strings.Split(term.Model.View().Content, "\n")
	if len(lines) > max(1, term.H) {
		term.Fatalf("after %v: %d lines in a window of %dx%d", after, len(lines), term.W, term.H)
	}
	for _, line := range lines {
		if w := ansi.StringWidth(line); w > term.W {
			term.Fatalf("after %v: a line of %d cells in a window of %dx%d: %q", after, w, term.W, term.H, line)
		}
	}
}
