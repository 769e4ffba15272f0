package problems

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gatewright/flow/validation"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/read"
)

// row is a problem alone, several of one rule, or one of those.
type row struct {
	id      string
	problem *read.Problem
	// of are the problems of the row; several for the head of a group.
	of []*read.Problem
	// head says that the row is not in a group of several.
	head bool
	// thing is what the problem is about; zero if that is unknown.
	thing model.Ref
	// text, place and line are safe for the screen; line is what validate prints.
	text, place, line string
}

// isGroup reports whether the row is the head of several.
func (r *row) isGroup() bool { return len(r.of) > 1 }

// found is a report as rows: errors come first, then warnings, then notes.
type found struct {
	*validation.Report
	rows []*row
	// groups are the ids of the heads of several.
	groups []string
}

// rowsOf makes the rows of a report.
func rowsOf(r *validation.Report) found {
	f := found{Report: r}
	groups := slices.Clone(r.Groups)
	slices.SortStableFunc(groups, func(a, b read.Group) int { return int(a.Level) - int(b.Level) })
	// Two problems may have the same line; their rows are told apart by their number.
	seen := make(map[string]int)
	id := func(line string) string {
		seen[line]++
		return fmt.Sprint(line, "\x00", seen[line])
	}
	for _, g := range groups {
		head := rowOf(g.Problem, r.Layout)
		head.head, head.of = true, g.All
		if !head.isGroup() {
			head.id = id(head.line)
			f.rows = append(f.rows, head)
			continue
		}
		// The id stays if more or other paths break the rule.
		head.id, head.thing = id("group "+g.Rule+"\x00"+g.API+"\x00"+g.File), model.Ref{Kind: model.KindAPI, Name: g.API}
		f.groups = append(f.groups, head.id)
		f.rows = append(f.rows, head)
		for _, p := range g.All {
			one := rowOf(p, r.Layout)
			one.id, one.of = id(one.line), []*read.Problem{p}
			f.rows = append(f.rows, one)
		}
	}
	return f
}

// rowOf makes the row of a problem.
func rowOf(p *read.Problem, layout project.Layout) *row {
	text := p.Text
	if about := (*model.Problem)(nil); p.Pointer != "" && !errors.As(p, &about) {
		// What a schema says of a value does not name it.
		text += " (at " + p.Pointer + ")"
	}
	return &row{
		problem: p, thing: thingOf(p, layout),
		text: prose.PrintableStart(text), place: prose.PrintableStart(shortPlace(p, layout)),
		line: prose.PrintableStart(p.Reported()),
	}
}

// shortPlace is the file of a problem with the line, below the folder that most files are in.
func shortPlace(p *read.Problem, layout project.Layout) string {
	file := phrase.QuotePath(strings.TrimPrefix(p.File, layout.String()+"/"))
	if p.Line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, p.Line)
}

// thingOf is what a problem is about: a thing of the backend, or else what its file defines.
func thingOf(p *read.Problem, layout project.Layout) model.Ref {
	var about *model.Problem
	of := model.Ref{}
	if errors.As(p, &about) {
		of = about.Of
	}
	if of.Kind == "" {
		of, _ = layout.Ref(p.File)
	}
	if of.Kind == model.KindSettings {
		of.Kind = model.KindAPI
	}
	segments := strings.Split(p.Pointer, "/")
	switch {
	case of.Kind == "" && p.File != "" && !strings.Contains(p.File, "/"):
		// The client configuration file is the only one at the project's root.
		return model.Ref{Kind: model.KindOutput, Name: p.Pointer}
	case of.Kind == model.KindAPI && len(segments) > 2 && segments[1] == "paths":
		if name := unescaped(segments[2]); strings.HasPrefix(name, "/") {
			return model.Ref{Kind: model.KindPath, API: of.Name, Name: name}
		}
	case slices.Contains([]model.Kind{model.KindAuth, model.KindData, model.KindStorage}, of.Kind) && of.Name == "":
		of.Name = strings.Join(segments[1:], ".")
	}
	return of
}

// unescaped is a segment of a JSON pointer as the name that it stands for (RFC 6901).
func unescaped(segment string) string {
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(segment)
}

// tones are the tones of levels.
var tones = map[model.Level]prose.Tone{model.Error: prose.Bad, model.Warning: prose.Warning, model.Note: prose.Note}

// marks are the signs of levels, so that they differ without colours.
var marks = map[model.Level]string{model.Error: "!", model.Warning: "?", model.Note: "·"}

// level is the level of a row: a sign and a word.
func (r *row) level() prose.Line {
	l := r.problem.Level
	return prose.Line{Tone: tones[l], Text: marks[l] + " " + l.String()}
}

// words are what the filter finds in addition to the columns.
func (r *row) words() string {
	words := []string{r.problem.Rule, r.problem.Fix, string(r.thing.Kind), r.thing.API, r.thing.Name}
	return prose.PrintableStart(strings.Join(words, " "))
}

// called is the title of the details of a row.
func (r *row) called() string {
	if r.isGroup() {
		return prose.PrintableStart(r.problem.Rule)
	}
	return r.place
}

// briefly says how many there are of each level, without those that there are none of.
func briefly(r *validation.Report) string {
	var parts []string
	for _, of := range []struct {
		n     int
		thing string
	}{{r.Errors, "error"}, {r.Warnings, "warning"}, {r.Notes, "note"}} {
		if of.n > 0 {
			parts = append(parts, phrase.Count(of.n, of.thing))
		}
	}
	return strings.Join(parts, ", ")
}
