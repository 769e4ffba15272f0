package curl

import (
	"strings"
	"unicode/utf8"

	"gatewright/internal/text/lazyregexp"
)

// shell is the shell that a command was written for.
type shell uint8

const (
	posix shell = iota
	cmd
	powerShell
)

// shellOf tells the shell by how a command goes on in the next line, or by how it quotes.
func shellOf(text string) shell {
	for line := range strings.Lines(text) {
		switch line := strings.TrimRight(line, " \t\r\n"); {
		case strings.HasSuffix(line, "\\"):
			return posix
		case strings.HasSuffix(line, "^"):
			return cmd
		case strings.HasSuffix(line, "`"):
			return powerShell
		}
	}
	switch {
	// Nobody writes {"" for another shell, where it is an empty text between two quoted ones.
	case strings.Contains(text, `^"`), strings.Contains(text, `"{""`), strings.Contains(text, `"[""`):
		return cmd
	case strings.HasPrefix(text, "curl.exe"):
		return powerShell
	}
	return posix
}

// words are the words of a command, up to what ends it: a pipe, a redirection or another
// command. rest begins there. shells are what the shell would replace, such as $TOKEN.
type words struct {
	all    []string
	rest   string
	shells []string
}

// split divides a command into words, as its shell would. ok is false if a quote does not end.
func split(text string) (w words, ok bool) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	s := splitter{shell: shellOf(text), text: text}
	if s.shell == cmd {
		s.text = withoutCarets(text)
	}
	return s.split()
}

