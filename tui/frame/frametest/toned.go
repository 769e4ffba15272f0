package frametest

import (
	"strings"

	"gatewright/internal/text/prose"
)

// signs stand for the tones of lines; no two are the same.
var signs = map[prose.Tone]string{
	prose.Plain: " ", prose.Muted: ".", prose.Strong: "*", prose.Title: "#", prose.Good: "+", prose.Warning: "?",
	prose.Bad: "!", prose.Note: "i",
	prose.Added: ">", prose.Removed: "<", prose.Changed: "@", prose.Updated: "~", prose.Code: "{", prose.Wider: "^",
	prose.Fresh: "=",
}

// Toned returns lines, each behind the sign of its tone, so that a test compares both.
func Toned(lines ...prose.Line) string {
	all := make([]string, len(lines))
	for i, line := range lines {
		all[i] = strings.TrimRight(signs[line.Tone]+line.Text, " ")
	}
	return strings.Join(all, "\n")
}
