package board

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/prose"
	"gatewright/tui/widget"
)

// Mark is how something is, compared with the last push.
type Mark uint8

// The marks.
const (
	Unknown Mark = iota
	Same
	Added
	Changed
	// Served says that a path is as it was, and its function is not.
	Served
	Gone
	// Absent says that the environment has not the API.
	Absent
)

// Words are the mark in a list: a glyph and a word.
func (m Mark) Words() string {
	return [...]string{Unknown: "", Same: "= no change", Added: "+ new", Changed: "~ changed", Served: "~ function", Gone: "- gone", Absent: "· not here"}[m]
}

// Glyph is the mark where there is no room for words.
func (m Mark) Glyph() string {
	glyph, _, _ := strings.Cut(m.Words(), " ")
	return glyph
}

// Tone is what the mark means.
func (m Mark) Tone() prose.Tone {
	switch m {
	case Added:
		return prose.Good
	case Gone:
		return prose.Bad
	case Changed, Served:
		return prose.Warning
	}
	return prose.Muted
}

// Urgency is how far up a mark stands among those that a push changes: the first is 0.
func (m Mark) Urgency() int {
	return slices.Index([]Mark{Added, Changed, Gone, Served, Same, Absent, Unknown}, m)
}

// Means says what a mark means for a thing in an environment.
func (m Mark) Means(env string) string {
	env = prose.Fit(env)
	return [...]string{
		Unknown: "",
		Same:    "as it was pushed",
		Added:   "new: a push of " + env + " makes it",
		Changed: "changed since the last push of " + env,
		Served:  "as it was pushed, but its function changes:",
		Gone:    "gone: a push of " + env + " takes it away",
		Absent:  env + " does not have this API",
	}[m]
}

// Of is the mark of what a push does.
func Of(operation model.Operation) Mark {
	return map[model.Operation]Mark{model.ToCreate: Added, model.ToUpdate: Changed, model.ToDelete: Gone, model.NoChange: Same}[operation]
}

// PushColumn is the column of the marks.
func PushColumn[R any](mark func(R) Mark) widget.Column[R] {
	return widget.Column[R]{
		Title: "push", Least: 1, Text: func(r R) string { return mark(r).Words() }, Brief: func(r R) string { return mark(r).Glyph() },
		Tone: func(r R) prose.Tone { return mark(r).Tone() },
	}
}

// PushSort has what a push changes first.
func PushSort[R any](mark func(R) Mark) widget.Sort[R] {
	return widget.Sort[R]{Name: "what a push does", Compare: func(a, b R) int { return cmp.Compare(mark(a).Urgency(), mark(b).Urgency()) }}
}
