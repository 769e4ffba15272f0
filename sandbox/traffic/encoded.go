package traffic

import (
	"encoding/base64"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// shortestRun is how many digits of base64 are looked into at least: they are the 4 bytes of
// the shortest secret that is taken out.
const shortestRun = 6

// longWord is how many digits are looked into wherever base64 may begin in them: words before
// it, such as those of a path, consist of digits too. Most words of plain text are shorter.
const longWord = 12

// deepest is how often base64 inside of base64 is looked into.
const deepest = 2

// digits are the digits of base64, of both alphabets (RFC 4648, sections 4 and 5), as those of
// the first; 0 is no digit.
var digits = func() (of [256]byte) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		of[c] = c
	}
	of['-'], of['_'] = '+', '/'
	return of
}()

// Cleaned is a text without the secrets that Masked finds, whose names are names, and those
// that hide takes out; also where the text has them in base64, which it may have anywhere.
func Cleaned(text string, hide func(string) string) (clean string, names []string) {
	return cleaned(text, hide, deepest)
}

// cleaned is Cleaned; levels is how often base64 is decoded.
func cleaned(text string, hide func(string) string, levels int) (clean string, names []string) {
	clean, names = Masked(text)
	if levels == 0 {
		return hide(clean), names
	}
	var b strings.Builder
	var bytes []byte
	done := 0
	for r := range runs(clean) {
		changed := false
		for from := range r.beginnings() {
			if len(r.digits)-from < shortestRun {
				break
			}
			bytes = decoded(bytes[:0], r.digits[from:])
			if from > 0 && !isMostlyText(bytes) {
				continue
			}
			plain := string(bytes)
			without, more := cleaned(plain, hide, levels-1)
			if without == plain {
				continue
			}
			// Digits that fill groups of four may have been padded, and need no padding yet.
			r.padded = r.padded || (len(r.digits)-from)%4 == 0
			r.digits, r.begin, changed = base64.RawStdEncoding.AppendEncode(r.digits[:from], []byte(without)), from, true
			for _, name := range more {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
		if changed {
			b.WriteString(clean[done:r.from])
			b.WriteString(r.text())
			done = r.to
		}
	}
	if done > 0 {
		b.WriteString(clean[done:])
		clean = b.String()
	}
	return hide(clean), names
}

// run is a part of a text that may be base64: digits, and padding after them.
type run struct {
	from, to int
	digits   []byte
	// begin is the digit with which base64 begins.
	begin int
	// url says that it has a digit of the second alphabet.
	url, padded bool
}

// runs are the runs of a text. A line break inside of one, and the escapes of JSON strings, do
// not end it, except after a line that does not fill groups of four digits. The digits of a
// run are those of the next one later.
func runs(text string) iter.Seq[run] {
	return func(yield func(run) bool) {
		var r run
		end := func() (goesOn bool) {
			goesOn = len(r.digits) < shortestRun || yield(r)
			r = run{digits: r.digits[:0]}
			return goesOn
		}
		for i, n := 0, 1; i < len(text); i += n {
			c := text[i]
			if n = 1; c == '\\' {
				c, n = escape(text[i:])
			}
			switch digit := digits[c]; {
			case digit != 0:
				if r.padded && !end() {
					return
				}
				if len(r.digits) == 0 {
					r.from = i
				}
				r.digits = append(r.digits, digit)
				r.url = r.url || digit != c
				r.to = i + n
			case c == '=' && len(r.digits) > 0:
				r.padded, r.to = true, i+n
			case (c == '\n' || c == '\r') && len(r.digits)%4 == 0:
			default:
				if !end() {
					return
				}
			}
		}
		end()
	}
}

// escape reads the escape of a JSON string with which a text begins, and which may be escaped
// itself: the character that it stands for, as far as that matters to base64, and its length.
func escape(text string) (is byte, length int) {
	after := strings.TrimLeft(text, `\`)
	length = len(text) - len(after)
	if after == "" {
		return 0, length
	}
	switch c := after[0]; c {
	case '/':
		return c, length + 1
	case 'n', 'r':
		return '\n', length + 1
	case 'b', 'f', 't':
		return ' ', length + 1
	case 'u':
		const hex = 4
		if len(after) > hex {
			if code, err := strconv.ParseUint(after[1:1+hex], 16, 16); err == nil {
				return byte(min(code, 0xff)), length + 1 + hex
			}
		}
	}
	return 0, length
}

// beginnings is with how many of its first digits base64 may begin.
func (r *run) beginnings() int {
	if len(r.digits) < longWord {
		return 1
	}
	return 4
}

// decoded appends the bytes of digits. A last digit that is no whole byte is nothing.
func decoded(to, digits []byte) []byte {
	if len(digits)%4 == 1 {
		digits = digits[:len(digits)-1]
	}
	to, _ = base64.RawStdEncoding.AppendDecode(to, digits)
	return to
}

// isMostlyText reports whether at least half of some bytes are printable ASCII or white space. Of
// bytes that mean nothing, because base64 does not begin there, 38 of 100 are.
func isMostlyText(bytes []byte) bool {
	text := 0
	for _, c := range bytes {
		if ' ' <= c && c <= '~' || '\t' <= c && c <= '\r' {
			text++
		}
	}
	return 2*text >= len(bytes)
}

// text is the run as it was written, without its line breaks.
func (r *run) text() string {
	text := string(r.digits)
	if r.url {
		text = toURL.Replace(text)
	}
	if last := (len(text) - r.begin) % 4; r.padded && last > 0 {
		text += "=="[last-2:]
	}
	return text
}

var toURL = strings.NewReplacer("+", "-", "/", "_")
