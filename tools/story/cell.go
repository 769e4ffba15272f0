package story

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Cell is a character of a screen with its style.
type Cell struct {
	Rune rune
	Style
}

// Style is how a cell looks. The colours are those of CSS; "" is that of the window.
type Style struct {
	Foreground, Background    string
	Bold, Underlined, Reverse bool
}

// Text returns the lines of a screen without escape sequences.
func Text(screen string) string {
	var text strings.Builder
	for _, line := range Cells(screen) {
		for _, cell := range line {
			text.WriteRune(cell.Rune)
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// Cells reads a screen as tmux prints it with -e: SGR sequences of ECMA-48 (8.3.117), with colours in red, green and
// blue (https://ecma-international.org/publications-and-standards/standards/ecma-48/).
func Cells(screen string) [][]Cell {
	var lines [][]Cell
	var style Style
	for line := range strings.Lines(screen) {
		var cells []Cell
		for i, part := range strings.Split(strings.TrimSuffix(line, "\n"), "\x1b[") {
			if i > 0 {
				var sequence string
				sequence, part, _ = strings.Cut(part, "m")
				style = style.with(strings.Split(sequence, ";"))
			}
			for _, r := range part {
				cells = append(cells, Cell{r, style})
			}
		}
		lines = append(lines, cells)
	}
	return lines
}

// with is the style after a sequence.
func (s Style) with(parameters []string) Style {
	for i := 0; i < len(parameters); i++ {
		colour := ""
		if len(parameters) > i+4 && parameters[i+1] == "2" && slices.Contains([]string{"38", "48"}, parameters[i]) {
			for _, part := range parameters[i+2 : i+5] {
				value, _ := strconv.Atoi(part)
				colour += fmt.Sprintf("%02x", value)
			}
			colour = "#" + colour
		}
		switch parameters[i] {
		case "", "0":
			s = Style{}
		case "1", "22":
			s.Bold = parameters[i] == "1"
		case "4", "24":
			s.Underlined = parameters[i] == "4"
		case "7", "27":
			s.Reverse = parameters[i] == "7"
		case "38", "39":
			s.Foreground = colour
		case "48", "49":
			s.Background = colour
		}
		if colour != "" {
			i += 4
		}
	}
	return s
}
