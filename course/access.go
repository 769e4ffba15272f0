package course

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/flow"
	"gatewright/model"
)

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
		Begin: func(*model.Backend) flow.Task { return flow.Task{API: shop, Path: book} },
		Check: checkAccess,
		Look:  lookAtAccess,
		Command: "gatewright add group Editors && " +
			"gatewright update path shop '/books/{isbn}' --auth read --guest read --group Editors=read,update,delete",
		solve: walked(flow.Task{API: shop, Path: book}, flow.Answers{Paths: []flow.PathAnswer{{
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
	named := slices.Contains(path.Access.Groups(), editors)
	if !slices.Contains(b.Groups, editors) {
		missing = append(missing, "The user pool has no group "+editors+otherGroups(b)+".")
	} else if !named {
		missing = append(missing, book+" does not name the group "+editors+", so its members act as other signed-in users.")
	}
	for _, who := range everyone {
		if len(who.caller.Groups) > 0 && !named {
			continue
		}
		may, reason := actionsUnder(b, who.caller)
		if lacks := who.may &^ may; lacks != 0 {
			missing = append(missing, fmt.Sprintf("%s may not %s %s.%s", who.name, orList(lacks), book, why(reason, who.caller)))
		}
		if more := may &^ who.may; more != 0 {
			missing = append(missing, fmt.Sprintf("%s may %s %s: take that away.", who.name, orList(more), book))
		}
	}
	return missing
}

func otherGroups(b *model.Backend) string {
	if len(b.Groups) == 0 {
		return ""
	}
	return ", but " + model.QuoteList(b.Groups)
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

func orList(actions model.Actions) string {
	var words []string
	for _, a := range actions.List() {
		words = append(words, a.String())
	}
	return strings.Join(words, ", ")
}

func lookAtAccess(b *model.Backend) []string {
	if path, _ := pathOf(b, shop, book); path == nil {
		return nil
	}
	var lines []string
	for _, who := range everyone {
		may, _ := actionsUnder(b, who.caller)
		word := orList(may)
		switch may & model.EveryAction {
		case 0:
			word = "nothing"
		case model.EveryAction:
			word = "everything"
		}
		lines = append(lines, who.name+" may, under "+book+": "+word)
	}
	return lines
}
