package widget

import (
	"strings"

	"charm.land/lipgloss/v2"

	"gatewright/internal/text/prose"
	"gatewright/model/access"
	"gatewright/tui/theme"
)

// Words draws a line of a tone, with HTTP methods in the colour of their action. A line with
// colours of its own, such as one of a diff, keeps them.
func Words(t *theme.Theme, tone prose.Tone, line string) string {
	switch tone {
	case prose.Code:
		return JSON(t, line)
	case prose.Plain, prose.Muted, prose.Strong, prose.Title, prose.Good, prose.Note:
		if t.Kind != theme.None {
			return inMethods(t, t.Of(tone), line)
		}
	}
	return t.Of(tone).Render(line)
}

// Method draws a cell that is one method in the colour of its action, and any other in its
// tone.
func Method(t *theme.Theme, tone prose.Tone, cell string) string {
	if action, ok := (access.Terms{}).ActionOf(strings.TrimSpace(cell)); ok {
		return t.Action(action).Render(cell)
	}
	return t.Of(tone).Render(cell)
}

// inMethods draws a line with the methods in it in their colours.
func inMethods(t *theme.Theme, style lipgloss.Style, line string) string {
	var b strings.Builder
	from := 0
	for at := 0; at < len(line); {
		if !isCapital(line[at]) {
			at++
			continue
		}
		end := at
		for end < len(line) && isCapital(line[end]) {
			end++
		}
		alone := (at == 0 || isBreak(line[at-1])) && (end == len(line) || isBreak(line[end]))
		if action, ok := (access.Terms{}).ActionOf(line[at:end]); ok && alone {
			if at > from {
				b.WriteString(style.Render(line[from:at]))
			}
			b.WriteString(t.Action(action).Render(line[at:end]))
			from = end
		}
		at = end
	}
	if from == 0 {
		return style.Render(line)
	}
	if from < len(line) {
		b.WriteString(style.Render(line[from:]))
	}
	return b.String()
}

func isCapital(c byte) bool { return c >= 'A' && c <= 'Z' }

// isBreak reports whether a character next to a word leaves it a word of its own.
func isBreak(c byte) bool {
	return c == ' ' || c == ',' || c == ':' || c == '(' || c == ')' || c == '"'
}
