package traffic

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"gatewright/sandbox/function"
)

// Use is what a function used while a call ran.
type Use = function.Use

// UseCounts are the uses of something by a function since the sandbox began.
type UseCounts struct {
	Environment string `json:"environment"`
	Function    string `json:"function"`
	// Resource and Operation are those of Use.
	Resource  string `json:"resource"`
	Operation string `json:"operation"`
	Calls     int    `json:"calls"`
	Failed    int    `json:"failed"`
}

// Of is what is counted, without the count.
func (c UseCounts) Of() UseCounts {
	c.Calls, c.Failed = 0, 0
	return c
}

// LooseUse is a use by a function of which no call is known that ran: the request did not name one, or
// that one had its answer already. It is not guessed.
type LooseUse struct {
	Environment string `json:"environment"`
	Function    string `json:"function"`
	// Time is when it began; the At of Use is 0.
	Time time.Time `json:"time"`
	Use  Use       `json:"use"`
}

// mostLoose is how many uses without a call are kept for who follows. A reader that is further behind
// has their counts all the same.
const mostLoose = 1000

func (s *Store) keepLoose(u *LooseUse) {
	if s.loosed++; len(s.loose) == 2*mostLoose {
		s.loose = append(s.loose[:0:0], s.loose[mostLoose:]...)
	}
	s.loose = append(s.loose, *u)
	s.uses.count(u.Environment, u.Function, u.Use.Used(), function.UseCount{}.And(&u.Use))
}

// looseAfter are the uses without a call that came after a number of them. The lock is held.
func (s *Store) looseAfter(seen uint64) []LooseUse {
	n := min(int(s.loosed-seen), len(s.loose))
	return slices.Clone(s.loose[len(s.loose)-n:])
}

// uses counts uses by function and by what was used.
type uses struct {
	// version counts the changes.
	version uint64
	totals  map[UseCounts]*useTotal
}

// useTotal is a count with the version that changed it last.
type useTotal struct {
	function.UseCount
	changed uint64
}

func newUses() uses { return uses{totals: make(map[UseCounts]*useTotal)} }

// mostTotals is how many counts there may be: names come from functions. Beyond them, only the first
// part of a name, such as table/, is distinguished.
const mostTotals = 5000

func (u *uses) count(environment, name string, what function.Used, n function.UseCount) {
	of := UseCounts{Environment: environment, Function: name, Resource: what.Resource, Operation: what.Operation}
	t := u.totals[of]
	if t == nil && len(u.totals) >= mostTotals {
		of.Resource = kindOf(what.Resource)
		t = u.totals[of]
	}
	if t == nil {
		t = new(useTotal)
		u.totals[of] = t
	}
	u.version++
	t.Calls, t.Failed, t.changed = t.Calls+n.Calls, t.Failed+n.Failed, u.version
}

// kindOf is a resource without its name.
func kindOf(resource string) string {
	kind, _, named := strings.Cut(resource, "/")
	if named {
		kind += "/..."
	}
	return kind
}

// add counts what a function used while a call ran.
func (u *uses) add(e *entry) {
	for i := range e.Uses {
		u.count(e.Environment, e.Function, e.Uses[i].Used(), function.UseCount{}.And(&e.Uses[i]))
	}
	for what, n := range e.ended.left {
		u.count(e.Environment, e.Function, what, n)
	}
}

// since are the counts that changed after a version, sorted.
func (u *uses) since(version uint64) []UseCounts {
	changed := []UseCounts{}
	for of, t := range u.totals {
		if t.changed > version {
			of.Calls, of.Failed = t.Calls, t.Failed
			changed = append(changed, of)
		}
	}
	slices.SortFunc(changed, func(a, b UseCounts) int {
		return cmp.Or(cmp.Compare(a.Environment, b.Environment), cmp.Compare(a.Function, b.Function),
			cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Operation, b.Operation))
	})
	return changed
}
