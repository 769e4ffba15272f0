package dashboard

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/project"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// statusTab is the first part of the Activity tab: what a push would do to each
// resource, and why. A resource unfolds to all reasons and the difference of its
// files.
type statusTab struct {
	page   *Page
	status statusOf
	broken []string
	// unfolded are the resources that were unfolded, and stay it when the project
	// is read again. diffs are those of this reading, nil while one is made.
	unfolded map[model.Ref]bool
	diffs    map[model.Ref][]string
	lines    []statusLine
	rows     []entry
}

// statusLine is a row: the line of a resource, or one of those below it.
type statusLine struct {
	kind lineKind
	// of is the resource; its index in the status.
	of   int
	text string
}

type lineKind uint8

const (
	resourceLine lineKind = iota
	reasonLine
	diffLine
	noteLine
	brokenLine
	waitingLine
)

// mostReasons is how many reasons a folded resource shows.
const mostReasons = 12

// changes is how many resources a push would change.
func (s *statusTab) changes() int {
	n := 0
	for _, r := range s.status.Resources {
		if r.Operation != model.NoChange {
			n++
		}
	}
	return n
}

func (s *statusTab) take(snap *snapshot) tea.Cmd {
	s.status, s.broken = snap.status, snap.broken
	s.diffs = make(map[model.Ref][]string)
	if s.unfolded == nil {
		s.unfolded = make(map[model.Ref]bool)
	}
	s.layOut()
	return s.compareAgain()
}

// layOut makes the lines, and the entries of the list with them.
func (s *statusTab) layOut() {
	s.lines, s.rows = nil, nil
	for i, text := range s.broken {
		s.line(fmt.Sprint("broken", i), strings.ToLower(text), statusLine{brokenLine, none, text})
	}
	if untold := s.status.untold; untold != "" {
		s.line("untold", strings.ToLower(untold), statusLine{waitingLine, none, untold})
	}
	for i, r := range s.status.Resources {
		s.layOutResource(i, r)
	}
	for i, text := range waits(s.status.Status) {
		text = "client configuration file: " + text
		s.line(fmt.Sprint("waiting", i), strings.ToLower(text), statusLine{waitingLine, none, text})
	}
}

// waits says of each section of the client configuration file that lacks
// something why that is.
func waits(status project.Status) []string {
	var sentences []string
	for _, section := range slices.Sorted(maps.Keys(status.Waiting)) {
		why := "is left out: it lacks "
		if status.GivenByPush(section) {
			why = "waits for a push, which gives "
		}
		sentences = append(sentences, fit("section "+section+" "+why+model.List(status.Waiting[section])))
	}
	return sentences
}

func (s *statusTab) line(id, text string, line statusLine) {
	s.lines = append(s.lines, line)
	s.rows = append(s.rows, entry{id: id, text: text, head: none})
}

func (s *statusTab) layOutResource(i int, r project.ResourceStatus) {
	of, unfolded := r.Of.String(), s.unfolded[r.Of]
	// All lines of a resource are found by any of them, so that none is left
	// alone.
	text := strings.ToLower(r.Operation.String() + " " + of + " " + strings.Join(r.Reasons, " "))
	s.line(of, text, statusLine{resourceLine, i, fit(of)})
	reasons := r.Reasons
	if !unfolded && len(reasons) > mostReasons {
		reasons = reasons[:mostReasons]
	}
	for j, reason := range reasons {
		s.line(fmt.Sprint(of, "\x00reason", j), text, statusLine{reasonLine, i, fit(reason)})
	}
	if more := len(r.Reasons) - len(reasons); more > 0 {
		s.line(of+"\x00more", text, statusLine{noteLine, i, fmt.Sprintf("and %d more: enter shows all", more)})
	}
	if !unfolded {
		return
	}
	diff := s.diffs[r.Of]
	if diff == nil {
		diff = []string{"making the difference ..."}
	}
	for j, line := range diff {
		s.line(fmt.Sprint(of, "\x00diff", j), text, statusLine{diffLine, i, line})
	}
}

