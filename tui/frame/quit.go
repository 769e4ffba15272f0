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

// errNoAnswer is the error if a page's SaveDraft returned no DraftSavedMsg.
var errNoAnswer = errors.New("the page did not say whether the draft is saved")

// quitting is the state of quitting.
type quitting struct {
	// saving is how many drafts are still being saved.
	saving int
	// round is the number of the quit dialog: drafts of an earlier one do not count.
	round int
	// leaving is true once a person has decided to leave.
	leaving bool
}

// askToQuit quits, and asks first if work would be lost.
func (m *Model) askToQuit() tea.Cmd {
	if len(m.history.dirty()) == 0 && m.history.ends() == "" {
		return m.leave()
	}
	return m.open(m.quitDialog(), nil)
}

// ends says in sentences what quitting would end on all pages; "" for nothing.
func (h *history) ends() string {
	var all []string
	for _, p := range h.visited {
		if text := p.ends(); text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, "\n")
}

// stop is the action of ctrl+c: the second press quits without saving.
func (m *Model) stop() tea.Cmd {
	if m.asksToQuit() || m.quit.saving > 0 || m.quit.leaving {
		return m.leave()
	}
	return m.askToQuit()
}

// asksToQuit reports whether the quit dialog is open.
func (m *Model) asksToQuit() bool {
	return slices.ContainsFunc(m.dialogs,
		func(o *openDialog) bool { return o.opener == nil && o.dialog.Title() == quitTitle })
}

func (m *Model) leave() tea.Cmd {
	m.quit.leaving = true
	return tea.Quit
}

// quitDialog says what would be lost. It offers to save drafts if every page with
// unsaved work can save one.
func (m *Model) quitDialog() dialog.Dialog {
	dirty := m.history.dirty()
	drafts := len(dirty) > 0
	kept := len(dirty) > 0
	var lost []string
	for _, p := range dirty {
		lost = append(lost, p.title)
		_, ok := p.page.(SaveDraft)
		drafts = drafts && ok
		_, keeps := p.page.(Keeper)
		kept = kept && keeps
	}
	var text []string
	switch {
	case kept:
		text = append(text, "Not written yet: "+strings.Join(lost, ", ")+".")
	case len(lost) > 0:
		text = append(text, "Not saved: "+strings.Join(lost, ", ")+".")
	}
	if ends := m.history.ends(); ends != "" {
		text = append(text, ends)
	}
	cancel := dialog.Button{Label: "Cancel", Cancel: true}
	switch {
	case drafts:
		save := "Save draft"
		if kept {
			save = "Keep draft"
		}
		text = append(text, "A draft is offered again at the next start.")
		return dialog.Confirm(quitTitle, strings.Join(text, "\n"),
			dialog.Button{Label: save, Do: m.saveDrafts}, dialog.Button{Label: "Discard", Do: m.discardDrafts}, cancel)
	case len(dirty) > 0:
		return dialog.Confirm(quitTitle, strings.Join(text, "\n"), cancel,
			dialog.Button{Label: "Discard", Do: m.discardDrafts})
	}
	return dialog.Confirm(quitTitle, strings.Join(text, "\n"), cancel, dialog.Button{Label: "Quit", Do: m.leave})
}

// saveDrafts saves the draft of every page with unsaved work, and quits after the last.
func (m *Model) saveDrafts() tea.Cmd {
	m.quit.round++
	m.quit.saving = 0
	var cmds []tea.Cmd
	for _, p := range m.history.dirty() {
		page, ok := p.page.(SaveDraft)
		if !ok {
			continue
		}
		if save := page.SaveDraft(); save != nil {
			m.quit.saving++
			round := m.quit.round
			cmds = append(cmds, func() tea.Msg {
				result := save()
				return frameMsg(func(m *Model, _ owner) tea.Cmd { return m.draftSaved(p, round, result) })
			})
		}
	}
	if len(cmds) == 0 {
		return m.leave()
	}
	return tea.Batch(append(cmds, m.say(Info, "saving the draft"))...)
}

// draftSaved counts a saved draft, and quits after the last one. If a draft could not be
// saved, the program stays open.
func (m *Model) draftSaved(of *pageState, round int, result tea.Msg) tea.Cmd {
	cmd := m.deliver(of, result)
	if round != m.quit.round || m.quit.saving == 0 {
		return cmd
	}
	err := errNoAnswer
	if saved, ok := result.(DraftSavedMsg); ok {
		err = saved.Err
	}
	if err != nil {
		m.quit.saving = 0
		failed := fmt.Errorf("saving the draft of %s: %w", of.title, err)
		return tea.Batch(cmd, m.say(Error, failed.Error()))
	}
	if m.quit.saving--; m.quit.saving > 0 {
		return cmd
	}
	return tea.Batch(cmd, m.leave())
}

// discardDrafts discards the drafts and quits. A draft that cannot be removed is offered
// at the next start, so quitting does not wait for an error.
func (m *Model) discardDrafts() tea.Cmd {
	var cmds []tea.Cmd
	for _, p := range m.history.dirty() {
		if page, ok := p.page.(SaveDraft); ok {
			cmds = append(cmds, page.DiscardDraft())
		}
	}
	return tea.Sequence(append(cmds, m.leave())...)
}
