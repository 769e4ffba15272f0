// Package saved has the format of saved requests: files that are committed with the project,
// with a request to an API and the answer that it should get. It reads and writes them as
// bytes; sending them is the work of the package request.
//
// A new field of the file is here, in schemas/published/request.json, and in toSaved and FromSaved
// of the package request. Request.Secrets says what must not be in it.
package saved

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project/document"
)

// Version is the version of the file format.
const Version = 1

// Request is a saved request.
type Request struct {
	Schema      string `json:"$schema,omitempty"`
	Version     int    `json:"version"`
	Description string `json:"description,omitempty"`
	API         string `json:"api"`
	Path        string `json:"path"`
	Method      string `json:"method"`
	// Parameters are the values of the path's variables.
	Parameters map[string]string `json:"parameters,omitempty"`
	// Below is the rest of the URL's path after Path.
	Below string `json:"below,omitempty"`
	Query string `json:"query,omitempty"`
	// Headers are lines such as "X-Trace: 1".
	Headers []string `json:"headers,omitempty"`
	// JSON is a body of JSON, which is sent indented by two spaces. Body is any other body,
	// sent byte for byte.
	JSON json.RawMessage `json:"json,omitempty"`
	Body string          `json:"body,omitempty"`
	// As is who signs, as the flag --as of call takes it; "" for nobody.
	As string `json:"as,omitempty"`
	// Test sends it as the test of the API Gateway console.
	Test bool `json:"test,omitempty"`
	// Expect is the kept answer; nil for none.
	Expect *Answer `json:"expect,omitempty"`
}

// Answer is what is kept of an answer, and how another one is compared with it.
type Answer struct {
	Status int `json:"status"`
	// Headers are lines that the answer must have; it may have others.
	Headers []string `json:"headers,omitempty"`
	// JSON is the body, if it is JSON. With Part, the body may have more: members in objects,
	// elements at the end of arrays.
	JSON json.RawMessage `json:"json,omitempty"`
	Part bool            `json:"part,omitempty"`
	// Body is the text of any other body; nil if none is kept.
	Body *string `json:"body,omitempty"`
	// Pattern is a regular expression that the body's text must match.
	Pattern string `json:"pattern,omitempty"`
	// Ignore are JSON paths to what differs from answer to answer.
	Ignore []string `json:"ignore,omitempty"`
}

// File is a saved request with the file that it was read from.
type File struct {
	Name string
	// Path is the file, relative to the project.
	Path    string
	Request Request
	// Doc is the file as it is.
	Doc *document.Document
}

// Parse reads a file. The error is one line without the name of the file.
func Parse(text []byte) (Request, *document.Document, error) {
	doc, err := document.Parse(text)
	if err != nil {
		return Request{}, nil, err
	}
	var r Request
	if err := json.Unmarshal(doc.Root().Raw(), &r); err != nil {
		return Request{}, doc, wrongKind(err)
	}
	if r.Version != Version {
		return Request{}, doc,
			&model.Problem{
				Field: "version", Text: fmt.Sprintf("is %d, but this program reads %d", r.Version, Version),
				Fix: fmt.Sprintf("write %d", Version),
			}
	}
	return r, doc, nil
}

// wrongKind says in plain words which member has a value of another kind.
func wrongKind(err error) error {
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return fmt.Errorf("is not a saved request: %w", err)
	}
	kinds := map[reflect.Kind]string{
		reflect.String: "a text", reflect.Int: "a whole number",
		reflect.Bool: "true or false", reflect.Slice: "a list",
	}
	want := cmp.Or(kinds[wrong.Type.Kind()], "an object")
	if wrong.Field == "" {
		return fmt.Errorf("is not a saved request, which is %s", want)
	}
	return &model.Problem{Field: wrong.Field, Text: "is not " + want}
}

// Bytes are the text of a new file.
func (r Request) Bytes() ([]byte, error) {
	var text bytes.Buffer
	writer := json.NewEncoder(&text)
	writer.SetEscapeHTML(false)
	writer.SetIndent("", "  ")
	if err := writer.Encode(r); err != nil {
		return nil, fmt.Errorf("writing the request: %w", err)
	}
	return text.Bytes(), nil
}

// Change is the text of the file with another request in it: what the request does not say,
// such as members that this program does not know and the order of the others, stays.
func Change(doc *document.Document, before, after Request) ([]byte, error) {
	was, err := before.Bytes()
	if err != nil {
		return nil, err
	}
	wanted, err := after.Bytes()
	if err != nil {
		return nil, err
	}
	return doc.Change(was, wanted)
}

// longestName is the greatest length of a name.
const longestName = 64

// CheckName says what is wrong with the name of a saved request; nil if nothing is.
func CheckName(name string) error {
	const fix = "use 1 to 64 of a-z A-Z 0-9 _ - . and begin with a letter or a digit"
	ok := name != "" && len(name) <= longestName && name[0] != '.' && name[0] != '-' && name[0] != '_'
	for _, r := range name {
		ok = ok && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.')
	}
	if !ok {
		return &model.Problem{Field: "name", Text: phrase.Quote(name) + " is not a name for a saved request", Fix: fix}
	}
	if text := model.FileNameProblem(name); text != "" {
		return &model.Problem{Field: "name", Text: text, Fix: "choose another name"}
	}
	return nil
}
