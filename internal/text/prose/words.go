package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// wordsLimit is how many bytes the lines have together that ChangedWords compares.
const wordsLimit = 32 << 10

// Span is a part of a line, from one byte to before another.
type Span struct{ From, To int }

// ChangedWords compares two lines word by word. It returns the parts of the old line that
// the new one does not have, and the parts of the new one that the old one does not have;
// without them the lines are the same. alike is false if the lines have too little in
// common to be one line that changed, or are too long to compare; then there are no parts.
func ChangedWords(old, now string) (removed, added []Span, alike bool) {
	if len(old)+len(now) > wordsLimit {
		return nil, nil, false
	}
	was, is := words(old), words(now)
	changes := joined(lcs.DiffLines(was, is), was)
	if !similar(was, is, changes) {
		return nil, nil, false
	}
	return spans(was, changes, func(c lcs.Diff) (int, int) { return c.Start, c.End }),
		spans(is, changes, func(c lcs.Diff) (int, int) { return c.ReplStart, c.ReplEnd }), true
}

// words divides a line into words, white space, and single other characters.
func words(line string) []string {
	all := make([]string, 0, len(line)/3+1)
	for line != "" {
		r, n := utf8.DecodeRuneInString(line)
		if word, space := isWord(r), r == ' '; word || space {
			for n < len(line) {
				r, size := utf8.DecodeRuneInString(line[n:])
				if isWord(r) != word || (r == ' ') != space {
					break
				}
				n += size
			}
		}
		all = append(all, line[:n])
		line = line[n:]
	}
	return all
}

// isWord reports whether a character belongs to a word.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_'
	}
	return unicode.In(r, unicode.Letter, unicode.Digit, unicode.Mark)
}

// joined makes one change of two that only white space separates.
func joined(changes []lcs.Diff, was []string) []lcs.Diff {
	var all []lcs.Diff
	for _, c := range changes {
		if last := len(all) - 1; last >= 0 && strings.TrimSpace(strings.Join(was[all[last].End:c.Start], "")) == "" {
			all[last].End, all[last].ReplEnd = c.End, c.ReplEnd
			continue
		}
		all = append(all, c)
	}
	return all
}

// similar reports whether the part of the old line that stays, times the part of the new
// line that was there, is at least a sixth. One word must stay unless a line has none.
func similar(was, is []string, changes []lcs.Diff) bool {
	all, allWords := weigh(was)
	now, nowWords := weigh(is)
	same, sameWords := all, allWords
	for _, c := range changes {
		n, words := weigh(was[c.Start:c.End])
		same, sameWords = same-n, sameWords-words
	}
	return same > 0 && 6*same*same >= all*now && (sameWords > 0 || allWords == 0 || nowWords == 0)
}

// weigh counts the bytes of words and marks, and the words.
func weigh(all []string) (bytes, words int64) {
	for _, word := range all {
		if word[0] == ' ' {
			continue
		}
		bytes += int64(len(word))
		if r, _ := utf8.DecodeRuneInString(word); isWord(r) {
			words++
		}
	}
	return bytes, words
}

// spans are the places of one side of the changes; side returns the words of a change.
func spans(all []string, changes []lcs.Diff, side func(lcs.Diff) (from, to int)) []Span {
	var found []Span
	at, n := 0, 0 // the word that is reached, and its place in the line
	seek := func(word int) int {
		for ; at < word; at++ {
			n += len(all[at])
		}
		return n
	}
	for _, c := range changes {
		if from, to := side(c); from < to {
			found = append(found, Span{seek(from), seek(to)})
		}
	}
	return found
}
