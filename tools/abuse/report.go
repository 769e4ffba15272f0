//go:build linux

package main

import (
	"fmt"
	"io"
	"sync"
	"text/tabwriter"
)

// What may be wrong many times.
const (
	strange     = "answers that are not the caller's own"
	lost        = "requests that are not answered"
	outdated    = "answers of a version long replaced"
	unexplained = "refusals without their reason in the log"
	misplaced   = "lines of the log under another's request"
)

// report is what a run saw. Several goroutines may use it.
type report struct {
	mu   sync.Mutex
	rows []row
	// wrongs counts what was wrong many times, told has the first of each.
	wrongs map[string]int
	told   []string
	failed bool
}

// row is a line of the table.
type row struct{ what, seen, wanted, verdict string }

// wrong notes something that is wrong, and gives how often that was.
func (r *report) wrong(what, format string, args ...any) int {
	const told = 5
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.wrongs == nil {
		r.wrongs = make(map[string]int)
	}
	r.wrongs[what]++
	if r.wrongs[what] <= told {
		r.told = append(r.told, what+": "+fmt.Sprintf(format, args...))
	}
	return r.wrongs[what]
}

// none adds a row for what may not be wrong a single time, of so many.
func (r *report) none(what string, of int) {
	r.mu.Lock()
	n := r.wrongs[what]
	r.mu.Unlock()
	r.judge(what, fmt.Sprintf("%d of %d", n, of), "none", n == 0)
}

// saw adds a row for what is only told.
func (r *report) saw(what, seen string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rows = append(r.rows, row{what: what, seen: fmt.Sprintf(seen, args...)})
}

// judge adds a row for what is wanted.
func (r *report) judge(what, seen, wanted string, good bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	verdict := "good"
	if !good {
		verdict, r.failed = "WRONG", true
	}
	r.rows = append(r.rows, row{what, seen, wanted, verdict})
}

// print prints the table, and what is wrong in it; it reports whether nothing is.
func (r *report) print(table, wrongs io.Writer) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := tabwriter.NewWriter(table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "what\tseen\twanted\t")
	for _, row := range r.rows {
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", row.what, row.seen, row.wanted, row.verdict)
	}
	err := out.Flush()
	for _, text := range r.told {
		fmt.Fprintln(wrongs, text)
	}
	return !r.failed, err
}
