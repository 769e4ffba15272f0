package matrix

import (
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model/access"
)

// ModeTitle names a setting in a word or a few.
func ModeTitle(setting access.Setting) string {
	switch setting {
	case access.Open:
		return "open"
	case access.Protected:
		return "signed-in and guests"
	}
	return "signed-in"
}

// ModeDetail explains a setting.
func ModeDetail(setting access.Setting) string {
	switch setting {
	case access.Open:
		return "anyone in the world may do anything"
	case access.Protected:
		return "guests need not sign in"
	}
	return "all callers have to sign in"
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

// Notes says what is more open than it looks, who may less than it looks, and what other paths take from this one.
func (m Matrix) Notes() []prose.Line {
	faulty := make(map[access.Principal]bool)
	for _, fault := range m.Faults() {
		faulty[fault.Who] = true
	}
	var lines []prose.Line
	for _, lint := range m.effective().Lints(m.Groups, m.Terms) {
		if lint.Rule == access.RuleNobody || lint.Who != nil && lint.Rule == access.RuleEmptyEntry && faulty[*lint.Who] {
			continue // a fault says so
		}
		text := lint.Text
		if lint.Rule != access.RuleSeveralGroups {
			text = m.subject() + " " + text
		}
		line := prose.Line{Tone: prose.Warning, Text: "! " + text}
		if lint.Rule == access.RuleOpen || lint.Rule == access.RuleGuestsBeyondUsers {
			line = prose.Line{Tone: prose.Wider, Text: "▲ " + text}
		}
		lines = append(lines, line)
	}
	if m.GuestsOff && m.Access.Setting == access.Protected {
		lines = append(lines,
			prose.Line{
				Tone: prose.Wider,
				Text: "▲ guests have no identity yet (unauthenticated_identities_enabled is false): this gives them one, for all " +
					"paths",
			})
	}
	if m.CreateNote != "" && slices.ContainsFunc(m.Rows(), func(r Row) bool {
		return r.Actions.Has(access.Create) && !r.Actions.Has(access.Update)
	}) {
		lines = append(lines, prose.Line{Tone: prose.Warning, Text: "! " + m.CreateNote})
	}
	for _, text := range m.Around {
		lines = append(lines, prose.Line{Tone: prose.Warning, Text: "! " + text})
	}
	return lines
}

// subject names the path in a sentence.
func (m Matrix) subject() string {
	if m.Path == "" {
		return "the path"
	}
	return phrase.Quote(m.Path)
}

// effective is the access without the entries that have no effect under its setting: they are not written.
func (m Matrix) effective() access.Access {
	a := m.Access
	if a.Setting == access.Open {
		return access.Access{Setting: access.Open}
	}
	if a.Setting != access.Protected {
		a = a.Without(access.Principal{Kind: access.Guest})
	}
	return a
}

// MoreOpen reports whether a row is more open than it looks: guests who may more than signed-in users, or everybody.
func (m Matrix) MoreOpen(r Row) bool {
	if r.Who.Kind != access.Guest {
		return false
	}
	users := m.Access.Allowed(access.Principal{Kind: access.Authenticated}, m.Terms)
	return m.Access.Setting == access.Open || r.Actions.Without(users) != 0
}

// BelowUsers reports whether a group may less than any signed-in user.
func (m Matrix) BelowUsers(r Row) bool {
	users := m.Access.Allowed(access.Principal{Kind: access.Authenticated}, m.Terms) & access.EveryAction
	return r.Who.Kind == access.Group && users.Without(r.Actions) != 0
}
