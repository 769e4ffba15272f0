package access

import (
	"fmt"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model/access"
)

// mostLints is how many warnings the details list.
const mostLints = 8

// describe gives the details of a row: each principal in words (of the groups, only as many
// as groups says), what members of several groups lose, and the takeovers; first what changed,
// at most so many changes as changes says.
func (t *Tab) describe(r *row, groups, changes int) []prose.Line {
	if r.Path == nil {
		return t.describeAPI(r, changes)
	}
	all := []prose.Line{{Tone: prose.Strong, Text: r.called()}}
	say := func(tone prose.Tone, text string) { all = append(all, prose.Line{Tone: tone, Text: text}) }
	if !r.gone {
		all = append(all, t.board.MayLines(r.rules, r.Path)...)
	}
	if why := t.board.Snap.NoFunction(r.Path.Function); why != "" && !r.gone {
		say(prose.Bad, "! its function "+prose.PrintableStart(phrase.Quote(r.Path.Function))+" "+why)
	}
	if lines := t.changes(r, changes); len(lines) > 0 {
		all = append(append(all, lines...), prose.Line{})
	}
	if r.gone {
		say(prose.Muted, "as it was pushed:")
	}
	if r.exposure == everybody {
		say(prose.Warning, "open to everybody: every request is served, signed or not")
		return append(all, r.takeover...)
	}
	terms := t.board.Snap.Backend.Terms()
	switch {
	case r.exposure == guestsAllowed:
		say(prose.Plain, "guests may "+methodsOf(r.Guest, terms))
	case !t.board.Snap.Backend.Auth.GuestsEnabled() && r.Path.Access.Setting == access.Protected:
		say(prose.Warning, "guests have no identity (unauthenticated_identities_enabled is false) and are not served")
	default:
		say(prose.Muted, "guests are not served")
	}
	say(prose.Plain, "signed-in users may "+methodsOf(r.Authenticated, terms))
	var alike []string
	listed := 0
	for g, group := range r.Groups {
		switch {
		case !group.Own:
			alike = append(alike, t.groups[g])
		case listed < groups:
			say(prose.Plain,
				"members of "+prose.PrintableStart(phrase.Quote(t.groups[g]))+" may "+methodsOf(group.Actions, terms))
			listed++
		}
	}
	if own := len(r.Groups) - len(alike); own > listed {
		say(prose.Muted, "and "+phrase.Count(own-listed, "group")+" more")
	}
	switch {
	case len(alike) == 0:
	case terms.GroupAlone:
		say(prose.Muted, "members of "+prose.PrintableStart(phrase.QuoteList(alike))+
			" act only as their group here, and the path has no entry for them")
	default:
		say(prose.Muted, "small letters: members of "+prose.PrintableStart(phrase.QuoteList(alike))+
			" act as signed-in users, as the path has no entry for them")
	}
	lints := r.rules.Lints(r.Path, t.groups)
	if len(lints)+len(r.takeover) > 0 {
		say(prose.Plain, "")
	}
	for n, lint := range lints {
		if n == mostLints {
			say(prose.Muted, "and more such warnings")
			break
		}
		text, tone := lint.Text, prose.Warning
		if lint.Rule != access.RuleSeveralGroups {
			text = phrase.Quote(r.Path.Name) + " " + text
		}
		if lint.Rule == access.RuleGuestsBeyondUsers {
			text, tone = "▲ "+text, prose.Wider
		}
		say(tone, prose.PrintableStart(text))
	}
	return append(all, r.takeover...)
}

// mostChanges is how many differences from the last push the details list, and mostShown how
// many they list if all of them are asked for.
const (
	mostChanges = 12
	mostShown   = 400
)

