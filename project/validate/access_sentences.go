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
