package answer

import (
	"strings"

	"gatewright/model"
	"gatewright/model/access"
)

// closings returns the commands that would refuse a request that is allowed, one list for each
// change that is enough, the one that concerns the fewest callers first. Each was tried on a copy of
// the backend. keep are groups that keep their access if an open path is restricted.
func (q *Question) closings(d access.Decision, keep []string) [][]string {
	var changes [][]string
	for _, c := range q.closingCandidates(d, q.Caller.decided(), keep, access.Actions(d.Action)) {
		if b, err := q.Backend.Edit(c.edit); err == nil && !b.Router(q.api.Label).Decide(c.caller, q.Method, q.Path).Allowed {
			changes = append(changes, c.commands)
		}
	}
	return changes
}

// closingCandidates returns the changes to try, in the order in which they are shown, which take away some actions.
func (q *Question) closingCandidates(
	d access.Decision, caller access.Caller, keep []string, taken access.Actions,
) []candidate {
	path := d.Route.Path
	if path == nil {
		return nil
	}
	if d.Rule == access.OpenToAll {
		return q.restrictions(path, caller, keep, access.EveryAction.Without(taken))
	}
	if d.Above != nil {
		path = d.Above
	}
	rules, left := path.Access, path.Access.Allowed(d.As, q.Backend.Terms()).Without(taken)
	var all []candidate
	if own := q.ownGroup(); own != "" && d.As.Kind == access.Authenticated && left != 0 {
		// Only the members of the group lose the action if they get an entry of their own.
		members := access.Principal{Kind: access.Group, Group: own}
		all = append(all, q.granting(path, caller, access.Grant{To: members, Actions: left}))
	}
	switch {
	case left != 0:
		return append(all, q.granting(path, caller, access.Grant{To: d.As, Actions: left}))
	case d.As.Kind == access.Group:
		return append(all, q.onPath(path, caller, "--no-group "+model.ShellWord(d.As.Group), rules.Without(d.As)))
	}
	return append(all, q.onPath(path, caller, "--no-"+callerFlags[d.As.Kind], rules.Without(d.As)))
}

// ownGroup returns the first group of the caller; "" for none.
func (q *Question) ownGroup() string {
	if len(q.Caller.Member) == 0 {
		return ""
	}
	return q.Caller.Member[0]
}

// restrictions restrict an open path: to groups, if there are any to keep, else to signed-in users, or to
// the actions that are left.
func (q *Question) restrictions(
	path *access.Path, caller access.Caller, keep []string, left access.Actions,
) []candidate {
	if len(keep) == 0 {
		users, guests := access.Principal{Kind: access.Authenticated}, access.Principal{Kind: access.Guest}
		all := []candidate{q.granting(path, caller, access.Grant{To: users, Actions: access.EveryAction})}
		if left == 0 {
			return all
		}
		words := flagWords(left)
		rest := path.Access.Granted(access.Grant{To: users, Actions: left})
		return append(all, q.onPath(path, caller, "--auth "+words, rest),
			q.onPath(path, caller, "--auth "+words+" --guest "+words, rest.Granted(access.Grant{To: guests, Actions: left})))
	}
	flags, rules := []string(nil), path.Access
	for _, group := range keep {
		members := access.Principal{Kind: access.Group, Group: group}
		flags = append(flags, "--group "+model.ShellWord(group+"=all"))
		rules = rules.Granted(access.Grant{To: members, Actions: access.EveryAction})
	}
	return []candidate{q.onPath(path, caller, strings.Join(flags, " "), rules)}
}
