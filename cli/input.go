package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/document"
)

// readInput reads a file that a person named, or standard input for "-", up to
// the size that a project's file may have.
func readInput(name string, streams Streams) (shown string, data []byte, err error) {
	if name == "-" {
		data, err = io.ReadAll(io.LimitReader(streams.In, project.MaxFile+1))
		if err != nil {
			return "", nil, fmt.Errorf("reading standard input: %w", err)
		}
		return "standard input", data, nil
	}
	f, err := os.Open(absolute(name, streams))
	if err != nil {
		return "", nil, project.CannotRead(name, err)
	}
	defer func() { _ = f.Close() }()
	data, err = io.ReadAll(io.LimitReader(f, project.MaxFile+1))
	if err != nil {
		return "", nil, project.CannotRead(name, err)
	}
	return filepath.ToSlash(name), data, nil
}

// absolute is the path of what a person named where the command runs.
func absolute(name string, streams Streams) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(streams.Dir, name)
}

// object is a JSON object that a person gave in a file or on standard input.
type object struct {
	// name is how problems call the file.
	name   string
	doc    *document.Document
	values model.Outputs
}

// readObject reads a JSON object, strictly: no key twice, nothing after it.
func readObject(name string, streams Streams) (*object, error) {
	shown, data, err := readInput(name, streams)
	if err != nil {
		return nil, err
	}
	if len(data) > project.MaxFile {
		return nil, &project.Problem{File: shown, Text: fmt.Sprintf("has more than %d bytes", project.MaxFile), Fix: "give a smaller file"}
	}
	doc, err := document.Parse(data)
	if err != nil {
		var syntax *document.SyntaxError
		if !errors.As(err, &syntax) {
			return nil, &project.Problem{File: shown, Text: err.Error(), Fix: "write JSON"}
		}
		return nil, &project.Problem{File: shown, Line: syntax.Line, Column: syntax.Column, Pointer: syntax.Pointer, Text: syntax.Text, Fix: syntax.Fix}
	}
	o := &object{name: shown, doc: doc}
	if o.values, err = model.ParseOutputs(doc.Root().Raw()); err != nil || o.values == nil {
		line, column, _ := doc.Position("")
		return nil, &project.Problem{File: shown, Line: line, Column: column, Text: "expected an object, found " + doc.Root().Kind().String(), Fix: "give a JSON object"}
	}
	return o, nil
}

// locate gives a refusal of the model that is about a place of the object that
// place: file, line and column. Other errors stay as they are.
func (o *object) locate(err error) error {
	var problem *model.Problem
	if o == nil || !errors.As(err, &problem) {
		return err
	}
	line, column, found := o.doc.Position(problem.Pointer)
	if !found || problem.Pointer == "" {
		return err
	}
	return &project.Problem{File: o.name, Line: line, Column: column, Pointer: problem.Pointer, Text: problem.Text, Fix: problem.Fix}
}
