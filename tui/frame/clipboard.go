package frame

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/tui/dialog"
	"gatewright/tui/widget"
)

// longestCopy is how many bytes are sent to the clipboard: terminals take an escape sequence
// of 100,000 bytes, in which 3 bytes of a text are 4.
const longestCopy = 74_994

// Copy sends a text to the terminal's clipboard, and says so in the status line: what is a few
// words for it, "" for the text itself. Terminals do not say whether they have a clipboard. A
// text that is too long for them is not sent.
func Copy(text, what string) tea.Cmd {
	if len(text) > longestCopy {
		return Say(Warn, "not copied: it has %s, and terminals take %d", model.Count(len(text), "byte"), longestCopy)
	}
	if what == "" {
		what = text
	}
	return tea.Batch(tea.SetClipboard(text), Say(Info, "sent to the clipboard: %s", what))
}

// dialogBindings are the keys of a dialog: its own, one that copies what it shows, and those
// that the frame adds everywhere.
func (m *Model) dialogBindings(d dialog.Dialog) []widget.Binding {
	all := d.Bindings()
	if c, ok := d.(dialog.Copier); ok {
		text := c.Copied()
		_, asks := d.(dialog.Settler)
		all = append(all, widget.Copy.Does("copy", "copy what this dialog shows", func() tea.Cmd {
			return Copy(text, whatIsCopied(d.Title(), text))
		}).ShownIf(!asks && !d.Typing()).Unless(widget.When(text == "", "there is nothing to copy")).In(everywhere))
	}
	return all
}

// whatIsCopied names the text of a dialog: itself if it is short.
func whatIsCopied(title, text string) string {
	const short = 60
	if lines := strings.Count(text, "\n") + 1; lines > 1 || len(text) > short {
		return model.Count(lines, "line") + " of " + title
	}
	return text
}
