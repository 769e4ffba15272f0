// Package spelling finds the name that a mistyped word was meant to be.
package spelling

import "strings"

// The limits keep a comparison with a hostile file short.
const longest, most = 100, 1000

// Nearest returns the first of the candidates that differ least from a word, or "" if none
// is close enough to be meant (see Slips).
func Nearest(word string, candidates []string) string {
	if len(candidates) > most {
		return ""
	}
	best, least := "", longest
	for _, candidate := range candidates {
		if slips, near := Slips(word, candidate); near && slips < least {
			best, least = candidate, slips
		}
	}
	return best
}

// Slips returns the Distance of two words if letter case, _ and - do not count, and whether
// they are close enough to be confused: at most one slip for every three letters of the
// first word, but one slip is always allowed in a word of two letters or more.
func Slips(word, candidate string) (slips int, near bool) {
	if len(word) > longest || len(candidate) > longest {
		return 0, false
	}
	word, candidate = fold(word), fold(candidate)
	limit := max(len(word)/3, min(1, len(word)-1))
	if max(len(word)-len(candidate), len(candidate)-len(word)) > limit {
		return 0, false
	}
	slips = Distance(word, candidate)
	return slips, slips <= limit
}

var joining = strings.NewReplacer("_", "", "-", "")

func fold(word string) string { return joining.Replace(strings.ToLower(word)) }

// Distance counts the bytes to insert, remove, replace or swap with their neighbour to turn a
// into b (the optimal string alignment distance).
func Distance(a, b string) int {
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(b) {
			replaced := row[j]
			if a[i] != b[j] {
				replaced++
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				replaced = min(replaced, before[j-1]+1)
			}
			next[j+1] = min(replaced, row[j+1]+1, next[j]+1)
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
