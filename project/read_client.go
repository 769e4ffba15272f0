package project

import (
	"errors"

	"gatewright/model"
)

// ReadClientFile reads a client configuration file of either dialect and any known
// version. It returns the values in the file's own dialect, that dialect, and the
// problems by its schema. If one of them is an error there may be no values.
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
