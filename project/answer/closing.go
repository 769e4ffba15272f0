package answer

import (
	"gatewright/model"
)

// closings returns the commands that would refuse a request that is allowed, one list for each
// change that is enough, the one that concerns the fewest callers first. Each was tried on a copy of
// the backend. keep are groups that keep their access if an open path is restricted.
func (q *Question) closings(keep []string) [][]string {
	caller := q.Caller.decided()
	d := q.Backend.Router(q.api.Label).Decide(caller, q.Method, q.Path)
	var changes [][]string
	for _, c := range q.closingCandidates(d, caller, keep) {
		if b, err := q.Backend.Edit(c.edit); err == nil && !b.Router(q.api.Label).Decide(c.caller, q.Method, q.Path).Allowed {
			changes = append(changes, c.commands)
		}
	}
	return changes
}

// closingCandidates returns the changes to try, in the order in which they are shown.
func (q *Question) closingCandidates(d model.Decision, caller model.Caller, keep []string) []candidate {
	path := d.Route.Path
	if path == nil {
		return nil
	}
	if d.Rule == model.OpenToAll {
		return q.restrictions(path, caller, keep)
	}
	access, left := path.Access, path.Access.Allowed(d.As).Without(model.Actions(d.Action))
	var all []candidate
	if own, acts := q.ownGroup(), d.As; own != "" && acts.Kind == model.Authenticated {
		// Only the members of the group lose the action if they get an entry of their own.
		to := model.Principal{Kind: model.Group, Group: own}
		if left != 0 {
			all = append(all,
				q.onPath(path, caller, "--group "+model.ShellWord(own+"="+flagWords(left)),
					access.Granted(model.Grant{To: to, Actions: left})))
		}
	}
	flag := map[model.PrincipalKind]string{model.Guest: "guest", model.Authenticated: "auth"}[d.As.Kind]
	switch {
	case d.As.Kind == model.Group && left != 0:
		all = append(all,
			q.onPath(path, caller, "--group "+model.ShellWord(d.As.Group+"="+flagWords(left)),
				access.Granted(model.Grant{To: d.As, Actions: left})))
	case d.As.Kind == model.Group:
		all = append(all, q.onPath(path, caller, "--no-group "+model.ShellWord(d.As.Group), access.Without(d.As)))
	case left != 0:
		all = append(all,
			q.onPath(path, caller, "--"+flag+" "+flagWords(left), access.Granted(model.Grant{To: d.As, Actions: left})))
	default:
		all = append(all, q.onPath(path, caller, "--no-"+flag, access.Without(d.As)))
	}
	return all
}

// ownGroup returns the first group of the caller; "" for none.
func (q *Question) ownGroup() string {
	if len(q.Caller.Member) == 0 {
		return ""
	}
	return q.Caller.Member[0]
}

// restrictions restrict an open path: to groups, if there are any to keep, else to signed-in users.
func (q *Question) restrictions(path *model.Path, caller model.Caller, keep []string) []candidate {
	if len(keep) == 0 {
		users := model.Grant{To: model.Principal{Kind: model.Authenticated}, Actions: model.EveryAction}
		return []candidate{q.onPath(path, caller, "--auth all", path.Access.Granted(users))}
	}
	flags, access := "", path.Access
	for _, group := range keep {
		if flags != "" {
			flags += " "
		}
		flags += "--group " + model.ShellWord(group+"=all")
		access = access.Granted(model.Grant{To: model.Principal{Kind: model.Group, Group: group}, Actions: model.EveryAction})
	}
	return []candidate{q.onPath(path, caller, flags, access)}
}
