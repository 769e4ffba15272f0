// Package keys has what keys mean, and binds them to what a page does.
//
// A key is one line in the Bindings of a page:
//
//	keys.Remove.Does("remove", "remove this path; asks first", p.remove).Shown().
//		Unless(keys.When(nothing, "there is no path"))
//
// The dispatch of keys, the footer, the help and the palette are made from it. A page names no
// key: it takes a [Meaning], which has the same keys on every page. [Action] is an entry of the
// palette without a key.
package keys

import (
	"slices"
	"unicode"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Meaning is what some keys mean on every screen. A screen may leave a meaning out, but never gives its keys
// another one. docs/reference/keys.md has the same for people, and a test compares the two.
type Meaning struct {
	keys []string
	// Words say what the keys mean, as on that page.
	Words string
}

// The meanings.
var (
	Up       = meaning("move up", "up", "k")
	Down     = meaning("move down", "down", "j")
	Left     = meaning("move left", "left", "h")
	Right    = meaning("move right", "right", "l")
	First    = meaning("first", "g", "home")
	Last     = meaning("last", "G", "end")
	HalfUp   = meaning("half a page up", "ctrl+u")
	HalfDown = meaning("half a page down", "ctrl+d")
	PageUp   = meaning("a page up", "pgup")
	PageDown = meaning("a page down", "pgdown")

	Open       = meaning("open, go on", "enter")
	Back       = meaning("back", "esc")
	NextField  = meaning("next field or pane", "tab")
	PriorField = meaning("previous field or pane", "shift+tab")
	Choose     = meaning("choose, toggle", "space")

	Filter     = meaning("filter or search", "/")
	NextMatch  = meaning("next match, part or file", "n")
	PriorMatch = meaning("previous match, part or file", "N")
	Help       = meaning("keys", "?", "f1")
	Palette    = meaning("palette", "ctrl+p")

	Add      = meaning("add", "a")
	Edit     = meaning("edit", "e")
	Remove   = meaning("remove, after asking", "d", "delete")
	Undo     = meaning("undo", "u", "ctrl+z")
	Redo     = meaning("redo", "ctrl+y")
	Save     = meaning("review, save", "ctrl+s")
	Read     = meaning("read again", "ctrl+r")
	Copy     = meaning("copy; alt+y also in a text field", "y", "alt+y")
	OpenFile = meaning("open in the editor", "ctrl+e")

	Call      = meaning("call", "c")
	Again     = meaning("send again", ".")
	Order     = meaning("order", "o")
	Fold      = meaning("fold", "z")
	Number    = meaning("tab, step or lesson by number", "1", "2", "3", "4", "5", "6", "7", "8", "9", "0")
	Before    = meaning("previous step, lesson or tab", "<")
	After     = meaning("next step, lesson or tab", ">")
	PriorMode = meaning("previous mode, environment or error", "[")
	NextMode  = meaning("next mode, environment or error", "]")
	WholeRow  = meaning("the whole row: show it, or allow it all", "*")

	Leave = meaning("leave the page; on the first page, quit", "q")
	Stop  = meaning("quit, asking first if work would be lost", "ctrl+c")

	AddBeside       = meaning("add another API or table", "A")
	CopyAnswer      = meaning("copy the response", "Y")
	Follow          = meaning("follow new lines", "f")
	Earlier         = meaning("earlier requests", "H")
	Draft           = meaning("continue the draft", "w")
	Difference      = meaning("show the difference", "v")
	Log             = meaning("show the log", "L")
	Test            = meaning("test", "t")
	Import          = meaning("import", "i")
	Export          = meaning("export", "x")
	Dialect         = meaning("show the other dialect", "D")
	Snippet         = meaning("code for a client", "S")
	Preview         = meaning("show the preview", "ctrl+o")
	WhoMay          = meaning("ask who has access", "Q")
	Push            = meaning("push", "p")
	Sandbox         = meaning("start or stop the sandbox", "s")
	Period          = meaning("choose the period that is counted", "W")
	Environment     = meaning("choose the environment to look at", "E")
	InAWS           = meaning("show what AWS has", "C")
	LookAs          = meaning("view as somebody", "@")
	Guard           = meaning("guard the environment, or stop guarding it", "!")
	Override        = meaning("override a value for the environment", "O")
	MoveUp          = meaning("move the row up", "K", "shift+up")
	MoveDown        = meaning("move the row down", "J", "shift+down")
	Command         = meaning("type a command", ":")
	Hint            = meaning("show a hint", "I")
	Restart         = meaning("start over", "R")
	Run             = meaning("run", "r")
	Files           = meaning("files that the lesson made", "F")
	Mouse           = meaning("mouse on or off", "m")
	NextSuggestion  = meaning("next suggestion, in a text field", "ctrl+n")
	PriorSuggestion = meaning("previous suggestion, in a text field", "alt+n")
)

// meanings are all meanings in the order of their declaration.
var meanings []Meaning

func meaning(words string, keys ...string) Meaning {
	m := Meaning{keys: keys, Words: words}
	meanings = append(meanings, m)
	return m
}

// Named is the meaning of a key, by its name in Bubble Tea; false if it has none, or moves: that
// there is nowhere to move is seen.
func Named(key string) (Meaning, bool) {
	for _, m := range meanings[slices.IndexFunc(meanings, func(m Meaning) bool { return m.Words == PageDown.Words })+1:] {
		if slices.Contains(m.keys, key) {
			return m, true
		}
	}
	return Meaning{}, false
}

// Of is the meaning of keys that only one widget has.
func Of(names ...string) Meaning { return Meaning{keys: names} }

// Keys are the names of the keys in Bubble Tea.
func (m Meaning) Keys() []string { return slices.Clone(m.keys) }

// Has reports whether a key is one of the meaning's.
func (m Meaning) Has(msg tea.KeyPressMsg) bool { return slices.Contains(m.keys, msg.Keystroke()) }

// Does binds the meaning to an action: a label of a word or two, a sentence for the
// help, and the function.
func (m Meaning) Does(label, about string, do func() tea.Cmd) Binding {
	return Binding{
		Binding: key.NewBinding(key.WithKeys(m.keys...), key.WithHelp(Name(m.keys[0]), label)),
		About:   about, Do: do,
	}
}

// Nth binds only the n-th key of the meaning, counted from 0.
func (m Meaning) Nth(n int, label, about string, do func() tea.Cmd) Binding {
	return Meaning{keys: m.keys[n : n+1]}.Does(label, about, do)
}

// Only returns the bindings that have one of the meanings.
func Only(bindings []Binding, of ...Meaning) []Binding {
	return slices.DeleteFunc(slices.Clone(bindings), func(b Binding) bool {
		return !slices.ContainsFunc(of, func(m Meaning) bool { return b.Has(m.keys[0]) })
	})
}

// Do runs the first action that is bound to the meaning and not disabled.
func (m Meaning) Do(bindings []Binding) tea.Cmd {
	for _, b := range Only(bindings, m) {
		if b.Disabled == "" && b.Do != nil {
			return b.Do()
		}
	}
	return nil
}

// Letter binds the underlined letter of a button, in lower and upper case.
func Letter(r rune, label string, do func() tea.Cmd) Binding {
	keys := []string{string(r)}
	if capital := unicode.ToUpper(r); capital != r {
		keys = append(keys, string(capital))
	}
	return Meaning{keys: keys}.Does(label, "press the button with that letter", do)
}

// NoCmd makes an action of a function that returns no command.
func NoCmd(do func()) func() tea.Cmd {
	return func() tea.Cmd {
		do()
		return nil
	}
}
