package design

import (
	"errors"
	"fmt"

	"gatewright/cli/command"
	"gatewright/model"
	"gatewright/project/document"
	"gatewright/project/read"
)

// object is a JSON object from a file or from standard input.
type object struct {
	// name is the file's name in problems.
	name   string
	doc    *document.Document
	values model.Outputs
}

// readObject reads a JSON object. Duplicate names and text behind the object are errors.
func readObject(name string, streams command.Streams) (*object, error) {
	shown, data, err := command.ReadInput(name, streams)
	if err != nil {
		return nil, err
	}
	if len(data) > read.MaxFile {
		return nil, &read.Problem{
			File: shown, Text: fmt.Sprintf("has more than %d bytes", read.MaxFile),
			Fix: "give a smaller file",
		}
	}
	doc, err := document.Parse(data)
	if err != nil {
		var syntax *document.SyntaxError
		if !errors.As(err, &syntax) {
			return nil, &read.Problem{File: shown, Text: err.Error(), Fix: "write JSON"}
		}
		return nil, &read.Problem{
			File: shown, Line: syntax.Line, Column: syntax.Column, Pointer: syntax.Pointer,
			Text: syntax.Text, Fix: syntax.Fix,
		}
	}
	o := &object{name: shown, doc: doc}
	if o.values, err = model.ParseOutputs(doc.Root().Raw()); err != nil || o.values == nil {
		line, column, _ := doc.Position("")
		return nil, &read.Problem{
			File: shown, Line: line, Column: column,
			Text: "expected an object, found " + doc.Root().Kind().String(), Fix: "give a JSON object",
		}
	}
	return o, nil
}

// locate adds file, line and column to a problem that has a place in the object. Other
// errors stay as they are.
func (o *object) locate(err error) error {
	var problem *model.Problem
	if o == nil || !errors.As(err, &problem) {
		return err
	}
	line, column, found := o.doc.Position(problem.Pointer)
	if !found || problem.Pointer == "" {
		return err
	}
	return &read.Problem{
		File: o.name, Line: line, Column: column, Pointer: problem.Pointer, Text: problem.Text,
		Fix: problem.Fix,
	}
}
