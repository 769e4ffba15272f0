package frame

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/phrase"
	"gatewright/tui/dialog"
	"gatewright/tui/keys"
)

// ToClipboard sends a text to the terminal's clipboard, and to the system's if that is another.
func ToClipboard(text string) tea.Cmd {
	return tea.Batch(tea.SetClipboard(text), systemClipboard(text))
}

// longestCopy is how many bytes are sent to the clipboard: terminals take an escape sequence
// of 100,000 bytes, in which 3 bytes of a text are 4.
const longestCopy = 74_994

// Copy sends a text to the terminal's clipboard, and says so in the status line: what is a few
// words for it, "" for the text itself.
func Copy(text, what string) tea.Cmd {
	if what == "" {
		what = text
	}
	return CopySaying(text, "sent to the clipboard: "+what)
}

// CopySaying is Copy with a sentence for the status line. Terminals do not say whether they have a clipboard;
// of one that is known to take nothing, that is said. A text that is too long for terminals is not sent.
func CopySaying(text, sentence string) tea.Cmd {
	if len(text) > longestCopy {
		return Say(Warn, "not copied: it has %s, and terminals take %d", phrase.Count(len(text), "byte"), longestCopy)
	}
	return tea.Batch(ToClipboard(text), inFrame(func(m *Model, _ owner) tea.Cmd {
		switch of := m.clipboard; {
		case of.none != "":
			return m.say(Warn, "not copied: "+of.none)
		case of.condition != "":
			return m.say(Info, sentence+" ("+of.condition+")")
		}
		return m.say(Info, sentence)
	}))
}

// clipboard is what is known about the clipboard of a terminal: none is why it takes no text,
// condition says on what it depends.
type clipboard struct{ none, condition string }

// clipboardOf knows the terminals in which nothing arrives: the Linux console, and terminals
// that run in a terminal and keep what a program sends to its clipboard.
func clipboardOf(env []string) clipboard {
	term := envValue(env, "TERM")
	switch {
	case term == "linux":
		return clipboard{none: "the Linux console has no clipboard"}
	case envValue(env, "TMUX") != "", strings.HasPrefix(term, "tmux"):
		return clipboard{condition: "tmux needs its set-clipboard on"}
	case envValue(env, "STY") != "":
		return clipboard{none: "GNU Screen does not pass it on to the terminal"}
	}
	return clipboard{}
}

// dialogBindings are the keys of a dialog: its own, one that copies what it shows, and those
// that the frame adds everywhere.
func (m *Model) dialogBindings(d dialog.Dialog) []keys.Binding {
	all := d.Bindings()
	if c, ok := d.(dialog.Copier); ok {
		text := c.Copied()
		_, asks := d.(dialog.Asker)
		all = append(all, keys.Copy.Does("copy", "copy what this dialog shows", func() tea.Cmd {
			return Copy(text, whatIsCopied(d.Title(), text))
		}).ShownIf(!asks && !d.Typing()).Unless(keys.When(text == "", "there is nothing to copy")).In(everywhere))
	}
	return all
}

// whatIsCopied names the text of a dialog: itself if it is short.
func whatIsCopied(title, text string) string {
	const short = 60
	if lines := strings.Count(text, "\n") + 1; lines > 1 || len(text) > short {
		return phrase.Count(lines, "line") + " of " + title
	}
	return text
}
