package course

import (
	"slices"
	"strings"

	"gatewright/flow"
	"gatewright/model"
)

func firstAPI() Lesson {
	return Lesson{
		ID:    "first-api",
		Place: InWizard,
		Begin: func(b *model.Backend) flow.Task {
			api := b.API(shop)
			switch {
			case api == nil:
				return flow.Task{}
			case api.Path(list) != nil:
				return flow.Task{API: shop, Path: list}
			case len(api.Paths) == 1:
				return flow.Task{API: shop, Path: api.Paths[0].Name}
			}
			return flow.Task{API: shop}
		},
		Check: func(b *model.Backend, f Facts) []string {
			if !f.Project {
				return []string{"There is no project yet. The wizard writes it at its last page, the review, with enter."}
			}
			path, missing := pathOf(b, shop, list)
			if path != nil {
				missing.when(path.Access.Setting != model.Open, list+" is restricted (%s). In this lesson it is open to everybody.", path.Access)
			}
			return missing
		},
		Look:   func(b *model.Backend) []string { return served(b, "GET /books", "POST /books", "GET /books/978") },
		Solved: walked(flow.Task{}, flow.Answers{Service: flow.REST, Label: shop, Paths: []flow.PathAnswer{open(list, "books")}}),
	}
}

func paths() Lesson {
	return Lesson{
		ID:    "paths",
		Place: InWizard,
		Begin: func(b *model.Backend) flow.Task {
			if p := below(b); p != nil {
				return flow.Task{API: shop, Path: p.Name}
			}
			return flow.Task{API: shop}
		},
		Check: func(b *model.Backend, _ Facts) []string {
			all, missing := pathOf(b, shop, list)
			if all == nil {
				return missing
			}
			one, noBook := pathOf(b, shop, book)
			if one == nil {
				// What is there in its place is of more use than that it is not there.
				return append(missing, withoutBook(b, all))
			}
			missing = append(missing, noBook...)
			missing.when(one.Function == all.Function, book+" goes to the function %s, like "+list+". Give it one of its own, called book.", model.Quote(one.Function))
			return missing
		},
		Look: func(b *model.Backend) []string {
			return served(b, "GET /books", "GET /books/978", "GET /books/978/reviews", "GET /books/978/reviews/4")
		},
		Solved: walked(flow.Task{API: shop}, flow.Answers{Paths: []flow.PathAnswer{open(book, "book")}}),
	}
}

// withoutBook says what is there in place of the path of one book.
func withoutBook(b *model.Backend, all *model.Path) string {
	if p := below(b); p != nil {
		return "The path of one book is to be " + book + ". The one here is " + model.Quote(p.Name) + ": press enter and change it."
	}
	return "The API shop has no path " + book + " yet: a request for /books/978 still goes to the function " + model.Quote(all.Function) + "."
}

// below is the first path of the shop below /books, but for the one of a book;
// nil for none.
func below(b *model.Backend) *model.Path {
	api := b.API(shop)
	if api == nil || api.Path(book) != nil {
		return nil
	}
	for _, p := range api.Paths {
		if strings.HasPrefix(p.Name, list+"/") {
			return p
		}
	}
	return nil
}

// everyone is who the lesson about access asks for, with what each may do under
// the path of a book.
var everyone = []struct {
	name   string
	caller model.Caller
	may    model.Actions
}{
	{"Guests", model.Caller{}, model.Actions(model.Read)},
	{"Signed-in users", model.Caller{SignedIn: true}, model.Actions(model.Read)},
	{"Members of " + editors, model.Caller{SignedIn: true, Groups: []string{editors}}, model.Actions(model.Read | model.Update | model.Delete)},
}

func access() Lesson {
	return Lesson{
		ID:    "access",
		Place: InWizard,
		Begin: func(*model.Backend) flow.Task { return flow.Task{API: shop, Path: book} },
		Check: checkAccess,
		Look:  lookAtAccess,
		Solved: walked(flow.Task{API: shop, Path: book}, flow.Answers{Paths: []flow.PathAnswer{{
			Path: book, Source: flow.ExistingFunction, Existing: "book", Restrict: flow.Yes, Who: flow.ForAll, NewGroup: editors, Another: flow.No,
			Actions: map[string][]string{"auth": {"read"}, "guest": {"read"}, "group " + editors: {"read", "update", "delete"}},
		}}}),
	}
}

func checkAccess(b *model.Backend, _ Facts) []string {
	path, missing := pathOf(b, shop, book)
	if path == nil {
		return missing
	}
	if path.Access.Setting == model.Open {
		return append(missing, book+" is open: everybody may do everything. Restrict it.")
	}
	inPool, named := slices.Contains(b.Groups, editors), slices.Contains(path.Access.Groups(), editors)
	missing.when(!inPool, "The user pool has no group "+editors+"%s.", instead(b.Groups, "", ", but "))
	missing.when(inPool && !named, book+" does not name the group "+editors+", so its members act as other signed-in users.")
	for _, who := range everyone {
		if len(who.caller.Groups) > 0 && !named {
			continue
		}
		may, reason := actionsUnder(b, who.caller)
		less, more := who.may&^may, may&^who.may
		missing.when(less != 0, "%s may not %s "+book+".%s", who.name, less, why(reason, who.caller))
		missing.when(more != 0, "%s may %s "+book+": take that away.", who.name, more)
	}
	return missing
}

// actionsUnder is what a caller may do to one book, and the rule that refuses the
// last thing that is refused.
func actionsUnder(b *model.Backend, caller model.Caller) (may model.Actions, refused model.Rule) {
	router := b.Router(shop)
	for _, action := range model.AllActions {
		d := router.Decide(caller, action.Methods()[0], "/books/978")
		if d.Allowed {
			may |= model.Actions(action)
		} else {
			refused = d.Rule
		}
	}
	return may, refused
}

// why says more of a refusal that is easily overlooked.
func why(rule model.Rule, caller model.Caller) string {
	switch {
	case rule == model.GuestsOff:
		return " Guests get no identity: auth.json says so (unauthenticated_identities_enabled)."
	case rule == model.ByGroup && len(caller.Groups) > 0:
		return " The path names their group, so the entry of the group is the only one that counts for them."
	}
	return ""
}

func lookAtAccess(b *model.Backend) []string {
	if path, _ := pathOf(b, shop, book); path == nil {
		return nil
	}
	var lines []string
	for _, who := range everyone {
		may, _ := actionsUnder(b, who.caller)
		word := may.String()
		if may == model.EveryAction {
			word = "everything"
		}
		lines = append(lines, who.name+" may, under "+book+": "+word)
	}
	return lines
}
