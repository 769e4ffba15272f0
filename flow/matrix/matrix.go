// Package matrix is the editor of who may do what under one path, without a terminal: rows of callers, columns of
// actions, and a mode that says whether the path is restricted. The wizard, its review and the Access tab show the
// same matrix, and the plain lines of --accessible ask it row by row.
package matrix

import (
	"slices"

	"gatewright/model/access"
)

// Matrix is the access of one path while it is edited. Its methods that edit return a changed copy.
type Matrix struct {
	// Path is the name of the path; "" if it has none yet.
	Path   string
	Access access.Access
	// Groups are the groups of the user pool in order of precedence.
	Groups []string
	// Made are those of Groups that are not in the pool yet, and can be removed again.
	Made []string
	// Before is the access that the path has now; nil for a new path.
	Before *access.Access
	// Terms are what its rules mean.
	Terms access.Terms
	// Around says what other paths of the API take from this one, or this one from them.
	Around []string
	// TakenBy is the path that serves everything below this one; "" if none does.
	TakenBy string
	// GuestsOff says that the user pool gives guests no identity. A path that lets guests in changes that.
	GuestsOff bool
	// CreateNote says what else create does in the function of the path; "" if nothing.
	CreateNote string
	// Fixed says why groups can be neither added nor ordered here; "" if they can.
	Fixed string
}

// Row is what one caller may do.
type Row struct {
	Who access.Principal
	// Place is the group's place in the order of precedence, counted from 1; 0 for guests,
	// signed-in users, and groups that the pool does not have.
	Place int
	// Own says that the path has an entry for the caller. A group without one may do what
	// signed-in users may, or nothing (see access.Terms).
	Own     bool
	Actions access.Actions
	// Gained and Lost are what the caller may do and what it may no longer do, compared with Before.
	Gained, Lost access.Actions
}

// Rows returns guests, signed-in users, the groups of the pool in their order, and last the
// groups that only the path names.
func (m Matrix) Rows() []Row {
	rows := []Row{m.row(access.Principal{Kind: access.Guest}, 0), m.row(access.Principal{Kind: access.Authenticated}, 0)}
	for i, group := range m.Groups {
		rows = append(rows, m.row(access.Principal{Kind: access.Group, Group: group}, i+1))
	}
	for _, group := range m.Access.Groups() {
		if !slices.Contains(m.Groups, group) {
			rows = append(rows, m.row(access.Principal{Kind: access.Group, Group: group}, 0))
		}
	}
	return rows
}

// Row returns the row of one caller.
func (m Matrix) Row(who access.Principal) Row {
	return m.row(who, slices.Index(m.Groups, who.Group)+1)
}

func (m Matrix) row(who access.Principal, place int) Row {
	r := Row{Who: who, Place: place, Actions: m.Access.Allowed(who, m.Terms) & access.EveryAction}
	_, r.Own = m.Access.Grant(who)
	switch {
	case m.Access.Setting == access.Open:
		r.Own = false
	case who.Kind == access.Guest:
		r.Own = r.Own && m.Access.Setting == access.Protected
	}
	if m.Before != nil {
		had := m.Before.Allowed(who, m.Terms) & access.EveryAction
		r.Gained, r.Lost = r.Actions.Without(had), had.Without(r.Actions)
	}
	return r
}

// Words says what the row comes to: "read", "everything", "read, as signed-in".
func (m Matrix) Words(r Row) string {
	words := r.Actions.Phrase()
	if m.Inherits(r) {
		return words + ", as signed-in"
	}
	return words
}

// Inherits reports whether a row is that of a group without an entry: its members may do what signed-in users may.
func (m Matrix) Inherits(r Row) bool {
	return r.Who.Kind == access.Group && !r.Own && m.Access.Setting != access.Open && !m.Terms.GroupAlone
}

// Written returns the access as it is written: without the entries that have no effect under
// its setting, unless the path has them already.
func (m Matrix) Written() access.Access {
	if m.Before != nil && m.Before.Setting == m.Access.Setting {
		return m.Access
	}
	return m.effective()
}

// Equal reports whether two matrices give the same access with the same groups.
func (m Matrix) Equal(other Matrix) bool {
	return m.Access.Setting == other.Access.Setting && slices.Equal(m.Access.Grants, other.Access.Grants) &&
		slices.Equal(m.Groups, other.Groups)
}
