package requests

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/logs/entry"
	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/requests/strip"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// walked is a part of a call that a person walked to, and the log of the call once it is read.
type walked struct {
	of   *row
	kind traffic.PartKind
	log  []logs.Line
	err  error
	read bool
}

// notMeasured is why a call has no parts.
const notMeasured = "its time was not measured"

// comparedWith is the call that a row is compared with; nil for none.
func (t *Tab) comparedWith(r *row) *traffic.Call {
	if t.marked == nil || t.marked == r {
		return nil
	}
	return &t.marked.call
}

// times says where the time of a call went: its parts, which DrawLine draws, how they differ from those of
// the marked call, and what is known of the part that is walked.
func (t *Tab) times(r *row) []prose.Line {
	c, other := &r.call, t.comparedWith(r)
	if len(c.Parts) == 0 {
		return nil
	}
	all := []prose.Line{{Tone: prose.Muted, Text: strip.Words(c)}}
	switch {
	case other != nil:
		of := "marked: " + t.marked.called + ", " + t.marked.outcome + ": "
		all = append(all, prose.Line{Tone: prose.Note, Text: "than marked: " + strip.Difference(c, other)},
			prose.Line{Tone: prose.Muted, Text: of + strip.Words(other)})
	case t.marked != nil:
		all = append(all,
			prose.Line{Tone: prose.Note, Text: "marked: go to another request to compare the two; v leaves it"})
	}
	if t.walked != nil && t.walked.of == r {
		all = append(all, t.walked.lines()...)
	}
	return all
}

// withTimes are what is said of how a call went, with its times where they have most room: first if they
// are compared, after why it was refused or failed, and otherwise after its status.
func (t *Tab) withTimes(r *row) []prose.Line {
	all, at := verdict(&r.call), 1
	switch {
	case t.comparedWith(r) != nil && len(r.call.Parts) > 0:
		at = 0
	case r.call.Why != "":
		at = len(all)
	}
	return slices.Insert(all, at, t.times(r)...)
}

// DrawLine draws the parts of the call at hand, below those of the marked one.
func (t *Tab) DrawLine(th *theme.Theme, line prose.Line, w int) []string {
	r, ok := t.List.Row()
	if !ok {
		return nil
	}
	kind := traffic.PartKind("")
	if t.walked != nil && t.walked.of == r {
		kind = t.walked.kind
	}
	return drawsParts(&r.call, t.comparedWith(r), kind)(th, line, w)
}

// drawsParts draws the parts of a call, below those of another one if there is one, with the walked part marked.
func drawsParts(c, other *traffic.Call, walked traffic.PartKind) func(*theme.Theme, prose.Line, int) []string {
	return func(th *theme.Theme, line prose.Line, w int) (all []string) {
		if len(c.Parts) == 0 || line.Text != strip.Words(c) {
			return nil
		}
		lines := strip.Draw(c, w)
		if other != nil {
			lines = strip.Pair(other, c, w)
		}
		for _, line := range lines {
			var b strings.Builder
			for _, s := range line {
				style := th.Of(s.Tone)
				if s.Part != "" && s.Part == walked {
					style = th.Selected
				}
				b.WriteString(style.Render(s.Text))
			}
			all = append(all, b.String())
		}
		return all
	}
}

// DetailBindings walk the parts.
func (t *Tab) DetailBindings() []keys.Binding {
	r, ok := t.List.Row()
	none := keys.When(!ok || len(r.call.Parts) == 0, notMeasured)
	return []keys.Binding{
		keys.Right.Does("parts", "walk the parts of its time: each with its share, what it used and its log",
			func() tea.Cmd { return t.walk(r, 1) }).Shown().Unless(none),
		keys.Left.Does("previous part", "walk back to the previous part",
			func() tea.Cmd { return t.walk(r, -1) }).Unless(none),
	}
}

// walk goes to the next part, from the last one to none, and reads the log of the call.
func (t *Tab) walk(r *row, by int) tea.Cmd {
	now := t.walked
	if now == nil || now.of != r {
		now = &walked{of: r}
		t.walked = now
	}
	parts := r.call.Parts
	at := slices.IndexFunc(parts, func(p traffic.Part) bool { return p.Kind == now.kind })
	if at = (at+1+by+len(parts)+1)%(len(parts)+1) - 1; at < 0 {
		t.walked = nil
		return nil
	}
	now.kind = parts[at].Kind
	client := t.board.Sandbox.Client
	if now.read || client == nil || !t.board.Sandbox.Runs() {
		return nil
	}
	return func() tea.Msg {
		log, err := logOf(client, &r.call)
		return frame.ThenMsg(func() tea.Cmd {
			now.log, now.err, now.read = log, err, true
			return nil
		})
	}
}

