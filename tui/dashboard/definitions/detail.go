package definitions

import (
	"fmt"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project/definition"
	"gatewright/render"
	"gatewright/tui/dashboard/board"
)

// describe gives the details of a row.
func (t *Tab) describe(r *row) []prose.Line {
	s := t.board.Snap
	var all []prose.Line
	say := func(tone prose.Tone, text string) { all = append(all, prose.Line{Tone: tone, Text: text}) }
	switch r.is {
	case sectionRow:
		say(prose.Strong, string(r.kind))
		say(prose.Plain, definition.SectionMeaning(r.kind))
		if r.kind != model.KindAuth {
			say(prose.Muted, "an environment may override it: O does so for the shown one")
		}
		say(prose.Muted, "file: "+phrase.QuotePath(s.Layout.File(model.Ref{Kind: r.kind})))
	case groupsRow:
		say(prose.Strong, "groups of the user pool, in their order")
		say(prose.Plain, "users in several groups act as members of the first; K and J move a group, a adds one")
	case triggersRow:
		say(prose.Strong, "functions that the user pool calls")
		say(prose.Plain, "each trigger may have one function; e on a trigger chooses it")
	case triggerRow:
		say(prose.Strong, "trigger "+string(r.moment))
		say(prose.Plain, momentMeanings[r.moment])
		if r.from != notSet {
			say(prose.Strong, "function "+r.value)
		} else {
			say(prose.Muted, notSet)
		}
	case groupRow:
		say(prose.Strong,
			fmt.Sprintf("group %s, number %d of %d", prose.PrintableStart(phrase.Quote(r.group)), r.at+1, len(s.Backend.Groups)))
		if r.at > 0 {
			say(prose.Plain, "users who are also in "+prose.PrintableStart(phrase.QuoteList(s.Backend.Groups[:r.at]))+
				" act as members of that group")
		}
	default:
		describeField(s, r, say)
	}
	return all
}

func describeField(s *board.Snapshot, r *row, say func(prose.Tone, string)) {
	f := r.of
	say(prose.Strong, string(r.kind)+"."+f.String())
	say(prose.Plain, definition.Meaning(r.kind, f.Field))
	if f.Value == nil {
		say(prose.Muted, notSet+unsetNote(s, f))
	} else {
		say(prose.Strong, strings.TrimSpace(r.value)+"  ("+r.from+")")
	}
	if f.From == definition.ByEnvironment {
		was := "nothing"
		if f.Defined != nil {
			was = prose.PrintableStart(render.Text("/"+string(r.kind)+"/"+strings.Join(f.Place, "/"), f.Defined))
		}
		say(prose.Warning, "value of the definition: "+was)
	}
	if takes := f.Takes(); len(takes) > 0 {
		say(prose.Muted, "takes "+strings.Join(takes, "; "))
	}
}

// unsetNote says what follows from a field that is not set.
func unsetNote(s *board.Snapshot, f definition.Traced) string {
	switch {
	case !s.Layout.Defines(model.KindAuth):
		return " here: the Amplify CLI manages it"
	case !f.Required || len(f.Place) > 1:
		return ""
	case f.Kind == model.KindAuth:
		return "; a push sets it"
	}
	return "; until it is set, the client configuration file lacks this section"
}
