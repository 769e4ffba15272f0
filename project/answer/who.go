package answer

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
	"gatewright/model"
	"gatewright/model/access"
)

// The words for a caller without credentials, for a guest and for any signed-in user, and the
// prefixes of the names of groups and users.
const (
	UnsignedWord      = "unsigned"
	GuestWord         = "guest"
	AuthenticatedWord = "authenticated"
	GroupPrefix       = "group:"
	UserPrefix        = "user:"
)

// Unclear is the error of a question that names nobody, or several things where one
// is needed. It is one line that says what to give.
type Unclear string

// Error returns the line.
func (u Unclear) Error() string { return string(u) }

func unclear(format string, args ...any) error { return Unclear(fmt.Sprintf(format, args...)) }

// Who names the caller of a request. The zero value is a guest.
type Who struct {
	// Unsigned is a caller without credentials, whose request nobody signs.
	Unsigned bool
	// SignedIn is false for a guest. Groups are the groups that were named.
	SignedIn bool
	Groups   []string
	// User is the name of a user; "" for any member of the groups.
	User string
}

// ParseWho reads guest, authenticated, unsigned, group:A,B, user:NAME or the name of a user.
// The pool or an API must have the groups. The error is Unclear if the text names
// nobody, and a *model.Problem with model.ErrUnknown for an unknown group.
func ParseWho(text string, b *model.Backend) (Who, error) {
	switch {
	case text == UnsignedWord:
		return Who{Unsigned: true}, nil
	case text == GuestWord:
		return Who{}, nil
	case text == AuthenticatedWord:
		return Who{SignedIn: true}, nil
	}
	if names, isGroup := strings.CutPrefix(text, GroupPrefix); isGroup {
		groups, err := ParseGroups(names, b)
		return Who{SignedIn: true, Groups: groups}, err
	}
	name := strings.TrimPrefix(text, UserPrefix)
	if name == "" {
		return Who{},
			unclear("%s is not a caller; give guest, authenticated, unsigned, group:NAME, or the name of a user",
				phrase.Quote(text))
	}
	return Who{SignedIn: true, User: name}, nil
}

// ParseGroups reads the names of groups with commas between them, which ParseWho finds
// after group:. A known group may have a comma in its name.
func ParseGroups(text string, b *model.Backend) ([]string, error) {
	known := b.RoleOrder()
	if slices.Contains(known, text) {
		return []string{text}, nil
	}
	var groups []string
	for name := range strings.SplitSeq(text, ",") {
		name = strings.TrimSpace(name)
		if name == "" {
			return nil, unclear("%s has no group name; give %sNAME", phrase.Quote(GroupPrefix+text), GroupPrefix)
		}
		if err := KnownGroup(b, known, name); err != nil {
			return nil, err
		}
		if !slices.Contains(groups, name) {
			groups = append(groups, name)
		}
	}
	return groups, nil
}

// KnownGroup refuses a group that is not known: the error is a *model.Problem with
// model.ErrUnknown, whose fix names the nearest known group.
func KnownGroup(b *model.Backend, known []string, name string) error {
	if slices.Contains(known, name) {
		return nil
	}
	problem := &model.Problem{Of: model.Ref{Kind: model.KindGroup, Name: name}, Text: "not found", Cause: model.ErrUnknown}
	switch near := spelling.Nearest(name, known); {
	case near != "":
		problem.Fix = "did you mean " + phrase.Quote(near) + "?"
	case !b.Defines(model.KindGroup) || model.CheckName(model.KindGroup, name) == nil:
		problem.Fix = b.AddingGroup(name)
	case len(known) > 0:
		problem.Fix = "there is " + phrase.QuoteList(known)
	default:
		problem.Fix = "there is no group yet; add one with: gatewright add group NAME"
	}
	return problem
}

// Caller is the caller of a request with everything that a decision needs.
type Caller struct {
	Who
	// Member are the groups of the user or of Who, in the order of the pool.
	Member []string
	// Lacking are the groups in Member that the pool lacks.
	Lacking []string
	// Locked is why a user cannot sign in, such as "is disabled", and Unlock the command after which they can.
	Locked, Unlock string
}

// CallerOf returns the caller for a Who without a user. For a user, use UserCaller.
func CallerOf(w Who, b *model.Backend) *Caller {
	c := &Caller{Who: w}
	for _, group := range b.RoleOrder() {
		if !slices.Contains(w.Groups, group) {
			continue
		}
		c.Member = append(c.Member, group)
		if !slices.Contains(b.Groups, group) {
			c.Lacking = append(c.Lacking, group)
		}
	}
	return c
}

// decided returns the caller for access.Router.Decide.
func (c *Caller) decided() access.Caller {
	return access.Caller{SignedIn: c.SignedIn, Groups: c.Member, Stranger: c.Unsigned || c.Locked != ""}
}

// UserCaller returns the caller for a user of the pool, with groups in the pool's order. A user who is disabled or
// not confirmed cannot sign in. environment is the value of --env in commands; "" for none.
func UserCaller(w Who, groups []string, enabled, confirmed bool, environment string) *Caller {
	c := &Caller{Who: w, Member: groups}
	flags := ""
	if environment != "" {
		flags = " --env " + model.ShellWord(environment)
	}
	switch {
	case !enabled:
		c.Locked, c.Unlock = "is disabled", UserCommand("enable", w.User, flags)
	case !confirmed:
		c.Locked, c.Unlock = "is not confirmed", UserCommand("confirm", w.User, flags)
	}
	return c
}

// UserCommand returns a shell command about a user; each of flags begins with a space. A
// name that begins with - follows --.
func UserCommand(verb, name, flags string) string {
	if strings.HasPrefix(name, "-") {
		return "gatewright user " + verb + flags + " -- " + model.ShellWord(name)
	}
	return "gatewright user " + verb + " " + model.ShellWord(name) + flags
}
