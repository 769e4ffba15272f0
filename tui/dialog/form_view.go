package dialog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/text/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// View draws the lines that are asked, and the hint of the cursor's line below them.
func (f *form) View(t *theme.Theme, maxW, maxH int) string {
	w := within(textWidth, maxW)
	var lines []string
	from, to := 0, 0
	for i := range f.fields {
		if !f.asked(i) {
			continue
		}
		if i == f.cursor {
			from = len(lines)
		}
		lines = append(lines, f.line(t, i, w))
		if i == f.cursor && f.questions[i].List {
			lines = append(lines, f.list(t, i, w)...)
		}
		if i == f.refusedAt && f.refused != nil {
			lines = append(lines, widget.Indent(widget.Wrapped(t, prose.Bad, errorText(f.refused), w-2), "  ")...)
		}
		if i == f.cursor {
			to = len(lines)
		}
	}
	hint := widget.Detail(t, prose.Muted, f.hint(w), w, detailHeight)
	// The cursor's line stays in view, with its error and its hint.
	room := max(1, maxH-frameH-len(hint)-1)
	if len(lines) > room {
		top := max(0, min(from, len(lines)-room))
		if to > top+room {
			top = min(from, to-room)
		}
		lines = lines[top:min(len(lines), top+room)]
	}
	return box(t, f.title, append(append(lines, ""), hint...), maxW, maxH)
}

func (f *form) line(t *theme.Theme, i, w int) string {
	q, here := f.questions[i], i == f.cursor
	mark, name := "  ", t.Muted
	if here {
		mark, name = "› ", t.Accent
	}
	line := t.Key.Render(mark) + name.Render(layout.Pad(layout.Cut(prose.Printable(q.Name), f.nameW), f.nameW)+"  ")
	room := max(1, w-len("› ")-f.nameW)
	switch {
	case q.Fixed != "":
		return line + t.Muted.Render(layout.Cut(prose.Printable(q.Value), room))
	case q.List:
		return line + t.Base.Render(layout.Cut(f.listed(i, here), room))
	case q.Several:
		return line + f.several(t, q, here, room)
	case len(q.Options) == 0:
		return line + f.fields[i].View(t, "", room, here)
	}
	value := layout.Cut(prose.Printable(f.fields[i].Value()), room-len("< >"))
	if here {
		return line + t.Selected.Render("‹ "+value+" ›")
	}
	return line + t.Base.Render(value)
}

// several draws what is chosen of several options; with the cursor also the option at it.
func (f *form) several(t *theme.Theme, q Question, here bool, room int) string {
	on := chosen(q.Value)
	all := "none"
	if len(on) > 0 {
		all = prose.Printable(strings.Join(on, ", "))
	}
	if !here || len(q.Options) == 0 {
		return t.Base.Render(layout.Cut(all, room))
	}
	option := q.Options[f.choices[f.cursor]]
	box := "[ ] "
	if slices.Contains(on, option) {
		box = "[x] "
	}
	const share = 2
	at := layout.Cut("‹ "+box+prose.Printable(option)+" ›", max(1, room/share))
	return t.Selected.Render(at) + t.Base.Render(layout.Cut("  "+all, max(1, room-layout.Width(at))))
}

// listed is a list in one line; while it is edited below, how many entries it has.
func (f *form) listed(i int, here bool) string {
	var entries []string
	for line := range strings.Lines(f.areas[i].Value()) {
		if line = strings.TrimSpace(line); line != "" {
			entries = append(entries, prose.Printable(line))
		}
	}
	switch {
	case here:
		return fmt.Sprintf("%d; one on each line", len(entries))
	case len(entries) == 0:
		return cmp.Or(f.questions[i].Empty, "none")
	}
	return strings.Join(entries, ", ")
}

// mostListed is how many lines a list has while it is edited.
const mostListed = 5

// list draws the editor of a list.
func (f *form) list(t *theme.Theme, i, w int) []string {
	const indent = "    "
	h := min(mostListed, f.areas[i].Lines()+1)
	return widget.Indent(f.areas[i].Draw(t, max(1, w-len(indent)), h, -1, nil), indent)
}

// hint is the hint of the cursor's line and its options or suggestions. If those do not
// fit in w cells, it says how many there are.
func (f *form) hint(w int) string {
	q := f.questions[f.cursor]
	join := func(choices string) string {
		return strings.Join(slices.DeleteFunc([]string{q.Hint, choices}, func(part string) bool { return part == "" }), "; ")
	}
	all, count, options := "", "", f.options(f.cursor)
	switch {
	case q.Fixed != "":
		return q.Fixed
	case q.Several:
		all = "space marks " + strings.Join(options, ", ")
		count = fmt.Sprintf("space marks one, ← → go to another of %d", len(options))
	case len(options) > 0:
		all, count = "one of "+strings.Join(options, ", "), fmt.Sprintf("← → choose one of %d", len(options))
	case len(q.Suggestions) > 0:
		all, count = "ctrl+n takes "+strings.Join(q.Suggestions, ", "),
			fmt.Sprintf("ctrl+n takes the next of %d suggestions", len(q.Suggestions))
	}
	if whole := join(all); len(layout.Wrap(prose.Printable(whole), w)) <= detailHeight {
		return whole
	}
	return join(count)
}
