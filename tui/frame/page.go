// Package frame is the root model of all screens. It has the history of pages, the stack of dialogs, key
// dispatch and the status line. It also does what every page would otherwise do by itself: it delivers the
// answer of a command to the page or dialog that started it, shows and stops a long job, polls for changes,
// and redraws a page only after it received something.
//
// A page has a route (a comparable struct with a Title), a type that implements Page, and a case in the
// Maker. The answer of a command that is used in one place is a [ThenMsg]; other types of messages end in
// Msg. A page keeps no drawing: it is drawn again after each message.
package frame

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/viewer"
)

// Route names a page and what it shows. Every page defines its own type, a
// comparable struct: two equal routes are one page.
type Route interface{ Title() string }

// Page is one screen. Its methods do no I/O: they return commands that do it. The result of a command is
// delivered to the Update of the page that returned the command, and to no other page.
//
// A page is redrawn only after it received something: a key, a message, the end of a dialog, a new size or
// theme. Nothing else may change what it shows.
type Page interface {
	// Init is called once, when the page is made.
	Init() tea.Cmd
	// Update takes the results of the page's commands, messages that are announced to
	// all pages, clicks and the wheel (relative to the page's area), pastes, and while
	// Typing the keys that no binding has.
	Update(tea.Msg) tea.Cmd
	// View fills Main and Side together; the frame cuts off what does not fit.
	View() string
	// SetSize is called before the first View, and when the window or the theme has
	// changed. It is never given a layout that is too small.
	SetSize(layout.Layout)
	// Bindings are all actions of the page, the most useful first. The frame runs the
	// one that belongs to a key, and makes footer, help and palette of them.
	Bindings() []keys.Binding
	// Dirty reports whether quitting would lose work.
	Dirty() bool
	// Typing reports whether a text field has the focus and takes all characters.
	Typing() bool
}

// Maker makes the page of a route. It is called in Update and does no I/O: the
// page's Init does that in a command.
type Maker func(Route) (Page, error)

// Context is what the frame shares with all pages; their Maker gives it to them. A page may keep the pointer
// to the Context but not the Theme, which is replaced when the terminal answers what its background is.
type Context struct {
	Theme *theme.Theme
	// Pulse, which may be nil, says when watches have something to look at.
	Pulse *Pulse
	// Still says that nothing may move by itself.
	Still bool
	// Viewer is as whom all pages look at the project; nil is everybody. LookAs sets it.
	Viewer *viewer.Viewer
	// Pressed is the key that was pressed last, for an action that is not the same by each of its keys.
	Pressed string
}

// ViewerMsg is announced to all pages when they look as somebody else, see Context.Viewer.
type ViewerMsg struct{}

// Optional interfaces of a page.
type (
	// Commander is a page with entries for the palette that are not among its Bindings,
	// such as actions of its other tabs.
	Commander interface{ Commands() []keys.Binding }
	// Worker is a page with a job: the frame shows the progress, stops the job on esc,
	// and asks before quitting would end it.
	Worker interface{ Job() *Job }
	// Watcher is a page that shows something which changes by itself. Watches is called
	// once.
	Watcher interface{ Watches() []Watch }
	// Ender is a page that runs something which ends when the program quits. Ends says
	// what, as a sentence; "" when nothing runs.
	Ender interface{ Ends() string }
	// Keeper is a page that keeps unsaved work by itself. Kept says in a few words where it is
	// now, for the header; "" for no more than whether the page is dirty.
	Keeper interface{ Kept() string }
	// Reopener is a page that hears when its route is opened again while it is in memory.
	// Going back to it does not count.
	Reopener interface{ Reopen() tea.Cmd }
	// SaveDraft is a page whose unsaved work can be saved as a draft. The quit dialog
	// offers that. Both commands return a DraftSavedMsg.
	SaveDraft interface {
		SaveDraft() tea.Cmd
		DiscardDraft() tea.Cmd
	}
)

// DraftSavedMsg is what the commands of SaveDraft return. Where is the path of the
// draft. Err is why it could not be saved; the frame does not quit then.
type DraftSavedMsg struct {
	Where string
	Err   error
}
