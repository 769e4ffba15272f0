package dashboard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/project"
	"gatewright/render"
)

// clientFile is the client configuration file as it is, and as it would be.
type clientFile struct {
	name string
	// of is the environment that the file on disk is of; "" where that is not
	// known.
	of string
	// disk is nil where there is no file, or none that can be read. planned is
	// what a write for the environment would make of it; nil where that is the
	// same, or cannot be told.
	disk, planned *clientText
	// untold is why a text is missing; "" where none is.
	untold string
	// origins say where each section of a write comes from.
	origins map[string][]string
	// waiting says why sections lack something.
	waiting []string
}

// clientText is a client configuration file as lines, with what is wrong with it.
type clientText struct {
	lines    []clientLine
	problems []clientProblem
	// indented says that it stands on disk in fewer lines.
	indented bool
}

type clientLine struct {
	text string
	// section is the section of the file that the line is in; "" outside of one.
	section string
	problem bool
}

type clientProblem struct {
	level model.Level
	text  string
}

// readClientFile reads the file, and works out what a write would make of it.
func readClientFile(fsys afero.Fs, p *project.Project, s *snapshot) clientFile {
	c := clientFile{name: render.ClientFileName(p.Backend.Project.Dialect), waiting: waits(s.status.Status)}
	data, err := readFile(fsys, c.name)
	if err != nil {
		c.untold = unreadable(c.name, err)
	} else {
		c.disk = textOf(c.name, data)
		c.of = fit(p.ClientFileEnvironment())
	}
	switch {
	case len(s.broken) > 0 && c.disk == nil && c.untold == "":
		c.untold = "it is not there; what a write would make of it is told when all files can be read"
		return c
	case p.Layout != project.Native, len(s.broken) > 0, c.untold != "":
		return c
	}
	planned, content, err := planClientFile(p, s, c.name)
	switch {
	case err != nil:
		c.untold = fit(err.Error())
	case planned != nil:
		c.planned = textOf(c.name, planned)
	}
	if content.Values != nil {
		c.origins = originsOf(content)
		if s.env == nil {
			c.waiting = waits(project.Status{Waiting: content.Waiting})
		}
	}
	return c
}

// planClientFile is the file as a write for the environment would leave it; nil
// where that changes nothing.
func planClientFile(p *project.Project, s *snapshot, name string) ([]byte, model.ClientFileContent, error) {
	var (
		env      *model.Environment
		deployed model.Outputs
	)
	if s.env != nil {
		env = s.env.Environment
		if s.env.record != nil {
			deployed = s.env.record.Outputs
		}
	}
	content, err := p.Backend.ClientFile(env, deployed)
	if err != nil {
		return nil, content, err
	}
	plan, err := p.PlanClientFile(s.name(), content.Values)
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
func textOf(name string, data []byte) *clientText {
	t := &clientText{}
	problems := project.ValidateFile(name, data)
	text := data
	if slices.ContainsFunc(bytes.Split(data, []byte("\n")), func(line []byte) bool { return len(line) > longLine }) {
		var indented bytes.Buffer
		if json.Indent(&indented, data, "", "  ") == nil && bytes.Count(indented.Bytes(), []byte("\n")) > bytes.Count(data, []byte("\n")) {
			text, t.indented = indented.Bytes(), true
		}
	}
	t.lines = linesOf(string(bytes.TrimRight(text, "\n")))
	for _, problem := range problems {
		t.problems = append(t.problems, clientProblem{problem.Level, fit(problem.Error())})
		if at := problem.Line - 1; !t.indented && at >= 0 && at < len(t.lines) {
			t.lines[at].problem = true
		}
	}
	return t
}

// originsOf says for each section where its values come from.
func originsOf(content model.ClientFileContent) map[string][]string {
	from := make(map[string]map[string]bool)
	for pointer, origin := range content.Origins {
		section, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
		if from[section] == nil {
			from[section] = make(map[string]bool)
		}
		if origin == model.Generated {
			origin = "the definitions and the last push"
		}
		from[section][fit(origin)] = true
	}
	origins := make(map[string][]string, len(from))
	for section, all := range from {
		origins[fit(section)] = slices.Sorted(maps.Keys(all))
	}
	return origins
}
