package partiql

import (
	"strings"

	"gatewright/sandbox/table/attribute"
)

// lexeme is a lexical element of a statement. Words are keywords or names; names in double
// quotes are never keywords.
type lexeme struct {
	kind lexemeKind
	text string
}

type lexemeKind uint8

const (
	endLexeme lexemeKind = iota
	wordLexeme
	quotedLexeme
	textLexeme
	numberLexeme
	signLexeme // punctuation and ?
)

// Malformed is the refusal of a statement that cannot be read.
func Malformed(format string, args ...any) error {
	return attribute.Invalid("Statement wasn't well formed, can't be processed: "+format, args...)
}

func lexemes(text string) ([]lexeme, error) {
	var out []lexeme
	for i := 0; i < len(text); {
		b := text[i]
		switch {
		case strings.IndexByte(" \t\r\n", b) >= 0:
			i++
		case b == '\'' || b == '"':
			inner, length := quotedText(text[i:])
			if length == 0 {
				return nil, Malformed("unterminated quotation")
			}
			kind := textLexeme
			if b == '"' {
				kind = quotedLexeme
			}
			out = append(out, lexeme{kind, inner})
			i += length
		case isDigit(b) || b == '-' && i+1 < len(text) && isDigit(text[i+1]):
			end := i + 1
			for end < len(text) && (isDigit(text[end]) || strings.IndexByte(".eE", text[end]) >= 0 ||
				strings.IndexByte("+-", text[end]) >= 0 && strings.IndexByte("eE", text[end-1]) >= 0) {
				end++
			}
			out = append(out, lexeme{numberLexeme, text[i:end]})
			i = end
		case isWordByte(b):
			end := i + 1
			for end < len(text) && (isWordByte(text[end]) || isDigit(text[end]) || text[end] == '-') {
				end++
			}
			out = append(out, lexeme{wordLexeme, text[i:end]})
			i = end
		default:
			length := 1
			if i+1 < len(text) {
				switch text[i : i+2] {
				case "<>", "<=", ">=", "!=", "<<", ">>":
					length = 2
				}
			}
			out = append(out, lexeme{signLexeme, text[i : i+length]})
			i += length
		}
	}
	return out, nil
}

// quotedText is the text between two quotation marks, in which a doubled mark is a single one. length counts
// both marks and everything between them; it is 0 if the second mark is missing.
func quotedText(text string) (inner string, length int) {
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		if text[i] != text[0] {
			b.WriteByte(text[i])
			continue
		}
		if i+1 < len(text) && text[i+1] == text[0] {
			b.WriteByte(text[0])
			i++
			continue
		}
		return b.String(), i + 1
	}
	return "", 0
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func isWordByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_' || b >= 0x80
}
