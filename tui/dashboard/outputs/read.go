package outputs

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/clientfile"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/project/plan"
	"gatewright/project/read"
	"gatewright/project/status"
	"gatewright/project/validate"
	"gatewright/render"
	"gatewright/tui/dashboard/board"
)

// clientFile is the client configuration file as it is on disk, and as a write would make it.
type clientFile struct {
	name string
	// writtenFor is the environment that the file on disk is for; "" if unknown.
	writtenFor string
	// disk is nil if there is no readable file. planned is what a write for the environment
	// would make; nil if that is the same, or unknown.
	disk, planned *clientText
	// missing is why a text is missing; "" if none is.
	missing string
	// waiting says what sections lack.
	waiting []string
	// lost are the values that a write would remove from the file on disk.
	lost []string
	// backend is what a write is made from, nil if nothing can be written; env is the
	// environment of the write, or ""; pushed is its last push, or nil.
	backend *model.Backend
	env     string
	pushed  *board.Environment
}

// readClientFile reads the file, and works out what a write would make of it.
func readClientFile(p *project.Project, s *board.Snapshot) clientFile {
	dialect := p.Backend.Project.Dialect
	c := clientFile{
		name: render.ClientFileName(dialect), waiting: board.IncompleteSections(s.Status.Status),
		env: prose.PrintableStart(s.Name()), pushed: s.Env,
	}
	data, err := p.ClientFile()
	switch {
	case err == nil:
		c.disk, c.writtenFor = textOf(c.name, dialect, data).withOther(), prose.PrintableStart(p.ClientFileEnvironment())
	case !errors.Is(err, fs.ErrNotExist):
		c.missing = prose.PrintableStart(err.Error())
	case len(s.Broken) > 0:
		c.missing = "it does not exist; what a write would make is unknown until all files can be read"
	}
	if p.Foreign() || len(s.Broken) > 0 || c.missing != "" {
		return c
	}
	c.backend = p.Backend
	plan, content, err := plan.ClientFileOf(p, c.env, c.pushed.Last().Outputs)
	if err != nil {
		c.missing = prose.PrintableStart(err.Error())
	} else if i := slices.IndexFunc(plan.Changes,
		func(change journal.Change) bool { return change.Path == c.name }); i >= 0 {
		c.planned = textOf(c.name, dialect, plan.Changes[i].New).withOther()
	}
	if content.Values == nil {
		return c
	}
	c.trace(content, c.disk, c.planned)
	if c.disk != nil && c.planned != nil && c.writtenFor == c.env {
		c.lost = prose.PrintableStarts(render.Dropped(withoutSchema(c.disk.values), withoutSchema(c.planned.values)))
	}
	if s.Env == nil {
		c.waiting = board.IncompleteSections(status.Status{Waiting: content.Waiting})
	}
	return c
}

// from says where the value of a line comes from; "" if unknown.
func (c *clientFile) from(line *clientLine) string {
	switch {
	case c.backend == nil || line.pointer == "" || line.pointer == "/$schema":
		return ""
	case line.pointer == "/version":
		return "the version of the file's format"
	case line.from == nil:
		return prose.PrintableStart(line.pointer) + " is in this file only, and is kept"
	}
	return prose.PrintableStart(line.pointer) + " is from " + strings.Join(line.from.from, " and ")
}

// clientText is a client configuration file as lines, with what is wrong with it.
type clientText struct {
	name    string
	dialect model.Dialect
	lines   []*clientLine
	// problems are sentences that begin with their level.
	problems []prose.Line
	// indented says that it has fewer lines on disk.
	indented bool
	// values are its values; nil if it is not a JSON object.
	values model.Outputs
	// other is the same in the other dialect; nil if that is unknown.
	other *clientText
}

// longLine is the length of a line from which the file is shown indented: a file on one line
// cannot be read on a screen.
const longLine = 240

// textOf makes lines of a file, and checks it.
func textOf(name string, dialect model.Dialect, data []byte) *clientText {
	t := &clientText{name: name, dialect: dialect}
	text := data
	if slices.ContainsFunc(bytes.Split(data, []byte("\n")), func(line []byte) bool { return len(line) > longLine }) {
		var indented bytes.Buffer
		if json.Indent(&indented, data, "", "  ") == nil &&
			bytes.Count(indented.Bytes(), []byte("\n")) > bytes.Count(data, []byte("\n")) {
			text, t.indented = indented.Bytes(), true
		}
	}
	t.lines = linesOf(string(bytes.TrimRight(text, "\n")))
	for i, problem := range validate.File(name, data) {
		t.problems = append(t.problems,
			prose.Line{Tone: tones[problem.Level], Text: problem.Level.String() + ": " + prose.PrintableStart(problem.Error())})
		if at := t.lineOf(problem); at != none && t.lines[at].problem == 0 {
			t.lines[at].problem = i + 1
		}
	}
	if values, err := model.ParseOutputs(data); err == nil {
		t.values = values
	}
	return t
}

// tones are the tones of problems by level.
var tones = map[model.Level]prose.Tone{model.Error: prose.Bad, model.Warning: prose.Warning, model.Note: prose.Note}

// lineOf is the line of a problem; none if unknown.
func (t *clientText) lineOf(problem *read.Problem) int {
	if at := problem.Line - 1; !t.indented && at >= 0 && at < len(t.lines) {
		return at
	}
	if !t.indented {
		return none
	}
	return lineAt(t.lines, problem.Pointer)
}

// withOther adds the same text in the other dialect.
func (t *clientText) withOther() *clientText {
	if t.values == nil {
		return t
	}
	to := model.Amplify
	if t.dialect == model.Amplify {
		to = model.Neutral
	}
	values := render.Translate(withoutSchema(t.values), t.dialect, model.Neutral)
	data := render.ClientFile(clientfile.Content{Values: values}, to, render.Whole)
	if render.Failed(data) == nil {
		t.other = textOf(render.ClientFileName(to), to, data)
	}
	return t
}

// withoutSchema are the values without $schema.
func withoutSchema(values model.Outputs) model.Outputs {
	values = maps.Clone(values)
	delete(values, "$schema")
	return values
}
