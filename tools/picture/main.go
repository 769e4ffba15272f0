// Command picture converts the text of a terminal's screen, with escape sequences for
// colours, into an SVG. tools/picture/make draws the README's pictures with it.
package main

import (
	"bufio"
	"fmt"
	"html"
	"os"
	"strconv"
	"strings"
)

// The size of a cell and of the margin in pixels, and the colours of a dark terminal.
const (
	cellW, cellH, pad = 8.4, 18.0, 14.0
	background        = "#16161d"
	foreground        = "#d8d8e0"
)

// style is the style of a run of text.
type style struct {
	fg, bg        string
	bold, reverse bool
}

func main() {
	var lines []string
	scanner := bufio.NewScanner(os.Stdin)
	for scanner.Scan() {
		lines = append(lines, scanner.Text())
	}
	if err := scanner.Err(); err != nil {
		fmt.Fprintln(os.Stderr, "picture: reading the screen:", err)
		os.Exit(1)
	}
	fmt.Print(draw(lines))
}

// draw returns the SVG of the lines of a screen.
func draw(lines []string) string {
	var body strings.Builder
	widest := 0
	var s style
	for row, line := range lines {
		column := 0
		for line != "" {
			if parameters, rest, ok := escape(line); ok {
				s, line = s.with(parameters), rest
				continue
			}
			text, rest := line, ""
			if at := strings.IndexByte(line, '\x1b'); at > 0 {
				text, rest = line[:at], line[at:]
			}
			n := len([]rune(text))
			body.WriteString(s.run(text, column, row, n))
			column, line = column+n, rest
		}
		widest = max(widest, column)
	}
	w, h := float64(widest)*cellW+2*pad, float64(len(lines))*cellH+2*pad
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="ui-monospace,Menlo,Consolas,monospace" font-size="14">
<rect width="100%%" height="100%%" rx="8" fill="%s"/>
%s</svg>
`, w, h, w, h, background, body.String())
}

// run returns the SVG of a text of n cells at a place.
func (s style) run(text string, column, row, n int) string {
	fg, bg := s.fg, s.bg
	if fg == "" {
		fg = foreground
	}
	if s.reverse {
		if bg == "" {
			bg = background
		}
		fg, bg = bg, fg
	}
	x, y := pad+float64(column)*cellW, pad+float64(row)*cellH
	out := ""
	if bg != "" {
		out = fmt.Sprintf("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", x, y,
			float64(n)*cellW, cellH, bg)
	}
	if strings.TrimSpace(text) == "" {
		return out
	}
	weight := ""
	if s.bold {
		weight = ` font-weight="bold"`
	}
	return out +
		fmt.Sprintf("<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\"%s xml:space=\"preserve\" textLength=\"%.1f\">%s</text>\n",
			x, y+cellH*0.75, fg, weight, float64(n)*cellW, html.EscapeString(text))
}

// escape reads an escape sequence for a style at the beginning of a line.
func escape(line string) (parameters []int, rest string, ok bool) {
	inside, found := strings.CutPrefix(line, "\x1b[")
	if !found {
		return nil, line, false
	}
	end := strings.IndexByte(inside, 'm')
	if end < 0 {
		return nil, "", true
	}
	for part := range strings.SplitSeq(inside[:end], ";") {
		n, _ := strconv.Atoi(part)
		parameters = append(parameters, n)
	}
	return parameters, inside[end+1:], true
}

// with is the style after an escape sequence.
func (s style) with(parameters []int) style {
	for i := 0; i < len(parameters); i++ {
		switch n := parameters[i]; {
		case n == 0:
			s = style{}
		case n == 1:
			s.bold = true
		case n == 22:
			s.bold = false
		case n == 7:
			s.reverse = true
		case n == 27:
			s.reverse = false
		case n >= 30 && n <= 37:
			s.fg = named[n-30]
		case n >= 90 && n <= 97:
			s.fg = named[n-90+8]
		case n >= 40 && n <= 47:
			s.bg = named[n-40]
		case n >= 100 && n <= 107:
			s.bg = named[n-100+8]
		case n == 39:
			s.fg = ""
		case n == 49:
			s.bg = ""
		case n == 38 || n == 48:
			colour, taken := colourOf(parameters[i+1:])
			if n == 38 {
				s.fg = colour
			} else {
				s.bg = colour
			}
			i += taken
		}
	}
	return s
}

// colourOf reads a colour, one of the 256 or red, green and blue, and returns how many
// parameters it has.
func colourOf(parameters []int) (colour string, taken int) {
	switch {
	case len(parameters) >= 4 && parameters[0] == 2:
		return fmt.Sprintf("#%02x%02x%02x", parameters[1], parameters[2], parameters[3]), 4
	case len(parameters) < 2 || parameters[0] != 5:
		return "", 0
	}
	n := parameters[1]
	switch {
	case n >= 232:
		grey := 8 + 10*(n-232)
		return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey), 2
	case n >= 16:
		level := [6]int{0, 95, 135, 175, 215, 255}
		n -= 16
		return fmt.Sprintf("#%02x%02x%02x", level[n/36], level[n/6%6], level[n%6]), 2
	}
	return named[max(n, 0)], 2
}

// named are the 16 colours that have names, as xterm draws them.
var named = [16]string{
	"#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5",
	"#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff",
}
