package course

import (
	"slices"
	"strings"

	"gatewright/flow"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

func beginFirstAPI(b *model.Backend) flow.Task {
	api := b.API(shop)
	switch {
	case api == nil:
		return flow.Task{}
	case api.Path(listPath) != nil:
		return flow.Task{API: shop, Path: listPath}
	case len(api.Paths) == 1:
		return flow.Task{API: shop, Path: api.Paths[0].Name}
	}
	return flow.Task{API: shop}
}

func checkFirstAPI(b *model.Backend, f Facts) []string {
	if !f.Project {
		return []string{"There is no project yet. Press ctrl+s on the last page of the wizard, the review, to write it."}
	}
	path, missing := findPath(b, shop, listPath)
	if path != nil {
		missing.addIf(path.Access.Setting != access.Open,
			listPath+" is restricted (%s). In this lesson it must be open.", path.Access)
	}
	return missing
}

func beginPaths(b *model.Backend) flow.Task {
	if p := pathBelowList(b); p != nil {
		return flow.Task{API: shop, Path: p.Name}
	}
	return flow.Task{API: shop}
}

func checkPaths(b *model.Backend, _ Facts) []string {
	all, missing := findPath(b, shop, listPath)
	if all == nil {
		return missing
	}
	one, noBook := findPath(b, shop, bookPath)
	if one == nil {
		// This says more than the sentence of findPath.
		return append(missing, describeMissingBook(b, all))
	}
	missing = append(missing, noBook...)
	missing.addIf(one.Function == all.Function, bookPath+" goes to the function %s, like "+listPath+
		". Give it one of its own, called book.", phrase.Quote(one.Function))
	return missing
}

// describeMissingBook says that the path of one book is missing. It names the path below
// /books that exists instead, or else the function that serves a book now.
func describeMissingBook(b *model.Backend, all *access.Path) string {
	if p := pathBelowList(b); p != nil {
		return "The path of one book must be " + bookPath + ", but it is " + phrase.Quote(p.Name) +
			": press enter and change it."
	}
	return "The API shop has no path " + bookPath + " yet: a request for /books/978 still goes to the function " +
		phrase.Quote(all.Function) + "."
}

// pathBelowList returns the first path below /books; nil if there is none, or if the path of one book exists.
func pathBelowList(b *model.Backend) *access.Path {
	api := b.API(shop)
	if api == nil || api.Path(bookPath) != nil {
		return nil
	}
	for _, p := range api.Paths {
		if strings.HasPrefix(p.Name, listPath+"/") {
			return p
		}
	}
	return nil
}

func beginAccess(*model.Backend) flow.Task { return flow.Task{API: shop, Path: bookPath} }

func checkAccess(b *model.Backend, _ Facts) []string {
	path, missing := findPath(b, shop, bookPath)
	if path == nil {
		return missing
	}
	if path.Access.Setting == access.Open {
		return append(missing, bookPath+" is open: anyone may do anything. Restrict it.")
	}
	inPool, named := slices.Contains(b.Groups, editors), slices.Contains(path.Access.Groups(), editors)
	missing.addIf(!inPool, "The user pool has no group "+editors+"%s.", nameOthers(b.Groups, "", ", but "))
	missing.addIf(inPool && !named,
		bookPath+" does not name the group "+editors+", so its members act as other signed-in users.")
	all := rightsUnder(b, path)
	if !named {
		all = all[:len(all)-1]
	}
	for _, r := range all {
		less, more := r.wanted&^r.may, r.may&^r.wanted
		missing.addIf(less != 0, "%s may not %s "+bookPath+".%s", r.who, less, r.why)
		missing.addIf(more != 0, "%s may %s "+bookPath+", but should not.", r.who, more)
	}
	return missing
}

// right is what somebody may do under a path, what the lesson wants, and a reason that is
// easily overlooked why an action is not allowed.
type right struct {
	who         string
	may, wanted access.Actions
	why         string
}

// rightsUnder returns the rights of the callers in the lesson about access, the members of the group last.
func rightsUnder(b *model.Backend, path *access.Path) []right {
	row := b.AccessRow(path, []string{editors})
	guestless := ""
	if !b.Auth.GuestsEnabled() {
		guestless = " Guests get no identity: unauthenticated_identities_enabled in auth.json is false."
	}
	return []right{
		{"Guests", row.Guest, access.Actions(access.Read), guestless},
		{"Signed-in users", row.Authenticated, access.Actions(access.Read), ""},
		{
			"Members of " + editors, row.Groups[0].Actions, access.Actions(access.Read | access.Update | access.Delete),
			" The path names their group, so the entry of the group is the only one that counts for them.",
		},
	}
}

func summarizeAccess(b *model.Backend) []string {
	path, _ := findPath(b, shop, bookPath)
	if path == nil {
		return nil
	}
	var lines []string
	for _, r := range rightsUnder(b, path) {
		word := r.may.String()
		if r.may == access.EveryAction {
			word = "everything"
		}
		lines = append(lines, r.who+" may, under "+bookPath+": "+word)
	}
	return lines
}
