package frame

import (
	"reflect"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dialog"
)

// A command's answer reaches whoever began it and nobody else: every command that a
// page, a part of one or a dialog returns is made to mark its answer.

// Part is a part of a page with commands of its own, such as a tab.
type Part interface{ Update(tea.Msg) tea.Cmd }

// Own makes the answer of a command come to a part of the page, in the place of the
// page itself.
func Own(part Part, cmd tea.Cmd) tea.Cmd {
	return mark(cmd, func(msg tea.Msg) tea.Msg { return partMsg{part, msg} })
}

// partMsg is an answer to a part of a page.
type partMsg struct {
	part Part
	msg  tea.Msg
}

// ThenMsg is an answer that says itself what it leads to: it is done in the screens'
// own goroutine, for whoever began the command. Where one thing alone asks for an
// answer, it needs no type of its own and no case in Update.
type ThenMsg func() tea.Cmd

// pageMsg is an answer to a page.
type pageMsg struct {
	page *kept
	msg  tea.Msg
}

// dialogMsg is an answer to a dialog.
type dialogMsg struct {
	dialog dialog.Dialog
	msg    tea.Msg
}

// own makes the answer of a command come to a page.
func own(k *kept, cmd tea.Cmd) tea.Cmd {
	return mark(cmd, func(msg tea.Msg) tea.Msg { return pageMsg{k, msg} })
}

// ownDialog makes the answer of a command come to a dialog.
func ownDialog(d dialog.Dialog, cmd tea.Cmd) tea.Cmd {
	return mark(cmd, func(msg tea.Msg) tea.Msg { return dialogMsg{d, msg} })
}

// mark makes a command wrap its answer, unless that is for the frame or for Bubble
// Tea; what the frame does for whoever asked is done for the owner.
func mark(cmd tea.Cmd, wrap func(tea.Msg) tea.Msg) tea.Cmd {
	owned := func(cmd tea.Cmd) tea.Cmd { return mark(cmd, wrap) }
	return onEach(cmd, func(run tea.Cmd) tea.Msg {
		switch msg := run().(type) {
		case nil:
			return nil
		case openMsg:
			msg.owned = before(msg.owned, owned)
			return msg
		case execMsg:
			msg.owned = before(msg.owned, owned)
			return msg
		case partMsg, jobOverMsg, DraftSavedMsg, ThenMsg:
			return wrap(msg)
		default:
			if isOthers(msg) {
				return msg
			}
			return wrap(msg)
		}
	})
}

// before does what is inner before what is outer; inner may be nil.
func before(inner, outer func(tea.Cmd) tea.Cmd) func(tea.Cmd) tea.Cmd {
	if inner == nil {
		return outer
	}
	return func(cmd tea.Cmd) tea.Cmd { return outer(inner(cmd)) }
}

// isOthers reports whether a message is for the frame, or for Bubble Tea itself: that
// has types of its own for what a program asks of the terminal, most of them not
// exported.
func isOthers(msg tea.Msg) bool {
	of := reflect.TypeOf(msg)
	if isList(of) {
		return true
	}
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	return of.PkgPath() == reflect.TypeFor[pageMsg]().PkgPath() || strings.HasPrefix(of.PkgPath(), "charm.land/bubbletea/")
}

// isList tells a list of commands: those of a batch, or of a sequence, whose type
// Bubble Tea does not export.
func isList(of reflect.Type) bool {
	return of != nil && of.Kind() == reflect.Slice && of.Elem() == reflect.TypeFor[tea.Cmd]()
}

// onEach makes a command go through f, and where it gives a list of commands each of
// those.
func onEach(cmd tea.Cmd, f func(run tea.Cmd) tea.Msg) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		msg := f(cmd)
		if !isList(reflect.TypeOf(msg)) {
			return msg
		}
		list := reflect.ValueOf(msg)
		each := reflect.MakeSlice(list.Type(), list.Len(), list.Len())
		for i := range list.Len() {
			one, _ := list.Index(i).Interface().(tea.Cmd)
			each.Index(i).Set(reflect.ValueOf(onEach(one, f)))
		}
		return each.Interface()
	}
}

// deliver gives an answer to a page, or to the part of it that it is for.
func (m *Model) deliver(k *kept, msg tea.Msg) tea.Cmd {
	k.stale = true
	return own(k, receive(k.page, msg))
}

// receive gives an answer to a part, or to a part of that.
func receive(to Part, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case partMsg:
		return Own(msg.part, receive(msg.part, msg.msg))
	case jobOverMsg:
		msg.job.over()
		if msg.msg == nil {
			return nil
		}
		return receive(to, msg.msg)
	case ThenMsg:
		return msg()
	}
	return to.Update(msg)
}
