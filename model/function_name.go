package model

import (
	"cmp"
	"fmt"
	"strings"
)

// SuggestFunctions returns names for the function of a path, the best first: the last segment
// that is no variable, then all segments.
func SuggestFunctions(path string) []string {
	last, all := "", ""
	for part := range strings.SplitSeq(path, "/") {
		if word := SuggestName(part, ""); word != "" {
			all = strings.TrimPrefix(all+"-"+word, "-")
			if part[0] != '{' {
				last = word
			}
		}
	}
	if last == "" {
		last = "root"
	}
	const longest = 60 // with a number it is still a valid name
	return []string{last, strings.TrimRight(cmp.Or(all, last)[:min(len(cmp.Or(all, last)), longest)], "-")}
}

// FreeName returns the first of some names that is not taken, or the last with a number.
func FreeName(names []string, taken func(name string) bool) string {
	for _, name := range names {
		if !taken(name) {
			return name
		}
	}
	for n := 2; ; n++ {
		if name := fmt.Sprintf("%s-%d", names[len(names)-1], n); !taken(name) {
			return name
		}
	}
}

// Among returns a function that reports whether a name is one of a list. Case does not count.
func Among(list []string) func(name string) bool {
	folded := make(map[string]bool, len(list))
	for _, name := range list {
		folded[strings.ToLower(name)] = true
	}
	return func(name string) bool { return folded[strings.ToLower(name)] }
}
