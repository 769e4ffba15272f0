package cli

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox/identity/userpool"
)

// The words for callers who are no users, and what begins the name of one who is
// a group or a user.
const (
	guestWord         = "guest"
	authenticatedWord = "authenticated"
	groupPrefix       = "group:"
	userPrefix        = "user:"
)

const whoHelp = "WHO is guest, group:NAME for a member of a group, or a user of the environment's pool: its name, address or sub. user:NAME is\n" +
	"a user whose name is one of these words.\n"

// who is somebody that a command was told of. The zero value is a guest.
type who struct {
	// signedIn is anybody who has signed in, a member of these groups.
	signedIn bool
	groups   []string
	// user is the name of a user; "" for whoever is none.
	user string
}

// parseWho reads WHO. Groups must be known: to the pool, or to an API.
func parseWho(text string, b *model.Backend) (who, error) {
	switch {
	case text == guestWord:
		return who{}, nil
	case text == authenticatedWord:
		return who{signedIn: true}, nil
	}
	if names, isGroup := strings.CutPrefix(text, groupPrefix); isGroup {
		groups, err := parseGroups(names, b)
		return who{signedIn: true, groups: groups}, err
	}
	name := strings.TrimPrefix(text, userPrefix)
	if name == "" {
		return who{}, misuse("%s names nobody; give guest, authenticated, group:NAME, or the name of a user", model.Quote(text))
	}
	return who{signedIn: true, user: name}, nil
}

// parseGroups reads the names of groups with commas between them. A group may have
// a comma in its name.
func parseGroups(text string, b *model.Backend) ([]string, error) {
	known := everyGroup(b)
	if slices.Contains(known, text) {
		return []string{text}, nil
	}
	var groups []string
	for name := range strings.SplitSeq(text, ",") {
		name = strings.TrimSpace(name)
		if name == "" {
			return nil, misuse("%s names no group; give %sNAME", model.Quote(groupPrefix+text), groupPrefix)
		}
		if err := knownGroup(b, known, name); err != nil {
			return nil, err
		}
		if !slices.Contains(groups, name) {
			groups = append(groups, name)
		}
	}
	return groups, nil
}

// everyGroup is the groups of the pool in their order, and then those that only
// APIs name.
func everyGroup(b *model.Backend) []string {
	groups := slices.Clone(b.Groups)
	for _, api := range b.APIs {
		for _, group := range api.Groups() {
			if !slices.Contains(groups, group) {
				groups = append(groups, group)
			}
		}
	}
	return groups
}

// knownGroup refuses a group that is not there.
func knownGroup(b *model.Backend, known []string, name string) error {
	if slices.Contains(known, name) {
		return nil
	}
	problem := &model.Problem{Of: model.Ref{Kind: model.KindGroup, Name: name}, Text: "not found", Cause: model.ErrUnknown}
	switch near := model.Nearest(name, known); {
	case near != "":
		problem.Fix = "did you mean " + model.Quote(near) + "?"
	case b.Foreign || model.CheckName(model.KindGroup, name) == nil:
		problem.Fix = addGroupFix(b, name)
	case len(known) > 0:
		problem.Fix = "there is " + model.QuoteList(known)
	default:
		problem.Fix = "there is no group yet; add one with: gatewright add group NAME"
	}
	return problem
}

// addGroupFix is how the pool gets a group that it lacks.
func addGroupFix(b *model.Backend, name string) string {
	if b.Foreign {
		return "add it with: amplify update auth"
	}
	return "add it with: gatewright add group " + shellWord(name)
}

// callerOf is somebody as a decision sees them.
type callerOf struct {
	who
	// member are the groups of a user or of who, in the order of the pool.
	member []string
	// lacking are those of them that the pool lacks.
	lacking []string
	// locked says why a user cannot sign in, and unlock is what lets them.
	locked string
	unlock string
}

// decided is the caller for model.Decide.
func (c *callerOf) decided() model.Caller {
	return model.Caller{SignedIn: c.signedIn, Groups: c.member, Stranger: c.locked != ""}
}

// caller finds out who is meant. Only a user is looked for, in the pool.
func (x *asking) caller(p *project.Project, env *model.Environment, w who) (*callerOf, error) {
	c := &callerOf{who: w}
	if w.user == "" {
		for _, group := range everyGroup(p.Backend) {
			if !slices.Contains(w.groups, group) {
				continue
			}
			c.member = append(c.member, group)
			if !slices.Contains(p.Backend.Groups, group) {
				c.lacking = append(c.lacking, group)
			}
		}
		return c, nil
	}
	users := &users{streams: x.streams, env: x.env, others: true}
	err := users.hold(p, env, func() error {
		user, err := users.find(w.user)
		if err != nil {
			return err
		}
		c.member = user.Groups
		command := func(verb string) string {
			return userCommand(verb, w.user, users.envWords())
		}
		switch {
		case !user.Enabled:
			c.locked, c.unlock = "is disabled", command("enable")
		case user.Status == unconfirmed:
			c.locked, c.unlock = "is not confirmed", command("confirm")
		}
		return nil
	})
	return c, err
}

// find is a user by name, address or sub. Who is not there is told with the
// nearest one, or as what else was meant.
func (x *users) find(name string) (userpool.User, error) {
	user, err := x.held.User(x.ctx, name)
	return user, x.explain(name, err)
}

// notFound says that a user is not there, and who or what may have been meant.
func (x *users) notFound(name string) error {
	problem := &model.Problem{
		Of: userRef(name), Text: "not found in environment " + model.Quote(x.pool.Environment), Cause: model.ErrUnknown,
		Fix: "see who is there with: gatewright user list" + x.envWords(),
	}
	near := ""
	if names, err := x.names(); err == nil {
		if x.others {
			names[guestWord], names[authenticatedWord] = guestWord, authenticatedWord
		}
		near = names[model.Nearest(name, slices.Sorted(maps.Keys(names)))]
	}
	switch {
	case slices.Contains(x.groups, name):
		problem.Fix = "groups are asked for as " + model.Quote(groupPrefix+name)
	case near != "":
		problem.Fix = "did you mean " + model.Quote(near) + "?"
	}
	return problem
}

// completeWho completes guests, groups and other words; users are not looked at.
func completeWho(streams Streams, typed string, words ...string) ([]string, cobra.ShellCompDirective) {
	for _, group := range look(streams).Groups {
		words = append(words, groupPrefix+group)
	}
	return offered(words, typed), cobra.ShellCompDirectiveNoFileComp
}
