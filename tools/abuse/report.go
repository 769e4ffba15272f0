//go:build linux

package main

import (
	"fmt"
	"io"
	"sync"
	"text/tabwriter"
)

// Kinds of errors that may occur many times.
const (
	wrongAnswer   = "answers that are not the caller's own"
	unanswered    = "requests that are not answered"
	staleAnswer   = "answers of an outdated version"
	unexplained   = "refusals that the log does not explain"
	misplacedLine = "log lines under another request"
)

// report has the findings of a run. Several goroutines may use it.
type report struct {
	mu   sync.Mutex
	rows []row
	// wrongs counts the errors of each kind, examples has the first of each kind.
	wrongs   map[string]int
	examples []string
	failed   bool
}

// row is a line of the table.
type row struct{ what, seen, wanted, verdict string }

// wrong adds an error of a kind, and returns how many there are.
func (r *report) wrong(what, format string, args ...any) int {
	const most = 5
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.wrongs == nil {
		r.wrongs = make(map[string]int)
	}
	r.wrongs[what]++
	if r.wrongs[what] <= most {
		r.examples = append(r.examples, what+": "+fmt.Sprintf(format, args...))
	}
	return r.wrongs[what]
}

// none adds a row for a kind of error that must not occur.
func (r *report) none(what string, of int) {
	r.mu.Lock()
	n := r.wrongs[what]
	r.mu.Unlock()
	r.judge(what, fmt.Sprintf("%d of %d", n, of), "none", n == 0)
}

// saw adds a row without a requirement.
func (r *report) saw(what, seen string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rows = append(r.rows, row{what: what, seen: fmt.Sprintf(seen, args...)})
}

// judge adds a row with a requirement.
func (r *report) judge(what, seen, wanted string, good bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	verdict := "good"
	if !good {
		verdict, r.failed = "WRONG", true
	}
	r.rows = append(r.rows, row{what, seen, wanted, verdict})
}

// print prints the table and examples of errors, and reports whether all requirements are
// met.
func (r *report) print(table, wrongs io.Writer) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := tabwriter.NewWriter(table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "what\tseen\twanted\t")
	for _, row := range r.rows {
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", row.what, row.seen, row.wanted, row.verdict)
	}
	err := out.Flush()
	for _, text := range r.examples {
		fmt.Fprintln(wrongs, text)
	}
	return !r.failed, err
}
