package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Outputs are values for the client configuration file by section. `custom` has arbitrary
// values. Numbers may be of any Go type.
type Outputs map[string]any

// Output is one entry added to the client configuration file, with the name of its file in the project.
type Output struct {
	Name   string
	Values Outputs
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
