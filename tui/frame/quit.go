package frame

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dialog"
)

// quitID is the ID of the dialog that asks before quitting.
const quitID = "quit"

// The buttons of that dialog.
const (
	quitSave    = dialog.Pressed("save")
	quitDiscard = dialog.Pressed("discard")
	quitCancel  = dialog.Pressed("cancel")
)

// errNoAnswer is when a page's SaveDraft ended without a DraftSaved.
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

// draftMsg is how saving one draft ended.
type draftMsg struct {
	of     *kept
	round  int
	result tea.Msg
}

// askToQuit quits, or asks where something is not saved.
func (m *Model) askToQuit() tea.Cmd {
	dirty := m.history.dirty()
	if len(dirty) == 0 {
		return m.leave()
	}
	m.open(quitDialog(dirty), nil)
	return nil
}

// stop is ctrl+c: the second one quits whatever is not saved.
func (m *Model) stop() tea.Cmd {
	asked := slices.ContainsFunc(m.dialogs, func(o open) bool { return o.owner == nil && o.dialog.ID() == quitID })
	if asked || m.quit.saving > 0 || m.quit.left {
		return m.leave()
	}
	return m.askToQuit()
}

func (m *Model) leave() tea.Cmd {
	m.quit.left = true
	return tea.Quit
}

func quitDialog(dirty []*kept) dialog.Dialog {
	titles := make([]string, len(dirty))
	drafts := true // with one page that has none, saving would lose its work
	for i, k := range dirty {
		titles[i] = k.title
		_, ok := k.page.(SaveDraft)
		drafts = drafts && ok
	}
	text := "Not saved: " + strings.Join(titles, ", ") + "."
	buttons := []dialog.Button{
		{ID: string(quitDiscard), Label: "Discard"},
		{ID: string(quitCancel), Label: "Cancel", Cancel: true},
	}
	if drafts {
		buttons = append([]dialog.Button{{ID: string(quitSave), Label: "Save draft"}}, buttons...)
		text += "\nA draft is offered again at the next start."
	} else {
		slices.Reverse(buttons) // nothing is lost by enter
	}
	return dialog.Confirm(quitID, "Quit with unsaved work?", text, buttons...)
}

// answered performs what the frame's own dialogs ended with.
func (m *Model) answered(result dialog.Result) tea.Cmd {
	if result.ID != quitID {
		return nil
	}
	switch result.Action {
	case quitSave:
		return m.saveDrafts()
	case quitDiscard:
		return m.discardDrafts()
	}
	return nil
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
			cmds = append(cmds, func() tea.Msg { return draftMsg{of: k, round: round, result: save()} })
		}
	}
	if len(cmds) == 0 {
		return m.leave()
	}
	return tea.Batch(append(cmds, m.say(Info, "saving the draft"))...)
}

// draftSaved counts a saved draft, and stops quitting for one that was not.
func (m *Model) draftSaved(msg draftMsg) tea.Cmd {
	told := msg.of.page.Update(msg.result)
	if msg.round != m.quit.round || m.quit.saving == 0 {
		return told
	}
	err := errNoAnswer
	if saved, ok := msg.result.(DraftSaved); ok {
		err = saved.Err
	}
	if err != nil {
		m.quit.saving = 0
		failed := fmt.Errorf("save the draft of %s: %w", msg.of.title, err)
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
