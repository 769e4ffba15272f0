package cli

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/model"
)

// candidate is a change that may let a request through: commands, and what they
// make of the backend and of the caller.
type candidate struct {
	commands []string
	edit     func(*model.Backend) error
	caller   model.Caller
}

// changes are what would let a refused request through, each by itself: what
// concerns the fewest first. Each was tried: the changed backend decides
// otherwise.
func (q *question) changes(d model.Decision) [][]string {
	var changes [][]string
	caller := q.caller.decided()
	caller.Stranger = false
	if q.caller.locked != "" {
		live := candidate{commands: []string{q.caller.unlock}, caller: caller}
		if q.works(live) {
			return [][]string{live.commands}
		}
		d = q.backend.Router(q.api.Label).Decide(caller, q.method, q.path)
	}
	for _, c := range q.candidates(d, caller) {
		if !q.works(c) {
			continue
		}
		if q.caller.locked != "" {
			c.commands = slices.Insert(c.commands, 0, q.caller.unlock)
		}
		changes = append(changes, c.commands)
	}
	return changes
}

// works reports whether a candidate would let the request through.
func (q *question) works(c candidate) bool {
	b := q.backend
	if c.edit != nil {
		var err error
		if b, err = b.Edit(c.edit); err != nil {
			return false
		}
	}
	return b.Router(q.api.Label).Decide(c.caller, q.method, q.path).Allowed
}

// candidates are what may be tried, in the order in which it is shown.
func (q *question) candidates(d model.Decision, caller model.Caller) []candidate {
	path := d.Route.Path
	if d.As.Kind == model.Guest {
		return q.guestCandidates(path, d.Action, caller)
	}
	var all []candidate
	access := path.Access
	if len(caller.Groups) > 0 {
		group := caller.Groups[0]
		actions := access.Allowed(model.Principal{Kind: model.Group, Group: group}) | model.Actions(d.Action)
		all = append(all, q.onPath(path, caller, accessFlags{groups: []string{group + "=" + flagWords(actions)}}, "group"))
	}
	all = append(all, q.memberships(path, caller)...)
	signedIn := access.Allowed(model.Principal{Kind: model.Authenticated}) | model.Actions(d.Action)
	all = append(all, q.onPath(path, caller, accessFlags{auth: flagWords(signedIn)}, "auth"))
	own := access.Allowed(d.As)
	if d.Rule == model.ByGroup && own.Without(access.Allowed(model.Principal{Kind: model.Authenticated})) == 0 {
		// An entry that allows no more than signed-in users have only takes away.
		all = append(all, q.onPath(path, caller, accessFlags{noGroups: []string{d.As.Group}}, "no-group"))
	}
	return append(all, q.orders(caller)...)
}

// guestCandidates let guests in: by an entry of theirs, or an identity, or where
// neither can be had here by an open path, which needs none.
func (q *question) guestCandidates(path *model.Path, action model.Action, caller model.Caller) []candidate {
	// An entry that does nothing under the path's setting stays without effect.
	actions := path.Access.Allowed(model.Principal{Kind: model.Guest}) | model.Actions(action)
	entry := q.onPath(path, caller, accessFlags{guest: flagWords(actions)}, "guest")
	all := []candidate{entry}
	if !q.backend.Foreign && !q.backend.Auth.GuestsEnabled() {
		identity := candidate{
			commands: []string{"gatewright update auth --unauthenticated-identities-enabled"}, caller: caller,
			edit: func(b *model.Backend) error {
				auth := model.Auth{}
				if b.Auth != nil {
					auth = *b.Auth
				}
				enabled := true
				auth.UnauthenticatedIdentitiesEnabled = &enabled
				return b.SetAuth(&auth)
			},
		}
		all = append(all, identity)
		if !q.works(identity) {
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
	if !slices.ContainsFunc(all, q.works) {
		all = append(all, q.onPath(path, caller, accessFlags{open: true}, "open"))
	}
	return all
}

// onPath changes the access of the path as `update path` does with one flag.
func (q *question) onPath(path *model.Path, caller model.Caller, flags accessFlags, flag string) candidate {
	word := " --" + flag
	switch flag {
	case "group":
		word += " " + shellWord(flags.groups[0])
	case "auth":
		word += " " + flags.auth
	case "guest":
		word += " " + flags.guest
	case "no-group":
		word += " " + shellWord(flags.noGroups[0])
	}
	commands := []string{"gatewright update path " + shellWord(q.api.Label) + " " + shellWord(path.Name) + word}
	if slices.Contains(q.older, q.api.Label) {
		commands = slices.Insert(commands, 0, "gatewright migrate")
	}
	return candidate{
		commands: commands, caller: caller,
		edit: func(b *model.Backend) error {
			changed := *path
			var err error
			if changed.Access, err = flags.change(func(given string) bool { return given == flag }, path.Access); err != nil {
				return err
			}
			return b.UpdatePath(q.api.Label, path.Name, &changed)
		},
	}
}

// memberships are other groups for a user: one more, or less of those that come
// first.
func (q *question) memberships(path *model.Path, caller model.Caller) []candidate {
	if q.caller.user == "" {
		return nil
	}
	const most = 3
	command := func(flag string, groups ...string) string {
		var flags string
		for _, group := range groups {
			flags += " " + flag + " " + shellWord(group)
		}
		if q.env != "" {
			flags += " --env " + shellWord(q.env)
		}
		return userCommand("groups", q.caller.user, flags)
	}
	with := func(groups []string) model.Caller { return model.Caller{SignedIn: true, Groups: groups} }
	var more []candidate
	others := slices.DeleteFunc(everyGroup(q.backend), func(group string) bool { return slices.Contains(caller.Groups, group) })
	slices.SortStableFunc(others, func(a, b string) int { return cmp.Compare(q.rights(path, a), q.rights(path, b)) })
	for _, group := range others {
		c := candidate{commands: []string{command("--add", group)}, caller: with(append(slices.Clone(caller.Groups), group))}
		if len(more) < most && q.works(c) {
			more = append(more, c)
		}
	}
	for i := range caller.Groups {
		c := candidate{commands: []string{command("--remove", caller.Groups[:i+1]...)}, caller: with(caller.Groups[i+1:])}
		if q.works(c) {
			return append(more, c)
		}
	}
	return more
}

// rights is how many actions the members of a group have under a path.
func (q *question) rights(path *model.Path, group string) int {
	return len(path.Access.Allowed(model.Principal{Kind: model.Group, Group: group}).List())
}

// orders put the first of the caller's other groups that lets the request through
// before the one that the caller acts as.
func (q *question) orders(caller model.Caller) []candidate {
	for i := 1; i < len(caller.Groups) && !q.backend.Foreign; i++ {
		first, group := caller.Groups[0], caller.Groups[i]
		flags := orderFlags{before: first}
		c := candidate{
			commands: []string{"gatewright update group " + shellWord(group) + " --before " + shellWord(first)}, caller: caller,
			edit: func(b *model.Backend) error {
				order, err := flags.of(b, []string{group})
				if err != nil {
					return err
				}
				return b.OrderGroups(order)
			},
		}
		if q.works(c) {
			return []candidate{c}
		}
	}
	return nil
}

// flagWords are actions as a flag takes them.
func flagWords(actions model.Actions) string {
	if actions&model.EveryAction == model.EveryAction {
		return "all"
	}
	return strings.ReplaceAll(actions.String(), ", ", ",")
}

// shellWord is a text as one word of a shell's command line.
func shellWord(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:=@,+%", r)
	}
	if text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !plain(r) }) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
