package frame

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dialog"
)

// quitTitle is the title of the dialog that asks before quitting.
const quitTitle = "Quit now?"

// errNoAnswer is when a page's SaveDraft ended without a DraftSavedMsg.
var errNoAnswer = errors.New("the page did not say whether the draft is saved")

// quitting is how far quitting has come.
type quitting struct {
	// saving is how many drafts are on their way to the disk.
	saving int
	// round tells the drafts of one question from those of an earlier one.
	round int
	// left is true once a person has decided to leave.
	left bool
}

// askToQuit quits, or asks where something would be lost.
func (m *Model) askToQuit() tea.Cmd {
	if len(m.history.dirty()) == 0 && m.history.ends() == "" {
		return m.leave()
	}
	return m.open(m.quitDialog(), nil)
}

// ends is what ends with the program, as sentences; "" for nothing.
func (h *history) ends() string {
	var all []string
	for _, k := range h.visited {
		if text := k.ends(); text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, "\n")
}

// stop is ctrl+c: the second one quits whatever is lost.
func (m *Model) stop() tea.Cmd {
	if m.asksToQuit() || m.quit.saving > 0 || m.quit.left {
		return m.leave()
	}
	return m.askToQuit()
}

// asksToQuit reports whether the question is open.
func (m *Model) asksToQuit() bool {
	return slices.ContainsFunc(m.dialogs, func(o *open) bool { return o.by == nil && o.dialog.Title() == quitTitle })
}

func (m *Model) leave() tea.Cmd {
	m.quit.left = true
	return tea.Quit
}

// quitDialog says what would be lost, and offers to save the drafts where that saves
// all of it.
func (m *Model) quitDialog() dialog.Dialog {
	dirty := m.history.dirty()
	drafts := len(dirty) > 0 // with one page that has none, saving would lose its work
	var lost []string
	for _, k := range dirty {
		lost = append(lost, k.title)
		_, ok := k.page.(SaveDraft)
		drafts = drafts && ok
	}
	var text []string
	if len(lost) > 0 {
		text = append(text, "Not saved: "+strings.Join(lost, ", ")+".")
	}
	if ends := m.history.ends(); ends != "" {
		text = append(text, ends)
	}
	cancel := dialog.Button{Label: "Cancel", Cancel: true}
	switch {
	case drafts:
		text = append(text, "A draft is offered again at the next start.")
		return dialog.Confirm(quitTitle, strings.Join(text, "\n"),
			dialog.Button{Label: "Save draft", Do: m.saveDrafts}, dialog.Button{Label: "Discard", Do: m.discardDrafts}, cancel)
	case len(dirty) > 0:
		return dialog.Confirm(quitTitle, strings.Join(text, "\n"), cancel, dialog.Button{Label: "Discard", Do: m.discardDrafts})
	}
	// Nothing is lost by enter.
	return dialog.Confirm(quitTitle, strings.Join(text, "\n"), cancel, dialog.Button{Label: "Quit", Do: m.leave})
}

// saveDrafts saves the draft of every page that has one; the last one saved quits.
func (m *Model) saveDrafts() tea.Cmd {
	m.quit.round++
	m.quit.saving = 0
	var cmds []tea.Cmd
	for _, k := range m.history.dirty() {
		page, ok := k.page.(SaveDraft)
		if !ok {
			continue
		}
		if save := page.SaveDraft(); save != nil {
			m.quit.saving++
			round := m.quit.round
			cmds = append(cmds, func() tea.Msg {
				result := save()
				return askMsg(func(m *Model, _ owner) tea.Cmd { return m.draftSaved(k, round, result) })
			})
		}
	}
	if len(cmds) == 0 {
		return m.leave()
	}
	return tea.Batch(append(cmds, m.say(Info, "saving the draft"))...)
}

// draftSaved counts a saved draft, and stops quitting for one that was not.
func (m *Model) draftSaved(of *kept, round int, result tea.Msg) tea.Cmd {
	told := m.deliver(of, result)
	if round != m.quit.round || m.quit.saving == 0 {
		return told
	}
	err := errNoAnswer
	if saved, ok := result.(DraftSavedMsg); ok {
		err = saved.Err
	}
	if err != nil {
		m.quit.saving = 0
		failed := fmt.Errorf("save the draft of %s: %w", of.title, err)
		return tea.Batch(told, m.say(Error, failed.Error()))
	}
	if m.quit.saving--; m.quit.saving > 0 {
		return told
	}
	return tea.Batch(told, m.leave())
}

// discardDrafts discards and quits. What fails to go away is offered at the next
// start: nothing that a person has to wait for.
func (m *Model) discardDrafts() tea.Cmd {
	var cmds []tea.Cmd
	for _, k := range m.history.dirty() {
		if page, ok := k.page.(SaveDraft); ok {
			cmds = append(cmds, page.DiscardDraft())
		}
	}
	return tea.Sequence(append(cmds, m.leave())...)
}
