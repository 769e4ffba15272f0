package people

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gatewright/deploy/people"
	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model/access"
	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/widget"
)

// Detail gives the details of the selected row; without rows, what to do about that, which the
// page shows below the text instead of the rows.
func (t *Tab) Detail() []prose.Line {
	if r, ok := t.List.Row(); ok {
		return t.describe(r)
	}
	if lines := t.teach(); len(lines) > 0 && t.List.Len() == 0 && !t.List.Filtering() {
		return lines[1:]
	}
	return nil
}

// nobody is the text instead of the rows.
func (t *Tab) nobody() string {
	lines := t.teach()
	if len(lines) == 0 {
		return "reading the users ..."
	}
	return lines[0].Text
}

// teach says why there are no rows, and what to do: a sentence, a command, a key.
func (t *Tab) teach() []prose.Line {
	s := t.source
	say := func(text string, more ...string) []prose.Line {
		return append([]prose.Line{{Text: text}}, prose.InTone(prose.Muted, more...)...)
	}
	env := prose.PrintableStart(s.environment)
	switch {
	case t.board.Snap == nil:
		return nil
	case s.users == nil:
		return say(s.noPool)
	case t.seen == nil:
		return nil
	case s.cloud == nil && (t.seen.problem != "" || t.seen.unread) && s.inCloud:
		return say("the users of "+env+" live in AWS: C asks there and shows them", "or run: gatewright user list --env "+env,
			"a sandbox has users of its own: ] looks at another environment")
	case t.seen.problem != "":
		return []prose.Line{{Tone: prose.Warning, Text: "! " + t.seen.problem}}
	case t.seen.unread && t.board.ReadOnly() != "":
		return say("no sandbox is running, and this dashboard is read-only: it shows the users of a running sandbox",
			"start one with: gatewright sandbox --env "+env)
	case t.seen.unread:
		return say("no sandbox is running, and users live in it: s starts one", "or run: gatewright sandbox --env "+env)
	}
	return nil
}

// describe gives the details of a row, the most important first.
func (t *Tab) describe(r *row) []prose.Line {
	switch r.kind {
	case userRow:
		return t.describeUser(r)
	case groupRow:
		return t.describeGroup(r)
	}
	if r.id == "groups" {
		return prose.InTone(prose.Plain,
			"a member of several groups acts as the first of them in this order, because the identity pool gives one role",
			"the order is changed with: "+t.board.Snap.Backend.Command("gatewright update group --order A,B,C"))
	}
	return []prose.Line{t.where()}
}

// where says where the users are.
func (t *Tab) where() prose.Line {
	env := prose.PrintableStart(t.source.environment)
	text := "the users of " + env + " in the stored state of the sandbox, which is not running: s starts it"
	switch {
	case t.source.cloud != nil:
		text = "the users of " + env + " in AWS, " + t.source.cloud.Where() +
			": ctrl+r reads them again, C shows the users of the sandbox"
	case t.seen != nil && t.seen.running:
		text = "the users of " + env + " in the running sandbox"
	}
	if t.source.inCloud && t.source.cloud == nil {
		text += "; AWS has its own users: C shows them"
	}
	return prose.Line{Tone: prose.Muted, Text: text}
}

// beside shows the calls of a user, or of those who act as members of a group.
func (t *Tab) beside(r *row) board.Third {
	if t.source.cloud != nil {
		return board.Third{}
	}
	group := access.Principal{Kind: access.Group, Group: r.called}
	return t.board.Calls("calls of "+cmp.Or(r.name, "everybody"), func(c *traffic.Call) bool {
		switch r.kind {
		case userRow:
			return c.Who.Kind == traffic.User && c.Who.Name == r.called
		case groupRow:
			return c.Who.As == group.String()
		}
		return true
	})
}

