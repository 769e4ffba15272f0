package definitions

import (
	"fmt"
	"strings"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/definition"
	"gatewright/prose"
	"gatewright/render"
	"gatewright/tui/dashboard/board"
)

// told is what is to be said of a row.
func (t *Tab) told(r *row) []prose.Line {
	s := t.board.Snap
	var all []prose.Line
	say := func(tone prose.Tone, text string) { all = append(all, prose.Line{Tone: tone, Text: text}) }
	switch r.is {
	case sectionRow:
		say(prose.Strong, string(r.kind))
		say(prose.Plain, definition.SectionMeaning(r.kind))
		if r.kind != model.KindAuth {
			say(prose.Muted, "an environment may say otherwise: O sets that for the one that is shown")
		}
		say(prose.Muted, "file: "+project.QuotePath(s.Layout.File(model.Ref{Kind: r.kind})))
	case groupsRow:
		say(prose.Strong, "groups of the user pool, in their order")
		say(prose.Plain, "who is in several acts as a member of the first of them; K and J move one, a adds one")
	case groupRow:
		say(prose.Strong, fmt.Sprintf("group %s, number %d of %d", prose.Short(model.Quote(r.group)), r.at+1, len(s.Backend.Groups)))
		if r.at > 0 {
			say(prose.Plain, "who is also in "+prose.Short(model.QuoteList(s.Backend.Groups[:r.at]))+" acts as a member of that")
		}
	default:
		tellField(s, r, say)
	}
	return all
}

func tellField(s *board.Snapshot, r *row, say func(prose.Tone, string)) {
	f := r.of
	say(prose.Strong, string(r.kind)+"."+f.String())
	say(prose.Plain, definition.Meaning(r.kind, f.Field))
	if f.Value == nil {
		say(prose.Muted, notSaid+lacks(s, f))
	} else {
		say(prose.Good, strings.TrimSpace(r.value)+"  ("+r.from+")")
	}
	if f.From == definition.ByEnvironment {
		was := "nothing"
		if f.Defined != nil {
			was = prose.Short(render.Text("/"+string(r.kind)+"/"+strings.Join(f.Place, "/"), f.Defined))
		}
		say(prose.Warning, "the definition says: "+was)
	}
	if takes := f.Takes(); len(takes) > 0 {
		say(prose.Muted, "takes "+strings.Join(takes, "; "))
	}
}

// lacks says what it means that a field is not said.
func lacks(s *board.Snapshot, f definition.Traced) string {
	switch {
	case s.Layout != project.Native:
		return " here: the Amplify CLI keeps it"
	case !f.Required || len(f.Place) > 1:
		return ""
	case f.Kind == model.KindAuth:
		return "; a push gives it"
	}
	return "; the client configuration file is without this section until it is said"
}
