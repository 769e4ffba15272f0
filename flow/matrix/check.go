package matrix

import (
	"gatewright/model"
	"gatewright/model/access"
)

// Fault is an entry that cannot stay as it is.
type Fault struct {
	Who access.Principal
	Err error
}

// Faults returns what has to be changed before the access can be used: an entry that gives
// nothing, unless the path has it already, or a path that lets nobody in.
func (m Matrix) Faults() []Fault {
	if m.Access.Setting == access.Open || m.Before != nil && m.Equal(Matrix{Access: *m.Before, Groups: m.Groups}) {
		return nil
	}
	var faults []Fault
	say := func(who access.Principal, text, fix string) {
		faults = append(faults, Fault{who, &model.Problem{Field: "access", Text: text, Fix: fix}})
	}
	any := false
	for _, r := range m.Rows() {
		any = any || r.Actions != 0
		if r.Own && r.Actions == 0 && !m.hadEmpty(r.Who) {
			say(r.Who, r.Who.String()+" have an entry without an action", "grant an action, or remove the entry")
		}
	}
	if !any && len(faults) == 0 {
		say(access.Principal{Kind: access.Authenticated}, "nobody may do anything",
			"grant somebody an action, or open the path")
	}
	return faults
}

// hadEmpty reports whether the path has an empty entry for the caller already.
func (m Matrix) hadEmpty(who access.Principal) bool {
	if m.Before == nil {
		return false
	}
	actions, named := m.Before.Grant(who)
	return named && actions == 0
}
