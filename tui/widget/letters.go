package widget

import (
	"strings"

	"gatewright/model"
	"gatewright/prose"
	"gatewright/tui/theme"
)

// Letters are what somebody may do, such as "·RU·": a letter for each action, a dot for each
// that is refused. inherited says that it is allowed as to signed-in users: the letters are
// small.
func Letters(allowed model.Actions, inherited bool) string {
	var b strings.Builder
	for _, action := range model.AllActions {
		b.WriteString(actionLetter(action, allowed, inherited))
	}
	return b.String()
}

func actionLetter(action model.Action, allowed model.Actions, inherited bool) string {
	switch letter := action.String()[:1]; {
	case !allowed.Has(action):
		return "·"
	case inherited:
		return letter
	default:
		return strings.ToUpper(letter)
	}
}

// DrawLetters draws Letters, each in the colour of its action.
func DrawLetters(th *theme.Theme, _ prose.Tone, text string) string {
	var b strings.Builder
	quiet := ""
	flush := func() {
		if quiet != "" {
			b.WriteString(th.Muted.Render(quiet))
			quiet = ""
		}
	}
	for _, r := range text {
		if action, ok := actionOfLetter(r); ok {
			flush()
			b.WriteString(th.Action(action).Render(string(r)))
			continue
		}
		quiet += string(r)
	}
	flush()
	return b.String()
}

func actionOfLetter(r rune) (model.Action, bool) {
	for _, action := range model.AllActions {
		if strings.EqualFold(action.String()[:1], string(r)) {
			return action, true
		}
	}
	return 0, false
}
