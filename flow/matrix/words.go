package matrix

import (
	"gatewright/model"
	"gatewright/prose"
)

// ModeTitle names a setting in a word or a few.
func ModeTitle(setting model.Setting) string {
	switch setting {
	case model.Open:
		return "open"
	case model.Protected:
		return "signed-in and guests"
	}
	return "signed-in"
}

// ModeDetail explains a setting.
func ModeDetail(setting model.Setting) string {
	switch setting {
	case model.Open:
		return "everybody in the world may do everything"
	case model.Protected:
		return "guests need not sign in"
	}
	return "everybody who is let in has to sign in"
}

// Sentences says who may do what, a line for each row, and then what is worth a look.
func (m Matrix) Sentences() []prose.Line {
	var lines []prose.Line
	for _, r := range m.Rows() {
		text := r.Who.String() + " may " + r.Actions.Verb()
		if m.Inherits(r) {
			text += ", as signed-in users"
		}
		lines = append(lines, prose.Line{Text: text})
	}
	return append(lines, m.Notes()...)
}

// Notes says what is more open than before, or than it looks, and who loses something.
func (m Matrix) Notes() []prose.Line {
	var lines []prose.Line
	say := func(tone prose.Tone, text string) { lines = append(lines, prose.Line{Tone: tone, Text: text}) }
	if m.Access.Setting == model.Open {
		say(prose.Warning, "everybody in the world may do everything here, signed in or not")
		return lines
	}
	for _, loss := range m.Access.LossesByGroup(m.Groups) {
		say(prose.Warning, loss.String())
	}
	return lines
}