// withoutCarets takes the carets of cmd away: outside of quotes, a caret makes the next
// character an ordinary one, and at the end of a line it joins the next.
func withoutCarets(text string) string {
	var b strings.Builder
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
			b.WriteByte(c)
		case c == '^' && !quoted && i+1 < len(text):
			i++
			if text[i] == '\n' {
				// Two line breaks after a caret are one.
				if i+1 < len(text) && text[i+1] == '\n' {
					i++
					b.WriteByte('\n')
				}
				continue
			}
			b.WriteByte(text[i])
		case c == '^' && i+1 == len(text):
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// splitter divides a text into words.
type splitter struct {
	shell shell
	text  string
	at    int
	word  strings.Builder
	// inWord says that a word has begun, which may be empty.
	inWord bool
	out    words
}

func (s *splitter) end() {
	if s.inWord {
		s.out.all = append(s.out.all, s.word.String())
	}
	s.word.Reset()
	s.inWord = false
}

// dropDigits drops a word of digits: before a redirection it is the number of a file.
func (s *splitter) dropDigits() {
	if strings.Trim(s.word.String(), "0123456789") == "" {
		s.word.Reset()
		s.inWord = false
	}
}

// add adds to the word.
func (s *splitter) add(text string) {
	s.inWord = true
	s.word.WriteString(text)
}

func (s *splitter) split() (words, bool) {
	for s.at < len(s.text) {
		rest := s.text[s.at:]
		c := rest[0]
		switch {
		case c == ' ' || c == '\t' || c == '\n' && s.shell == cmd:
			s.end()
			s.at++
		case c == '\n' || strings.IndexByte("|;&<>", c) >= 0 && (s.shell != cmd || c == '|' || c == '>'):
			if c == '<' || c == '>' {
				s.dropDigits()
			}
			if s.end(); len(s.out.all) > 0 || c != '\n' {
				s.out.rest = strings.TrimSpace(rest)
				return s.out, true
			}
			s.at++
		case c == '#' && !s.inWord && s.shell != cmd:
			// A comment ends with its line.
			s.at += len(rest) - len(strings.TrimLeftFunc(rest, func(r rune) bool { return r != '\n' }))
		case s.shell == posix && strings.HasPrefix(rest, "$'"):
			if !s.ansi() {
				return s.out, false
			}
		case c == '\'' && s.shell != cmd:
			if !s.single() {
				return s.out, false
			}
		case c == '"':
			if !s.double() {
				return s.out, false
			}
		case c == s.escape() && s.shell != cmd:
			s.escaped()
		default:
			s.note(rest)
			_, n := utf8.DecodeRuneInString(rest)
			s.add(rest[:n])
			s.at += n
		}
	}
	s.end()
	return s.out, true
}

// escape is the character that makes the next one an ordinary one.
func (s *splitter) escape() byte {
	if s.shell == powerShell {
		return '`'
	}
	return '\\'
}

// escaped takes an escape outside of quotes; before the end of a line it joins the next.
func (s *splitter) escaped() {
	s.at++
	if s.at >= len(s.text) {
		return
	}
	rest := s.text[s.at:]
	if trimmed := strings.TrimLeft(rest, " \t"); strings.HasPrefix(trimmed, "\n") {
		s.at += len(rest) - len(trimmed) + 1
		return
	}
	_, n := utf8.DecodeRuneInString(rest)
	s.add(rest[:n])
	s.at += n
}

// single takes a text in single quotes; PowerShell writes a quote in it twice.
func (s *splitter) single() bool {
	s.add("")
	for s.at++; s.at < len(s.text); s.at++ {
		switch rest := s.text[s.at:]; {
		case s.shell == powerShell && strings.HasPrefix(rest, `\"`):
			// curl for Windows reads \" in what PowerShell gives it.
			s.word.WriteByte('"')
			s.at++
		case s.shell == powerShell && strings.HasPrefix(rest, "''"):
			s.word.WriteByte('\'')
			s.at++
		case rest[0] == '\'':
			s.at++
			return true
		default:
			s.word.WriteByte(rest[0])
		}
	}
	return false
}

// double takes a text in double quotes.
func (s *splitter) double() bool {
	s.add("")
	for s.at++; s.at < len(s.text); s.at++ {
		rest := s.text[s.at:]
		switch c := rest[0]; {
		case s.shell != posix && strings.HasPrefix(rest, `""`):
			s.word.WriteByte('"')
			s.at++
		case c == '"':
			s.at++
			return true
		case s.shell == cmd && strings.HasPrefix(rest, `\"`), s.shell == cmd && strings.HasPrefix(rest, `\\`),
			// curl for Windows reads \" in what PowerShell gives it.
			s.shell == powerShell && strings.HasPrefix(rest, "\\\""):
			s.word.WriteByte(rest[1])
			s.at++
		case s.shell == posix && strings.HasPrefix(rest, "\\\n"):
			s.at++
		case s.shell == posix && strings.HasPrefix(rest, "$("):
			s.substitution(rest)
		case c == s.escape() && s.shell != cmd && len(rest) > 1 &&
			(s.shell == powerShell || strings.IndexByte("$`\"\\", rest[1]) >= 0):
			s.word.WriteByte(rest[1])
			s.at++
		default:
			s.note(rest)
			s.word.WriteByte(c)
		}
	}
	return false
}

var replaced = lazyregexp.New("^(?:\\$\\([^)]*\\)|\\$\\{?\\w+\\}?|`[^`\n]+`)")

// note notes what the shell would replace at the beginning of a text.
func (s *splitter) note(rest string) {
	if s.shell == cmd || rest[0] != '$' && (rest[0] != '`' || s.shell != posix) {
		return
	}
	if found := replaced().FindString(rest); found != "" {
		s.out.shells = append(s.out.shells, found)
	}
}

// substitution takes a command between $( and ) as it is.
func (s *splitter) substitution(rest string) {
	quoted, end := false, len(rest)
	for i := 0; i < len(rest); i++ {
		if c := rest[i]; c == '\'' {
			quoted = !quoted
		} else if c == '\\' && !quoted {
			i++
		} else if c == ')' && !quoted {
			end = i + 1
			break
		}
	}
	s.out.shells = append(s.out.shells, rest[:end])
	s.word.WriteString(rest[:end])
	s.at += end - 1
}
