package filter

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A text is like a word if it has the letters of the word in order, as people shorten names:
// "rvws" is reviews, "bkid" is books/{id}. The letters are in one run without a space. From
// one to the next, few letters may be skipped inside of a part of a name, or all up to the
// beginning of another part: letters that are scattered over a text are no match.

const (
	// mostSkipped is how many letters may be skipped inside of a part.
	mostSkipped = 5
	// longestWord and longestRun are how many characters are compared.
	longestWord = 40
	longestRun  = 256
)

// letterFinder finds the letters of a word in texts. It keeps its memory between texts.
type letterFinder struct {
	word []rune
	// letters are the different characters of the word. ascii has the place in it of each of
	// them that is ASCII, plus 1; of has the place of each character of the word.
	letters []rune
	ascii   [utf8.RuneSelf]uint8
	of      []uint8
	run     textRun
}

// set chooses the word, in lower case; false if nothing is like it.
func (f *letterFinder) set(word string) bool {
	f.word = []rune(word)
	isNumber := !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsDigit(r) })
	if len(f.word) < 2 || len(f.word) > longestWord || isNumber {
		return false
	}
	for _, r := range f.word {
		at := slices.Index(f.letters, r)
		if at < 0 {
			at = len(f.letters)
			f.letters = append(f.letters, r)
			if r < utf8.RuneSelf {
				f.ascii[r] = uint8(at + 1)
			}
		}
		f.of = append(f.of, uint8(at))
	}
	return true
}

// isIn reports whether a run of a text in lower case is like the word.
func (f *letterFinder) isIn(word, text string) bool {
	if !hasInOrder(text, word) {
		return false
	}
	for run := range strings.FieldsSeq(text) {
		if hasInOrder(run, word) && f.isLike(run) {
			return true
		}
	}
	return false
}

// hasInOrder reports whether a text has the bytes of a word in order, which most have not.
func hasInOrder(text, word string) bool {
	at := 0
	for i := 0; i < len(text) && at < len(word); i++ {
		if text[i] == word[at] {
			at++
		}
	}
	return at == len(word)
}

// places64 are places in a run, one in each bit.
type places64 [longestRun / 64]uint64

func (s *places64) add(at int) { s[at>>6] |= 1 << (at & 63) }

// textRun is a run of a text: where its parts begin, and where each letter of the word is.
type textRun struct {
	length int
	begins places64
	has    []places64
}

// read reads a run.
func (f *letterFinder) read(run string) {
	t := &f.run
	t.length, t.begins = 0, places64{}
	if t.has == nil {
		t.has = make([]places64, len(f.letters))
	}
	clear(t.has)
	before := false
	for _, r := range run {
		if t.length == longestRun {
			break
		}
		inside := isOfPart(r)
		if !inside || !before {
			t.begins.add(t.length)
		}
		before = inside
		at := 0
		if r < utf8.RuneSelf {
			at = int(f.ascii[r])
		} else {
			at = slices.Index(f.letters, r) + 1
		}
		if at > 0 {
			t.has[at-1].add(t.length)
		}
		t.length++
	}
}

// isOfPart reports whether a character belongs to a part of a name, and is not between two.
func isOfPart(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// isLike reports whether a run is like the word: it follows all places at which the first
// letters of the word can end.
func (f *letterFinder) isLike(run string) bool {
	f.read(run)
	t := &f.run
	n := (t.length + 63) / 64
	ends := t.has[f.of[0]]
	for _, letter := range f.of[1:] {
		// To the right of the first end, every beginning of a part can be reached.
		reached, found := places64{}, false
		for i := range n {
			switch {
			case found:
				reached[i] = t.begins[i]
			case ends[i] != 0:
				first := ends[i] & -ends[i]
				reached[i], found = t.begins[i]&^(first|(first-1)), true
			}
		}
		if !found {
			return false
		}
		step := ends
		for skipped := range mostSkipped + 1 {
			carry := uint64(0)
			for i := range n {
				next := step[i]<<1 | carry
				carry = step[i] >> 63
				if skipped == 0 {
					reached[i] |= next
				}
				step[i] = next &^ t.begins[i]
				reached[i] |= step[i]
			}
		}
		for i := range n {
			ends[i] = reached[i] & t.has[letter][i]
		}
	}
	return ends != places64{}
}

// none is the price of a way that there is not.
const none = math.MaxInt16

// best is the way through a run with the fewest pieces: the places in it of the letters of the
// word, and a price that is larger for more pieces; none if the run is not like the word.
func (f *letterFinder) best(run string) (places []int, price int) {
	f.read(run)
	t := &f.run
	n, m := len(f.word), t.length
	begins := func(j int) bool { return t.begins[j>>6]>>(j&63)&1 == 1 }
	prices, next := make([]int16, n*m), make([]int16, n*m)
	for k := n - 1; k >= 0; k-- {
		here, has := prices[k*m:(k+1)*m], t.has[f.of[k]]
		begin, beginAt := int16(none), int16(0) // the best beginning of a part to the right
		for j := m - 1; j >= 0; j-- {
			here[j] = none
			is := has[j>>6]>>(j&63)&1 == 1
			if k == n-1 {
				if is {
					here[j] = 0
				}
				continue
			}
			after := prices[(k+1)*m : (k+2)*m]
			if j+2 < m && begins(j+2) && after[j+2] < begin {
				begin, beginAt = after[j+2], int16(j+2)
			}
			if !is {
				continue
			}
			best, at := begin, beginAt
			for to := j + 2; to < m && to <= j+1+mostSkipped && !begins(to-1) && !begins(to); to++ {
				if after[to] < best {
					best, at = after[to], int16(to)
				}
			}
			if best < none {
				best++
			}
			if j+1 < m && after[j+1] <= best {
				best, at = after[j+1], int16(j+1)
			}
			here[j], next[k*m+j] = best, at
		}
	}
	price, at := none, 0
	for j := range m {
		of := int(prices[j])
		if of < none && !begins(j) {
			of++ // a word rather begins where a part does
		}
		if of < price {
			price, at = of, j
		}
	}
	if price == none {
		return nil, none
	}
	for k := range n {
		places = append(places, at)
		at = int(next[k*m+at])
	}
	return places, price
}

// Places are the ranges of bytes in which a run has the letters of the word; nil if it is not
// like it.
func (f *letterFinder) places(word, run string) [][2]int {
	if !hasInOrder(run, word) {
		return nil
	}
	places, _ := f.best(run)
	var all [][2]int
	n := 0
	for at, r := range run {
		if len(places) == 0 {
			break
		}
		if n == places[0] {
			end := at + utf8.RuneLen(r)
			if last := len(all) - 1; last >= 0 && all[last][1] == at {
				all[last][1] = end
			} else {
				all = append(all, [2]int{at, end})
			}
			places = places[1:]
		}
		n++
	}
	return all
}