func (s *statusTab) entries() []entry { return s.rows }

// summary says in one line what a push would do.
func (s *statusTab) summary() string {
	if s.status.untold != "" {
		return "what a push would do is not told"
	}
	counts := make(map[model.Operation]int)
	for _, r := range s.status.Resources {
		counts[r.Operation]++
	}
	var parts []string
	for _, o := range []model.Operation{model.ToCreate, model.ToUpdate, model.ToDelete} {
		if counts[o] > 0 {
			parts = append(parts, fmt.Sprintf("%d to %s", counts[o], strings.ToLower(o.String())))
		}
	}
	if len(parts) == 0 {
		parts = []string{"no change"}
	}
	since := ", and nothing was pushed yet"
	if s.status.Deployed != nil {
		since = " since the last push"
	}
	return strings.Join(parts, ", ") + since
}

func (s *statusTab) heading(t *theme.Theme, w int) string {
	return t.Base.Render(layout.Cut(s.summary(), w))
}

func (s *statusTab) empty() string { return "the project defines nothing yet" }

func (s *statusTab) row(t *theme.Theme, i int, selected bool, w int) string {
	line := s.lines[i]
	text, style := line.text, t.Base
	switch line.kind {
	case resourceLine:
		return s.resourceRow(t, line, selected, w)
	case brokenLine:
		text, style = "! "+text, t.Error
	case waitingLine:
		text, style = "! "+text, t.Warning
	case reasonLine:
		text = "    " + text
	case noteLine:
		text, style = "    "+text, t.Muted
	case diffLine:
		style = diffStyle(t, text)
		text = "    " + text
	}
	if selected {
		style = t.Selected
	}
	return style.Render(layout.Cut(text, w))
}

func (s *statusTab) resourceRow(t *theme.Theme, line statusLine, selected bool, w int) string {
	r := s.status.Resources[line.of]
	glyph, style := "=", t.Muted
	switch r.Operation {
	case model.ToCreate:
		glyph, style = "+", t.Added
	case model.ToUpdate:
		glyph, style = "~", t.Warning
	case model.ToDelete:
		glyph, style = "-", t.Removed
	}
	word := cell(glyph+" "+r.Operation.String(), len("= No change"))
	name := layout.Cut(line.text, max(1, w-len("= No change")-len(gap)))
	if selected {
		return t.Selected.Render(word + gap + name)
	}
	return style.Render(word) + gap + t.Accent.Render(name)
}

func (s *statusTab) detail(t *theme.Theme, i, w int) []string {
	if i == none {
		return nil
	}
	line := s.lines[i]
	switch line.kind {
	case brokenLine:
		return wrapped(t.Error, line.text, w)
	case waitingLine:
		return wrapped(t.Warning, line.text, w)
	case diffLine:
		return wrapped(diffStyle(t, line.text), line.text, w)
	case reasonLine:
		return wrapped(t.Base, line.text, w)
	}
	r := s.status.Resources[line.of]
	text := fit(r.Of.String()) + ": " + r.Operation.String()
	if n := len(r.Files); n > 0 {
		text += ", " + model.Count(n, "file") + " changed: " + fit(fileNames(r))
	}
	return wrapped(t.Base, text, w)
}

func fileNames(r project.ResourceStatus) string {
	names := make([]string, len(r.Files))
	for i, c := range r.Files {
		names[i] = project.QuotePath(c.Path)
	}
	return model.List(names)
}

func (s *statusTab) copied(i int) string { return s.lines[i].text }

func (s *statusTab) opening(i int) frame.Binding {
	b := frame.Binding{Label: "unfold", Help: "show the difference of the files, and all reasons"}
	if i == none || s.lines[i].of == none {
		b.Disabled = "put the cursor on a resource"
		return b
	}
	if s.unfolded[s.status.Resources[s.lines[i].of].Of] {
		b.Label, b.Help = "fold", "hide the difference of the files"
	}
	return b
}
