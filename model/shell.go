package model

import "strings"

// ShellWord returns a text as one word of a POSIX shell: as it is if it has only characters
// without a meaning, else in single quotes.
func ShellWord(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:=@,+%", r)
	}
	if text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !plain(r) }) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
