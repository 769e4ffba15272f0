package frame

import (
	"reflect"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// A command's answer reaches whoever began it and nobody else: every command that a
// page or a dialog returns is made to mark its answer.

// ThenMsg is an answer that says itself what it leads to: it is done in the screens'
// own goroutine, for whoever began the command. Where one thing alone asks for an
// answer, it needs no type of its own and no case in Update.
type ThenMsg func() tea.Cmd

// toMsg is a ThenMsg that is told which page it comes to.
type toMsg func(to Page) tea.Cmd

// own makes the answer of a command come to a page, as long as that is kept.
func own(k *kept, cmd tea.Cmd) tea.Cmd {
	return mark(cmd, func(msg tea.Msg) tea.Msg {
		return askMsg(func(m *Model, _ owner) tea.Cmd {
			if !m.keeps(k) {
				return nil
			}
			return m.deliver(k, msg)
		})
	})
}

// ownDialog makes the answer of a command come to a dialog, as long as that is open.
func ownDialog(o *open, cmd tea.Cmd) tea.Cmd {
	return mark(cmd, func(msg tea.Msg) tea.Msg {
		return askMsg(func(m *Model, _ owner) tea.Cmd {
			if !slices.Contains(m.dialogs, o) {
				return nil
			}
			return m.toDialog(o, msg)
		})
	})
}

// mark makes a command wrap its answer, unless that is for the frame or for Bubble
// Tea; what the frame does for whoever asked is done for the owner.
func mark(cmd tea.Cmd, wrap func(tea.Msg) tea.Msg) tea.Cmd {
	return onEach(cmd, func(run tea.Cmd) tea.Msg {
		msg := run()
		if asks, ok := msg.(askMsg); ok {
			return askMsg(func(m *Model, by owner) tea.Cmd {
				return asks(m, func(cmd tea.Cmd) tea.Cmd { return by.of(mark(cmd, wrap)) })
			})
		}
		if msg == nil || isBubbleTeas(msg) {
			return msg
		}
		return wrap(msg)
	})
}

// isBubbleTeas reports whether a message is for Bubble Tea itself: that has types of
// its own for what a program asks of the terminal, most of them not exported.
func isBubbleTeas(msg tea.Msg) bool {
	of := reflect.TypeOf(msg)
	if isList(of) {
		return true
	}
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	return strings.HasPrefix(of.PkgPath(), "charm.land/bubbletea/")
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

// deliver gives an answer to a page.
func (m *Model) deliver(k *kept, msg tea.Msg) tea.Cmd {
	k.stale = true
	return own(k, receive(k.page, msg))
}

// receive has a page take an answer, or does what that leads to.
func receive(to Page, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case toMsg:
		return msg(to)
	case ThenMsg:
		return msg()
	}
	return to.Update(msg)
}
