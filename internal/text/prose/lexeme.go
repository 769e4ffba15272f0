package prose

import "strings"

// Kind is what a part of a source text is.
type Kind uint8

// The kinds.
const (
	// KindSpace is spaces and tabs.
	KindSpace Kind = iota
	// KindName is a name, and all text of a file that is in no known language.
	KindName
	// KindMark is one character of punctuation, or of an operator.
	KindMark
	// KindComment and KindString have their quotes. One that goes on over several lines has
	// a lexeme in each.
	KindComment
	KindString
	// KindKey is the name of a member in JSON, with its quotes.
	KindKey
	// KindKeyword is a word that the language reserves.
	KindKeyword
	// KindWord is a number, true, false or null; in JSON also text that is not JSON.
	KindWord
	// KindCall is a name with an opening parenthesis behind it.
	KindCall
)

// Tone is the tone to draw a part in.
func (k Kind) Tone() Tone {
	return [...]Tone{
		KindSpace: Plain, KindName: Plain, KindMark: Muted, KindComment: Muted, KindString: Good,
		KindKey: Strong, KindKeyword: Strong, KindWord: Note, KindCall: Note,
	}[k]
}

// Lexeme is a part of a line of source text.
type Lexeme struct {
	Kind Kind
	Text string
}

// State is what the earlier lines of a text mean for the next one: whether it begins inside
// of a comment or a string. The zero value is the state of the first line.
type State struct {
	// inside is the index of the language's quotes that are open, plus 1; 0 outside of all.
	inside uint8
	// holes is how many template literals of JavaScript are left by ${ and not yet entered
	// again, and braces how many braces are open in each of them.
	holes  uint8
	braces [maxHoles]uint8
}

// maxHoles is how deep template literals are followed; below it they are ordinary text.
const maxHoles = 4

// Lexemes divides a line, which has no line break, into its lexemes, none of them empty.
// Together they are the whole line, whatever it has. The second result is the state for the
// next line. The time that it takes grows with the length of the line only.
func (l *Language) Lexemes(line string, s State) ([]Lexeme, State) {
	if l == nil {
		if line == "" {
			return nil, s
		}
		return []Lexeme{{KindName, line}}, s
	}
	scan := scanner{Language: l, line: line, State: s, out: make([]Lexeme, 0, len(line)/4+4)}
	for scan.at < len(line) {
		scan.next()
	}
	if scan.inside > 0 && !l.quotes[scan.inside-1].overLines {
		scan.inside = 0
	}
	return scan.out, scan.State
}

// After is the state after a line. Most lines cannot change it, which it finds much faster
// than Lexemes does.
func (l *Language) After(line string, s State) State {
	if l == nil || !l.mayChange(line, s) {
		return s
	}
	_, s = l.Lexemes(line, s)
	return s
}

// mayChange reports whether a line has a text that opens or closes something.
func (l *Language) mayChange(line string, s State) bool {
	if s.inside > 0 {
		open := &l.quotes[s.inside-1]
		return strings.Contains(line, open.end) || open.holes && strings.Contains(line, hole)
	}
	if s.holes > 0 && strings.ContainsAny(line, "{}") {
		return true
	}
	for _, q := range l.quotes {
		if q.overLines && strings.Contains(line, q.begin) {
			return true
		}
	}
	return false
}
