package project

import (
	"errors"

	"gatewright/model"
)

// ReadClientFile reads a client configuration file, of either dialect and of any
// version that is known: its values in the words that it has, which dialect that
// is (as ValidateFile tells it), and what its schema says against it. Where a
// problem is an error there may be no values.
func ReadClientFile(name string, data []byte) (model.Outputs, model.Dialect, []*Problem) {
	if len(data) > MaxFile {
		return nil, "", []*Problem{tooLarge(name)}
	}
	f, err := parseFile(name, data)
	if err != nil {
		var problem *Problem
		errors.As(err, &problem)
		return nil, "", []*Problem{problem}
	}
	schema, problem := clientFileSchema(f)
	if problem != nil {
		return nil, "", []*Problem{problem}
	}
	v := newValidation()
	v.clientSchema(f, schema)
	sortProblems(v.problems)
	values, err := model.ParseOutputs(f.doc.Root().Raw())
	if err != nil {
		return nil, "", []*Problem{f.problem(model.Error, "", "write an object", "%s", err)}
	}
	return values, dialectOfSchema(schema), v.problems
}
