package people

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatewright/deploy/people"
	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model/access"
	"gatewright/sandbox/identity/userpool"
)

// rowKind is what a row stands for.
type rowKind uint8

const (
	// headRow is the heading of the users or of the groups, noteRow a sentence below it.
	headRow rowKind = iota
	noteRow
	userRow
	groupRow
	// moreRow stands for users in AWS that are not read yet.
	moreRow
)

// row is a user, a group, or a line about them. Its texts are safe for the screen.
type row struct {
	kind rowKind
	id   string
	// of is where the users are, whatever the tab shows later: what is asked about a row is done
	// there.
	of source
	// name is the shown name, called the same as it is, for commands and questions.
	name, called string
	sortName     string
	groups       string
	state        string
	tone         prose.Tone
	address      string
	changed      string
	created      string
	modified     time.Time
	// rank is the place of the group that a user acts as, or of a group, in the pool's order.
	rank int
	// user is the user of a userRow.
	user userpool.User
	// members are the names of the members of a group; lacking says that the pool, as it is
	// served, does not have the group yet.
	members []string
	lacking bool
	// text is the whole line of a head or a note.
	text string
}

func (r *row) whole() (prose.Line, bool) {
	switch r.kind {
	case headRow:
		return prose.Line{Tone: prose.Title, Text: r.text}, true
	case noteRow, moreRow:
		return prose.Line{Tone: prose.Muted, Text: "  " + r.text}, true
	}
	return prose.Line{}, false
}

// words are searched by the filter in addition to the columns.
func (r *row) words() string {
	switch r.kind {
	case userRow:
		return "user " +
			prose.Printable(strings.Join([]string{
				r.user.Attributes["email"], r.user.Attributes["phone_number"],
				r.user.Attributes["name"], r.user.Sub,
			}, " "))
	case groupRow:
		return "group"
	}
	return ""
}

func userID(called string) string  { return "user\x00" + called }
func groupID(called string) string { return "group\x00" + called }

// sumOf counts users and groups.
func (t *Tab) sumOf(rows []*row) string {
	counts := make(map[rowKind]int)
	for _, r := range rows {
		counts[r.kind]++
	}
	users := phrase.Count(counts[userRow], "user")
	if counts[moreRow] > 0 {
		users += " so far"
	}
	text := users + ", " + phrase.Count(counts[groupRow], "group")
	if t.source.cloud != nil {
		text += " in AWS"
	}
	return text
}

// rowsOf are the users of a reading by name, and the groups of the pool in its order. There
// are none if nobody could be asked.
func rowsOf(seen *reading) []*row {
	s := seen.of
	if s.users == nil || seen.unread || seen.problem != "" {
		return nil
	}
	pool := *s.users.Pool
	pool.Groups = seen.groups
	members := make(map[string][]string)
	var users []*row
	for _, u := range seen.users {
		r := userOf(u)
		for _, group := range u.Groups {
			members[group] = append(members[group], r.called)
		}
		r.rank = len(seen.groups)
		if acts := pool.Principal(u.Groups); acts.Kind == access.Group {
			r.rank = slices.Index(seen.groups, acts.Group)
		}
		users = append(users, r)
	}
	slices.SortFunc(users, func(a, b *row) int {
		return cmp.Or(strings.Compare(a.sortName, b.sortName), strings.Compare(a.called, b.called))
	})
	rows := append([]*row{{kind: headRow, id: "users", text: "users"}}, users...)
	if len(users) == 0 {
		rows = append(rows,
			&row{
				kind: noteRow, id: "no user",
				text: "nobody yet: a adds a user, or run: gatewright user add NAME" + prose.PrintableStart(s.users.Flags),
			})
	}
	if seen.next != "" {
		rows = append(rows,
			&row{kind: moreRow, id: "more users", text: phrase.Count(len(users), "user") + " so far: enter reads the next ones"})
	}
	all := slices.Clone(seen.groups)
	for _, group := range s.users.Groups {
		if !slices.Contains(all, group) {
			all = append(all, group)
		}
	}
	head := "groups"
	if len(all) > 1 {
		head += ", in the order of precedence"
	}
	rows = append(rows, &row{kind: headRow, id: "groups", text: head})
	for i, group := range all {
		names := members[group]
		slices.Sort(names)
		g := &row{
			kind: groupRow, id: groupID(group), name: prose.PrintableStart(group), called: group, rank: i,
			sortName: fmt.Sprintf("%06d", i),
			groups:   membersWords(len(names), seen.next != ""), state: ordinal(i + 1), tone: prose.Muted, members: names,
		}
		if g.lacking = !slices.Contains(seen.groups, group); g.lacking {
			g.state, g.tone = map[bool]string{true: "not in AWS", false: "not served"}[s.cloud != nil], prose.Warning
		}
		rows = append(rows, g)
	}
	if len(all) == 0 {
		rows = append(rows,
			&row{kind: noteRow, id: "no group", text: "no group yet; add one with: " + s.users.AddGroup})
	}
	for _, r := range rows {
		r.of = s
	}
	return rows
}

// membersWords counts the members of a group, as far as all users are read.
func membersWords(n int, more bool) string {
	if more {
		return fmt.Sprintf("%d of those read", n)
	}
	return phrase.Count(n, "member")
}

// ordinal is a place in an order.
func ordinal(n int) string {
	const ten, hundred = 10, 100
	if tens := n % hundred / ten; tens != 1 {
		if suffix := map[int]string{1: "st", 2: "nd", 3: "rd"}[n%ten]; suffix != "" {
			return fmt.Sprint(n, suffix)
		}
	}
	return fmt.Sprint(n, "th")
}

// userOf is the row of a user.
func userOf(u userpool.User) *row {
	called := people.ShownName(u.Name, u.Attributes)
	r := &row{
		kind: userRow, id: userID(called), name: prose.PrintableStart(called), called: called,
		sortName: strings.ToLower(called), user: u, groups: "-",
		state: people.StateWords(u.Status, u.Enabled), tone: prose.Good,
		changed: clock.Minute(u.Modified), created: clock.Day(u.Created), modified: u.Modified,
		address: prose.PrintableStart(cmp.Or(u.Attributes["email"], u.Attributes["phone_number"], "-")),
	}
	if len(u.Groups) > 0 {
		// The first of them is the one that the user acts as.
		r.groups = prose.PrintableStart(strings.Join(u.Groups, ", "))
	}
	switch {
	case !u.Enabled:
		r.tone = prose.Bad
	case u.Status != people.UserConfirmed:
		r.tone = prose.Warning
	}
	if len(u.Factors) > 0 {
		r.state += ", MFA"
	}
	return r
}