// compare marks a call, to be shown above others, or leaves that.
func (t *Tab) compare(r *row, none string) keys.Binding {
	if t.marked != nil {
		return keys.Difference.Does("end compare", "stop comparing with the marked request",
			keys.NoCmd(func() { t.marked = nil })).Shown()
	}
	return keys.Difference.Does("compare",
		"mark this request, to see the time of another next to it, with the difference",
		keys.NoCmd(func() { t.marked = r })).Shown().Unless(none, keys.When(len(r.call.Parts) == 0, notMeasured))
}

// lines are the exact time of the walked part, its share, what was used in it, and its log.
func (w *walked) lines() []prose.Line {
	c := &w.of.call
	all := partLines(c, w.kind)
	const hundred = 100
	share := hundred * float64(partOf(c, w.kind).Took) / float64(c.Took)
	all[0].Text = fmt.Sprintf("▸ %s, %.1f %% of the time", all[0].Text, share)
	switch lines := logIn(c, w.kind, w.log); {
	case !w.read:
		return append(all, prose.Line{Tone: prose.Muted, Text: "  its log is not read"})
	case w.err != nil:
		return append(all, prose.Line{Tone: prose.Warning, Text: prose.PrintableStart(w.err.Error())})
	case len(lines) == 0:
		return append(all, prose.Line{Tone: prose.Muted, Text: "  nothing in the log is of this part"})
	default:
		return append(all, lines...)
	}
}

func partOf(c *traffic.Call, kind traffic.PartKind) traffic.Part {
	return c.Parts[slices.IndexFunc(c.Parts, func(p traffic.Part) bool { return p.Kind == kind })]
}

// logIn are the lines of the log of a call that belong to a part. What a function writes comes through a
// pipe and is stamped a moment later: its log of a call is all of the handler, if that ran. All other
// lines are stamped as they are written.
func logIn(c *traffic.Call, kind traffic.PartKind, log []logs.Line) []prose.Line {
	ran := slices.ContainsFunc(c.Parts, func(p traffic.Part) bool { return p.Kind == traffic.Handler })
	return entry.InLines(slices.DeleteFunc(slices.Clone(log), func(l logs.Line) bool {
		if ran && l.Function == c.Function {
			return kind != traffic.Handler
		}
		return strip.At(c, l.Time.Sub(c.Time)) != kind
	})...)
}

// partLines are the exact time of a part, and what was used in it.
func partLines(c *traffic.Call, kind traffic.PartKind) []prose.Line {
	all := []prose.Line{{Tone: prose.Strong, Text: string(kind) + " " + strip.Exact(partOf(c, kind).Took)}}
	for i := range c.Uses {
		u := &c.Uses[i]
		if strip.At(c, u.At) != kind {
			continue
		}
		tone, text := prose.Plain, fmt.Sprintf("  %s %s at %s, took %s ms", widget.ResourceSign(u.Resource), strip.Named(u),
			strip.Tenths(u.At), strip.Tenths(u.Took))
		if u.Failed {
			tone, text = prose.Bad, text+": "+prose.PrintableStart(u.Why)
		}
		all = append(all, prose.Line{Tone: tone, Text: text})
	}
	if kind == traffic.Handler && c.UsesLeft > 0 {
		all = append(all,
			prose.Line{Tone: prose.Muted, Text: "  " + phrase.Count(c.UsesLeft, "further use") + ", only counted"})
	}
	return all
}

// inParts are the parts of a call, each with what was used in it.
func inParts(c *traffic.Call) []prose.Line {
	if len(c.Parts) == 0 {
		return nil
	}
	all := []prose.Line{{Tone: prose.Muted, Text: strip.Words(c)}}
	for _, p := range c.Parts {
		all = append(all, partLines(c, p.Kind)...)
	}
	return all
}

// grouped is the log of a call by the parts of its time.
func grouped(c *traffic.Call, log []logs.Line, err error) (all []prose.Line) {
	for _, p := range c.Parts {
		if of := logIn(c, p.Kind, log); len(of) > 0 {
			all = append(append(all, prose.Line{Tone: prose.Strong, Text: string(p.Kind)}), of...)
		}
	}
	if len(c.Parts) == 0 {
		all = entry.InLines(log...)
	}
	if err != nil {
		all = append(all, prose.Line{Tone: prose.Warning, Text: prose.PrintableStart(err.Error())})
	}
	return all
}
