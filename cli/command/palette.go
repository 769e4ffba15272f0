package command

import (
	"io"
	"os"
	"strings"

	"gatewright/model/access"
)

// Palette colours text for a terminal by what it means. Without colours, it leaves the text as
// it is.
type Palette struct{ colors bool }

// Colors returns the palette for one of the outputs: no colours elsewhere than in a terminal, and
// none with NO_COLOR (https://no-color.org).
func (s Streams) Colors(out io.Writer) Palette {
	return Palette{s.Getenv("NO_COLOR") == "" && s.CanDraw(out)}
}

// CanDraw reports whether one of the outputs is a terminal that obeys sequences for colours and
// moves of the cursor.
func (s Streams) CanDraw(out io.Writer) bool {
	terminal, ok := out.(*os.File)
	return ok && IsTerminal(out) && s.Getenv("TERM") != "dumb" && obeysSequences(terminal)
}

// Bad is for what fails or is lost.
func (p Palette) Bad(text string) string { return p.paint("31", text) }

// Good is for what is done.
func (p Palette) Good(text string) string { return p.paint("32", text) }

// Warning is for what may be wrong.
func (p Palette) Warning(text string) string { return p.paint("33", text) }

// Strong is for a name or a place that one looks for.
func (p Palette) Strong(text string) string { return p.paint("1", text) }

// Wider is for access that becomes more open.
func (p Palette) Wider(text string) string { return p.paint("33", text) }

// Action is for an action and its methods.
func (p Palette) Action(action access.Action, text string) string {
	return p.paint(map[access.Action]string{
		access.Create: "36", access.Read: "94", access.Update: "95",
		access.Delete: "35",
	}[action], text)
}

// Muted is for what matters less.
func (p Palette) Muted(text string) string { return p.paint("2", text) }

// paint colours each line on its own, so that a line that is cut keeps no colour.
func (p Palette) paint(code, text string) string {
	if !p.colors || text == "" {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		plain, end := strings.CutSuffix(line, "\n")
		b.WriteString("\x1b[" + code + "m" + plain + "\x1b[0m")
		if end {
			b.WriteString("\n")
		}
	}
	return b.String()
}

// PrintColored prints text that has the colours of a palette. Other control characters are
// replaced for a terminal, as PrintText does.
func PrintColored(out io.Writer, text string) error {
	text = strings.ReplaceAll(text, "\x00", "")
	for _, code := range []string{"31", "32", "33", "94", "35", "36", "95", "1", "2", "0"} {
		text = strings.ReplaceAll(text, "\x1b["+code+"m", "\x00"+code+"\x00")
	}
	text = safeColored(text, out)
	_, err := io.WriteString(out, text)
	return err
}

// safeColored replaces control characters, and puts the colours back.
func safeColored(text string, out io.Writer) string {
	parts := strings.Split(text, "\x00")
	for i, part := range parts {
		if i%2 == 1 {
			parts[i] = "\x1b[" + part + "m"
			continue
		}
		parts[i] = safe(part, out)
	}
	return strings.Join(parts, "")
}

// Shortened cuts a text to a number of cells, with an ellipsis. Control characters are
// replaced.
func Shortened(text string, cells int) string {
	runes := []rune(OneLine(text))
	if len(runes) <= cells || cells < 1 {
		return string(runes)
	}
	return string(runes[:cells-1]) + "…"
}
