package contract

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatewright/deploy/stack"
	"gatewright/model"
)

// Progress is a step of a push to the cloud, as it happens.
type Progress struct {
	// Text is a step of the push itself, one line; "" for a step of a resource.
	Text string
	// Done and Total say how far that is, in bytes or pieces, if Total is not 0.
	Done, Total int64
	// Resource is what happened to a resource.
	Resource *ResourceProgress
}

// ResourceProgress is what happened to one resource.
type ResourceProgress struct {
	// ID tells it from the others, Name is what people call it.
	ID, Name string
	// Of is the part of the backend that it belongs to; zero for one of an unknown template.
	Of     model.Ref
	Status stack.Status
	// Reason is why it failed, or another remark of the service.
	Reason string
	// Failed says that it failed by itself: not because another resource did.
	Failed bool
	Time   time.Time
}

// Going reports whether something goes on with it.
func (r *ResourceProgress) Going() bool { return strings.HasSuffix(string(r.Status), "_IN_PROGRESS") }

// Undone reports whether what a push did to it is being undone, or was.
func (r *ResourceProgress) Undone() bool { return strings.Contains(string(r.Status), "ROLLBACK") }

// Words say what happens to the resource, such as "being made".
func (r *ResourceProgress) Words() string {
	verb, result, _ := strings.Cut(string(r.Status), "_")
	// A status of something that is undone names what is undone before that.
	if i := strings.Index(string(r.Status), "ROLLBACK_"); i >= 0 {
		verb, result = "ROLLBACK", string(r.Status[i+len("ROLLBACK_"):])
	}
	words := map[string][3]string{
		"CREATE": {"being made", "made", "could not be made"}, "UPDATE": {"being changed", "changed", "could not be changed"},
		"DELETE":   {"being removed", "removed", "could not be removed"},
		"IMPORT":   {"being adopted", "adopted", "could not be adopted"},
		"EXPORT":   {"being handed over", "handed over", "could not be handed over"},
		"ROLLBACK": {"going back", "rolled back", "could not roll back"},
	}[verb]
	switch {
	case words[0] == "":
		return strings.ToLower(strings.ReplaceAll(string(r.Status), "_", " "))
	case result == "SKIPPED":
		return "kept"
	case strings.HasSuffix(result, "FAILED"):
		return words[2]
	case strings.HasSuffix(result, "IN_PROGRESS"):
		return words[0]
	}
	return words[1]
}

// Tree collects the progress of a push by what the resources belong to: each path, function,
// table and so on is a branch.
type Tree struct {
	branches map[model.Ref]*Branch
	order    []model.Ref
	total    int
	done     map[string]bool
}

// Branch is a part of the backend with its resources.
type Branch struct {
	Of model.Ref
	// Resources are the last steps of the resources, in the order in which they began.
	Resources []ResourceProgress
}

// NewTree returns a tree that expects that many resources; 0 is not known.
func NewTree(total int) *Tree {
	return &Tree{branches: make(map[model.Ref]*Branch), total: total, done: make(map[string]bool)}
}

// Add adds a step of a resource.
func (t *Tree) Add(r ResourceProgress) {
	b := t.branches[r.Of]
	if b == nil {
		b = &Branch{Of: r.Of}
		t.branches[r.Of], t.order = b, append(t.order, r.Of)
	}
	at := slices.IndexFunc(b.Resources, func(old ResourceProgress) bool { return old.ID == r.ID })
	switch {
	case at < 0:
		b.Resources = append(b.Resources, r)
	case b.Resources[at].Failed && !r.Failed:
		// Why something failed is not lost when it goes back.
		r.Failed, r.Reason = true, cmp.Or(b.Resources[at].Reason, r.Reason)
		b.Resources[at] = r
	default:
		b.Resources[at] = r
	}
	if r.Going() {
		return
	}
	t.done[r.ID] = true
}

// Count returns how many resources are done, and how many there are at least.
func (t *Tree) Count() (done, total int) {
	seen := 0
	for _, b := range t.branches {
		seen += len(b.Resources)
	}
	return len(t.done), max(t.total, seen)
}

// Branches returns the branches: those with a failure first, then those where something goes
// on, then those that are done, each in the order in which they began.
func (t *Tree) Branches() []*Branch {
	all := make([]*Branch, len(t.order))
	for i, of := range t.order {
		all[i] = t.branches[of]
	}
	slices.SortStableFunc(all, func(a, b *Branch) int { return cmp.Compare(a.rank(), b.rank()) })
	return all
}

func (b *Branch) rank() int {
	switch {
	case b.Failed():
		return 0
	case b.Going():
		return 1
	}
	return 2
}

// Failed reports whether one of the resources failed by itself.
func (b *Branch) Failed() bool {
	return slices.ContainsFunc(b.Resources, func(r ResourceProgress) bool { return r.Failed })
}

// Going reports whether something goes on with one of the resources.
func (b *Branch) Going() bool {
	return slices.ContainsFunc(b.Resources, func(r ResourceProgress) bool { return r.Going() })
}

// Done counts the resources with which nothing goes on.
func (b *Branch) Done() int {
	n := 0
	for i := range b.Resources {
		if !b.Resources[i].Going() {
			n++
		}
	}
	return n
}

// Name is what people call the branch.
func (b *Branch) Name() string {
	if b.Of == (model.Ref{}) {
		return "other resources"
	}
	return b.Of.String()
}

// String returns the step as one line; "" for a step of a resource.
func (p Progress) String() string {
	if p.Total == 0 {
		return p.Text
	}
	return p.Text + " " + BytesOf(p.Done) + " of " + BytesOf(p.Total)
}

// BytesOf is a number of bytes for people.
func BytesOf(n int64) string {
	const kilo, mega = 1 << 10, 1 << 20
	switch {
	case n >= mega:
		return fmt.Sprintf("%.1f MB", float64(n)/mega)
	case n >= kilo:
		return fmt.Sprintf("%d KB", n/kilo)
	}
	return fmt.Sprintf("%d B", n)
}
