package prose

import (
	"path"
	"strings"
)

// Language is how the source text of a language is divided into lexemes. nil is a text
// without any: each of its lines is one lexeme.
type Language struct {
	// names are the words that are not names, and other is the kind of all others.
	names map[string]Kind
	other Kind
	class [256]class
	// quotes are the comments and strings. Of two that begin alike the longer is first.
	quotes []quotes
	// keys says that a string before a colon is a key.
	keys bool
	// patterns says that there are regular expressions between slashes.
	patterns bool
	// template is the index of the quotes with holes, plus 1.
	template uint8
}

// quotes are a kind of comment or string.
type quotes struct {
	kind Kind
	// begin and end are its marks; an end of "" is the end of the line.
	begin, end string
	// escapes says that a backslash takes the meaning of the next character.
	escapes bool
	// overLines says that it may go on in the next line.
	overLines bool
	// holes says that ${ and } in it enclose code.
	holes bool
}

// class is what a byte means where a lexeme begins.
type class uint8

const (
	classMark class = iota
	classSpace
	classQuote // the first byte of quotes
	// A name goes on with bytes of the classes from here.
	className
	classDigit
)

// The comments and strings that languages share.
var (
	slashes    = quotes{kind: KindComment, begin: "//"}
	starred    = quotes{kind: KindComment, begin: "/*", end: "*/", overLines: true}
	hash       = quotes{kind: KindComment, begin: "#"}
	double     = quotes{kind: KindString, begin: `"`, end: `"`, escapes: true}
	single     = quotes{kind: KindString, begin: "'", end: "'", escapes: true}
	longDouble = quotes{kind: KindString, begin: `"""`, end: `"""`, escapes: true, overLines: true}
	longSingle = quotes{kind: KindString, begin: "'''", end: "'''", escapes: true, overLines: true}
	raw        = quotes{kind: KindString, begin: "`", end: "`", overLines: true}
	template   = quotes{kind: KindString, begin: "`", end: "`", escapes: true, overLines: true, holes: true}
)

// The languages.
var (
	JSON       = jsonLanguage()
	JavaScript = language(`async await break case catch class const continue debugger default delete do else
		export extends finally for function if import in instanceof let new of return static super switch
		this throw try typeof var void while with yield`,
		"true false null undefined NaN Infinity", slashes, starred, double, single, template)
	Python = language(`and as assert async await break class continue def del elif else except finally for
		from global if import in is lambda nonlocal not or pass raise return try while with yield`,
		"True False None", hash, longDouble, longSingle, double, single)
	Go = language(`break case chan const continue default defer else fallthrough for func go goto if import
		interface map package range return select struct switch type var`,
		"true false nil iota", slashes, starred, double, single, raw)
)

// LanguageOf is the language of a file by the ending of its name; nil if it is not known.
func LanguageOf(name string) *Language {
	switch strings.ToLower(path.Ext(name)) {
	case ".json":
		return JSON
	case ".js", ".mjs", ".cjs":
		return JavaScript
	case ".py":
		return Python
	case ".go":
		return Go
	}
	return nil
}

// language makes a language with names as most have them.
func language(keywords, words string, all ...quotes) *Language {
	l := &Language{names: make(map[string]Kind), other: KindName, quotes: all}
	for _, word := range strings.Fields(keywords) {
		l.names[word] = KindKeyword
	}
	for _, word := range strings.Fields(words) {
		l.names[word] = KindWord
	}
	for c := range l.class {
		switch {
		case c == ' ' || c == '\t':
			l.class[c] = classSpace
		case c >= '0' && c <= '9':
			l.class[c] = classDigit
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == '$', c < ' ', c > '~':
			l.class[c] = className
		}
	}
	for i, q := range all {
		l.class[q.begin[0]] = classQuote
		if q.holes {
			l.template, l.patterns = uint8(i+1), true
		}
	}
	return l
}

// jsonLanguage makes the language of JSON, where everything but marks and strings is a
// word.
func jsonLanguage() *Language {
	l := &Language{other: KindWord, quotes: []quotes{double}, keys: true}
	for c := range l.class {
		l.class[c] = className
	}
	for _, c := range "{}[]:," {
		l.class[c] = classMark
	}
	l.class[' '], l.class['\t'], l.class['"'] = classSpace, classSpace, classQuote
	return l
}
