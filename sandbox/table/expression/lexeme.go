package expression

import (
	"strings"

	"gatewright/sandbox/table/attribute"
)

// mostBytes is the longest expression, from the service's quotas.
const mostBytes = 4096

// lexeme is a piece of an expression: text[from:to].
type lexeme struct {
	kind     lexemeKind
	text     string
	from, to int
}

type lexemeKind uint8

const (
	endLexeme    lexemeKind = iota
	wordLexeme             // a name, a keyword or a function
	nameLexeme             // #name
	valueLexeme            // :value
	numberLexeme           // digits
	markLexeme             // everything else
)

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// wordEnd is where letters, digits and underscores end that begin at from.
func wordEnd(text string, from int) int {
	for from < len(text) && wordByte(text[from]) {
		from++
	}
	return from
}

// lexemes takes a text apart. It never fails: what has no place in an expression is a mark that no rule wants.
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
			// One character and not one byte, so that a message has whole characters.
			for to < len(text) && text[to]&0xC0 == 0x80 {
				to++
			}
		}
		list = append(list, lexeme{kind, text[at:to], at, to})
		at = to
	}
	return append(list, lexeme{kind: endLexeme, text: "<EOF>", from: len(text), to: len(text)})
}

// source is an expression that is being read.
type source struct {
	text      string
	lexemes    []lexeme
	at        int
	keywords  string // words that are no names here, in capitals between spaces
	redundant bool   // parentheses in parentheses were seen
	operators int
}

// newSource takes an expression apart, refusing one that is empty or too long.
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

// prefixed says of which parameter a refusal is.
func prefixed(kind string, err error) error {
	if e, ok := err.(*attribute.Error); ok {
		return &attribute.Error{Code: e.Code, Message: "Invalid " + kind + ": " + e.Message}
	}
	return err
}

func (s *source) peek() lexeme { return s.lexemes[s.at] }

// is says that the next token is this mark.
func (s *source) is(mark string) bool { return s.peek().kind == markLexeme && s.peek().text == mark }

// take steps over the next token where it is this mark.
func (s *source) take(mark string) bool {
	if s.is(mark) {
		s.at++
		return true
	}
	return false
}

// want steps over the next token, which must be this mark.
func (s *source) want(mark string) error {
	if !s.take(mark) {
		return s.unexpected()
	}
	return nil
}

// keyword is the next token in capitals where it is a keyword of this expression, else "".
func (s *source) keyword() string {
	if t := s.peek(); t.kind == wordLexeme {
		if word := strings.ToUpper(t.text); strings.Contains(s.keywords, " "+word+" ") {
			return word
		}
	}
	return ""
}

// takeKeyword steps over the next token where it is this keyword.
func (s *source) takeKeyword(word string) bool {
	if s.keyword() == word {
		s.at++
		return true
	}
	return false
}

// unexpected is the refusal of the next token, with the tokens on both sides of it as they were written.
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
	// The end of the expression is no token that could stand in the text.
	if s.at+1 < len(s.lexemes) && s.lexemes[s.at+1].kind == endLexeme {
		to = s.peek().to
	}
	return attribute.Invalid(`Syntax error; token: "%s", near: "%s"`, s.peek().text, s.text[from:to])
}
