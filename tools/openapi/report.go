package main

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// expected are the rules that documents for API Gateway break, because of {proxy+}.
var expected = []string{"error path-parameters-defined", "error path-params", "error proxy+ not resolved"}

// report says what each judge found in each kind of document. The error says that something is
// found that is neither a warning nor expected.
func report(documents []document, found map[string]map[string][]string) (string, error) {
	var b strings.Builder
	var fault error
	fmt.Fprintf(&b, "%d documents of %d APIs\n", len(documents), len(documents)/len(kinds))
	for _, name := range judgeNames {
		fmt.Fprintf(&b, "\n%s\n", name)
		for _, kind := range kinds {
			clean, total, rules := 0, 0, make(map[string]int)
			for _, d := range documents {
				if d.kind != kind.name {
					continue
				}
				total++
				broken := found[name][filepath.Base(d.file)]
				if len(broken) == 0 {
					clean++
				}
				for _, rule := range broken {
					rules[rule]++
					if !strings.HasPrefix(rule, "warn") && (kind.name != "gateway" || !slices.Contains(expected, rule)) {
						fault = errors.New("a validator finds a fault")
					}
				}
			}
			fmt.Fprintf(&b, "  %-9s %d of %d clean", kind.name, clean, total)
			for _, rule := range slices.Sorted(maps.Keys(rules)) {
				fmt.Fprintf(&b, "; %s in %d", rule, rules[rule])
			}
			b.WriteByte('\n')
		}
	}
	return b.String(), fault
}
