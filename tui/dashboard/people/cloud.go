package people

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
)

// withElsewhere adds the key that shows the users in AWS, or those of the sandbox again, if the
// environment is in AWS.
func (t *Tab) withElsewhere(list []keys.Binding) []keys.Binding {
	if !t.source.inCloud {
		return list
	}
	label, about, do := "in AWS", "ask AWS for the users that the environment has there", t.askCloud
	if t.source.cloud != nil {
		label, about, do = "sandbox", "show the users of the sandbox again",
			func() tea.Cmd { return tea.Batch(t.from(t.here), t.look()) }
	}
	return append(list, keys.InAWS.Does(label, about, do).Shown())
}

// askCloud shows the users in AWS.
func (t *Tab) askCloud() tea.Cmd { return t.board.Reach(t.takeCloud) }

// takeCloud shows the users of a pool in AWS, and reads them unless they are in view.
func (t *Tab) takeCloud(r *board.Reached) tea.Cmd {
	anew := t.source.cloud != r
	show := t.from(t.here.inAWS(r))
	if !anew {
		return show
	}
	return tea.Batch(show, t.look())
}

// more is the key that reads the next users in AWS.
func (t *Tab) more(r *row) keys.Binding {
	return keys.Open.Does("more", "read the next users", func() tea.Cmd {
		if t.looking {
			t.further = true
			return nil
		}
		return t.lookFor(true)
	}).Shown().Unless(keys.When(r.kind != moreRow, "put the cursor on the line below the users"))
}

// asksFirst reports whether a change needs the name of the environment: it is guarded now, and the
// users are those in AWS.
func (t *Tab) asksFirst(from source) bool {
	return from.cloud != nil &&
		slices.ContainsFunc(t.board.Snap.Environments,
			func(e board.Environment) bool { return e.Name == from.environment && e.Guarded })
}

// agreed does what changes users; in AWS, of a guarded environment after its name was typed. word
// says what is done, such as "changing emma".
func (t *Tab) agreed(from source, word string, do func() tea.Cmd) tea.Cmd {
	if !t.asksFirst(from) {
		return do()
	}
	env := from.environment
	text := "This is about " + prose.PrintableStart(word) + " in AWS, " + from.cloud.Where() + ". Environment " +
		prose.PrintableStart(env) +
		" is guarded.\nIt cannot be undone here."
	return frame.Open(dialog.Agree("Change users in AWS?", text, "Change", env, do))
}