// changes are the differences of a row from the last push, what is more open first, each
// with a request that shows it: at most so many as most says.
func (t *Tab) changes(r *row, most int) []prose.Line {
	var all []prose.Line
	say := func(tone prose.Tone, text string) { all = append(all, prose.Line{Tone: tone, Text: text}) }
	switch {
	case r.gone:
		say(prose.Note, "- removed "+t.since())
		if r.next != nil {
			say(prose.Plain, prose.PrintableStart(phrase.Quote(r.next.Path.Name))+" now gets its requests")
		}
	case r.added && len(r.changed) == 0:
		say(prose.Note, "+ new "+t.since()+", and opens nothing")
	}
	for n, d := range r.alike {
		if n == most && len(r.alike) > most+1 {
			say(tone(d[0]), fmt.Sprintf("and %d more: run gatewright status -v", len(r.alike)-most))
			break
		}
		say(tone(d[0]), sign(d[0])+" "+prose.PrintableStart(d.Words(false)))
	}
	for n, d := range r.changed {
		if r.Path == nil {
			break
		}
		if n == most && len(r.changed) > most+1 {
			say(tone(d), fmt.Sprintf("and %d more: run gatewright status -v", len(r.changed)-most))
			break
		}
		say(tone(d), sign(d)+" "+prose.PrintableStart(d.Sentence()))
		say(prose.Plain, "  "+prose.PrintableStart(d.Effect()))
	}
	if t.more && r.Path == nil {
		say(prose.Wider, widerSign+" "+access.More)
	}
	if len(r.changed) > 0 && !r.gone && r.Path != nil {
		text := t.since()
		if place := t.read.places[key(r.api, r.Path)]; place != "" {
			text += ", " + prose.PrintableStart(place)
		}
		say(prose.Muted, text)
	}
	if r.staged {
		say(prose.Note, stagedSign+" staged, and not written yet")
	}
	return all
}

// sign is the sign of a difference.
func sign(d access.Difference) string {
	if d.Gained {
		return widerSign
	}
	return narrowerSign
}

// tone is the tone of a difference.
func tone(d access.Difference) prose.Tone {
	if d.Gained {
		return prose.Wider
	}
	return prose.Note
}

// since says since when something differs.
func (t *Tab) since() string {
	if t.read == nil || t.read.since == "" {
		return "compared with the files"
	}
	return t.read.since
}

// describeAPI counts the paths of an API by exposure.
func (t *Tab) describeAPI(r *row, changes int) []prose.Line {
	all := []prose.Line{{Tone: prose.Strong, Text: r.called()}}
	if env := t.board.Snap.Env; env != nil && !env.Has(r.api.Label) {
		all = append(all, prose.Line{Tone: prose.Muted, Text: prose.PrintableStart(env.Name) + " does not have this API"})
	}
	if t.read != nil && t.read.problem != "" {
		all = append(all,
			prose.Line{Tone: prose.Warning, Text: "! what changed since the last push is unknown: " + t.read.problem})
	}
	all = append(all, t.changes(r, changes)...)
	if text := r.changes.String(); text != "" && !r.gone {
		all = append(all, prose.Line{Tone: prose.Muted, Text: text + " " + t.since()})
	}
	count := func(e exposure, tone prose.Tone, text string) {
		if n := r.counts[e]; n > 0 {
			all = append(all, prose.Line{Tone: tone, Text: text + phrase.Count(n, "path")})
		}
	}
	count(everybody, prose.Warning, "open to everybody: ")
	count(guestsAllowed, prose.Plain, "open to guests for some actions: ")
	count(signedInOnly, prose.Plain, "for signed-in callers only: ")
	return append(all,
		prose.Line{Tone: prose.Muted, Text: t.board.Snap.Backend.Terms().Letters()})
}

// methodsOf are actions in words, each with its HTTP methods.
func methodsOf(actions access.Actions, terms access.Terms) string {
	if actions == 0 {
		return "do nothing"
	}
	var words []string
	for _, action := range actions.List() {
		words = append(words, action.String()+" ("+strings.Join(terms.Methods(action), ", ")+")")
	}
	return strings.Join(words, ", ")
}
