// Package validate judges the files of a project: by their schemas, by the rules of the backend, and by
// hints about what people mean.
package validate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/check"
	"gatewright/project"
	"gatewright/project/amplify"
	"gatewright/project/read"
	"gatewright/schemas"
)

// Project checks the whole project: every file by its schema, then the backend by the model's rules, and that every
// function has the file of its handler. Problems are sorted by place, and none is reported twice.
func Project(p *project.Project) []*read.Problem {
	v := validated(p)
	v.savedRequests(p)
	v.accessTests(p)
	v.contracts(p)
	v.sources(p)
	problems := slices.Concat(Gone(p), OtherLanguages(p))
	if p.Amplify != nil { // The Amplify CLI deploys to AWS alone.
		problems = append(problems, OldRuntimes(p, time.Now())...)
	}
	for _, problem := range problems {
		v.add(byRules, problem)
	}
	read.SortProblems(v.problems)
	return v.problems
}

// Backend is Validate without what stops no sandbox: the saved requests, and the
// handlers of functions, which a call misses in the same words as in the cloud.
func Backend(p *project.Project) []*read.Problem {
	v := validated(p)
	read.SortProblems(v.problems)
	return v.problems
}

func validated(p *project.Project) *validation {
	v := newValidation()
	for name, f := range p.Definitions {
		if schema := p.SchemaOf(name); schema != "" {
			v.bySchema(f, schema)
		}
	}
	for _, problem := range p.Problems {
		v.add(byLoading, problem)
	}
	for _, problem := range check.Backend(readable(p)) {
		if !slices.Contains(p.Unread, problem.Of) {
			v.add(byRules, located(p, problem))
		}
	}
	if !p.Foreign() {
		v.clientFile(p)
	} else {
		for _, api := range p.Backend.APIs {
			for _, problem := range amplify.Check(api) {
				v.add(byRules, located(p, problem))
			}
		}
	}
	return v
}

// Located returns problems of the backend with their places in the files.
func Located(p *project.Project, problems []*model.Problem) []*read.Problem {
	all := make([]*read.Problem, len(problems))
	for i, problem := range problems {
		all[i] = located(p, problem)
	}
	return all
}

// readable returns the backend plus empty things instead of those that could not be
// read, so that no problem says that they do not exist.
func readable(p *project.Project) *model.Backend {
	b := *p.Backend
	for _, of := range p.Unread {
		switch of.Kind {
		case model.KindAPI:
			b.APIs = append(slices.Clip(b.APIs), &access.API{Label: of.Name})
		case model.KindFunction:
			b.Functions = append(slices.Clip(b.Functions), &model.Function{Name: of.Name})
		case model.KindTable:
			b.Tables = append(slices.Clip(b.Tables), &model.Table{Name: of.Name})
		case model.KindAuth:
			for _, api := range b.APIs {
				b.Groups = append(slices.Clip(b.Groups), api.Groups()...)
			}
			slices.Sort(b.Groups)
			b.Groups = slices.Compact(b.Groups)
		}
	}
	return &b
}

// stage is a stage of the validation. The stages run in this order.
type stage uint8

const (
	bySchema stage = iota + 1
	byLoading
	byRules
)

// validation collects problems. It leaves out an error at a place where an earlier
// stage found one, which is mostly the same error in other words, and warnings and notes
// at, above or below a place with an error, which mostly follow from the error.
type validation struct {
	problems []*read.Problem
	// errors are the places with an error, by the stage that found it; above are the places around them.
	errors   map[place]stage
	above    map[place]bool
	reported map[problemKey]bool
}

type place struct{ file, pointer string }

type problemKey struct {
	place
	text string
}

func newValidation() *validation {
	return &validation{errors: make(map[place]stage), above: make(map[place]bool), reported: make(map[problemKey]bool)}
}

func (v *validation) add(from stage, p *read.Problem) {
	here := place{p.File, p.Pointer}
	first := v.errors[here]
	follows := first != 0 && (first != from || p.Level != model.Error)
	if follows || v.reported[problemKey{here, p.Text}] || p.Level != model.Error && p.Pointer != "" &&
		(v.above[here] || v.belowAnError(here)) {
		return
	}
	v.reported[problemKey{here, p.Text}] = true
	if p.Level == model.Error {
		v.errors[here] = from
		for at := here; at.pointer != ""; {
			at.pointer = at.pointer[:read.LastSlash(at.pointer)]
			v.above[at] = true
		}
	}
	v.problems = append(v.problems, p)
}

