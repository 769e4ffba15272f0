package answer

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

// candidate is a change that may let a request through: its commands, the edit of
// the backend that they make, and the caller after them.
type candidate struct {
	commands []string
	edit     func(*model.Backend) error
	caller   access.Caller
}

// changes returns the commands that would let a refused request through, one list for
// each change that is enough, sorted by how few callers it concerns. Each was tried
// on a copy of the backend.
func (q *Question) changes(d access.Decision) [][]string {
	var changes [][]string
	caller := q.Caller.decided()
	caller.Stranger = q.Caller.Unsigned
	if q.Caller.Locked != "" {
		unlock := candidate{commands: []string{q.Caller.Unlock}, caller: caller}
		if q.letsThrough(unlock) {
			return [][]string{unlock.commands}
		}
		d = q.Backend.Router(q.api.Label).Decide(caller, q.Method, q.Path)
	}
	for _, c := range q.candidates(d, caller) {
		if !q.letsThrough(c) {
			continue
		}
		if q.Caller.Locked != "" {
			c.commands = slices.Insert(c.commands, 0, q.Caller.Unlock)
		}
		changes = append(changes, c.commands)
	}
	return changes
}

// letsThrough reports whether a candidate would let the request through.
func (q *Question) letsThrough(c candidate) bool {
	b := q.Backend
	if c.edit != nil {
		var err error
		if b, err = b.Edit(c.edit); err != nil {
			return false
		}
	}
	return b.Router(q.api.Label).Decide(c.caller, q.Method, q.Path).Allowed
}

// candidates returns the changes to try, in the order in which they are shown.
func (q *Question) candidates(d access.Decision, caller access.Caller) []candidate {
	path := d.Route.Path
	if caller.Stranger {
		return []candidate{q.onPath(path, caller, "--open", access.Access{Setting: access.Open})}
	}
	if d.As.Kind == access.Guest {
		return q.guestCandidates(path, d.Action, caller)
	}
	var all []candidate
	rules, terms := path.Access, q.Backend.Terms()
	if len(caller.Groups) > 0 {
		members := access.Principal{Kind: access.Group, Group: caller.Groups[0]}
		actions := rules.Allowed(members, terms) | access.Actions(d.Action)
		all = append(all, q.granting(path, caller, access.Grant{To: members, Actions: actions}))
	}
	all = append(all, q.memberships(path, caller)...)
	users := access.Principal{Kind: access.Authenticated}
	actions := rules.Allowed(users, terms) | access.Actions(d.Action)
	all = append(all, q.granting(path, caller, access.Grant{To: users, Actions: actions}))
	if d.Rule == access.ByGroup && rules.Allowed(d.As, terms).Without(rules.Allowed(users, terms)) == 0 {
		// Without an entry the group has what all signed-in users have.
		all = append(all, q.onPath(path, caller, "--no-group "+model.ShellWord(d.As.Group), rules.Without(d.As)))
	}
	return append(all, q.orders(caller)...)
}

// guestCandidates let guests in: by an entry of the path, by enabling guests, or by
// both. If none of them does, the path may be opened.
func (q *Question) guestCandidates(path *access.Path, action access.Action, caller access.Caller) []candidate {
	guests := access.Principal{Kind: access.Guest}
	actions := path.Access.Allowed(guests, q.Backend.Terms()) | access.Actions(action)
	entry := q.granting(path, caller, access.Grant{To: guests, Actions: actions})
	all := []candidate{entry}
	if q.Backend.Defines(model.KindAuth) && !q.Backend.Auth.GuestsEnabled() {
		identity := candidate{
			commands: []string{"gatewright update auth --unauthenticated-identities-enabled"}, caller: caller,
			edit: func(b *model.Backend) error {
				auth := model.Auth{}
				if b.Auth != nil {
					auth = *b.Auth
				}
				enabled := true
				auth.UnauthenticatedIdentitiesEnabled = &enabled
				return edit.SetAuth(b, &auth)
			},
		}
		all = append(all, identity)
		if !q.letsThrough(identity) {
			all = append(all, candidate{
				commands: slices.Concat(entry.commands, identity.commands), caller: caller,
				edit: func(b *model.Backend) error {
					if err := entry.edit(b); err != nil {
						return err
					}
					return identity.edit(b)
				},
			})
		}
	}
	if !slices.ContainsFunc(all, q.letsThrough) {
		all = append(all, q.onPath(path, caller, "--open", access.Access{Setting: access.Open}))
	}
	return all
}

