//go:build unix

package frame

import (
	"io"

	tea "charm.land/bubbletea/v2"
)

// checkConsole has nothing to check: all terminals obey sequences.
func checkConsole(io.Writer) error { return nil }

// systemClipboard does nothing: the terminal has the clipboard.
func systemClipboard(string) tea.Cmd { return nil }
