// Package frame is what all screens stand in: one root model that only routes,
// typed routes with a history, a stack of dialogs, the keys, the status line, and
// what every page would otherwise do by hand: handing the answer of a command to
// whoever began it, one job that can be stopped, looking for changes, and keeping
// what was drawn until the page got anything new.
//
// A page is a package with a route (a comparable struct with a Title), a Page, and a
// case in the Maker.
package frame

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// Route names a page and what it shows. Every page defines its own type, a
// comparable struct: two equal routes are one page.
type Route interface{ Title() string }

// Page is one screen. Methods have pointer receivers. None of them does I/O but for
// what a command does, which returns a message with its result: that comes to the
// Update of the page that began it, and to no other.
//
// A page is drawn again when it got anything: a key, a message, the end of a dialog,
// another size or theme. Nothing else can change what it shows.
type Page interface {
	// Init is called once, when the page is made.
	Init() tea.Cmd
	// Update takes the results of the page's commands, what is announced to all
	// pages, clicks and the wheel relative to the page's area, pastes, and while Typing
	// the keys that no binding has.
	Update(tea.Msg) tea.Cmd
	// View fills Main and Side together; what is too much is cut off.
	View() string
	// SetSize is called before the first View, and when the window or the theme has
	// changed. It is never given a layout that is too small.
	SetSize(layout.Layout)
	// Bindings are all that can be done now, the most wanted first. The frame does
	// what a key is bound to, and makes footer, help and palette of them.
	Bindings() []widget.Binding
	// Dirty says that there is work that quitting would lose.
	Dirty() bool
	// Typing says that a text field has the focus: characters belong to it.
	Typing() bool
}

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

// What a page may have beside the methods of Page.
type (
	// Commander is a page that has more for the palette than its bindings: what can be
	// done in its other parts, and where one can go.
	Commander interface{ Commands() []widget.Binding }
	// Worker is a page with a job: the frame shows how far it is, has esc stop it and
	// asks before it is ended by leaving.
	Worker interface{ Job() *Job }
	// Watcher is a page that shows what may change by itself. It is asked once.
	Watcher interface{ Watches() []Watch }
	// Ender is a page that runs something which ends with the program: Ends says what,
	// as a sentence, "" for nothing.
	Ender interface{ Ends() string }
	// SaveDraft is a page whose unsaved work can be kept for another time. The quit
	// dialog offers it. Both commands end with a DraftSavedMsg.
	SaveDraft interface {
		SaveDraft() tea.Cmd
		DiscardDraft() tea.Cmd
	}
)

// DraftSavedMsg is what the commands of SaveDraft return. Where names the place in
// words or as a path; Err says why it failed, and then quitting stops.
type DraftSavedMsg struct {
	Where string
	Err   error
}