// callerFlags are the flags of `update path` that give callers actions.
var callerFlags = map[access.PrincipalKind]string{
	access.Guest: "guest", access.Authenticated: "auth", access.Group: "group",
}

// granting returns the candidate that gives somebody actions on the path.
func (q *Question) granting(path *access.Path, caller access.Caller, g access.Grant) candidate {
	value := flagWords(g.Actions)
	if g.To.Kind == access.Group {
		value = model.ShellWord(g.To.Group + "=" + value)
	}
	return q.onPath(path, caller, "--"+callerFlags[g.To.Kind]+" "+value, path.Access.Granted(g))
}

// onPath returns the candidate that changes the access of the path, by `update path` with
// one flag.
func (q *Question) onPath(path *access.Path, caller access.Caller, flag string, to access.Access) candidate {
	commands := []string{"gatewright update path " + model.ShellWord(q.api.Label) + " " +
		model.ShellWord(path.Name) + " " + flag}
	if slices.Contains(q.Older, q.api.Label) {
		commands = slices.Insert(commands, 0, "gatewright migrate")
	}
	return candidate{
		commands: commands, caller: caller,
		edit: func(b *model.Backend) error {
			if path.Name == access.ProxyPath {
				return errors.New("tokens of the user pool open it, not its entries")
			}
			changed := *path
			changed.Access = to
			return edit.UpdatePath(b, q.api.Label, path.Name, &changed)
		},
	}
}

// memberships returns candidates that add the user to one more group, or remove the user
// from the first groups.
func (q *Question) memberships(path *access.Path, caller access.Caller) []candidate {
	if q.Caller.User == "" {
		return nil
	}
	const most = 3
	command := func(flag string, groups ...string) string {
		var flags string
		for _, group := range groups {
			flags += " " + flag + " " + model.ShellWord(group)
		}
		if q.Environment != "" {
			flags += " --env " + model.ShellWord(q.Environment)
		}
		return UserCommand("groups", q.Caller.User, flags)
	}
	with := func(groups []string) access.Caller { return access.Caller{SignedIn: true, Groups: groups} }
	var more []candidate
	others := slices.DeleteFunc(q.Backend.RoleOrder(),
		func(group string) bool { return slices.Contains(caller.Groups, group) })
	slices.SortStableFunc(others, func(a, b string) int { return cmp.Compare(q.rights(path, a), q.rights(path, b)) })
	for _, group := range others {
		c := candidate{commands: []string{command("--add", group)}, caller: with(append(slices.Clone(caller.Groups), group))}
		if len(more) < most && q.letsThrough(c) {
			more = append(more, c)
		}
	}
	for i := range caller.Groups {
		c := candidate{commands: []string{command("--remove", caller.Groups[:i+1]...)}, caller: with(caller.Groups[i+1:])}
		if q.letsThrough(c) {
			return append(more, c)
		}
	}
	return more
}

// rights returns the number of actions that members of a group have on a path.
func (q *Question) rights(path *access.Path, group string) int {
	return len(path.Access.Allowed(access.Principal{Kind: access.Group, Group: group}, q.Backend.Terms()).List())
}

// orders returns a candidate that puts another group of the caller before the group that
// the caller acts as, the first that lets the request through.
func (q *Question) orders(caller access.Caller) []candidate {
	for i := 1; i < len(caller.Groups) && q.Backend.Defines(model.KindGroup); i++ {
		first, group := caller.Groups[0], caller.Groups[i]
		c := candidate{
			commands: []string{"gatewright update group " + model.ShellWord(group) + " --before " + model.ShellWord(first)},
			caller:   caller,
			edit: func(b *model.Backend) error {
				order, err := edit.GroupBefore(b, group, first)
				if err != nil {
					return err
				}
				return edit.OrderGroups(b, order)
			},
		}
		if q.letsThrough(c) {
			return []candidate{c}
		}
	}
	return nil
}

// flagWords returns actions as the value of a flag.
func flagWords(actions access.Actions) string {
	if actions&access.EveryAction == access.EveryAction {
		return "all"
	}
	return strings.ReplaceAll(actions.String(), ", ", ",")
}
