package board

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/internal/text/prose"
	"gatewright/model/diff"
	"gatewright/tui/widget"
)

// Mark says how something compares with the last push.
type Mark uint8

// The marks.
const (
	Unknown Mark = iota
	Same
	Added
	Changed
	// FunctionChanged says that a path is unchanged, but its function is not.
	FunctionChanged
	Gone
	// Absent says that the environment does not have the API.
	Absent
)

// Line is the mark in a list: a glyph and a word.
func (m Mark) Line() prose.Line { return marks[m] }

var marks = [...]prose.Line{
	Unknown:         {Tone: prose.Muted},
	Same:            {Tone: prose.Muted, Text: "= no change"},
	Added:           {Tone: prose.Added, Text: "+ new"},
	Changed:         {Tone: prose.Updated, Text: "~ changed"},
	FunctionChanged: {Tone: prose.Updated, Text: "~ function"},
	Gone:            {Tone: prose.Removed, Text: "- removed"},
	Absent:          {Tone: prose.Muted, Text: "· not here"},
}

// Means says what a mark means for a thing in an environment.
func (m Mark) Means(env string) string {
	env = prose.Printable(env)
	return [...]string{
		Unknown:         "",
		Same:            "unchanged",
		Added:           "new: a push of " + env + " creates it",
		Changed:         "changed since the last push of " + env,
		FunctionChanged: "unchanged, but a push changes its function:",
		Gone:            "removed: a push of " + env + " deletes it",
		Absent:          env + " does not have this API",
	}[m]
}

// Of is the mark for what a push does.
func Of(operation diff.Operation) Mark {
	return map[diff.Operation]Mark{
		diff.ToCreate: Added, diff.ToUpdate: Changed, diff.ToDelete: Gone,
		diff.NoChange: Same,
	}[operation]
}

// MarkColumn is a column of a glyph and a word; in a narrow table of the glyph alone.
func MarkColumn[R any](title string, line func(R) prose.Line) widget.Column[R] {
	glyph := func(r R) string {
		glyph, _, _ := strings.Cut(line(r).Text, " ")
		return glyph
	}
	return widget.Column[R]{
		Title: title, Least: 1, Text: func(r R) string { return line(r).Text }, Brief: glyph,
		Tone: func(r R) prose.Tone { return line(r).Tone },
	}
}

// PushColumn is the column of the marks.
func PushColumn[R any](mark func(R) Mark) widget.Column[R] {
	return MarkColumn("push", func(r R) prose.Line { return mark(r).Line() })
}

// PushSort puts what a push changes first.
func PushSort[R any](mark func(R) Mark) widget.Sort[R] {
	place := func(r R) int {
		return slices.Index([]Mark{Added, Changed, Gone, FunctionChanged, Same, Absent, Unknown}, mark(r))
	}
	return widget.Sort[R]{Name: "what a push does", Compare: func(a, b R) int { return cmp.Compare(place(a), place(b)) }}
}
