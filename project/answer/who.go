package answer

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/spelling"
)

// The words for callers who are no users, and what begins the name of one who is
// a group or a user.
const (
	GuestWord         = "guest"
	AuthenticatedWord = "authenticated"
	GroupPrefix       = "group:"
	UserPrefix        = "user:"
)

// Unclear is a question that was asked wrongly: it names nobody, or more than one
// thing. It is one line that says what to give.
type Unclear string

// Error is the line.
func (u Unclear) Error() string { return string(u) }

func unclear(format string, args ...any) error { return Unclear(fmt.Sprintf(format, args...)) }

// Who is somebody that a question names. The zero value is a guest.
type Who struct {
	// SignedIn is anybody who has signed in, a member of these groups.
	SignedIn bool
	Groups   []string
	// User is the name of a user; "" for whoever is none.
	User string
}

// ParseWho reads guest, authenticated, group:A,B, user:NAME or the name of a user.
// Groups must be known: to the pool, or to an API. The error is Unclear where the
// text names nobody, and a model.Problem with ErrUnknown of a group.
func ParseWho(text string, b *model.Backend) (Who, error) {
	switch {
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
		return Who{}, unclear("%s names nobody; give guest, authenticated, group:NAME, or the name of a user", model.Quote(text))
	}
	return Who{SignedIn: true, User: name}, nil
}

// ParseGroups reads the names of groups with commas between them, as ParseWho does
// after group:. A group may have a comma in its name.
func ParseGroups(text string, b *model.Backend) ([]string, error) {
	known := b.RoleOrder()
	if slices.Contains(known, text) {
		return []string{text}, nil
	}
	var groups []string
	for name := range strings.SplitSeq(text, ",") {
		name = strings.TrimSpace(name)
		if name == "" {
			return nil, unclear("%s names no group; give %sNAME", model.Quote(GroupPrefix+text), GroupPrefix)
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

// KnownGroup refuses a group that is not among those that are known: the error is
// a model.Problem with ErrUnknown, the nearest one in its fix.
func KnownGroup(b *model.Backend, known []string, name string) error {
	if slices.Contains(known, name) {
		return nil
	}
	problem := &model.Problem{Of: model.Ref{Kind: model.KindGroup, Name: name}, Text: "not found", Cause: model.ErrUnknown}
	switch near := spelling.Nearest(name, known); {
	case near != "":
		problem.Fix = "did you mean " + model.Quote(near) + "?"
	case b.AmplifyCLI || model.CheckName(model.KindGroup, name) == nil:
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
	if b.AmplifyCLI {
		return "add it with: amplify update auth"
	}
	return "add it with: gatewright add group " + model.ShellWord(name)
}

// Caller is somebody as a decision sees them.
type Caller struct {
	Who
	// Member are the groups of a user or of Who, in the order of the pool.
	Member []string
	// Lacking are those of them that the pool lacks.
	Lacking []string
	// Locked says why a user cannot sign in, as "is disabled", and Unlock is the
	// command that lets them.
	Locked, Unlock string
}

// CallerOf is somebody who is no user. Whoever asks about a user looks into the
// pool first.
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

// decided is the caller for model.Decide.
func (c *Caller) decided() model.Caller {
	return model.Caller{SignedIn: c.SignedIn, Groups: c.Member, Stranger: c.Locked != ""}
}

// UserCaller is a user of the pool. Groups are in its order; one that is disabled or
// not confirmed cannot sign in. environment is what commands name; "" for the chosen
// one.
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

// UserCommand is a command about a user, to be typed; each of flags has a space
// before it. A name that begins as a flag does stands behind them.
func UserCommand(verb, name, flags string) string {
	if strings.HasPrefix(name, "-") {
		return "gatewright user " + verb + flags + " -- " + model.ShellWord(name)
	}
	return "gatewright user " + verb + " " + model.ShellWord(name) + flags
}
