package prose

import "strings"

// hole begins code inside of a template literal.
const hole = "${"

// scanner divides one line.
type scanner struct {
	*Language
	State
	line string
	at   int // the first byte that no lexeme has yet
	out  []Lexeme
	// value says that the last lexeme ends a value, so that a slash divides it.
	value bool
	// noPattern says that a slash before this one began no regular expression, so that none
	// is looked for again: a line is read a fixed number of times.
	noPattern bool
}

// emit makes a lexeme of the text up to a place in the line.
func (s *scanner) emit(kind Kind, end int) {
	if end > s.at {
		s.out = append(s.out, Lexeme{kind, s.line[s.at:end]})
		s.at = end
	}
}

// next makes at least one lexeme.
func (s *scanner) next() {
	if s.inside > 0 {
		s.quoted(s.at)
		return
	}
	switch s.class[s.line[s.at]] {
	case classSpace:
		end := s.at + 1
		for end < len(s.line) && s.class[s.line[end]] == classSpace {
			end++
		}
		s.emit(KindSpace, end)
	case className:
		end := s.at + 1
		for end < len(s.line) && s.class[s.line[end]] >= className {
			end++
		}
		kind := s.nameKind(end)
		s.emit(kind, end)
		s.value = kind != KindKeyword
	case classDigit:
		end := s.at + 1
		for end < len(s.line) && (s.line[end] == '.' || s.class[s.line[end]] >= className) {
			end++
		}
		s.emit(KindWord, end)
		s.value = true
	case classQuote:
		if !s.open() {
			s.mark()
		}
	default:
		s.mark()
	}
}

// nameKind is the kind of the name from here to end. A keyword that is the name of a
// member, as in cache.delete(key), is a name.
func (s *scanner) nameKind(end int) Kind {
	member := s.at > 0 && s.line[s.at-1] == '.' && !strings.HasSuffix(s.line[:s.at], "..")
	if kind, found := s.names[s.line[s.at:end]]; found && !member {
		return kind
	}
	if end < len(s.line) && s.line[end] == '(' && s.other == KindName {
		return KindCall
	}
	return s.other
}

// open makes a lexeme of the quotes that begin here, if any do, and of what is in them.
func (s *scanner) open() bool {
	rest := s.line[s.at:]
	for i, q := range s.quotes {
		if strings.HasPrefix(rest, q.begin) {
			s.inside = uint8(i + 1)
			s.quoted(s.at + len(q.begin))
			return true
		}
	}
	return false
}

// quoted makes a lexeme from here to the end of the open quotes; what is in them is read
// from a place in the line.
func (s *scanner) quoted(from int) {
	q := &s.quotes[s.inside-1]
	if q.end == "" {
		s.emit(q.kind, len(s.line))
		return
	}
	for i := from; i < len(s.line); i++ {
		switch c := s.line[i]; {
		case c == '\\' && q.escapes:
			i++
		case c == q.end[0] && strings.HasPrefix(s.line[i:], q.end):
			s.inside = 0
			s.emit(s.closed(q, i+len(q.end)), i+len(q.end))
			s.value = s.value || q.kind == KindString
			return
		case c == '$' && q.holes && int(s.holes) < maxHoles && strings.HasPrefix(s.line[i:], hole):
			s.emit(q.kind, i)
			s.emit(KindMark, i+len(hole))
			s.inside, s.braces[s.holes], s.value = 0, 0, false
			s.holes++
			return
		}
	}
	s.emit(q.kind, len(s.line))
}

// closed is the kind of quotes that end at a place: in JSON a colon makes a string a key.
func (s *scanner) closed(q *quotes, end int) Kind {
	if s.keys && strings.HasPrefix(strings.TrimLeft(s.line[end:], " "), ":") {
		return KindKey
	}
	return q.kind
}

// mark makes a lexeme of a mark, or of a regular expression.
func (s *scanner) mark() {
	c := s.line[s.at]
	if c == '/' && s.patterns && !s.value && !s.noPattern {
		if end := patternEnd(s.line, s.at); end > 0 {
			s.emit(KindString, end)
			s.value = true
			return
		}
		s.noPattern = true
	}
	s.emit(KindMark, s.at+1)
	s.value = c == ')' || c == ']' || c == '}'
	if s.holes == 0 {
		return
	}
	switch braces := &s.braces[s.holes-1]; {
	case c == '{' && *braces < 255:
		*braces++
	case c == '}' && *braces > 0:
		*braces--
	case c == '}':
		s.holes--
		s.inside = s.template
	}
}

// patternEnd is the end of the regular expression that begins at a slash; 0 if the line has
// no slash that ends it.
func patternEnd(line string, at int) int {
	set := false
	for i := at + 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '[':
			set = true
		case ']':
			set = false
		case '/':
			if !set {
				return i + 1
			}
		}
	}
	return 0
}
