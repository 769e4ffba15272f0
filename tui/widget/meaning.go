package widget

import (
	"slices"
	"unicode"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Meaning is what keys mean on every screen. A screen may leave a meaning out; it
// never gives its keys another one. CONTRIBUTING has the table for people, and a
// test holds the two together.
type Meaning struct {
	keys []string
	// Words say what the keys mean, as the table does.
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
	Remove   = meaning("remove, after a question", "d", "delete")
	Undo     = meaning("undo", "u", "ctrl+z")
	Redo     = meaning("redo", "ctrl+y")
	Save     = meaning("review, save", "ctrl+s")
	Read     = meaning("read again", "ctrl+r")
	Copy     = meaning("copy", "y")
	OpenFile = meaning("open in the editor", "ctrl+e")

	Call      = meaning("call", "c")
	Again     = meaning("send again", ".")
	Order     = meaning("order", "o")
	Fold      = meaning("fold", "z")
	Number    = meaning("tab or step by number", "1", "2", "3", "4", "5", "6", "7", "8", "9")
	Before    = meaning("the one before", "<")
	After     = meaning("the one after", ">")
	PriorMode = meaning("previous mode, environment or error", "[")
	NextMode  = meaning("next mode, environment or error", "]")
	WholeRow  = meaning("the whole row", "*")

	Leave = meaning("leave this page, then the program", "q")
	Stop  = meaning("leave the program, asking when something would be lost", "ctrl+c")

	AddBeside   = meaning("add one beside: another API", "A")
	CopyAnswer  = meaning("copy the answer", "Y")
	Follow      = meaning("follow what comes", "f")
	Earlier     = meaning("what was sent before", "H")
	Draft       = meaning("go on with the draft", "w")
	Difference  = meaning("the difference", "v")
	Log         = meaning("the log", "L")
	Test        = meaning("test", "t")
	Import      = meaning("import", "i")
	Export      = meaning("export", "x")
	Dialect     = meaning("the words of the other dialect", "D")
	Snippet     = meaning("the code for a client", "S")
	WhoMay      = meaning("ask who may", "Q")
	Push        = meaning("push", "p")
	Sandbox     = meaning("start or end the sandbox", "s")
	Environment = meaning("choose the environment to look at", "E")
	Guard       = meaning("guard, or guard no more", "!")
	Override    = meaning("another value for the environment", "O")
	MoveUp      = meaning("move the thing up", "K", "shift+up")
	MoveDown    = meaning("move the thing down", "J", "shift+down")
	Command     = meaning("type a command", ":")
	Hint        = meaning("a hint", "I")
	Restart     = meaning("begin anew", "R")
	Run         = meaning("run", "r")
	Files       = meaning("the files that were made", "F")
	Mouse       = meaning("the mouse", "m")
	NextOffer   = meaning("the next offer, in a text field", "ctrl+n")
	PriorOffer  = meaning("the offer before, in a text field", "alt+n")
)

// meanings are all of them, in the order in which they were made.
var meanings []Meaning

func meaning(words string, keys ...string) Meaning {
	m := Meaning{keys: keys, Words: words}
	meanings = append(meanings, m)
	return m
}

// Meanings are all meanings.
func Meanings() []Meaning { return slices.Clone(meanings) }

// Keys are the names of the keys, as Bubble Tea has them.
func (m Meaning) Keys() []string { return slices.Clone(m.keys) }

// has reports whether a key is one of the meaning's.
func (m Meaning) has(msg tea.KeyPressMsg) bool { return slices.Contains(m.keys, msg.Keystroke()) }

// Does binds the meaning to something: a label of a word or two, a sentence for the
// help, and the doing.
func (m Meaning) Does(label, about string, do func() tea.Cmd) Binding {
	return Binding{
		Binding: key.NewBinding(key.WithKeys(m.keys...), key.WithHelp(KeyName(m.keys[0]), label)),
		About:   about, Do: do,
	}
}

// Nth binds the n-th key of the meaning alone, counted from 0: a number.
func (m Meaning) Nth(n int, label, about string, do func() tea.Cmd) Binding {
	return Meaning{keys: m.keys[n : n+1]}.Does(label, about, do)
}

// Only are the bindings of some meanings.
func Only(bindings []Binding, of ...Meaning) []Binding {
	return slices.DeleteFunc(slices.Clone(bindings), func(b Binding) bool {
		return !slices.ContainsFunc(of, func(m Meaning) bool { return b.Has(m.keys[0]) })
	})
}

// Do does what the meaning is bound to, where it is and can be done now.
func (m Meaning) Do(bindings []Binding) tea.Cmd {
	for _, b := range Only(bindings, m) {
		if b.Why == "" && b.Do != nil {
			return b.Do()
		}
	}
	return nil
}

// Letter binds the letter of a button, which is underlined there, small or as a capital.
func Letter(r rune, label string, do func() tea.Cmd) Binding {
	keys := []string{string(r)}
	if capital := unicode.ToUpper(r); capital != r {
		keys = append(keys, string(capital))
	}
	return Meaning{keys: keys}.Does(label, "press the button with that letter", do)
}

// Does makes of something that needs no command the doing of a binding.
func Does(do func()) func() tea.Cmd {
	return func() tea.Cmd {
		do()
		return nil
	}
}
