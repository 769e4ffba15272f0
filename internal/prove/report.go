package prove

import (
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
)

// Report is a comparison of a deployment with the decisions of a project.
type Report struct {
	// Decisions counts what was compared: callers, methods and classes of paths.
	Decisions   int          `json:"decisions"`
	Differences []Difference `json:"differences"`
	// Doors are ways to functions other than the APIs of the project.
	Doors []Door `json:"doors"`
	// Refused are differences that were announced: what patterns cannot say, and the
	// deployment refuses to be safe.
	Refused []Difference `json:"refused"`
	// Undecided are sentences about what could not be compared; then nothing is equal.
	Undecided []string `json:"undecided"`
	Notices   []string `json:"notices"`
}

// Equal reports whether there is no difference and everything was compared.
func (r *Report) Equal() bool { return len(r.Differences)+len(r.Doors)+len(r.Undecided) == 0 }

// Direction says what a difference means for the caller.
type Direction string

// More is allowed by the deployment alone, Less by the project alone. Unknown depends on
// something that a template does not say.
const (
	More    Direction = "more"
	Less    Direction = "less"
	Unknown Direction = "unknown"
)

// Difference is that a caller may send requests of a class to one side and not to the
// other.
type Difference struct {
	API string `json:"api"`
	// Who is the caller as people name it.
	Who       string    `json:"who"`
	Direction Direction `json:"direction"`
	// Resource is what serves the requests in the project; "" if nothing does.
	Resource string   `json:"resource"`
	Methods  []string `json:"methods"`
	// Path is the raw path of the shortest request.
	Path string `json:"path"`
	// Why explains it, for people.
	Why string `json:"why"`

	caller int
	// odd says that the request has an empty segment.
	odd bool
}

// String returns the difference as a sentence with its shortest request: "POST /vote: anyone
// unsigned may; the project wants callers to sign in".
func (d Difference) String() string {
	request := strings.Join(d.Methods, ", ") + " " + phrase.Quote(d.Path)
	switch d.Direction {
	case More:
		return request + ": " + d.Who + " may; " + d.Why
	case Less:
		return request + ": " + d.Who + " may not; " + d.Why
	default:
		return request + ": whether " + d.Who + " may is not known; " + d.Why
	}
}

// add adds a difference, or its method to one that is the same otherwise.
func add(to []Difference, d Difference) []Difference {
	for i := range to {
		had := &to[i]
		if had.API == d.API && had.caller == d.caller && had.Who == d.Who && had.Direction == d.Direction &&
			had.Resource == d.Resource && had.Why == d.Why && had.Path == d.Path {
			if !slices.Contains(had.Methods, d.Methods[0]) {
				had.Methods = append(had.Methods, d.Methods...)
			}
			return to
		}
	}
	return append(to, d)
}

// withoutOdd leaves out differences of requests with an empty segment where those of plain
// requests say the same.
func withoutOdd(all []Difference) []Difference {
	return slices.DeleteFunc(slices.Clone(all), func(d Difference) bool {
		return d.odd && slices.ContainsFunc(all, func(plain Difference) bool {
			lacks := func(method string) bool { return !slices.Contains(plain.Methods, method) }
			return !plain.odd && plain.API == d.API && (plain.caller == d.caller || plain.caller == 0) &&
				plain.Direction == d.Direction &&
				plain.Resource == d.Resource && !slices.ContainsFunc(d.Methods, lacks)
		})
	})
}
