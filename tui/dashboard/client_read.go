package dashboard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/project"
	"gatewright/render"
)

// clientFile is the client configuration file as it is, and as it would be.
type clientFile struct {
	name    string
	dialect model.Dialect
	// of is the environment that the file on disk is of; "" where that is not
	// known.
	of string
	// disk is nil where there is no file, or none that can be read. planned is
	// what a write for the environment would make of it; nil where that is the
	// same, or cannot be told.
	disk, planned *clientText
	// untold is why a text is missing; "" where none is.
	untold string
	// waiting says why sections lack something.
	waiting []string
	// lost are the values that the file on disk has and a write would take away.
	lost []string
	// backend and deployed are what a write is made from; a nil backend is none.
	backend  *model.Backend
	env      *environment
	deployed model.Outputs
}

// clientText is a client configuration file as lines, with what is wrong with it.
type clientText struct {
	name     string
	dialect  model.Dialect
	lines    []clientLine
	problems []clientProblem
	// indented says that it stands on disk in fewer lines.
	indented bool
	// values are what it says; nil where it is no JSON object.
	values model.Outputs
	// other is the same in the words of the other dialect; nil where there is no
	// saying.
	other *clientText
}

type clientLine struct {
	text string
	// section is the section of the file that the line is in; "" outside of one.
	section string
	// pointer is the place of what the line begins with.
	pointer string
	// problem is the first of the text's problems that is in the line, counted
	// from 1; 0 is none.
	problem int
	// from is where it comes from; none where that is not known. outputs are those
	// of the calls of addOutput.
	from, outputs []string
}

type clientProblem struct {
	level model.Level
	text  string
}

// readClientFile reads the file, and works out what a write would make of it.
func readClientFile(fsys afero.Fs, p *project.Project, s *snapshot) clientFile {
	dialect := p.Backend.Project.Dialect
	c := clientFile{name: render.ClientFileName(dialect), dialect: dialect, waiting: waits(s.status.Status), env: s.env}
	data, err := readFile(fsys, c.name)
	if err != nil {
		c.untold = unreadable(c.name, err)
	} else {
		c.disk = textOf(c.name, dialect, data).both()
		c.of = fit(p.ClientFileEnvironment())
	}
	switch {
	case len(s.broken) > 0 && c.disk == nil && c.untold == "":
		c.untold = "it is not there; what a write would make of it is told when all files can be read"
		return c
	case p.Layout != project.Native, len(s.broken) > 0, c.untold != "":
		return c
	}
	c.backend = p.Backend
	if s.env != nil && s.env.record != nil {
		c.deployed = s.env.record.Outputs
	}
	planned, content, err := planClientFile(p, s.env, c.deployed, c.name)
	switch {
	case err != nil:
		c.untold = fit(err.Error())
	case planned != nil:
		c.planned = textOf(c.name, dialect, planned).both()
	}
	if content.Values != nil {
		c.disk.trace(c.originsOf(content))
		c.planned.trace(c.originsOf(content))
		if c.disk != nil && c.planned != nil && c.of == fit(s.name()) {
			c.lost = fitAll(render.Dropped(withoutSchema(c.disk.values), withoutSchema(c.planned.values)))
		}
		if s.env == nil {
			c.waiting = waits(project.Status{Waiting: content.Waiting})
		}
	}
	return c
}

// planClientFile is the file as a write for the environment would leave it; nil
// where that changes nothing.
func planClientFile(p *project.Project, env *environment, deployed model.Outputs, name string) ([]byte, model.ClientFileContent, error) {
	content, err := p.Backend.ClientFile(env.defined(), deployed)
	if err != nil {
		return nil, content, err
	}
	plan, err := p.PlanClientFile(env.named(), content.Values)
	if err != nil {
		return nil, content, err
	}
	for _, c := range plan.Changes {
		if c.Path == name {
			return c.New, content, nil
		}
	}
	return nil, content, nil
}

// readFile reads a file that a person may look at.
func readFile(fsys afero.Fs, name string) ([]byte, error) {
	info, err := fsys.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	case info.Size() > project.MaxFile:
		return nil, fmt.Errorf("it has %d bytes, and at most %d are read", info.Size(), project.MaxFile)
	}
	return afero.ReadFile(fsys, name)
}

// longLine is from where a line is broken up, since a file on one line says
// nothing on a screen.
const longLine = 240

// textOf makes lines of a file, and checks it.
func textOf(name string, dialect model.Dialect, data []byte) *clientText {
	t := &clientText{name: name, dialect: dialect}
	problems := project.ValidateFile(name, data)
	text := data
	if slices.ContainsFunc(bytes.Split(data, []byte("\n")), func(line []byte) bool { return len(line) > longLine }) {
		var indented bytes.Buffer
		if json.Indent(&indented, data, "", "  ") == nil && bytes.Count(indented.Bytes(), []byte("\n")) > bytes.Count(data, []byte("\n")) {
			text, t.indented = indented.Bytes(), true
		}
	}
	text = bytes.TrimRight(text, "\n")
	t.lines = linesOf(string(text))
	for i, pointer := range pointersOf(string(text)) {
		t.lines[i].pointer = pointer
	}
	for i, problem := range problems {
		t.problems = append(t.problems, clientProblem{problem.Level, fit(problem.Error())})
		if at := t.lineOf(problem); at != none && t.lines[at].problem == 0 {
			t.lines[at].problem = i + 1
		}
	}
	if values, err := model.ParseOutputs(data); err == nil {
		t.values = values
	}
	return t
}

// lineOf is the line that a problem is in; none where it cannot be told.
func (t *clientText) lineOf(problem *project.Problem) int {
	if at := problem.Line - 1; !t.indented && at >= 0 && at < len(t.lines) {
		return at
	}
	if !t.indented || problem.Pointer == "" {
		return none
	}
	pointers := make([]string, len(t.lines))
	for i, line := range t.lines {
		pointers[i] = line.pointer
	}
	return lineAt(pointers, problem.Pointer)
}

// both is the text with the same in the words of the other dialect.
func (t *clientText) both() *clientText {
	if t.values == nil {
		return t
	}
	to := model.Amplify
	if t.dialect == model.Amplify {
		to = model.Neutral
	}
	values := render.Translate(withoutSchema(t.values), t.dialect, model.Neutral)
	data := render.ClientFile(model.ClientFileContent{Values: values}, to, render.Whole)
	if render.Failed(data) == nil {
		t.other = textOf(render.ClientFileName(to), to, data)
	}
	return t
}

// withoutSchema are the values without the name of their schema.
func withoutSchema(values model.Outputs) model.Outputs {
	values = maps.Clone(values)
	delete(values, "$schema")
	return values
}
