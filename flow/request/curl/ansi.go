package curl

import "strconv"

// ansi takes a text in $'...', with the escapes of C.
func (s *splitter) ansi() bool {
	s.add("")
	simple := map[byte]string{
		'n': "\n", 't': "\t", 'r': "\r", 'a': "\a", 'b': "\b", 'e': "\x1b", 'E': "\x1b", 'f': "\f",
		'v': "\v",
	}
	for s.at += 2; s.at < len(s.text); s.at++ {
		rest := s.text[s.at:]
		switch {
		case rest[0] == '\'':
			s.at++
			return true
		case rest[0] != '\\' || len(rest) == 1:
			s.word.WriteByte(rest[0])
		default:
			text, known := simple[rest[1]]
			digits, base, most, skip := "", 16, 0, 2
			switch c := rest[1]; {
			case c == 'x':
				most = 2
			case c == 'u':
				most = 4
			case c == 'U':
				most = 8
			case c >= '0' && c <= '7':
				base, most, skip = 8, 3, 1
			}
			if most > 0 {
				digits = leading(rest[skip:], base, most)
			}
			switch n, err := strconv.ParseUint(digits, base, 32); {
			case known:
				s.word.WriteString(text)
				s.at++
			case most > 0 && err == nil && (rest[1] == 'u' || rest[1] == 'U'):
				s.word.WriteRune(rune(n))
				s.at += skip + len(digits) - 1
			case most > 0 && err == nil:
				s.word.WriteByte(byte(n))
				s.at += skip + len(digits) - 1
			default:
				s.word.WriteByte(rest[1])
				s.at++
			}
		}
	}
	return false
}

// leading are the digits that a text begins with.
func leading(text string, base, most int) string {
	n := 0
	for n < most && n < len(text) {
		if _, err := strconv.ParseUint(text[n:n+1], base, 8); err != nil {
			break
		}
		n++
	}
	return text[:n]
}
