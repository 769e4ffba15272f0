package access

import (
	"slices"

	"gatewright/internal/text/phrase"
)

// Lint is a warning about the access of one path.
type Lint struct {
	// Rule is one of the rules of this package, such as RuleOpen.
	Rule string
	// Who is the caller that it is about; nil if it is about the path as a whole.
	Who *Principal
	// Text says what is wrong, and goes on from the name of the path or stands alone. Fix says what to do.
	Text, Fix string
	// Refused says that an entry has no effect, or that nobody is let in: no edit may make such an access.
	Refused bool
}

// Lints lists the warnings about an access: first those about the path as a whole, then about its entries in their
// order, then about members of several groups. order is the order of precedence of the groups.
func (a Access) Lints(order []string, terms Terms) []Lint {
	return a.lints(order, terms, meant{a, terms})
}

// Lints is Access.Lints for a path of the API, with what other paths grant on it.
func (r Rules) Lints(p *Path, order []string) []Lint {
	return p.Access.lints(order, r.terms, r.meant(p))
}

// lints are the Lints, with what the access comes to.
func (a Access) lints(order []string, terms Terms, effective meant) []Lint {
	if a.Setting == Open {
		lint := Lint{
			Rule: RuleOpen, Text: "is open to everybody in the world",
			Fix: "restrict the path, or leave it if that is meant",
		}
		if len(a.Grants) > 0 {
			lint.Text, lint.Fix = "is open to everybody, so its grants do nothing", "restrict the path, or remove its grants"
			lint.Refused = true
		}
		return []Lint{lint}
	}
	if len(a.Grants) == 0 {
		if !slices.Contains(Settings, a.Setting) {
			return nil
		}
		return []Lint{{
			Rule: RuleNobody, Text: "is restricted, and nobody may call it",
			Fix: "grant actions to signed-in users, guests or a group", Refused: true,
		}}
	}
	var lints []Lint
	users := a.Allowed(Principal{Kind: Authenticated}, terms)
	for _, g := range a.Grants {
		lints = append(lints, a.entryLints(g, users)...)
	}
	if terms.GroupAlone {
		lints = append(lints, a.aloneLints(order, effective)...)
	}
	for _, loss := range effective.rules.LossesByGroup(order, effective.terms) {
		who := Principal{Kind: Group, Group: loss.actsAs}
		lints = append(lints, Lint{
			Rule: RuleSeveralGroups, Who: &who, Text: loss.String(),
			Fix: "order the groups, or grant it to " + phrase.Quote(loss.actsAs) + " too",
		})
	}
	return lints
}

// aloneLints lists the groups that have no entry, so that their members may not do what users may.
func (a Access) aloneLints(order []string, effective meant) []Lint {
	users := effective.rules.Allowed(Principal{Kind: Authenticated}, effective.terms)
	barred := slices.DeleteFunc(slices.Clone(order), func(group string) bool {
		_, named := a.Grant(Principal{Kind: Group, Group: group})
		may := effective.rules.Allowed(Principal{Kind: Group, Group: group}, effective.terms)
		return named || users.Without(may) == 0
	})
	if len(barred) == 0 {
		return nil
	}
	return []Lint{{
		Rule: RuleGroupBelowUsers,
		Text: "lets signed-in users without a group " + users.words() + ", but not members of " + phrase.QuoteList(barred) +
			", who act as their group only",
		Fix: "grant it to " + anyOf(barred) + " too, or leave it if that is meant",
	}}
}

// entryLints lists the warnings about one entry of a restricted path. users is what signed-in users may do.
func (a Access) entryLints(g Grant, users Actions) []Lint {
	var lints []Lint
	say := func(refused bool, rule, text, fix string) {
		lints = append(lints,
			Lint{Rule: rule, Who: &g.To, Text: text, Fix: fix, Refused: refused})
	}
	more, less := (g.Actions & EveryAction).Without(users), users.Without(g.Actions)
	switch {
	case g.Actions == 0 && g.To.Kind == Group && users != 0:
		say(false, RuleEmptyEntry, "lets "+g.To.String()+" do nothing, and signed-in users "+users.words(),
			"grant an action, or leave it if that is meant")
	case g.Actions == 0:
		say(true, RuleEmptyEntry, "lets "+g.To.String()+" do nothing", "grant an action, or remove the entry")
	case g.To.Kind == Guest && a.Setting == Protected && more != 0:
		say(false, RuleGuestsBeyondUsers, "lets guests "+more.words()+", and not signed-in users",
			"grant it to signed-in users too, or revoke it from guests")
	case g.To.Kind == Group && less != 0:
		say(false, RuleGroupBelowUsers, "lets every signed-in user "+less.words()+", but not "+g.To.String(),
			"grant it to "+phrase.Quote(g.To.Group)+" too, or leave it if that is meant")
	}
	if g.To.Kind == Guest && a.Setting == Private {
		say(true, RuleUnusedGuests, "has an entry for guests that does nothing while the setting is private",
			"use the setting protected, or remove the entry")
	}
	return lints
}
