package cfn

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Parse reads a template, in JSON if its first character is {, else in YAML. The name is
// for messages. The error is a *SyntaxError.
func Parse(name string, text []byte) (*Template, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	fail := func(line, column int, problem string) (*Template, error) {
		return nil, &SyntaxError{File: name, Line: line, Column: column, Text: problem}
	}
	switch {
	case len(text) > largest:
		return fail(0, 0, "is over "+strconv.Itoa(largest>>20)+" MB")
	case !utf8.Valid(text):
		return fail(0, 0, "is not UTF-8")
	}
	var root *Node
	var err error
	if start := bytes.TrimLeft(text, " \t\r\n"); len(start) > 0 && start[0] == '{' {
		root, err = parseJSON(text)
	} else {
		root, err = parseYAML(text)
	}
	if syntax := (*SyntaxError)(nil); errors.As(err, &syntax) {
		return fail(syntax.Line, syntax.Column, syntax.Text)
	}
	if err != nil {
		return fail(0, 0, err.Error())
	}
	if root.Kind != Map {
		return fail(root.Line, root.Column, "is not an object with Resources")
	}
	return &Template{Name: name, Root: root}, nil
}

// jsonReader reads JSON.
type jsonReader struct {
	text    []byte
	decoder *jsontext.Decoder
	nodes   int
	// line and column are those of the offset at, which only grows.
	at, line, column int
}

func parseJSON(text []byte) (*Node, error) {
	r := &jsonReader{text: text, decoder: jsontext.NewDecoder(bytes.NewBuffer(text)), line: 1, column: 1}
	root, err := r.value("", 0)
	if err == nil {
		if _, after := r.decoder.ReadToken(); !errors.Is(after, io.EOF) {
			r.move(int(r.decoder.InputOffset()))
			return nil, &SyntaxError{Line: r.line, Column: r.column, Text: "has text after its end"}
		}
		return root, nil
	}
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		r.move(min(int(syntax.ByteOffset), len(text)))
		problem := "is not valid JSON"
		if syntax.Err != nil {
			problem += ": " + strings.TrimPrefix(syntax.Err.Error(), "jsontext: ")
		}
		return nil, &SyntaxError{Line: r.line, Column: r.column, Text: problem}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		r.move(len(text))
		return nil, &SyntaxError{Line: r.line, Column: r.column, Text: "ends too early"}
	}
	return nil, err
}

// move moves the position on to an offset.
func (r *jsonReader) move(to int) {
	for ; r.at < to && r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; {
		case c == '\n':
			r.line, r.column = r.line+1, 1
		case c&0xc0 != 0x80:
			r.column++
		}
	}
}

func (r *jsonReader) value(pointer string, depth int) (*Node, error) {
	token, err := r.decoder.ReadToken()
	if err != nil {
		return nil, err
	}
	start := int(r.decoder.InputOffset())
	// The offset is that of the token's end.
	begin := start - len(token.String())
	if token.Kind() == '"' {
		begin = start - rawLength(r.text[:start])
	}
	r.move(begin)
	n := &Node{Line: r.line, Column: r.column, Pointer: pointer}
	if r.nodes++; r.nodes > mostNodes || depth > deepest {
		return nil, &SyntaxError{Line: n.Line, Column: n.Column, Text: "is too large or too deep"}
	}
	switch token.Kind() {
	case 'n':
		n.Kind = Null
	case 't', 'f':
		n.Kind, n.Text = Bool, token.String()
	case '0':
		n.Kind, n.Text = Number, token.String()
	case '"':
		n.Kind, n.Text = String, token.String()
	case '[':
		n.Kind = List
		for r.decoder.PeekKind() != ']' {
			item, err := r.value(pointer+"/"+strconv.Itoa(len(n.Items)), depth+1)
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, item)
		}
		_, err = r.decoder.ReadToken()
	case '{':
		n.Kind = Map
		for r.decoder.PeekKind() != '}' {
			name, err := r.decoder.ReadToken()
			if err != nil {
				return nil, err
			}
			text := name.String()
			value, err := r.value(pointer+"/"+segment(text), depth+1)
			if err != nil {
				return nil, err
			}
			n.Members = append(n.Members, Member{text, value})
		}
		_, err = r.decoder.ReadToken()
	}
	return n, err
}

// rawLength returns the length of the JSON string at the end of a text.
func rawLength(text []byte) int {
	for at := len(text) - 2; at >= 0; at-- {
		if text[at] != '"' {
			continue
		}
		escapes := 0
		for at-1-escapes >= 0 && text[at-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return len(text) - at
		}
	}
	return len(text)
}

var escapes = strings.NewReplacer("~", "~0", "/", "~1")

// segment returns a name as a part of a JSON pointer.
func segment(name string) string { return escapes.Replace(name) }

var number = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)
