package matrix

import (
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/model/access"
)

// Since says what differs from an earlier state of the matrix; "" for nothing.
func (m Matrix) Since(earlier Matrix) string {
	return phrase.List(append(m.AccessSince(earlier), GroupsSince(earlier.Groups, m.Groups)...))
}

// AccessSince says who may do more or less than in an earlier state of the matrix, such as
// "guests may read under /items". It leaves out what only the order of the groups changes.
func (m Matrix) AccessSince(earlier Matrix) []string {
	was, now, under := earlier.Access, m.Access, ""
	if m.Path != "" {
		under = " under " + phrase.Quote(m.Path)
	}
	if now.Setting == access.Open && was.Setting != access.Open {
		return []string{"everybody may do everything" + under}
	}
	var parts []string
	if was.Setting == access.Open && now.Setting != access.Open {
		parts = append(parts, m.subject()+" is restricted")
	}
	for _, c := range access.Changes(was, now, m.Terms) {
		if c.Gained != 0 {
			parts = append(parts, c.Who.String()+" may "+c.Gained.Verb()+under)
		}
		if c.Lost != 0 {
			parts = append(parts, c.Who.String()+" may no longer "+c.Lost.String()+under)
		}
	}
	if len(parts) == 0 {
		for _, g := range now.Grants {
			if _, had := was.Grant(g.To); !had {
				parts = append(parts, g.To.String()+" have an entry of their own"+under)
			}
		}
		for _, g := range was.Grants {
			if _, has := now.Grant(g.To); !has {
				parts = append(parts, g.To.String()+" have no entry of their own"+under)
			}
		}
	}
	return parts
}

// GroupsSince says which groups are new, gone or in another order.
func GroupsSince(was, now []string) []string {
	added := slices.DeleteFunc(slices.Clone(now), func(g string) bool { return slices.Contains(was, g) })
	gone := slices.DeleteFunc(slices.Clone(was), func(g string) bool { return slices.Contains(now, g) })
	noun := func(names []string) string {
		if len(names) == 1 {
			return "the group " + phrase.QuoteList(names)
		}
		return "the groups " + phrase.QuoteList(names)
	}
	var parts []string
	if len(added) > 0 {
		parts = append(parts, noun(added)+" added")
	}
	if len(gone) > 0 {
		parts = append(parts, noun(gone)+" removed")
	}
	if len(parts) == 0 && !slices.Equal(was, now) {
		parts = append(parts, "the order of the groups is "+phrase.QuoteList(now))
	}
	return parts
}
