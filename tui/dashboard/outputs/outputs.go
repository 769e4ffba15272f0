// Package outputs is the tab of the dashboard with the client configuration file: where
// each of its lines comes from, and the outputs that are written into it.
package outputs

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
	"gatewright/tui/widget"
)

// Tab shows the client configuration file: as it is on disk, or as a write for the
// environment would make it.
type Tab struct {
	board.Listing[*clientLine]
	board *board.Board
	file  clientFile
	// planned says that the file is shown as a write would make it.
	planned bool
	// translated says that it is shown in the other dialect.
	translated bool
}

// New makes the tab.
func New(b *board.Board) *Tab {
	t := &Tab{board: b}
	t.TabName, t.TabRoom = "Outputs", len(" !")
	t.List = widget.Table[*clientLine]{
		Framed:  true,
		Exactly: true,
		Sum:     func(lines []*clientLine) string { return phrase.Count(len(lines), "line") },
		ID:      func(l *clientLine) string { return strconv.Itoa(l.n) },
		Words:   func(l *clientLine) string { return l.section },
		Whole:   func(l *clientLine) (prose.Line, bool) { return prose.Line{Tone: prose.Code, Text: l.text}, true },
		Mark: func(l *clientLine) prose.Line {
			if l.problem > 0 {
				return prose.Line{Tone: prose.Warning, Text: "!"}
			}
			return prose.Line{}
		},
		Heading: func() prose.Line {
			line := prose.Line{Text: t.summary()}
			if t.file.missing != "" {
				line.Tone = prose.Warning
			}
			return line
		},
		Empty: t.summary,
	}
	return t
}

// Title has a mark where the file on disk is not valid.
func (t *Tab) Title() string {
	isError := func(problem prose.Line) bool { return problem.Tone == tones[model.Error] }
	if disk := t.file.disk; t.file.missing != "" || disk != nil && slices.ContainsFunc(disk.problems, isError) {
		return "Outputs !"
	}
	return "Outputs"
}

// Read reads the file, and works out what a write would make of it.
func (t *Tab) Read(r *board.Reading) func() tea.Cmd {
	file := readClientFile(r.Project, r.Snapshot)
	return func() tea.Cmd {
		t.file = file
		t.planned = t.planned && file.planned != nil
		t.layOut()
		return nil
	}
}

// Show moves the cursor to the first line that an output gives, or to the line of a JSON
// pointer, which begins with a slash as no name does.
func (t *Tab) Show(of model.Ref) bool {
	if of.Kind != model.KindOutput {
		return false
	}
	for _, l := range t.List.Rows() {
		if l.pointer == of.Name || l.from != nil && slices.Contains(l.from.outputs, of.Name) {
			return t.List.Show(strconv.Itoa(l.n))
		}
	}
	return false
}

// layOut makes the rows.
func (t *Tab) layOut() {
	var lines []*clientLine
	if text := t.text(); text != nil {
		lines = text.lines
	}
	t.List.SetRows(lines)
}

// text is the text that is shown.
func (t *Tab) text() *clientText {
	text := t.untranslated()
	if t.translated && text != nil && text.other != nil {
		return text.other
	}
	return text
}

// untranslated is that text in the project's dialect.
func (t *Tab) untranslated() *clientText {
	if t.planned && t.file.planned != nil || t.file.disk == nil {
		return t.file.planned
	}
	return t.file.disk
}

// summary says what is shown, or why there are no lines.
func (t *Tab) summary() string {
	f := t.file
	own, text, env := t.untranslated(), t.text(), orNone(f.env)
	line := f.name
	switch {
	case own == nil && f.missing != "":
		return line
	case own == nil:
		return line + " does not exist"
	case own == f.planned && f.disk == nil:
		line += " does not exist; a write for " + env + " makes this"
	case own == f.planned:
		line += " as a write for " + env + " makes it"
	default:
		line += " on disk"
		if f.writtenFor != "" {
			line += ", for " + f.writtenFor
		}
		if own.indented {
			line += ", shown indented"
		}
	}
	if text != own {
		line += ", as " + text.name
	}
	return line
}

func orNone(env string) string { return cmp.Or(env, "no environment") }

