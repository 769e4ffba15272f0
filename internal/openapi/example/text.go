package example

import (
	"fmt"
	"iter"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi/judge"
)

// ofFormat are texts of a format, each for another variant.
var ofFormat = map[string]func(variant int) string{
	"date-time":     func(n int) string { return fmt.Sprintf("%04d-01-01T00:00:00Z", 2020+n%7000) },
	"date":          func(n int) string { return fmt.Sprintf("%04d-01-01", 2020+n%7000) },
	"time":          func(n int) string { return fmt.Sprintf("%02d:%02d:00Z", n/60%24, n%60) },
	"duration":      func(n int) string { return fmt.Sprintf("P%dD", n+1) },
	"uuid":          func(n int) string { return fmt.Sprintf("123e4567-e89b-12d3-a456-%012x", 0x426614174000+n) },
	"email":         func(n int) string { return "user" + number(n) + "@example.com" },
	"idn-email":     func(n int) string { return "user" + number(n) + "@example.com" },
	"hostname":      func(n int) string { return "www" + number(n) + ".example.com" },
	"uri":           func(n int) string { return "https://example.com/" + number(n) },
	"url":           func(n int) string { return "https://example.com/" + number(n) },
	"uri-reference": func(n int) string { return "/" + number(n) },
	"ipv4":          func(n int) string { return fmt.Sprintf("192.0.2.%d", n%255+1) },
	"ipv6":          func(n int) string { return fmt.Sprintf("2001:db8::%x", n%0xffff+1) },
	"byte":          func(int) string { return "c3RyaW5n" },
}

// number is the end of a text of a variant.
func number(variant int) string {
	if variant == 0 {
		return ""
	}
	return strconv.Itoa(variant)
}

// plain is the text of which nothing is known.
const plain = "string"

// textsOf returns texts that may fit: of the format, of the pattern, and of the length.
func textsOf(parts []*cfn.Node, variant int) iter.Seq[string] {
	return func(yield func(string) bool) {
		least, most := 0, Largest
		for _, part := range parts {
			least = max(least, count(part, "minLength"))
			if n := count(part, "maxLength"); n >= 0 && n < most {
				most = n
			}
		}
		least = min(least, Largest)
		for _, part := range parts {
			if format := part.Get("format"); format != nil && ofFormat[format.Text] != nil &&
				!yield(ofFormat[format.Text](variant)) {
				return
			}
		}
		for _, part := range parts {
			pattern := part.Get("pattern")
			if pattern == nil {
				continue
			}
			for _, repeats := range []int{1, 0, 2, 3, 4, 8, 16, 32, least} {
				text, ok := matching(pattern.Text, repeats, variant)
				if n := utf8.RuneCountInString(text); ok && least <= n && n <= most && !yield(text) {
					return
				}
			}
		}
		yield(ofLength(plain, number(variant), least, most))
	}
}

// ofLength returns a text of such a length that begins with another, repeated as often as it
// takes, and has an end of its own.
func ofLength(text, end string, least, most int) string {
	n := min(max(len(text)+len(end), least), most)
	if n <= len(end) {
		return end[len(end)-n:]
	}
	return strings.Repeat(text, n/len(text)+1)[:n-len(end)] + end
}

// count returns the number of a keyword that counts; -1 for none.
func count(part *cfn.Node, key string) int {
	r := rat(part.Get(key))
	if r == nil || r.Sign() < 0 {
		return -1
	}
	if n := multiple(r, one).Num(); n.IsInt64() && n.Int64() < 1<<30 {
		return int(n.Int64())
	}
	return 1 << 30
}

// matching returns a text that a pattern matches, with so many repetitions where there may be
// any number. It is not ok for a pattern that RE2 does not have, or a long text.
func matching(pattern string, repeats, variant int) (text string, ok bool) {
	pattern, _ = judge.RE2(pattern)
	expression, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	m := matcher{repeats: repeats, variant: variant}
	m.write(expression)
	return m.String(), m.Len() < Largest
}

type matcher struct {
	strings.Builder
	repeats, variant int
}

func (m *matcher) write(e *syntax.Regexp) {
	if m.Len() >= Largest {
		return
	}
	times := 1
	switch e.Op {
	case syntax.OpLiteral:
		m.WriteString(string(e.Rune))
	case syntax.OpCharClass:
		m.WriteRune(runeOf(e.Rune, m.variant))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		m.WriteRune('a' + rune(m.variant%26))
	case syntax.OpStar:
		times = m.repeats
	case syntax.OpPlus:
		times = max(1, m.repeats)
	case syntax.OpQuest:
		times = min(1, m.repeats)
	case syntax.OpRepeat:
		if times = max(e.Min, m.repeats); e.Max >= 0 {
			times = min(times, e.Max)
		}
	case syntax.OpAlternate:
		m.write(e.Sub[m.variant%len(e.Sub)])
		return
	}
	for range times {
		if m.Len() >= Largest {
			return
		}
		for _, sub := range e.Sub {
			m.write(sub)
		}
	}
}

// runeOf returns a character of a class, which has pairs of a first and a last one: a letter or
// a digit if it has any.
func runeOf(class []rune, variant int) rune {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for n := range len(letters) {
		if r := rune(letters[(variant+n)%len(letters)]); inClass(class, r) {
			return r
		}
	}
	for i := 0; i+1 < len(class); i += 2 {
		for r := class[i]; r <= min(class[i+1], class[i]+100); r++ {
			if unicode.IsPrint(r) {
				return r
			}
		}
	}
	if len(class) == 0 {
		return 'a'
	}
	return class[0]
}

func inClass(class []rune, r rune) bool {
	for i := 0; i+1 < len(class); i += 2 {
		if class[i] <= r && r <= class[i+1] {
			return true
		}
	}
	return false
}
