package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// Outputs are values for the client configuration file by section. `custom` has arbitrary
// values. Numbers may be of any Go type.
type Outputs map[string]any

// Output is one entry added to the client configuration file, with the name of its file in
// the project.
type Output struct {
	Name   string
	Values Outputs
}

// AddOutput adds values to the client configuration file under a name of their own. Unknown
// fields and wrong types are an error, and so is a value that differs from that of another
// output or definition: the error names the place, both values and both origins.
func (b *Backend) AddOutput(values Outputs) error {
	return b.AddNamedOutput(b.outputName(values), values)
}

// AddNamedOutput adds an output as AddOutput does, under a given name.
func (b *Backend) AddNamedOutput(name string, values Outputs) error {
	if err := free(KindOutput, b.Outputs, name, ""); err != nil {
		return err
	}
	return b.putOutput(name, values, func(o *Output) []*Output { return with(b.Outputs, o) })
}

// UpdateOutput replaces the values of the output called name.
func (b *Backend) UpdateOutput(name string, values Outputs) error {
	if b.Output(name) == nil {
		return unknownError(Ref{Kind: KindOutput, Name: name}, names(b.Outputs))
	}
	return b.putOutput(name, values, func(o *Output) []*Output { return swapped(b.Outputs, name, o) })
}

func (b *Backend) putOutput(name string, values Outputs, put func(*Output) []*Output) error {
	own, err := OutputsOf(values)
	if err != nil {
		return &Problem{
			Of: Ref{Kind: KindOutput, Name: name}, Text: "cannot be written as JSON: " + err.Error(),
			Fix: "give JSON values",
		}
	}
	output := &Output{Name: name, Values: own}
	after := checkOutput(output)
	// The address of the schema describes a file and is no value.
	delete(own, "$schema")
	if len(own) == 0 && len(after) == 0 {
		return &Problem{Field: "output", Text: "is empty", Fix: "give a section of the client configuration file, or custom"}
	}
	before := none
	if have := b.Output(name); have != nil {
		before = func() []*Problem { return checkOutput(have) }
	}
	if err := refusal(after, before); err != nil {
		return err
	}
	next := *b
	next.Outputs = put(output)
	if err := refusal(next.checkMerge(), b.checkMerge); err != nil {
		return err
	}
	b.Outputs = next.Outputs
	return nil
}

// checkOutput checks one output for unknown fields and types. Only the merged file must have
// the required fields.
func checkOutput(o *Output) []*Problem {
	c := fieldCheck{of: Ref{Kind: KindOutput, Name: o.Name}}
	c.members(ClientFile, o.Values, "")
	return append(readName(c.of), c.problems...)
}

// outputName returns a free name for values: that of their first section, with a number if
// it is taken.
func (b *Backend) outputName(values Outputs) string {
	base := "output"
	for _, f := range ClientFile.Fields {
		if _, ok := values[f.Name]; ok && f.Type != StringField {
			base = f.Name
			break
		}
	}
	name := base
	for i := 2; b.Output(name) != nil; i++ {
		name = base + "-" + strconv.Itoa(i)
	}
	return name
}

// OutputsOf makes Outputs of any value that marshals to a JSON object. They are new maps,
// slices, strings, booleans, json.Number and nil.
func OutputsOf(value any) (Outputs, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return ParseOutputs(text)
}

// ParseOutputs reads a JSON object into Outputs, with numbers as json.Number.
func ParseOutputs(text []byte) (Outputs, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var values Outputs
	if err := decoder.Decode(&values); err != nil {
		return nil, fmt.Errorf("reading a JSON object: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("reading a JSON object: there is more text after it")
	}
	return values, nil
}
