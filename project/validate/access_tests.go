package validate

import (
	"errors"
	"strings"

	"gatewright/model"
	"gatewright/model/assertion"
	"gatewright/project"
	"gatewright/project/read"
)

// accessTests checks the access tests by their schema, and that each can be decided. Whether they
// hold is not a problem of the project: the command test says so.
func (v *validation) accessTests(p *project.Project) {
	f, err := p.ReadAccessTests()
	if f == nil {
		v.unread(err)
		return
	}
	v.bySchema(f, p.SchemaOf(project.AccessTestFile))
	tests, err := p.AccessTests()
	v.unread(err)
	checker := assertion.NewChecker(readable(p))
	for i, test := range tests {
		if err := checker.Check(test.Text).Err; err != nil {
			text, fix, _ := strings.Cut(err.Error(), "; ")
			v.add(byRules, f.Problem(model.Error, project.TestPointer(i), fix, "%s", text))
		}
	}
}

// unread adds the problem of a file that could not be read.
func (v *validation) unread(err error) {
	var problem *read.Problem
	if errors.As(err, &problem) {
		v.add(byLoading, problem)
	}
}

// savedRequests checks the saved requests: their schema, their own rules, and whether what
// they name exists.
func (v *validation) savedRequests(p *project.Project) {
	names, problems := read.JSONFiles(p.FS, p.Layout.RequestsFolder())
	for _, problem := range problems {
		v.add(byLoading, problem)
	}
	backend := readable(p)
	for _, name := range names {
		path := p.Layout.RequestFile(name)
		read, err := read.JSON(p.FS, path)
		if err == nil {
			v.bySchema(read, "request")
		}
		f, problem := p.ReadRequest(name)
		if problem != nil {
			v.add(byLoading, problem)
			continue
		}
		for _, found := range append(f.Request.Check(), f.Request.CheckIn(backend)...) {
			v.add(byRules, read.Problem(found.Level, found.Pointer, found.Fix, "%s", found.Text))
		}
	}
}
