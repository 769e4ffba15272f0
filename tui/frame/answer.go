package frame

import (
	"reflect"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// The answer of a command is delivered to the page or dialog that returned the command,
// and to no other: every such command is wrapped so that its answer carries the owner.

// ThenMsg is an answer that is a function: the frame calls it in Update, instead of
// the Update of the page that started the command. So an answer that is used in one place
// needs no message type and no case in Update.
type ThenMsg func() tea.Cmd

// pageMsg is a ThenMsg that gets the page that it is delivered to.
type pageMsg func(to Page) tea.Cmd

// forPage makes a command deliver its answer to a page while that is in memory.
func forPage(p *pageState, cmd tea.Cmd) tea.Cmd {
	return wrapAnswer(cmd, func(msg tea.Msg) tea.Msg {
		return frameMsg(func(m *Model, _ owner) tea.Cmd {
			if !m.hasPage(p) {
				return nil
			}
			return m.deliver(p, msg)
		})
	})
}

// forDialog makes a command deliver its answer to a dialog while that is open.
func forDialog(o *openDialog, cmd tea.Cmd) tea.Cmd {
	return wrapAnswer(cmd, func(msg tea.Msg) tea.Msg {
		return frameMsg(func(m *Model, _ owner) tea.Cmd {
			if !slices.Contains(m.dialogs, o) {
				return nil
			}
			return m.toDialog(o, msg)
		})
	})
}

// wrapAnswer makes a command wrap its answer, unless that is for Bubble Tea. If it is a
// frameMsg, the commands that follow from it are wrapped.
func wrapAnswer(cmd tea.Cmd, wrap func(tea.Msg) tea.Msg) tea.Cmd {
	return onEach(cmd, func(run tea.Cmd) tea.Msg {
		msg := run()
		if do, ok := msg.(frameMsg); ok {
			return frameMsg(func(m *Model, from owner) tea.Cmd {
				return do(m, func(cmd tea.Cmd) tea.Cmd { return from.wrap(wrapAnswer(cmd, wrap)) })
			})
		}
		if msg == nil || isBubbleTeaMsg(msg) {
			return msg
		}
		return wrap(msg)
	})
}

// isBubbleTeaMsg reports whether a message is for Bubble Tea itself, such as a request
// to the terminal. Most of those types are not exported.
func isBubbleTeaMsg(msg tea.Msg) bool {
	of := reflect.TypeOf(msg)
	if isCmdList(of) {
		return true
	}
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	return strings.HasPrefix(of.PkgPath(), "charm.land/bubbletea/")
}

// isCmdList reports whether a type is a list of commands: a tea.BatchMsg, or the message of
// tea.Sequence, whose type is not exported.
func isCmdList(of reflect.Type) bool {
	return of != nil && of.Kind() == reflect.Slice && of.Elem() == reflect.TypeFor[tea.Cmd]()
}

// onEach makes a command run through f, and if its message is a list of commands, each
// of those too.
func onEach(cmd tea.Cmd, f func(run tea.Cmd) tea.Msg) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		msg := f(cmd)
		if !isCmdList(reflect.TypeOf(msg)) {
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

// deliver gives a message to a page.
func (m *Model) deliver(p *pageState, msg tea.Msg) tea.Cmd {
	p.stale = true
	return forPage(p, receive(p.page, msg))
}

// receive calls a message that is a function, and gives any other to the page's Update.
func receive(to Page, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case pageMsg:
		return msg(to)
	case ThenMsg:
		return msg()
	}
	return to.Update(msg)
}
