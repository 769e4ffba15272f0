package livemap

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gatewright/internal/clock"
	"gatewright/internal/text/prose"
	"gatewright/model/access"
	"gatewright/model/graph"
	"gatewright/sandbox/traffic"
	"gatewright/tui/layout"
)

// drawFlow draws many calls a second: the line in the colour of what most of them do, thick if they are
// very many, with their number.
func (c *chart) drawFlow(l *line, r *row, from, to int) {
	n, now := 0, c.now()
	for _, p := range r.paths {
		n += c.flow(key{r.api, p.Name}, now)
	}
	if n == 0 || to-from < 4 {
		return
	}
	dash, text := "━", fmt.Sprintf(" %d/s ", n)
	if n >= thick {
		dash = "█"
	}
	in := c.usual(r)
	l.put(from, strings.Repeat(dash, to-from), in)
	l.put(from+max(0, to-from-len(text))/2, text, strong)
}

// drawTrip draws a call on the rows that it passes.
func (c *chart) drawTrip(l *line, r *row, t *trip, now time.Time) {
	p, call := c.places, t.call
	in := inkOf(actionOf(call.Method))
	if in == plain {
		in = strong
	}
	if r.has(call) {
		if t.share(now, 0, atGate) >= 0 && (t.share(now, 0, atGate) < 1 || call.Refused()) {
			c.drawAtGate(l, t)
		}
		if call.Refused() {
			x := l.put(p.left+p.leftW+1, "✗ ", bad)
			l.say(x, refusal(call), warn)
			return
		}
		from := p.left + min(p.leftW, layout.Width(r.left)) + 1
		if s := t.share(now, atGate, onEdge); s >= 0 && s < 1 {
			at := from + int(s*float64(p.function-2-from))
			for x := from; x < at; x++ {
				if l.runes[x] == '─' {
					l.put(x, "━", in)
				}
			}
			l.put(at, "●", in)
		}
	}
	if r.named && !r.again && r.function == call.Function && t.share(now, atGate+onEdge, inside) >= 0 {
		if call.Failed {
			in = bad
		}
		l.over(p.function, p.function+signW+p.nameW, in)
		if call.Failed {
			l.put(p.function-1, "✗", bad)
			x := l.put(p.function+signW+layout.Width(r.function)+1, prose.PrintableStart(call.MarkedOutcome())+" ", bad)
			l.say(x, call.Note(), bad)
		}
	}
	if r.use != nil && r.function == call.Function {
		c.drawOnWire(l, r, t, now)
	}
}

// drawOnWire draws what a function used while a call ran.
func (c *chart) drawOnWire(l *line, r *row, t *trip, now time.Time) {
	p, used, failed := c.places, ink(plain), false
	for _, u := range t.call.Uses {
		if u.Resource == r.use.Resource {
			used, failed = strong, failed || u.Failed
		}
	}
	s := t.share(now, atGate+onEdge+inside, onWire)
	if used == plain || s < 0 {
		return
	}
	if failed {
		used = bad
	}
	l.over(p.wire, p.data, used)
	if s < 1 {
		l.put(p.wire+int(s*float64(wireW-1)), "●", used)
	} else if failed {
		l.put(p.wire+1, "✗", bad)
	}
}

// drawAtGate marks the letter of a caller that a call meets.
func (c *chart) drawAtGate(l *line, t *trip) {
	at, letter := t.caller-c.places.first, slices.Index(access.AllActions, actionOf(t.call.Method))
	if at < 0 || at >= len(c.places.gates) || letter < 0 {
		return
	}
	if x := c.places.gates[at] + letter; t.call.Refused() {
		l.put(x, "✗", bad)
	} else {
		l.over(x, x+1, chosen)
	}
}

// drawOpen draws a request that waits or runs now.
func (c *chart) drawOpen(l *line, r *row, o *traffic.Open, now time.Time) {
	p := c.places
	if len(r.paths) == 0 || r.api != o.API || !r.hasPath(o.Path) {
		return
	}
	l.put(p.function-5, "●", inkOf(actionOf(o.Method)))
	text := string(o.Stage) + " " + clock.Took(now.Sub(o.Time).Truncate(100*time.Millisecond))
	if r.named {
		l.put(p.function+signW+p.nameW+1, layout.Pad(text, p.stateW), warn)
	}
}

// has reports whether a call came to a path of a row.
func (r *row) has(call *traffic.Call) bool {
	return len(r.paths) > 0 && call.Path != "" && r.api == call.API && r.hasPath(call.Path)
}

func (r *row) hasPath(name string) bool {
	return slices.ContainsFunc(r.paths, func(p graph.PathAccess) bool { return p.Name == name })
}

// refusal is why a call was refused, in a sentence.
func refusal(call *traffic.Call) string {
	why := call.Why
	if call.Who.As != "" && !call.Who.Allowed {
		why = call.Who.Rule
	}
	return call.Method + " refused: " + why
}
