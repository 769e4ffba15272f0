package access

// Row is who may do what under one path.
type Row struct {
	Path                 *Path
	Guest, Authenticated Actions
	// Groups has one element for each group given to RowOf, in that order.
	Groups []GroupAccess
}

// GroupAccess is what members of one group, and of no other, may do. Own says that the path
// has an entry for the group; without one they may do what signed-in users may.
type GroupAccess struct {
	Own     bool
	Actions Actions
}

// RowOf says for each principal what Decide would say if the API had only this path. guests says
// whether guests get an identity; without one they are served by open paths only.
func RowOf(path *Path, groups []string, guests bool) Row {
	allowed := path.Access.lookup()
	restricted := path.Access.Setting != Open
	row := Row{
		Path: path, Authenticated: allowed(Principal{Kind: Authenticated}) & EveryAction,
		Groups: make([]GroupAccess, len(groups)),
	}
	if !restricted || guests {
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

// Letters returns the set as four characters for a table: CRUD, a dash for each missing
// action.
func (s Actions) Letters() string {
	text := []byte("----")
	for i, a := range AllActions {
		if s.Has(a) {
			text[i] = "CRUD"[i]
		}
	}
	return string(text)
}
