// Package document makes an API of a document of OpenAPI or Swagger for a project: for commands
// and screens. Package adopt decides what the API is; here is what it needs around it.
package document

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"gatewright/flow/resource"
	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/internal/openapi/adopt"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/plan"
	"gatewright/project/read"
)

// Read reads a document if a text seems to be one; nil if it does not. The error of one that cannot be
// read is a *read.Problem, with its place.
func Read(name string, text []byte) (*openapi.Document, error) {
	if !openapi.Is(text) {
		return nil, nil
	}
	d, err := openapi.Read(name, text)
	var fault *cfn.SyntaxError
	if errors.As(err, &fault) {
		return nil, &read.Problem{File: name, Line: fault.Line, Column: fault.Column, Text: fault.Text}
	}
	return d, err
}

// Adopt makes the API of a document for a backend. Paths that the backend's API of this label has keep
// their functions; new functions get names that are free. The error is a *read.Problem.
func Adopt(b *model.Backend, d *openapi.Document, o adopt.Options) (*adopt.Adopted, error) {
	have := b.API(o.Label)
	o.Terms = b.Terms()
	if have != nil {
		o.Have = func(path string) string {
			if p := have.Path(path); p != nil {
				return p.Function
			}
			return ""
		}
	}
	if b.Defines(model.KindFunction) {
		o.Taken = model.Among(b.Names(model.KindFunction))
	}
	adopted, err := adopt.Adopt(d, o)
	if err != nil {
		return nil, &read.Problem{File: d.Name, Text: err.Error()}
	}
	if !b.HasMediaTypes() {
		adopted.API.BinaryMediaTypes, adopted.API.CORS = nil, access.CORS{}
	}
	if have != nil && adopted.API.BinaryMediaTypes == nil {
		adopted.API.BinaryMediaTypes = have.BinaryMediaTypes
	}
	if have != nil && adopted.API.CORS.IsDefault() {
		adopted.API.CORS = have.CORS
	}
	return adopted, nil
}

// Losses returns what a document loses as notes at its places.
func Losses(name string, lost []adopt.Loss) []*read.Problem {
	notes := make([]*read.Problem, len(lost))
	for i, l := range lost {
		notes[i] = &read.Problem{
			File: name, Line: l.Line, Column: l.Column, Pointer: l.Pointer, Text: l.Text, Fix: l.Fix, Level: model.Note,
			Rule: string(l.Rule),
		}
	}
	return notes
}

// ShownLosses returns the losses that a report for people has: of many of one rule the first,
// and how many more there are. They have no pointers, which repeat the path.
func ShownLosses(lost []*read.Problem) []*read.Problem {
	// That methods go in pairs is the same each time.
	each := func(rule string) int {
		if rule == string(adopt.Pair) {
			return 1
		}
		return 3
	}
	count := make(map[string]int)
	for _, l := range lost {
		count[l.Rule]++
	}
	var shown []*read.Problem
	seen := make(map[string]int)
	for _, l := range lost {
		most := each(l.Rule)
		if seen[l.Rule]++; seen[l.Rule] > most {
			continue
		}
		one := *l
		one.Pointer = ""
		if more := count[l.Rule] - most; seen[l.Rule] == most && more > 0 {
			one.Fix = strings.TrimPrefix(one.Fix+"; ", "; ") + "and " + strconv.Itoa(more) +
				" more like this, which add api --dry-run --json lists"
		}
		shown = append(shown, &one)
	}
	return shown
}

// Missing returns the functions of an API that a backend does not have.
func Missing(b *model.Backend, api *access.API) []string {
	var missing []string
	for _, name := range api.Functions() {
		if b.Function(name) == nil {
			missing = append(missing, name)
		}
	}
	return missing
}

// NoFunctions is the error of an API of a project of the Amplify CLI that needs functions which the
// project does not have.
func NoFunctions(missing []string) error {
	return &read.Problem{
		Text: "the project has no function " + phrase.QuoteList(missing) +
			", and functions of an Amplify CLI project are made by the Amplify CLI",
		Fix: "name one for all paths with gatewright add api --function NAME, or create them with: amplify add function",
	}
}

// Label returns a label for the API of a document that the backend has not: its own, else one after its title.
func Label(b *model.Backend, d *openapi.Document) string {
	label := d.Label
	if label == "" {
		label = model.SuggestName(d.Title, "api")
	}
	return model.FreeName([]string{label}, model.Among(b.Names(model.KindAPI)))
}

// Plan plans to add the API of a document to a project, with the groups and functions that it needs,
// and its contract. The lines are its paths with their access, and what is lost.
func Plan(p *project.Project, d *openapi.Document, label string) (*plan.Plan, []prose.Line, error) {
	adopted, err := Adopt(p.Backend, d, adopt.Options{Label: label, Grouping: adopt.FirstSegment})
	if err != nil {
		return nil, nil, err
	}
	missing := Missing(p.Backend, adopted.API)
	if !p.Backend.Defines(model.KindFunction) && len(missing) > 0 {
		return nil, nil, NoFunctions(missing)
	}
	next, err := p.Backend.Edit(func(b *model.Backend) error {
		for _, group := range adopted.API.Groups() {
			if err := addGroup(b, group); err != nil {
				return err
			}
		}
		for _, name := range missing {
			f := &model.Function{
				Name: name, Runtime: model.NodeJS.Newest(), Template: model.Plain, Handler: model.NodeJS.Handler(),
			}
			if _, err := resource.AddFunction(b, f, resource.Keys{}); err != nil {
				return err
			}
		}
		return edit.AddAPI(b, adopted.API)
	})
	if err != nil {
		return nil, nil, err
	}
	plan, err := plan.Of(p, next)
	if err == nil {
		err = plan.SetContract(label, d.Contract())
	}
	return plan, lines(adopted, ShownLosses(Losses(d.Name, adopted.Losses))), err
}

func addGroup(b *model.Backend, group string) error {
	for _, have := range b.Groups {
		if have == group {
			return nil
		}
	}
	if !b.Defines(model.KindGroup) {
		return nil
	}
	return edit.AddReadGroup(b, group)
}

// lines are the paths of an API with their access, and what is lost.
func lines(adopted *adopt.Adopted, lost []*read.Problem) []prose.Line {
	var all []prose.Line
	for _, path := range adopted.Paths {
		text := fmt.Sprintf("%s  function %s, of %s: %s", path.Name, phrase.Quote(path.Function),
			phrase.Count(path.Operations, "operation"), path.Access)
		tone := prose.Strong
		if path.Access.Setting == access.Open {
			tone = prose.Wider
		}
		all = append(all, prose.Line{Tone: tone, Text: prose.PrintableStart(text)})
	}
	for _, l := range lost {
		all = append(all, prose.Line{Tone: prose.Note, Text: prose.PrintableStart(l.Error())})
	}
	return append(all, prose.Line{})
}
