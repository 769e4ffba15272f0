package board

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/flow/session"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
	"gatewright/tui/theme"
)

// Tab is a tab of the dashboard: a table, the details of its selected row, and bindings. It
// has no Update: its commands answer with a frame.ThenMsg.
type Tab interface {
	// Name is one word, and Short is it in a few letters. Title is shown on the tab: the name,
	// maybe with a count or a mark after it.
	Name() string
	Short() string
	Title() string
	// Read prepares what the tab shows. It runs outside Update, in parallel with other tabs,
	// and must not change the tab: take does that, inside Update. take may be nil.
	Read(r *Reading) (take func() tea.Cmd)
	// Table is the table of the rows.
	Table() Table
	// Detail gives the details of the selected row, or of the tab if there is no row: the
	// most important first, safe for the screen.
	Detail() []prose.Line
	// Subject is the name of the selected row, as the title of its details.
	Subject() string
	// Third is what a window with room for a third pane shows next to the rows and these details.
	Third(details []prose.Line) Third
	// Bindings are the keys of the selected row and of the tab, the most important first,
	// without those of Table.
	Bindings() []keys.Binding
}

// Table is a widget.Table with rows of any type.
type Table interface {
	Draw(t *theme.Theme, w, h int, focused bool) []string
	Legend(t *theme.Theme, w int) string
	Bindings() []keys.Binding
	Typing() bool
	Type(tea.Msg) tea.Cmd
	Wheel(tea.MouseWheelMsg) tea.Cmd
	Click(x, y int) (cmd tea.Cmd, again bool)
	Len() int
	ShowsAsMuch(w, wider int) bool
	Span() string
}

// What a tab may implement in addition to Tab.
type (
	// Observer is a tab that shows the state of the sandbox. Observe works as Read does.
	Observer interface {
		Observe(*Observed) (take func() tea.Cmd)
	}
	// Watcher is a tab that polls something itself. Its watches answer with a frame.ThenMsg.
	Watcher interface{ Watches() []frame.Watch }
	// Noter is a tab with something that one should know from any tab, for the head of the
	// page: in words, and short for a narrow window. Both are empty if there is nothing.
	Noter interface {
		Note() (line prose.Line, short string)
	}
	// Fronter is a tab that hears when it comes to the front.
	Fronter interface{ Front() tea.Cmd }
	// Wide is a tab whose details are below the rows in any window if DetailsBelow is true.
	Wide interface{ DetailsBelow() bool }
	// Drawer is a tab that draws some lines of its details itself, in a window with room for it: DrawLine
	// is nil for all others.
	Drawer interface {
		DrawLine(t *theme.Theme, line prose.Line, w int) []string
	}
	// Walker is a tab with keys of its own while its details have the keys.
	Walker interface{ DetailBindings() []keys.Binding }
	// Everywhere is a tab with keys that are on all tabs.
	Everywhere interface{ Everywhere() []keys.Binding }
	// Runner is the tab that runs the sandbox. First sends the first request of a project.
	Runner interface{ First(session.Call) tea.Cmd }
	// Shower is a tab with rows about things of the project. Show moves the cursor to the row
	// of one; it returns false, and moves nothing, if the tab has none.
	Shower interface{ Show(of model.Ref) bool }
	// Stager is a tab whose edits wait for a review. Unwritten says what would be lost with the
	// page; "" for nothing.
	Stager interface{ Unwritten() string }
	// Ender is a tab that runs something which ends with the program: Ends says what, Close
	// ends it and waits, after the screens are closed.
	Ender interface {
		Ends() string
		Close()
	}
)

// Why a row cannot be changed: there is none, or only the last push has it.
const (
	NoRow        = "there is no row"
	NotInProject = "the project no longer has it"
)
