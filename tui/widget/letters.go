package widget

import (
	"strings"

	"gatewright/internal/text/prose"
	"gatewright/model/access"
	"gatewright/tui/theme"
)

// Letters are what somebody may do, such as "·RU·": a letter for each action, a dot for each that is refused.
// inherited says that it is allowed as to signed-in users: the letters are small.
func Letters(allowed access.Actions, inherited bool) string {
	var b strings.Builder
	for _, action := range access.AllActions {
		b.WriteString(actionLetter(action, allowed, inherited))
	}
	return b.String()
}

func actionLetter(action access.Action, allowed access.Actions, inherited bool) string {
	switch letter := action.String()[:1]; {
	case !allowed.Has(action):
		return "·"
	case inherited:
		return letter
	default:
		return strings.ToUpper(letter)
	}
}

// Becomes stands between the Letters of what somebody could do before and may do now.
const Becomes = "→"

// DrawLetters draws Letters, each in the colour of its action. Of two with Becomes between
// them, the first are quiet, and in the second what is more than before stands out. In another
// tone than prose.Plain, all of them have its colour.
func DrawLetters(th *theme.Theme, tone prose.Tone, text string) string {
	if tone != prose.Plain {
		return th.Of(tone).Render(text)
	}
	before, now, changed := strings.Cut(text, Becomes)
	if !changed {
		return drawLetters(th, text, nil)
	}
	return th.Muted.Render(before+Becomes) + drawLetters(th, now, []rune(strings.TrimLeft(before, " ")))
}

// drawLetters draws letters; what was no letter before stands out, unless before is nil.
func drawLetters(th *theme.Theme, text string, before []rune) string {
	var b strings.Builder
	quiet := ""
	flush := func() {
		if quiet != "" {
			b.WriteString(th.Muted.Render(quiet))
			quiet = ""
		}
	}
	for i, r := range []rune(text) {
		action, ok := actionOfLetter(r)
		if !ok {
			quiet += string(r)
			continue
		}
		flush()
		style := th.Action(action)
		if i < len(before) {
			if _, had := actionOfLetter(before[i]); !had {
				style = th.Wider
			}
		}
		b.WriteString(style.Render(string(r)))
	}
	flush()
	return b.String()
}

func actionOfLetter(r rune) (access.Action, bool) {
	for _, action := range access.AllActions {
		if strings.EqualFold(action.String()[:1], string(r)) {
			return action, true
		}
	}
	return 0, false
}

// FunctionSign stands before the name of a function.
const FunctionSign = "ƒ"

// ResourceSign stands before what a function uses, as access names it: table/books.
func ResourceSign(resource string) string {
	switch kind, _, _ := strings.Cut(resource, "/"); kind {
	case "table":
		return "▤"
	case "function":
		return FunctionSign
	}
	return "◇"
}

// Operation is the name of an action in AWS in a word: get for GetItem.
func Operation(action string) string {
	return strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(action, "Items"), "Item"))
}
