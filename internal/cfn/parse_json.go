package cfn

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// jsonReader makes nodes of JSON. It knows the place of the token that it read last.
type jsonReader struct {
	builder
	text    []byte
	decoder *jsontext.Decoder
	// line and column are those of offset.
	offset, line, column int
}

func parseJSON(text []byte, b builder) (*Node, *SyntaxError) {
	r := &jsonReader{builder: b, text: text, line: 1, column: 1}
	r.decoder = jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true))
	root, fault := r.value("", 0)
	if fault != nil {
		return nil, fault
	}
	end := r.start()
	if _, err := r.decoder.ReadToken(); !errors.Is(err, io.EOF) {
		r.advance(end)
		return nil, faultAt(r.line, r.column, "there is text after the end of the %s: remove it", r.what)
	}
	return root, nil
}

// start returns the offset of the next token.
func (r *jsonReader) start() int {
	at := int(r.decoder.InputOffset())
	for at < len(r.text) && bytes.IndexByte([]byte(" \t\r\n,:"), r.text[at]) >= 0 {
		at++
	}
	return at
}

// advance moves the place forward. It looks at each byte once, so that a template in a
// single line is not read again for each token.
func (r *jsonReader) advance(to int) {
	passed := r.text[r.offset:min(max(to, r.offset), len(r.text))]
	r.offset += len(passed)
	if last := bytes.LastIndexByte(passed, '\n'); last >= 0 {
		r.line += bytes.Count(passed, []byte{'\n'})
		r.column, passed = 1, passed[last+1:]
	}
	r.column += utf8.RuneCount(passed)
}

// fault describes an error of the tokenizer.
func (r *jsonReader) fault(err error) *SyntaxError {
	at, fix := len(r.text), "correct the text here"
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		at, err = int(syntactic.ByteOffset), syntactic.Err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		r.advance(len(r.text))
		return faultAt(r.line, r.column, "the %s ends in the middle of a value: add what is missing at the end", r.what)
	}
	r.advance(at)
	return faultAt(r.line, r.column, "this is not JSON (%s): %s", err, fix)
}

func (r *jsonReader) value(pointer string, depth int) (*Node, *SyntaxError) {
	kind := r.decoder.PeekKind()
	r.advance(r.start())
	n, fault := r.node(Null, r.line, r.column, pointer, depth)
	if fault != nil {
		return nil, fault
	}
	switch kind {
	case '{':
		n.Kind = Map
		return n, r.object(n, depth)
	case '[':
		n.Kind = List
		return n, r.array(n, depth)
	}
	raw, err := r.decoder.ReadValue()
	if err != nil {
		return nil, r.fault(err)
	}
	switch kind {
	case '"':
		n.Kind, n.Text = String, unquoted(raw)
	case '0':
		n.Kind, n.Text = Number, string(raw)
	case 't', 'f':
		n.Kind, n.Text = Bool, string(raw)
	}
	return n, nil
}

func (r *jsonReader) array(n *Node, depth int) *SyntaxError {
	if _, err := r.decoder.ReadToken(); err != nil {
		return r.fault(err)
	}
	for kind := r.decoder.PeekKind(); kind != ']' && kind != 0; kind = r.decoder.PeekKind() {
		item, fault := r.value(n.Pointer+"/"+strconv.Itoa(len(n.Items)), depth+1)
		if fault != nil {
			return fault
		}
		n.Items = append(n.Items, item)
	}
	return r.end()
}

func (r *jsonReader) object(n *Node, depth int) *SyntaxError {
	if _, err := r.decoder.ReadToken(); err != nil {
		return r.fault(err)
	}
	seen := make(map[string]bool)
	for kind := r.decoder.PeekKind(); kind != '}' && kind != 0; kind = r.decoder.PeekKind() {
		r.advance(r.start())
		line, column := r.line, r.column
		raw, err := r.decoder.ReadValue()
		if err != nil {
			return r.fault(err)
		}
		name := unquoted(raw)
		if seen[name] {
			return twice(line, column, name)
		}
		seen[name] = true
		value, fault := r.value(below(n.Pointer, name), depth+1)
		if fault != nil {
			return fault
		}
		n.Members = append(n.Members, Member{Name: name, Value: value, Line: line, Column: column})
	}
	if fault := r.end(); fault != nil {
		return fault
	}
	return r.splitAttribute(n, depth+2)
}

// end reads the end of an object or array, or finds out why it does not come.
func (r *jsonReader) end() *SyntaxError {
	if _, err := r.decoder.ReadToken(); err != nil {
		return r.fault(err)
	}
	return nil
}

// unquoted returns the text of a JSON string that the decoder has accepted.
func unquoted(raw []byte) string {
	text, _ := jsontext.AppendUnquote(nil, raw)
	return string(text)
}
