package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
)

// report prints which sessions ran, and the output of those that failed. It fails if one
// failed, or ran less than is recorded.
func report(sessions []*session, all, update bool) error {
	slices.SortFunc(sessions, func(a, b *session) int { return cmp.Compare(a.name, b.name) })
	var text bytes.Buffer
	out := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	counts := map[string]int{}
	for _, s := range sessions {
		fmt.Fprintf(out, "%s\t%s\n", s.name, s.outcome())
		kind, _, _ := strings.Cut(s.outcome(), ":")
		counts[kind]++
		if s.end == "fail" {
			fmt.Printf("\n%s fails:\n%s", s.name, s.output.String())
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	fmt.Printf("\n%s\n%d sessions: %d run, %d run in part, %d cannot run, %d fail\n", text.String(),
		len(sessions), counts["runs"], counts["runs in part"], counts["cannot run"], counts["fails"])
	if update {
		if err := os.WriteFile(figures, text.Bytes(), 0o644); err != nil {
			return err
		}
	}
	if failed := counts["fails"]; failed > 0 {
		return fmt.Errorf("sessions that fail with the Windows program: %d", failed)
	}
	if !all || update {
		return nil
	}
	before, err := os.ReadFile(figures)
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New(figures + " is missing, so nothing is compared; write it with -update")
	}
	if err != nil {
		return err
	}
	return compare(string(before), text.String())
}

// compare returns an error that names the sessions which run less than is recorded.
func compare(before, now string) error {
	outcomes := func(text string) map[string]string {
		lines := map[string]string{}
		for line := range strings.Lines(text) {
			name, outcome, _ := strings.Cut(strings.TrimSpace(line), " ")
			lines[name] = strings.TrimSpace(outcome)
		}
		return lines
	}
	var lost []error
	found := outcomes(now)
	for name, outcome := range outcomes(before) {
		if found[name] != outcome && found[name] != "runs" {
			lost = append(lost,
				fmt.Errorf("%s %s, but %s records that it %s", name, cmp.Or(found[name], "is gone"), figures, outcome))
		}
	}
	slices.SortFunc(lost, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	return errors.Join(lost...)
}
