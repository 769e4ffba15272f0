package schemas

import (
	"fmt"
	"strings"
)

// proposal names the word of the allowed ones that was probably meant, or all
// of them.
func proposal(word string, allowed []string) string {
	if near := nearest(word, allowed); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "one of: " + strings.Join(allowed, ", ")
}

// nearest returns the allowed word that differs least from a word, "" when none
// is close: one slip for every three letters. Letter case, _ and - do not count.
func nearest(word string, allowed []string) string {
	if len(word) > 100 {
		return ""
	}
	written := fold(word)
	best, least := "", len(written)/3+1
	for _, candidate := range allowed {
		if slips := distance(written, fold(candidate)); slips < least {
			best, least = candidate, slips
		}
	}
	return best
}

func fold(word string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(word))
}

// distance counts the bytes to insert, remove, replace or swap with their
// neighbour to turn a into b.
func distance(a, b string) int {
	var before, last []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replaced := last[j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			row[j] = min(replaced, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