// Bindings are what can be done to the file and its outputs.
func (t *Tab) Bindings() []keys.Binding {
	line, _ := t.List.Row()
	reads, fixed, own, text := t.board.ReadOnly(), t.whyFixed(), t.untranslated(), t.text()
	given := keys.When(fixed == "" && len(t.file.backend.Outputs) == 0, "there is no output yet: a adds one")
	return []keys.Binding{
		t.togglePlanned(),
		keys.Add.Does("add output", "add values to the client configuration file (addOutput)", t.add).Shown().Unless(reads,
			fixed),
		keys.Edit.Does("edit output", "change the output of the line, or one to choose", func() tea.Cmd {
			return t.withOutput(line, "Edit an output", t.edit)
		}).Shown().Unless(reads, fixed, given),
		keys.Remove.Does("remove output", "remove the output of the line, or one to choose", func() tea.Cmd {
			return t.withOutput(line, "Remove an output", t.remove)
		}).Shown().Unless(reads, fixed, given),
		keys.Save.Does("write now", "write the file for the environment, as generate outputs --env does",
			t.write).Shown().Unless(reads, fixed, t.nothingToWrite()),
		keys.Dialect.Does("dialect", "show the file in the other dialect", keys.NoCmd(func() {
			t.translated = !t.translated
			t.layOut()
		})).Shown().Unless(keys.When(own == nil || own.other == nil, "the file cannot be shown in the other dialect")),
		keys.Snippet.Does("snippet", "show the code that configures a client from the file", t.snippet).
			Shown().Unless(keys.When(text == nil || text.values == nil, "no file holds what a client needs")),
		keys.OpenFile.Does("file", "open the file of the line's output in your editor, or the client configuration file",
			func() tea.Cmd {
				return t.board.EditFile(t.fileOf(line))
			}).Shown().Unless(t.board.NoEditor(),
			keys.When(line.output() == "" && t.file.disk == nil && t.file.missing == "",
				"the file does not exist yet: ctrl+s writes it")),
		board.Copy(line.copied()),
	}
}

// togglePlanned is the binding that shows the file as planned, or as it is on disk.
func (t *Tab) togglePlanned() keys.Binding {
	label, about, why := "as planned", "show the file as a write for the environment would make it", ""
	switch f := t.file; {
	case t.planned && f.disk != nil:
		label, about = "as on disk", "show the file as it is on disk"
	case f.planned == nil && f.disk != nil && f.missing == "":
		why = "a write would not change the file"
	case f.planned == nil:
		why = "what a write would make is unknown"
	case f.disk == nil:
		why = "the file does not exist yet: this is the plan"
	}
	return keys.Open.Does(label, about, keys.NoCmd(func() {
		t.planned = !t.planned
		t.layOut()
	})).Shown().Unless(why)
}

// whyFixed is why outputs cannot be changed here; "" if they can.
func (t *Tab) whyFixed() string {
	switch {
	case t.file.backend != nil:
		return ""
	case t.board.Snap != nil && len(t.board.Snap.Broken) > 0:
		return "some files of the project cannot be read"
	}
	return cmp.Or(t.file.missing, "the Amplify CLI writes this project's file, and has no outputs")
}

// withOutput acts on the output of a line, or else on one that is chosen.
func (t *Tab) withOutput(line *clientLine, title string, do func(name string) tea.Cmd) tea.Cmd {
	if name := line.output(); name != "" {
		return do(name)
	}
	var items []prose.Option
	for _, o := range t.file.backend.Outputs {
		sections := prose.PrintableStarts(slices.Sorted(maps.Keys(o.Values)))
		items = append(items,
			prose.Option{Key: o.Name, Title: prose.PrintableStart(o.Name), Detail: strings.Join(sections, ", ")})
	}
	return frame.Open(dialog.Choose(title, items, "", do))
}

// fileOf is the file that a line comes from: that of its output, else the client
// configuration file.
func (t *Tab) fileOf(line *clientLine) string {
	if name := line.output(); name != "" {
		return t.board.Snap.Layout.File(model.Ref{Kind: model.KindOutput, Name: name})
	}
	return t.file.name
}

// Subject is the line at hand.
func (t *Tab) Subject() string {
	line, ok := t.List.Row()
	switch {
	case !ok:
		return ""
	case line.pointer != "":
		return prose.PrintableStart(line.pointer)
	}
	return fmt.Sprintf("line %d", line.n+1)
}

// Detail gives the problem and the origin of the selected line, then what there is to say
// about the file.
func (t *Tab) Detail() []prose.Line {
	f, text := t.file, t.text()
	var lines, others []prose.Line
	add := func(tone prose.Tone, texts ...string) { lines = append(lines, prose.InTone(tone, texts...)...) }
	if text != nil {
		others = text.problems
	}
	if line, ok := t.List.Row(); ok {
		if at := line.problem; at > 0 {
			lines = append(lines, others[at-1])
			others = slices.Delete(slices.Clone(others), at-1, at)
		}
		if from := f.from(line); from != "" {
			add(prose.Note, from)
		}
	}
	if f.missing != "" {
		add(prose.Warning, f.missing)
	}
	if f.disk != nil && f.planned != nil && !t.planned {
		add(prose.Note, "a write for "+orNone(f.env)+" changes it; enter shows the result")
	}
	lines = append(lines, others...)
	if text != nil && len(text.problems) == 0 {
		add(prose.Good, "valid: no problems")
	}
	add(prose.Warning, f.waiting...)
	return lines
}
