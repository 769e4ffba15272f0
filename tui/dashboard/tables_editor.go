package dashboard

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/frame"
)

// elsewhere is a text that comes back from the editor.
type elsewhere struct {
	of   *Page
	id   string
	text string
	err  error
}

// editElsewhere opens a text that is no file of the project in the editor, in a
// file of the user's own that is gone afterwards. What was made of it comes as
// elsewhere with the id.
func (p *Page) editElsewhere(id, text, name string) tea.Cmd {
	if why := p.noEditor(); why != "" {
		return frame.Say(frame.Warn, "not available: %s", why)
	}
	words := strings.Fields(p.writes.Editor)
	return func() tea.Msg {
		folder, err := os.MkdirTemp("", "gatewright-edit-")
		if err != nil {
			return elsewhere{p, id, text, err}
		}
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text+"\n"), 0o600); err != nil {
			_ = os.RemoveAll(folder)
			return elsewhere{p, id, text, err}
		}
		command := exec.Command(words[0], append(words[1:], file)...)
		return frame.Exec(command, func(err error) tea.Msg {
			defer func() { _ = os.RemoveAll(folder) }()
			if err != nil {
				return elsewhere{p, id, text, err}
			}
			data, err := os.ReadFile(file)
			if err != nil {
				return elsewhere{p, id, text, err}
			}
			return elsewhere{p, id, strings.TrimRight(string(data), "\n"), nil}
		})()
	}
}

// takeElsewhere asks for the item again, with what the editor left.
func (tt *tablesTab) takeElsewhere(msg elsewhere) tea.Cmd {
	again := tt.edit(tt.asked, msg.text, true)
	if msg.err != nil {
		return tea.Batch(again, frame.Say(frame.Error, "the editor %s: %v", prose.Fit(tt.page.writes.Editor), msg.err))
	}
	return again
}
