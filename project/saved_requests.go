package project

import (
	"errors"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
	"gatewright/model"
	"gatewright/project/read"
	"gatewright/project/saved"
)

// SavedRequests reads the saved requests, in the order of their names. What cannot be read is among the problems.
func (p *Project) SavedRequests() (requests []saved.File, problems []*read.Problem) {
	names, problems := read.JSONFiles(p.FS, p.Layout.RequestsFolder())
	for _, name := range names {
		f, problem := p.ReadRequest(name)
		if problem != nil {
			problems = append(problems, problem)
			continue
		}
		requests = append(requests, f)
	}
	return requests, problems
}

// SavedRequest reads a saved request by its name. The error is a *Problem or a *model.Problem.
func (p *Project) SavedRequest(name string) (saved.File, error) {
	if err := saved.CheckName(name); err != nil {
		return saved.File{}, err
	}
	f, problem := p.ReadRequest(name)
	if problem != nil {
		return f, problem
	}
	return f, nil
}

// ReadRequest reads a saved request; the problem says why it cannot be read.
func (p *Project) ReadRequest(name string) (saved.File, *read.Problem) {
	f := saved.File{Name: name, Path: p.Layout.RequestFile(name)}
	if err := saved.CheckName(name); err != nil {
		return f, &read.Problem{
			File: f.Path, Text: "has a name that is not allowed for a saved request",
			Fix: "name the file with a-z A-Z 0-9 _ - and .", Cause: err,
		}
	}
	text, err := read.Bytes(p.FS, f.Path)
	if err != nil {
		var problem *read.Problem
		if errors.As(err, &problem) {
			return f, problem
		}
		return f, &read.Problem{File: f.Path, Text: "does not exist", Fix: p.insteadOf(name), Cause: err}
	}
	found, err := read.Parse(f.Path, text)
	if err != nil {
		var problem *read.Problem
		errors.As(err, &problem)
		return f, problem
	}
	if later := read.LaterVersion(found); later != nil {
		return f, later
	}
	if f.Request, f.Doc, err = saved.Parse(text); err != nil {
		return f, found.Problem(model.Error, "", "run: gatewright validate", "%s", err)
	}
	return f, nil
}

// insteadOf says which saved requests there are instead of one that does not exist.
func (p *Project) insteadOf(name string) string {
	names, _ := read.JSONFiles(p.FS, p.Layout.RequestsFolder())
	const few = 8
	near := spelling.Nearest(strings.TrimSuffix(name, ".json"), names)
	switch {
	case near != "":
		return "did you mean " + phrase.Quote(near) + "?"
	case len(names) == 0:
		return "save one in the console: gatewright call"
	case len(names) > few:
		return "name one of the files in " + phrase.QuotePath(p.Layout.RequestsFolder()) + ", without .json"
	}
	return "name one of " + phrase.QuoteList(names)
}
