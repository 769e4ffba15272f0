package render

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/schemas"
)

// Form is how a file is rendered.
type Form uint8

const (
	// Whole is a new file: it names its schema, is indented by two spaces and ends with a newline.
	Whole Form = iota
	// AmplifyCLI is a new file of a project of the Amplify CLI: no schema and no final
	// newline, as the Amplify CLI writes it.
	AmplifyCLI
	// Part is for comparing two renderings: compact, without schema.
	Part
)

// writer writes one JSON file. Calls are always balanced, so it fails only because of its values: a duplicate name,
// an invalid number, too many levels. The first failure is kept, and nothing is written after it.
type writer struct {
	out    bytes.Buffer
	enc    *jsontext.Encoder
	form   Form
	failed error
}

// failure begins a rendering that failed. No JSON begins like this.
const failure = "! "

// Failed returns why a rendering failed; nil if it did not. Callers that write the rendering must check it.
func Failed(rendering []byte) error {
	if why, ok := bytes.CutPrefix(rendering, []byte(failure)); ok {
		return errors.New(string(why))
	}
	return nil
}

func newWriter(form Form) *writer {
	w := &writer{form: form}
	options := []jsontext.Options{jsontext.AllowInvalidUTF8(true)}
	if form != Part {
		options = append(options, jsontext.WithIndent("  "))
	}
	w.enc = jsontext.NewEncoder(&w.out, options...)
	return w
}

// file starts a file that has a schema and version 1.
func (w *writer) file(schema string) { w.fileOf(schema, 1) }

// fileOf starts a file that has a schema and a version.
func (w *writer) fileOf(schema string, version int) {
	w.begin()
	if w.form == Whole {
		w.text("$schema", schemas.ID(schema))
	}
	w.number("version", version)
}

// bytes ends the file and returns it.
func (w *writer) bytes() []byte {
	w.end()
	if w.failed != nil {
		return []byte(failure + w.failed.Error())
	}
	data := bytes.TrimRight(w.out.Bytes(), "\n")
	if w.form == Whole {
		data = append(data, '\n')
	}
	return data
}

func (w *writer) token(t jsontext.Token) {
	if w.failed == nil {
		w.failed = w.enc.WriteToken(t)
	}
}

func (w *writer) key(name string) { w.token(jsontext.String(name)) }
func (w *writer) begin()          { w.token(jsontext.BeginObject) }
func (w *writer) end()            { w.token(jsontext.EndObject) }

func (w *writer) beginAt(name string) {
	w.key(name)
	w.begin()
}

func (w *writer) text(name, value string) {
	w.key(name)
	w.token(jsontext.String(value))
}

func (w *writer) number(name string, value int) {
	w.key(name)
	w.token(jsontext.Int(int64(value)))
}

func (w *writer) texts(name string, values []string) {
	w.key(name)
	w.list(values)
}

func (w *writer) list(values []string) {
	w.token(jsontext.BeginArray)
	for _, v := range values {
		w.token(jsontext.String(v))
	}
	w.token(jsontext.EndArray)
}

func (w *writer) actions(set access.Actions) {
	w.token(jsontext.BeginArray)
	for _, a := range access.AllActions {
		if set.Has(a) {
			w.token(jsontext.String(a.String()))
		}
	}
	w.token(jsontext.EndArray)
}

// value writes any JSON value, objects with sorted keys unless order says which come first.
func (w *writer) value(value any, order []model.Field) {
	switch v := value.(type) {
	case model.Outputs:
		w.members(v, order)
	case map[string]any:
		w.members(v, order)
	case []any:
		w.token(jsontext.BeginArray)
		for _, item := range v {
			w.value(item, nil)
		}
		w.token(jsontext.EndArray)
	case json.Number:
		if w.failed == nil {
			w.failed = w.enc.WriteValue(jsontext.Value(v))
		}
	case string:
		w.token(jsontext.String(v))
	case bool:
		w.token(jsontext.Bool(v))
	default:
		w.token(jsontext.Null)
	}
}

func (w *writer) members(members map[string]any, order []model.Field) {
	w.begin()
	w.memberList(members, order)
	w.end()
}

func (w *writer) memberList(members map[string]any, order []model.Field) {
	written := make(map[string]bool, len(order))
	for _, f := range order {
		if value, ok := members[f.Name]; ok {
			w.key(f.Name)
			w.value(value, f.Fields)
			written[f.Name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !written[name] {
			w.key(name)
			w.value(members[name], nil)
		}
	}
}