func (t *Tab) describeUser(r *row) []prose.Line {
	u := r.user
	lines := []prose.Line{{Tone: r.tone, Text: r.state}}
	say := func(tone prose.Tone, text string) {
		lines = append(lines, prose.Line{Tone: tone, Text: prose.PrintableStart(text)})
	}
	switch {
	case !u.Enabled && t.source.cloud != nil:
		say(prose.Plain, "cannot sign in; credentials that were given already stay valid for up to an hour; space enables")
	case !u.Enabled:
		say(prose.Plain, "cannot sign in, and is refused with earlier tokens and credentials; space enables")
	case u.Status == people.UserUnconfirmed:
		say(prose.Plain, "signed up and has not typed the code yet; e confirms without it")
	case u.Status == people.UserForced:
		say(prose.Plain, "must choose another password at the first sign-in")
	case u.Status == people.UserReset:
		say(prose.Plain, "must set another password with the code that was sent")
	}
	pool := *t.source.users.Pool
	pool.Groups = t.seen.groups
	principal := pool.Principal(u.Groups)
	switch len(u.Groups) {
	case 0:
		say(prose.Plain, "in no group, so acts as "+principal.String())
	case 1:
		say(prose.Plain, "acts as "+principal.String())
	default:
		say(prose.Plain,
			"in "+phrase.QuoteList(u.Groups)+"; acts as "+principal.String()+", the first of them in the pool's order")
	}
	for _, name := range slices.Sorted(maps.Keys(u.Attributes)) {
		if value := u.Attributes[name]; name != "sub" && value != "" && !strings.HasSuffix(name, "_verified") {
			if u.Attributes[name+"_verified"] == "false" {
				value += " (not verified)"
			}
			say(prose.Plain, name+": "+value)
		}
	}
	factor := "no second factor"
	if len(u.Factors) > 0 {
		factor = "second factor: " + strings.Join(u.Factors, ", ")
		if u.PreferredFactor != "" && len(u.Factors) > 1 {
			factor += ", first " + u.PreferredFactor
		}
	}
	say(prose.Plain, factor)
	lines = append(lines, prose.Line{})
	if !u.Enabled || u.Status == people.UserUnconfirmed {
		say(prose.Muted, "once signed in:")
	}
	lines = append(lines, t.mayDo(principal)...)
	say(prose.Muted, "created "+clock.Moment(u.Created))
	say(prose.Muted, "changed "+clock.Moment(u.Modified))
	return append(lines, t.where())
}

func (t *Tab) describeGroup(r *row) []prose.Line {
	lines := []prose.Line{{Tone: prose.Strong, Text: phrase.Count(len(r.members), "member")}}
	const most = 20
	if n := len(r.members); n > 0 {
		text := prose.PrintableStart(strings.Join(r.members[:min(n, most)], ", "))
		if n > most {
			text += fmt.Sprintf(", and %d more", n-most)
		}
		lines = append(lines, prose.Line{Text: text})
	}
	if r.lacking {
		lines = append(lines,
			prose.Line{
				Tone: prose.Warning,
				Text: "the sandbox serves this environment as it was pushed, without the group: p pushes it",
			})
	}
	order := ordinal(r.rank+1) + " in the order: a member of several groups acts as the first of them"
	lines = append(lines, prose.Line{Text: order}, prose.Line{})
	return append(lines, t.mayDo(access.Principal{Kind: access.Group, Group: r.called})...)
}

// mostPaths is how many paths the details list.
const mostPaths = 12

// mayDo says what callers who act as a principal may do, path by path.
func (t *Tab) mayDo(who access.Principal) []prose.Line {
	s := t.board.Snap
	lines := []prose.Line{{Tone: prose.Muted, Text: "under each path may (Q asks about one request):"}}
	groups := s.Backend.RoleOrder()
	more := 0
	for _, api := range s.Backend.APIs {
		if s.Env != nil && !s.Env.Has(api.Label) {
			continue
		}
		of := s.Backend.Rules(api)
		for _, p := range api.Paths {
			if len(lines) > mostPaths {
				more++
				continue
			}
			rules := of.Row(p, groups)
			actions := rules.Authenticated
			if at := slices.Index(groups, who.Group); who.Kind == access.Group && at >= 0 {
				actions = rules.Groups[at].Actions
			}
			lines = append(lines,
				prose.Line{Text: prose.PrintableStart("  " + widget.Letters(actions, false) + "  " + p.Name + " of " + api.Label)})
		}
	}
	if len(lines) == 1 {
		return prose.InTone(prose.Muted, "there is no path here")
	}
	if more > 0 {
		lines = append(lines,
			prose.Line{Tone: prose.Muted, Text: "  and " + phrase.Count(more, "path") + " more: the tab Access has all"})
	}
	return append(lines, prose.Line{})
}
