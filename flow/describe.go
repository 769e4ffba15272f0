package flow

import (
	"strings"

	"gatewright/flow/matrix"
	"gatewright/internal/text/phrase"
)

// describe says in words what differs between two states of the answers: in access first,
// else in the field that was changed.
func (f *Flow) describe(from, to Answers, of entry) string {
	was, now := f.at(from), f.at(to)
	var parts []string
	for i := range min(len(was.paths()), len(now.paths())) {
		parts = append(parts, now.Matrix(i).AccessSince(was.Matrix(i))...)
	}
	parts = append(parts, matrix.GroupsSince(was.Groups(), now.Groups())...)
	if len(parts) == 0 {
		return now.fieldText(of)
	}
	return phrase.List(parts)
}

// at returns a flow with other answers.
func (f *Flow) at(answers Answers) *Flow {
	return &Flow{Base: f.Base, Task: f.Task, NewProject: f.NewProject, now: answers}
}

// fieldText says what a field holds.
func (f *Flow) fieldText(of entry) string {
	if of.at.Path >= len(f.now.Paths) {
		return f.Name(of.at)
	}
	field, ok := f.Ask(of.at).Field(of.field)
	if !ok {
		return f.Name(of.at)
	}
	label := field.Label
	if label == "" {
		label = f.Name(of.at)
	}
	return strings.ToLower(label[:1]) + label[1:] + " " + field.Shown()
}

// Shown returns the response of a field in a few words.
func (f Field) Shown() string {
	switch f.Kind {
	case Text:
		switch {
		case f.Value != "":
			return phrase.Quote(f.Value)
		case f.Placeholder != "":
			return f.Placeholder
		}
		return "empty"
	case Choice, Several:
		var titles []string
		for _, o := range f.Options {
			if f.Has(o) {
				titles = append(titles, o.Title)
			}
		}
		if len(titles) > 0 {
			return phrase.List(titles)
		}
	}
	return "none"
}
