package main

import (
	"cmp"
	"fmt"
	"html"
	"strings"

	"gatewright/tools/story"
)

// line draws a line of a screen: what is behind the text, the lines of boxes, then the text. Lines are drawn, and are
// not characters, because those join in few fonts.
func (d *drawing) line(screen [][]story.Cell, row int) string {
	if row >= len(screen) {
		return ""
	}
	var behind, shapes, text strings.Builder
	cells := screen[row]
	// The program erases the end of a line in a colour, which tmux does not print.
	if last := len(cells) - 1; last >= 0 && cells[last].Background != "" {
		for len(cells) < d.width {
			cells = append(cells, story.Cell{Rune: ' ', Style: cells[last].Style})
		}
	}
	for i, cell := range cells {
		if cell.Reverse {
			cells[i].Foreground = cmp.Or(cell.Background, d.background)
			cells[i].Background = cmp.Or(cell.Foreground, d.foreground)
			cells[i].Reverse = false
		}
	}
	for at := 0; at < len(cells); {
		end := at + 1
		for end < len(cells) && cells[end].Background == cells[at].Background {
			end++
		}
		if colour := cells[at].Background; colour != "" {
			fmt.Fprintf(&behind, `<rect%s x="%d" width="%d" height="%d"/>`, d.class(colour, ""), at*cellW, (end-at)*cellW, cellH)
		}
		at = end
	}
	for at := 0; at < len(cells); {
		cell, end := cells[at], at+1
		for end < len(cells) && cells[end] == cell {
			end++
		}
		if path, class := shape(cell.Rune, at, end); path != "" {
			fmt.Fprintf(&shapes, `<path%s d="%s"/>`, d.class(cell.Foreground, class), path)
		} else if cell.Rune != ' ' {
			end = run(cells, at)
			fmt.Fprintf(&text, `<tspan%s x="%d" textLength="%d">`, d.class(cell.Foreground, flags(cell.Style)),
				at*cellW, (end-at)*cellW)
			for _, cell := range cells[at:end] {
				text.WriteString(html.EscapeString(string(cell.Rune)))
			}
			text.WriteString("</tspan>")
		}
		at = end
	}
	if text.Len() > 0 {
		return behind.String() + shapes.String() + `<text y="15">` + text.String() + `</text>`
	}
	return behind.String() + shapes.String()
}

func flags(s story.Style) (classes string) {
	if s.Bold {
		classes = "b "
	}
	if s.Underlined {
		classes += "u"
	}
	return strings.TrimSpace(classes)
}

// run is the end of the text that begins at a cell: it has one style, and spaces behind it belong to it. A symbol is
// a run of its own, because it has another width where the font lacks it.
func run(cells []story.Cell, at int) int {
	const symbols = '←'
	first, end := cells[at], at+1
	for i := end; i < len(cells); i++ {
		cell := cells[i]
		cell.Background = first.Background
		path, _ := shape(cell.Rune, 0, 1)
		switch {
		case path != "":
			return i
		case cell.Rune == ' ' && !cell.Underlined && !first.Underlined:
		case max(cell.Rune, first.Rune) >= symbols || cell.Style != first.Style:
			return i
		default:
			end = i + 1
		}
	}
	return end
}

// light has paths of characters that draw boxes, from the corner of a cell, and heavy those whose lines are wider.
// https://www.unicode.org/charts/PDF/U2500.pdf
var (
	light = map[rune]string{
		'─': "m0 10h10", '│': "m5 0v20", '┌': "m10 10h-5v10", '┐': "m0 10h5v10", '└': "m5 0v10h5", '┘': "m5 0v10h-5",
		'├': "m5 0v20m0-10h5", '┤': "m5 0v20m0-10h-5", '┬': "m0 10h10m-5 0v10", '┴': "m0 10h10m-5 0v-10",
		'┼': "m0 10h10m-5-10v20", '╭': "m5 20v-5q0-5 5-5", '╮': "m0 10q5 0 5 5v5", '╯': "m5 0v5q0 5-5 5",
		'╰': "m5 0v5q0 5 5 5",
		'═': "m0 8h10m0 4h-10", '║': "m3 0v20m4 0v-20", '╞': "m5 0v20m0-12h5m0 4h-5",
		'╡': "m5 0v20m0-12h-5m0 4h5",
	}
	heavy = map[rune]rune{
		'━': '─', '┃': '│', '┏': '┌', '┓': '┐', '┗': '└', '┛': '┘', '┣': '├', '┫': '┤', '┳': '┬', '┻': '┴', '╋': '┼',
	}
)

// shape is the path of a character that is drawn, repeated from a cell to another, and its class; "" for text.
func shape(r rune, at, end int) (path, class string) {
	one := light[r]
	if same, is := heavy[r]; is {
		one, class = light[same], "w"
	}
	switch {
	case one == light['─']:
		return fmt.Sprintf("M%d %dH%d", at*cellW, cellH/2, end*cellW), class
	case r >= '▁' && r <= '█':
		one, class = fmt.Sprintf("m0 20h10v-%.1fh-10z", float64(r-'▁'+1)*cellH/8), "s"
	case r == '▌', r == '▐':
		one, class = map[rune]string{'▌': "h5v20h-5z", '▐': "m5 0h5v20h-5z"}[r], "s"
	}
	for ; one != "" && at < end; at++ {
		path += fmt.Sprintf("M%d 0", at*cellW) + one
	}
	return path, class
}
