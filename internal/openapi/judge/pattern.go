package judge

import (
	"cmp"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/lazyregexp"
	"gatewright/internal/text/phrase"
)

// pattern is a regular expression, with how many parts it has when its repetitions are
// written out: RE2 takes time by that and by the length of a text.
type pattern struct {
	*regexp.Regexp
	parts int
	// loose says that it has no limit where the document has a large one.
	loose bool
}

// largestPattern is how many parts a pattern has at most.
const largestPattern = 20_000

// cost returns how many steps it takes to match a text.
func (p *pattern) cost(text string) int { return 1 + p.parts*len(text)/16 }

// pattern returns a regular expression of the document; nil if it is not judged.
func (s *Rules) pattern(at *cfn.Node, text string) *pattern {
	p := s.compiled(text)
	switch {
	case p == nil:
		s.omit(at, "the pattern "+phrase.Quote(text)+" is none that RE2 has, or too large")
	case p.loose:
		s.omit(at, "the pattern "+phrase.Quote(text)+" repeats more than 1000 times; that limit of it is left out")
	}
	return p
}

// compiled returns a regular expression, which is made once; nil if it is not judged.
func (s *Rules) compiled(text string) *pattern {
	p, known := s.patterns[text]
	if !known {
		p = newPattern(text)
		s.patterns[text] = p
	}
	return p
}

// Matches reports whether a text matches an expression that a schema has; false if that is not
// judged. It is for one goroutine.
func (s *Rules) Matches(expression, text string) bool {
	p := s.compiled(expression)
	return p != nil && p.MatchString(text)
}

func newPattern(text string) *pattern {
	text, loose := RE2(text)
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil
	}
	parts := partsOf(parsed)
	if parts > largestPattern {
		return nil
	}
	expression, err := regexp.Compile(text)
	if err != nil {
		return nil
	}
	return &pattern{expression, parts, loose}
}

func partsOf(e *syntax.Regexp) int {
	n := 1 + len(e.Rune)/8
	for _, sub := range e.Sub {
		n = min(n+partsOf(sub), largestPattern+1)
	}
	if e.Op == syntax.OpRepeat {
		n = min(n*max(e.Min, e.Max, 1), largestPattern+1)
	}
	return n
}

// largeRepetition is a repetition with a limit, such as {1,2048}.
var largeRepetition = lazyregexp.New(`\{(\d+)(?:,(\d+))?\}`)

// RE2 writes an expression of ECMAScript, which JSON Schema has, as RE2 has it. RE2 repeats at
// most 1000 times (https://pkg.go.dev/regexp/syntax): loose says that a larger limit was left
// out, so that the expression matches more.
func RE2(text string) (expression string, loose bool) {
	text = largeRepetition().ReplaceAllStringFunc(text, func(repetition string) string {
		const most = 1000
		limits := largeRepetition().FindStringSubmatch(repetition)
		least, err := strconv.Atoi(limits[1])
		limit, errOfLimit := strconv.Atoi(cmp.Or(limits[2], limits[1]))
		if err == nil && errOfLimit == nil && limit <= most {
			return repetition
		}
		loose = true
		if err != nil {
			least = most
		}
		return "{" + strconv.Itoa(min(least, most)) + ",}"
	})
	return withoutUnicodeEscapes(text), loose
}

// withoutUnicodeEscapes writes \u00e4 as \x{00e4}.
func withoutUnicodeEscapes(text string) string {
	if !strings.Contains(text, `\u`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		if text[i+1] == 'u' && i+6 <= len(text) {
			b.WriteString(`\x{` + text[i+2:i+6] + `}`)
			i += 5
			continue
		}
		b.WriteString(text[i : i+2])
		i++
	}
	return b.String()
}
