package widget

import (
	tea "charm.land/bubbletea/v2"
)

// Bindings move, search, unfold, follow, copy and open files.
func (l *Entries) Bindings() []Binding {
	if l.search.typing {
		return append([]Binding{
			Open.Does("keep", "keep the search and go back to the log", NoCmd(l.keepSearch)).Shown(),
			Back.Does("drop", "end the search", NoCmd(l.search.drop)).Shown(),
		}, append(TextKeys(), l.moving()...)...)
	}
	nothing := When(l.log.End() == l.log.First(), "the log is empty")
	none := When(l.search.text == "", "nothing is searched for")
	var all []Binding
	if l.search.text != "" {
		all = append(all, Back.Does("drop search", "end the search", NoCmd(l.search.drop)).Shown().In("search"),
			NextMatch.Does("next match", "go to the next match", NoCmd(func() { l.toMatch(1) })).Shown().In("search"))
	} else {
		all = append(all, NextMatch.Does("next match", "go to the next match", nil).Unless(none).In("search"))
	}
	all = append(all,
		PriorMatch.Does("previous match", "go to the previous match", NoCmd(func() { l.toMatch(-1) })).Unless(none).In("search"),
		Filter.Does("search", "search for a text", NoCmd(func() { l.search.typing, l.note = true, "" })).Shown().Unless(nothing).In("search"),
		NextMode.Does("next error", "go to the next error", NoCmd(func() { l.toError(1) })).Shown().Unless(nothing).In("search"),
		PriorMode.Does("previous error", "go to the previous error", NoCmd(func() { l.toError(-1) })).Unless(nothing).In("search"),
		Fold.Does("whole", "show the entry as it was written, an invocation with START, END and REPORT; or fold it again", NoCmd(l.turn)).Shown().Unless(nothing).In("log"),
		Open.Does("whole", "show the entry as it was written, or fold it again", NoCmd(l.turn)).Unless(nothing).In("log"),
		WholeRow.Does("all whole", "show every entry as it was written, or fold them all", NoCmd(l.turnAll)).Unless(nothing).In("log"),
		Follow.Does("follow", "go to the end and follow new lines", NoCmd(l.toEnd)).ShownIf(l.away).In("log"),
	)
	if l.Edit != nil || l.NoEditor != "" {
		all = append(all, l.editing(nothing))
	}
	if l.Copy != nil {
		all = append(all, Copy.Does("copy", "copy the entry as it was written", func() tea.Cmd { return l.Copy(l.text()) }).Shown().Unless(nothing).In("log"))
	}
	return append(all, l.moving()...)
}

// editing opens the file at the cursor.
func (l *Entries) editing(nothing string) Binding {
	name, line, ok := "", 0, false
	if nothing == "" {
		name, line, ok = l.place()
	}
	about := "open the file that the line names in your editor"
	return OpenFile.Does("source", about, func() tea.Cmd { return l.Edit(name, line) }).
		Shown().Unless(l.NoEditor, nothing, When(!ok, "the entry names no file of the project")).In("log")
}

func (l *Entries) moving() []Binding {
	page := max(1, l.h-2)
	return InGroup("move", scrolling(l.Move, page, false, l.toStart, l.toEnd))
}
