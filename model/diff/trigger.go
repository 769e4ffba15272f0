package diff

import (
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// triggerChanges appends the reasons why triggers of the user pool change.
func triggerChanges(reasons []string, was, now []model.Trigger) []string {
	for w, n := range access.Pairs(was, now, func(t model.Trigger) string { return string(t.At) }) {
		at := w.At
		if at == "" {
			at = n.At
		}
		reasons = textChange(reasons, "trigger "+phrase.Quote(string(at)), w.Function, n.Function)
	}
	return reasons
}

// streamChanges appends the reasons why a table's stream and its triggers change.
func streamChanges(reasons []string, was, now *model.Table) []string {
	reasons = textChange(reasons, "stream", was.View(), now.View())
	for w, n := range access.Pairs(was.Triggers, now.Triggers, func(t model.StreamTrigger) string { return t.Function }) {
		switch {
		case w == model.StreamTrigger{}:
			reasons = append(reasons, "calls function "+phrase.Quote(n.Function)+" now")
		case n == model.StreamTrigger{}:
			reasons = append(reasons, "no longer calls function "+phrase.Quote(w.Function))
		case w != n:
			reasons = append(reasons, "calls function "+phrase.Quote(n.Function)+" in another way")
		}
	}
	return reasons
}
