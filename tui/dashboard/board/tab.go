package board

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/frame"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// Tab is one way to look at the project: a table, what is to be said of its row at
// hand, and what can be done to it. It has no Update: the answers to its commands are
// frame.ThenMsg.
type Tab interface {
	// Name is the tab in one word. Title stands on it: the name, or more, such as a count.
	Name() string
	Title() string
	// Read makes of what was read what the tab shows. It runs away from Update, beside
	// the other tabs, and changes nothing of the tab: what it returns does, in the
	// screens' own goroutine. nil returns are nothing.
	Read(r *Reading) (take func() tea.Cmd)
	// Table is what is drawn, moved in and filtered.
	Table() Table
	// Detail is what is to be said of the row at hand, the most wanted first; of the
	// tab where there is no row. It is fit for the screen.
	Detail() []prose.Line
	// Bindings are what can be done to the row at hand and in the tab, the most wanted
	// first, without what Table can do.
	Bindings() []widget.Binding
}

// Table is a widget.Table of any rows.
type Table interface {
	Draw(t *theme.Theme, w, h int, focused bool) []string
	Bindings() []widget.Binding
	Typing() bool
	Type(tea.Msg) tea.Cmd
	Wheel(tea.MouseWheelMsg) tea.Cmd
	Click(x, y int) (cmd tea.Cmd, again bool)
	Len() int
}

// What a tab may have beside the methods of Tab.
type (
	// Observer is a tab that shows what a running sandbox says. Observe runs away from
	// Update, as Read does.
	Observer interface {
		Observe(*Observed) (take func() tea.Cmd)
	}
	// Watcher is a tab that shows what may change without the files or the sandbox
	// saying so. What its watches find is a frame.ThenMsg.
	Watcher interface{ Watches() []frame.Watch }
	// Ender is a tab that runs something which ends with the program: Ends says what,
	// Close ends it and waits for that, when the screens are gone.
	Ender interface {
		Ends() string
		Close()
	}
)

// Why nothing can be done to a row: there is none, or it is of the last push alone.
const (
	NoRow    = "there is no row"
	NotThere = "the project does not have it any more"
)
