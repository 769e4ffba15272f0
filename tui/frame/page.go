// Package frame is what all screens stand in: one root model that only routes,
// typed routes with a history, a stack of dialogs, the footer and the help made
// from the bindings that pages declare, and the status line.
//
// A page is one file: a route (a comparable struct with a Title), a Page, and a
// case in the Maker.
package frame

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dialog"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// Route names a page and what it shows. Every page defines its own type, a
// comparable struct: two equal routes are one page.
type Route interface{ Title() string }

// Page is one screen. Methods have pointer receivers. Update and View do no I/O:
// what takes time is a command that returns a message with its result.
//
// Keys, pastes and the mouse (relative to the page's area) come to the page in
// front alone. Every other message that is not the frame's comes to every page
// that is kept, so that the result of a command finds the page that asked for it
// when a person has moved on; a page ignores the messages that it does not know.
// The result of a dialog comes to the page that opened it, as dialog.Result.
type Page interface {
	// Init is called once, when the page is made.
	Init() tea.Cmd
	Update(tea.Msg) tea.Cmd
	// View fills Main and Side together; what is too much is cut off.
	View() string
	// SetSize is called before the first View, when the window has changed, and
	// when the theme has: a page that keeps drawn strings drops them here. It is
	// never given a layout that is too small.
	SetSize(layout.Layout)
	// Keys are declared once; the footer and the help are made from them. A key
	// of an enabled binding comes to the page even where the frame has a use for
	// it (esc, q, ?); for one that is disabled the frame tells the reason.
	Keys() []Binding
	// Dirty says that there is work that quitting would lose.
	Dirty() bool
	// Typing says that a text field has the focus: all printable keys belong to it.
	Typing() bool
	// Cursor is where the terminal's cursor stands, relative to the page's area;
	// nil for none.
	Cursor() *tea.Cursor
}

// Binding is one thing that keys do.
type Binding = dialog.Binding

// Maker makes the page of a route. It is called in Update and does no I/O: the
// page's Init does that in a command.
type Maker func(Route) (Page, error)

// Context is what the frame shares with all pages. It is made by whoever makes
// the Options and given to pages by their Maker. Pages read it and keep the
// pointer, never the Theme: that one is replaced when the terminal tells its
// background.
type Context struct {
	Theme *theme.Theme
}

// SaveDraft is a page whose unsaved work can be kept for another time. The quit
// dialog offers it. Both commands end with a DraftSaved.
type SaveDraft interface {
	SaveDraft() tea.Cmd
	DiscardDraft() tea.Cmd
}

// DraftSaved is what the commands of SaveDraft return. Where names the place in
// words or as a path; Err says why it failed, and then quitting stops.
type DraftSaved struct {
	Where string
	Err   error
}
