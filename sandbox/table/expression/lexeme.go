package expression

import (
	"strings"

	"gatewright/sandbox/table/attribute"
)

// mostBytes is the maximum length of an expression (the service's quota).
const mostBytes = 4096

// lexeme is a lexical element of an expression: text[from:to].
type lexeme struct {
	kind     lexemeKind
	text     string
	from, to int
}

type lexemeKind uint8

const (
	endLexeme    lexemeKind = iota
	wordLexeme              // a name, a keyword or a function
	nameLexeme              // #name
	valueLexeme             // :value
	numberLexeme            // digits
	markLexeme              // everything else
)

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// wordEnd is the end of the letters, digits and underscores that begin at from.
func wordEnd(text string, from int) int {
	for from < len(text) && wordByte(text[from]) {
		from++
	}
	return from
}

// lexemes splits an expression. It never fails: characters that no expression has become
// marks, which the parser refuses.
func lexemes(text string) []lexeme {
	var list []lexeme
	for at := 0; at < len(text); {
		c := text[at]
		if strings.IndexByte(" \t\r\n", c) >= 0 {
			at++
			continue
		}
		kind, to := markLexeme, at+1
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			kind, to = wordLexeme, wordEnd(text, at)
		case (c == '#' || c == ':') && wordEnd(text, at+1) > at+1:
			kind, to = nameLexeme, wordEnd(text, at+1)
			if c == ':' {
				kind = valueLexeme
			}
		case c >= '0' && c <= '9':
			kind = numberLexeme
			for to < len(text) && text[to] >= '0' && text[to] <= '9' {
				to++
			}
		case strings.HasPrefix(text[at:], "<="), strings.HasPrefix(text[at:], ">="), strings.HasPrefix(text[at:], "<>"):
			to = at + 2
		case c >= 0x80:
			// A whole character, so that messages are valid UTF-8.
			for to < len(text) && text[to]&0xC0 == 0x80 {
				to++
			}
		}
		list = append(list, lexeme{kind, text[at:to], at, to})
		at = to
	}
	return append(list, lexeme{kind: endLexeme, text: "<EOF>", from: len(text), to: len(text)})
}

// source is an expression during parsing.
type source struct {
	text      string
	lexemes   []lexeme
	at        int
	keywords  string // in capitals between spaces; they cannot be names
	redundant bool   // has parentheses in parentheses
	operators int
}

// newSource splits an expression, and refuses one that is empty or too long.
func newSource(text, keywords string) (*source, error) {
	if len(text) > mostBytes {
		return nil, attribute.Invalid("Expression size has exceeded the maximum allowed size; expression size: %d", len(text))
	}
	s := &source{text: text, lexemes: lexemes(text), keywords: keywords}
	if len(s.lexemes) == 1 {
		return nil, attribute.Invalid("The expression can not be empty;")
	}
	return s, nil
}

// prefixed adds the name of the parameter to a refusal.
func prefixed(kind string, err error) error {
	if e, ok := err.(*attribute.Error); ok {
		return &attribute.Error{Code: e.Code, Message: "Invalid " + kind + ": " + e.Message}
	}
	return err
}

func (s *source) peek() lexeme { return s.lexemes[s.at] }

// is reports whether the next lexeme is this mark.
func (s *source) is(mark string) bool { return s.peek().kind == markLexeme && s.peek().text == mark }

// take consumes the next lexeme if it is this mark.
func (s *source) take(mark string) bool {
	if s.is(mark) {
		s.at++
		return true
	}
	return false
}

// want consumes the next lexeme, which must be this mark.
func (s *source) want(mark string) error {
	if !s.take(mark) {
		return s.unexpected()
	}
	return nil
}

// keyword is the next lexeme in capitals if it is a keyword, else "".
func (s *source) keyword() string {
	if t := s.peek(); t.kind == wordLexeme {
		if word := strings.ToUpper(t.text); strings.Contains(s.keywords, " "+word+" ") {
			return word
		}
	}
	return ""
}

// takeKeyword consumes the next lexeme if it is this keyword.
func (s *source) takeKeyword(word string) bool {
	if s.keyword() == word {
		s.at++
		return true
	}
	return false
}

// unexpected is the refusal of the next lexeme. It shows the lexemes around it as they were
// written.
func (s *source) unexpected() error {
	from, to := s.peek().from, s.peek().to
	if s.at > 0 {
		from = s.lexemes[s.at-1].from
	}
	if s.at+1 < len(s.lexemes) {
		to = s.lexemes[s.at+1].to
	}
	if s.peek().kind == endLexeme {
		to = s.lexemes[s.at-1].to
	}
	// The end of the expression has no text of its own.
	if s.at+1 < len(s.lexemes) && s.lexemes[s.at+1].kind == endLexeme {
		to = s.peek().to
	}
	return attribute.Invalid(`Syntax error; token: "%s", near: "%s"`, s.peek().text, s.text[from:to])
}
