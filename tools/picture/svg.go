package main

import (
	"fmt"
	"html"
	"slices"
	"strings"
	"time"

	"gatewright/tools/story"
)

// A cell has round numbers, which makes the file short: what is shown is scaled. The margin is that around the
// cells, and bar is the height of the window's title.
const (
	cellW, cellH, margin, bar = 10, 20, 16, 40
	scale                     = 0.84
)

// colours are those of a window around a theme of the program, which has no background of its own.
type colours struct{ theme, foreground, background, bar, edge, caption string }

var themes = []colours{
	{"dark", "#d8dee9", "#14181f", "#1e242d", "#3a4350", "#aeb8c7"},
	{"light", "#1f2733", "#ffffff", "#eef1f5", "#c5ccd6", "#4a5565"},
}

// drawing is a picture that is being drawn.
type drawing struct {
	colours
	width  int
	frames []story.Frame
	end    time.Duration
	// classes are the names of colours, and spans those of the times at which something is seen.
	classes, spans map[string]string
	css            strings.Builder
}

// draw returns the picture of a story. What changes is shown and hidden by keyframes. Without them, and for
// readers who want less motion, it shows the last frame.
func draw(s story.Story, frames []story.Frame, end time.Duration, c colours) string {
	d := &drawing{colours: c, width: s.Width, frames: frames, end: end}
	d.classes, d.spans = make(map[string]string), make(map[string]string)
	w, h := size(s)
	screens := make([][][]story.Cell, len(frames))
	for i, frame := range frames {
		screens[i] = story.Cells(frame.Screen)
	}
	var body strings.Builder
	body.WriteString(d.row(func(frame int) string {
		return fmt.Sprintf("<text class=\"t\" x=\"%d\" y=\"26\">%s</text>", w/2, html.EscapeString(frames[frame].Title))
	}))
	for row := range s.Height {
		if drawn := d.row(func(frame int) string { return d.line(screens[frame], row) }); drawn != "" {
			fmt.Fprintf(&body, "<g transform=\"translate(%d %d)\">%s</g>\n", margin, bar+row*cellH, drawn)
		}
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %d %d" xml:space="preserve" role="img" aria-labelledby="title desc">
<title id="title">%s</title>
<desc id="desc">%s</desc>
<!-- A run of the program, recorded by "go run ./tools/picture". -->
<style>
svg{color:%s}
text{font:16.6px ui-monospace,"SF Mono",Menlo,"Cascadia Mono","DejaVu Sans Mono",Consolas,monospace;white-space:pre}
text,tspan,rect{fill:currentColor}
path{stroke:currentColor;stroke-width:1.5;stroke-linecap:square;fill:none}
.w{stroke-width:2.6}.b{font-weight:bold}.s{fill:currentColor;stroke:none}.u{text-decoration:underline}.h{visibility:hidden}
.t{fill:%s;text-anchor:middle}
%s@media(prefers-reduced-motion:reduce){g{animation:none!important}}
</style>
<rect x=".5" y=".5" width="%d" height="%d" rx="10" style="fill:%s;stroke:%s"/>
<path d="M1 %dV11Q1 1 11 1H%dQ%d 1 %d 11V%dZ" style="fill:%s;stroke:none"/>
<g style="color:%s"><circle cx="22" cy="20" r="6" fill="currentColor"/><circle cx="42" cy="20" r="6" fill="currentColor"/><circle cx="62" cy="20" r="6" fill="currentColor"/></g>
%s</svg>
`, float64(w)*scale, float64(h)*scale, w, h, html.EscapeString(s.Title), html.EscapeString(s.Description), c.foreground, c.caption,
		d.css.String(), w-1, h-1, c.background, c.edge, bar-8, w-11, w-1, w-1, bar-8, c.bar, c.edge, body.String())
}

// size is the size of a story's picture, before it is scaled.
func size(s story.Story) (w, h int) { return s.Width*cellW + 2*margin, s.Height*cellH + bar + margin }

// row draws what is in one place in the frames: each thing once, however often it is shown.
func (d *drawing) row(of func(frame int) string) string {
	var things []string
	shown := make(map[string][]bool)
	for frame := range d.frames {
		thing := of(frame)
		if shown[thing] == nil {
			shown[thing] = make([]bool, len(d.frames))
			things = append(things, thing)
		}
		shown[thing][frame] = true
	}
	var out strings.Builder
	for _, thing := range things {
		if thing != "" {
			out.WriteString("<g" + d.span(shown[thing]) + ">" + thing + "</g>")
		}
	}
	return out.String()
}

// span is the attribute of something that is shown in some of the frames. What the last one shows has no class h.
func (d *drawing) span(shown []bool) string {
	if !slices.Contains(shown, false) {
		return ""
	}
	times := map[bool][]string{}
	for frame, is := range shown {
		if frame == 0 {
			times[is] = []string{"0%"}
		} else if is != shown[frame-1] {
			at := fmt.Sprintf("%.2f", 100*d.frames[frame].At.Seconds()/d.end.Seconds())
			times[is] = append(times[is], strings.TrimRight(strings.TrimRight(at, "0"), ".")+"%")
		}
	}
	keyframes := strings.Join(times[true], ",") + "{visibility:visible}"
	keyframes += strings.Join(times[false], ",") + "{visibility:hidden}"
	name, known := d.spans[keyframes]
	if !known {
		name = fmt.Sprintf("k%d", len(d.spans))
		d.spans[keyframes] = name
		fmt.Fprintf(&d.css, ".%[1]s{animation:%[1]s %.2[2]fs step-end infinite}@keyframes %[1]s{%[3]s}\n",
			name, d.end.Seconds(), keyframes)
	}
	if !shown[len(shown)-1] {
		name += " h"
	}
	return fmt.Sprintf(" class=%q", name)
}

// class is the attribute of something in a colour, and in another class.
func (d *drawing) class(colour, other string) string {
	if colour != "" {
		name, known := d.classes[colour]
		if !known {
			name = fmt.Sprintf("c%d", len(d.classes))
			d.classes[colour] = name
			fmt.Fprintf(&d.css, ".%s{color:%s}\n", name, colour)
		}
		other = strings.TrimSpace(other + " " + name)
	}
	if other == "" {
		return ""
	}
	return fmt.Sprintf(" class=%q", other)
}
