package validate

import (
	"errors"

	"gatewright/model"
	"gatewright/project/read"
)

// ReadClientFile reads a client configuration file of either dialect and any known
// version. It returns the values in the file's own dialect, that dialect, and the
// problems by its schema. If one of them is an error there may be no values.
func ReadClientFile(name string, data []byte) (model.Outputs, model.Dialect, []*read.Problem) {
	if len(data) > read.MaxFile {
		return nil, "", []*read.Problem{read.TooLarge(name)}
	}
	f, err := read.Parse(name, data)
	if err != nil {
		var problem *read.Problem
		errors.As(err, &problem)
		return nil, "", []*read.Problem{problem}
	}
	schema, problem := clientFileSchema(f)
	if problem != nil {
		return nil, "", []*read.Problem{problem}
	}
	v := newValidation()
	v.clientSchema(f, schema)
	read.SortProblems(v.problems)
	values, err := model.ParseOutputs(f.Doc.Root().Raw())
	if err != nil {
		return nil, "", []*read.Problem{f.Problem(model.Error, "", "write an object", "%s", err)}
	}
	return values, dialectOfSchema(schema), v.problems
}
