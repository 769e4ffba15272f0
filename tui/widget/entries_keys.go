package widget

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/tui/keys"
)

// Bindings move, search, unfold, follow, copy and open files.
func (l *Entries) Bindings() []keys.Binding {
	if l.search.typing {
		return append([]keys.Binding{
			keys.Open.Does("keep", "keep the search and go back to the log", keys.NoCmd(l.keepSearch)).Shown(),
			keys.Back.Does("drop", "end the search", keys.NoCmd(l.search.drop)).Shown(),
		}, append(TextKeys(), l.moving()...)...)
	}
	nothing := keys.When(l.log.End() == l.log.First(), "the log is empty")
	none := keys.When(l.search.text == "", "nothing is searched for")
	var all []keys.Binding
	if l.search.text != "" {
		all = append(all, keys.Back.Does("drop search", "end the search", keys.NoCmd(l.search.drop)).Shown().In("search"),
			keys.NextMatch.Does("next match", "go to the next match", keys.NoCmd(func() { l.toMatch(1) })).Shown().In("search"))
	} else {
		all = append(all, keys.NextMatch.Does("next match", "go to the next match", nil).Unless(none).In("search"))
	}
	all = append(all,
		keys.PriorMatch.Does("previous match", "go to the previous match",
			keys.NoCmd(func() { l.toMatch(-1) })).Unless(none).In("search"),
		keys.Filter.Does("search", "search for a text",
			keys.NoCmd(func() { l.search.typing, l.note = true, "" })).Shown().Unless(nothing).In("search"),
		keys.NextMode.Does("next error", "go to the next error",
			keys.NoCmd(func() { l.toError(1) })).Shown().Unless(nothing).In("search"),
		keys.PriorMode.Does("previous error", "go to the previous error",
			keys.NoCmd(func() { l.toError(-1) })).Unless(nothing).In("search"),
		keys.Fold.Does("whole",
			"show the entry as it was written, an invocation with START, END and REPORT; or fold it again",
			keys.NoCmd(l.turn)).Shown().Unless(nothing).In("log"),
		keys.Open.Does("whole", "show the entry as it was written, or fold it again",
			keys.NoCmd(l.turn)).Unless(nothing).In("log"),
		keys.WholeRow.Does("all whole", "show every entry as it was written, or fold them all",
			keys.NoCmd(l.turnAll)).Unless(nothing).In("log"),
		keys.Follow.Does("follow", "go to the end and follow new lines", keys.NoCmd(l.toEnd)).ShownIf(l.away).In("log"),
	)
	if l.Edit != nil || l.NoEditor != "" {
		all = append(all, l.editing(nothing))
	}
	if l.Copy != nil {
		all = append(all,
			keys.Copy.Does("copy", "copy the entry as it was written",
				func() tea.Cmd { return l.Copy(l.text()) }).Shown().Unless(nothing).In("log"))
	}
	return append(all, l.moving()...)
}

// editing opens the file at the cursor.
func (l *Entries) editing(nothing string) keys.Binding {
	name, line, ok := "", 0, false
	if nothing == "" {
		name, line, ok = l.place()
	}
	about := "open the file that the line names in your editor"
	return keys.OpenFile.Does("source", about, func() tea.Cmd { return l.Edit(name, line) }).
		Shown().Unless(l.NoEditor, nothing, keys.When(!ok, "the entry names no file of the project")).In("log")
}

func (l *Entries) moving() []keys.Binding {
	page := max(1, l.h-2)
	return keys.InGroup("move", scrolling(l.Move, page, false, l.toStart, l.toEnd))
}
