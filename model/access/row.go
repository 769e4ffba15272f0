package access

// Row is who may do what under one path.
type Row struct {
	Path                 *Path
	Guest, Authenticated Actions
	// Groups has one element for each group given to RowOf, in that order.
	Groups []GroupAccess
	Terms  Terms
}

// GroupAccess is what members of one group, and of no other, may do. Own says that the path has an entry for the
// group; without one they may do what signed-in users may, or nothing (see Terms).
type GroupAccess struct {
	Own     bool
	Actions Actions
}

// RowOf says for each principal what Decide would say if the API had only this path. Guests without
// an identity are served by open paths only.
func RowOf(path *Path, groups []string, terms Terms) Row {
	allowed := path.Access.lookup(terms)
	restricted := path.Access.Setting != Open
	row := Row{
		Path: path, Terms: terms, Authenticated: allowed(Principal{Kind: Authenticated}) & EveryAction,
		Groups: make([]GroupAccess, len(groups)),
	}
	if !restricted || !terms.NoGuests {
		row.Guest = allowed(Principal{Kind: Guest}) & EveryAction
	}
	own := make(map[string]bool)
	if restricted {
		for _, group := range path.Access.Groups() {
			own[group] = true
		}
	}
	for i, group := range groups {
		row.Groups[i] = GroupAccess{own[group], allowed(Principal{Kind: Group, Group: group}) & EveryAction}
	}
	return row
}

// Letters returns the set as four characters for a table: CRUD, a dash for each missing action.
func (s Actions) Letters() string {
	text := []byte("----")
	for i, a := range AllActions {
		if s.Has(a) {
			text[i] = "CRUD"[i]
		}
	}
	return string(text)
}
