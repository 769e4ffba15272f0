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

// deepest is how often base64 inside of base64 is looked into.
const deepest = 2

// digits are the digits of base64, of both alphabets (RFC 4648, sections 4 and 5), as those of
// the first; 0 is no digit.
var digits = func() (of [256]byte) {
	for c := range 256 {
		if b := byte(c); isLetter(b) || '0' <= b && b <= '9' || b == '+' || b == '/' {
			of[b] = b
		}
	}
	of['-'], of['_'] = '+', '/'
	return of
}()

// cleaned is a text without the secrets that Masked finds, whose names are names, and those
// that hide takes out; also where the text has them in base64, which it may have anywhere.
// levels is how often that is decoded.
func cleaned(text string, hide func(string) string, levels int) (clean string, names []string) {
	clean, names = Masked(text)
	if levels == 0 {
		return hide(clean), names
	}
	var b strings.Builder
	var bytes []byte
	done := 0
	for r := range runs(clean) {
		bytes = r.decode(bytes[:0])
		plain := string(bytes)
		without, more := cleaned(plain, hide, levels-1)
		if without == plain {
			continue
		}
		b.WriteString(clean[done:r.from])
		b.WriteString(r.encoding().EncodeToString([]byte(without)))
		done = r.to
		for _, name := range more {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
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

// decode appends the bytes of a run. A last digit that is no whole byte is nothing.
func (r *run) decode(to []byte) []byte {
	whole := r.digits
	if len(whole)%4 == 1 {
		whole = whole[:len(whole)-1]
	}
	to, _ = base64.RawStdEncoding.AppendDecode(to, whole)
	return to
}

// encoding is how a run is written.
func (r *run) encoding() *base64.Encoding {
	encoding := base64.StdEncoding
	if r.url {
		encoding = base64.URLEncoding
	}
	if !r.padded && len(r.digits)%4 != 0 {
		encoding = encoding.WithPadding(base64.NoPadding)
	}
	return encoding
}