func (v *validation) belowAnError(at place) bool {
	for at.pointer != "" {
		at.pointer = at.pointer[:read.LastSlash(at.pointer)]
		if at.pointer != "" && v.errors[at] != 0 {
			return true
		}
	}
	return false
}

func (v *validation) bySchema(f *read.File, schema string) {
	if later := read.LaterVersion(f); later != nil && !isClientSchema(schema) {
		v.add(bySchema, later)
		return
	}
	found, err := schemas.Validate(schema, f.Doc.Root().Raw())
	if err != nil {
		v.add(bySchema, f.Problem(model.Error, "", "write JSON", "%s", err))
	}
	for _, s := range found {
		p := &read.Problem{File: f.Path, Pointer: s.Pointer, Text: s.Text, Fix: s.Fix}
		p.Locate(f.Doc)
		v.add(bySchema, p)
	}
}

// located converts a problem of the model, and adds its place in a file.
func located(p *project.Project, m *model.Problem) *read.Problem {
	problem := &read.Problem{Pointer: m.Pointer, Text: m.Text, Fix: m.Fix, Level: m.Level, Rule: m.Rule, Cause: m}
	if m.Of.Kind == "" {
		return problem
	}
	problem.File = p.Layout.File(m.Of)
	f := p.Definitions[problem.File]
	if problem.File == amplify.EnvironmentsFile && m.Of.Kind == model.KindEnvironment && m.Pointer == "/region" {
		problem.Pointer = "/" + model.PointerSegment(m.Of.Name) + "/awscloudformation/Region"
	}
	if p.Foreign() && m.Of.Kind == model.KindTable {
		// That is what the answers about a table call its indexes.
		problem.Pointer = strings.Replace(m.Pointer, "/indexes", "/gsi", 1)
	}
	label := m.Of.API
	if m.Of.Kind == model.KindAPI {
		label = m.Of.Name
	}
	if legacy := p.Legacy[label]; f == nil && legacy != nil {
		f, problem.File, problem.Pointer = legacy, legacy.Path, legacyPointer(legacy, m.Of)
	}
	if template := p.Amplify.InTemplate(m, problem); template != nil {
		f = template
	}
	switch {
	case m.Of.Kind == model.KindPath && strings.HasPrefix(m.Text, phrase.Quote(m.Of.Name)):
	case m.Of.Kind == model.KindPath:
		problem.Text = phrase.Quote(m.Of.Name) + " " + m.Text
	case m.Of.Name != "" && m.Of.Kind != model.KindAPI && m.Of.Kind != model.KindSettings:
		problem.Text = m.Of.String() + ": " + m.Text
	}
	if f != nil {
		problem.Locate(f.Doc)
	}
	if name := MissingFunction(p, problem); name != "" && read.Exists(p.FS, p.Layout.FunctionFolder(name)) {
		file := p.Layout.File(model.Ref{Kind: model.KindFunction, Name: name})
		problem.Text += ": " + phrase.QuotePath(file) + " is missing"
		problem.Fix = "restore it, or make it with: gatewright add function " + model.ShellWord(name) + " --runtime RUNTIME"
	}
	return problem
}

// MissingFunction is the function that a problem is about, if it is that it does not exist.
func MissingFunction(p *project.Project, problem *read.Problem) string {
	var of *model.Problem
	f := p.Definitions[problem.File]
	if f == nil || !errors.As(problem.Cause, &of) || of.Field != string(model.KindFunction) ||
		!errors.Is(of, model.ErrUnknown) {
		return ""
	}
	name, _ := f.Doc.Find(problem.Pointer)
	return name.Text()
}

// legacyPointer returns the pointer of a path in an api-params.json, which lists paths.
func legacyPointer(f *read.File, of model.Ref) string {
	if of.Kind != model.KindPath {
		return ""
	}
	paths, _ := f.Doc.Find("/paths")
	for i, item := range paths.Elements() {
		if name, _ := item.Get("name"); name.Text() == of.Name {
			return fmt.Sprintf("/paths/%d", i)
		}
	}
	return "/paths"
}
