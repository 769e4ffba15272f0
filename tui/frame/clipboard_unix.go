//go:build unix

package frame

import tea "charm.land/bubbletea/v2"

// systemClipboard does nothing: the terminal has the clipboard.
func systemClipboard(string) tea.Cmd { return nil }
