package activity

import (
	"cmp"
	"fmt"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model/access"
	"gatewright/model/diff"
	"gatewright/project/status"
	"gatewright/tui/dashboard/board"
)

// What a push would do to each resource, and why. A resource unfolds to all reasons and
// the difference of its files.

// mostReasons is how many reasons a folded resource shows.
const mostReasons = 12

// below is the indentation of what stands below a resource.
const below = "    "

// changes is how many resources a push would change.
func (t *Tab) changes() int {
	s := t.board.Snap.Status
	return len(s.Resources) - s.Count(diff.NoChange)
}

// summary says in one line what a push would do.
func (t *Tab) summary() string {
	s := t.board.Snap.Status
	if s.Problem != "" {
		return "what a push would do is unknown"
	}
	var parts []string
	for _, o := range []diff.Operation{diff.ToCreate, diff.ToUpdate, diff.ToDelete} {
		if n := s.Count(o); n > 0 {
			parts = append(parts, fmt.Sprintf("%d to %s", n, strings.ToLower(o.String())))
		}
	}
	if len(parts) == 0 {
		parts = []string{"no change"}
	}
	since := ", and nothing was pushed yet"
	if s.Deployed != nil || s.Against != "" {
		since = " since the last push"
	}
	if asOf := t.board.Snap.Env.AsOf(); asOf != "" {
		since += " (AWS " + asOf + ")"
	}
	return strings.Join(parts, ", ") + since
}

// statusRows are what cannot be read, the resources, and what the client configuration file
// lacks.
func (t *Tab) statusRows() []row {
	var rows []row
	s := t.board.Snap.Status
	warn := func(id string, tone prose.Tone, text string) {
		rows = append(rows, row{id: id, title: "Worth a look", before: "! ", line: prose.Line{Tone: tone, Text: text}})
	}
	for i, text := range t.board.Snap.Broken {
		warn(fmt.Sprint("broken", i), prose.Bad, text)
	}
	if s.Problem != "" {
		warn("unknown", prose.Warning, s.Problem)
	}
	if note := t.board.Snap.Env.CloudNote(); note != "" {
		warn("cloud note", prose.Warning, note)
	}
	// What changes stands before what does not: in a large project that is far down.
	for _, changes := range []bool{true, false} {
		for i := range s.Resources {
			if r := &s.Resources[i]; (r.Operation != diff.NoChange) == changes {
				rows = t.addResource(rows, r)
			}
		}
	}
	for i, text := range board.IncompleteSections(s.Status) {
		warn(fmt.Sprint("waiting", i), prose.Warning, text)
		rows[len(rows)-1].title = "client configuration file"
	}
	return rows
}

// accessRows say who may do more, and less, than at the last push, each with a request that
// shows it.
func (t *Tab) accessRows() []row {
	s := t.board.Snap.Status
	if s.Was == nil {
		return nil
	}
	var rows []row
	for i, line := range board.AccessLines(s.Access, s.MoreAccess, len(t.board.Snap.Backend.APIs)) {
		switch {
		case i == 0:
			rows = append(rows, head("access", "access: "+cmp.Or(t.accessNote(), access.Count(s.Access))))
		case line.Text != "":
			rows = append(rows,
				row{id: fmt.Sprint("access\x00", i), title: "access", level: 1, before: "  ", line: line, words: "access"})
		}
	}
	return rows
}

// accessNote is what the head of the page says of access, so that both count the same.
func (t *Tab) accessNote() string {
	for _, tab := range t.board.Tabs {
		if noter, ok := tab.(board.Noter); ok && tab.Name() == "Access" {
			note, _ := noter.Note()
			return note.Text
		}
	}
	return ""
}

func (t *Tab) addResource(rows []row, r *status.Resource) []row {
	of, unfolded := r.Of.String(), t.unfolded[r.Of]
	rows = append(rows,
		row{
			id: of, line: prose.Line{Text: prose.PrintableStart(of)}, resource: r, named: true,
			words: strings.Join(r.Reasons, " "),
		})
	// The filter finds all lines of a resource by its name and first reasons, so that they
	// stay together. All reasons of many paths, repeated in every line, would be too much
	// text.
	words := r.Operation.String() + " " + of + " " + strings.Join(r.Reasons[:min(len(r.Reasons), mostReasons)], " ")
	add := func(id string, line prose.Line) *row {
		rows = append(rows, row{id: of + "\x00" + id, level: 1, before: below, line: line, resource: r, words: words})
		return &rows[len(rows)-1]
	}
	reasons := r.Reasons
	if !unfolded {
		reasons = reasons[:min(len(reasons), mostReasons)]
	}
	for i, reason := range reasons {
		add(fmt.Sprint("reason", i), prose.Line{Text: prose.PrintableStart(reason)})
	}
	if more := len(r.Reasons) - len(reasons); more > 0 {
		add("more", prose.Line{
			Tone: prose.Muted,
			Text: fmt.Sprintf("and %d more: enter shows all", more),
		}).detail = []prose.Line{{Text: sentence(r)}}
	}
	if !unfolded {
		return rows
	}
	lines := t.differences[r.Of]
	if lines == nil {
		lines = prose.InTone(prose.Muted, "comparing the files ...")
	}
	for i, line := range lines {
		add(fmt.Sprint("difference", i), line)
	}
	return rows
}

// operation is what a push does to a resource: a glyph and words.
func operation(r *status.Resource) prose.Line {
	line := glyphs[r.Operation]
	line.Text += " " + r.Operation.String()
	return line
}

var glyphs = map[diff.Operation]prose.Line{
	diff.NoChange: {Tone: prose.Muted, Text: "="}, diff.ToCreate: {Tone: prose.Added, Text: "+"},
	diff.ToUpdate: {Tone: prose.Updated, Text: "~"}, diff.ToDelete: {Tone: prose.Removed, Text: "-"},
}

// sentence says what a push does to a resource, and which of its files changed.
func sentence(r *status.Resource) string {
	text := prose.PrintableStart(r.Of.String()) + ": " + r.Operation.String()
	if n := len(r.Files); n > 0 {
		names := make([]string, n)
		for i, c := range r.Files {
			names[i] = phrase.QuotePath(c.Path)
		}
		text += ", " + phrase.Count(n, "file") + " changed: " + prose.PrintableStart(phrase.List(names))
	}
	return text
}
