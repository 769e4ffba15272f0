package cfn

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The limits of a template. The service takes a body of 1 MB, see
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
const (
	maxText  = 1 << 20
	maxDepth = 100
	maxNodes = 250_000
	// maxPointers is for the pointers of all nodes together: long names with much below
	// them would multiply.
	maxPointers = 64 << 20
)

// SyntaxError is the error of Parse.
type SyntaxError struct {
	File string
	// Line and Column count from 1, columns in characters; 0 where they are not known.
	Line, Column int
	// Text says what is wrong and what to do.
	Text string
}

// Error returns one line: the place, what is wrong, what to do.
func (e *SyntaxError) Error() string {
	where := strings.Trim(strconv.Quote(e.File), `"`)
	if e.Line > 0 {
		where += ":" + strconv.Itoa(e.Line)
		if e.Column > 0 {
			where += ":" + strconv.Itoa(e.Column)
		}
	}
	return where + ": " + e.Text
}

// Parse reads a template; name is for messages. A text that begins with { is JSON, any
// other is YAML. The error is a *SyntaxError.
func Parse(name string, text []byte) (*Template, error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	root, fault := parse(text)
	if fault != nil {
		fault.File = name
		return nil, fault
	}
	t := &Template{Name: name, Root: root}
	t.index()
	return t, nil
}

func parse(text []byte) (*Node, *SyntaxError) {
	if len(text) > maxText {
		return nil, &SyntaxError{Text: "the template is larger than 1 MB: make it smaller, or split it into nested stacks"}
	}
	start := bytes.TrimLeft(text, " \t\r\n")
	if len(start) == 0 {
		return nil, &SyntaxError{Line: 1, Column: 1, Text: "the template is empty: write at least one resource"}
	}
	if start[0] == '{' {
		return parseJSON(text)
	}
	return parseYAML(text)
}

// builder counts what a template takes while its nodes are made.
type builder struct {
	nodes, pointers int
}

// node makes a node, or says which limit it breaks.
func (b *builder) node(kind Kind, line, column int, pointer string, depth int) (*Node, *SyntaxError) {
	b.nodes++
	b.pointers += len(pointer)
	switch {
	case depth > maxDepth:
		return nil, faultAt(line, column, "more than %d nested lists and maps: nest less deeply", maxDepth)
	case b.nodes > maxNodes:
		return nil, faultAt(line, column, "the template has more than %d values, with what its aliases repeat: split it into nested stacks", maxNodes)
	case b.pointers > maxPointers:
		return nil, faultAt(line, column, "the names are too long for what is nested below them: shorten them")
	}
	return &Node{Kind: kind, Line: line, Column: column, Pointer: pointer}, nil
}

// short is the long form of a function that is written as a tag in YAML.
func short(tag string) (function string, ok bool) {
	switch tag {
	case "!Ref", "!Condition":
		return tag[1:], true
	case "!And", "!Base64", "!Cidr", "!Equals", "!FindInMap", "!GetAtt", "!GetAZs", "!If", "!ImportValue", "!Join",
		"!Length", "!Not", "!Or", "!Select", "!Split", "!Sub", "!ToJsonString", "!Transform":
		return "Fn::" + tag[1:], true
	default:
		return "", false
	}
}

// splitAttribute gives Fn::GetAtt the list of two where a template has the text "A.B". See
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-getatt.html
func (b *builder) splitAttribute(n *Node, depth int) *SyntaxError {
	name, argument, _ := n.function()
	if name != "Fn::GetAtt" || argument.Kind != String {
		return nil
	}
	resource, attribute, ok := strings.Cut(argument.Text, ".")
	if !ok {
		return nil
	}
	argument.Kind, argument.Text = List, ""
	for i, text := range []string{resource, attribute} {
		item, fault := b.node(String, argument.Line, argument.Column, argument.Pointer+"/"+strconv.Itoa(i), depth)
		if fault != nil {
			return fault
		}
		item.Text = text
		argument.Items = append(argument.Items, item)
	}
	return nil
}

func faultAt(line, column int, format string, arguments ...any) *SyntaxError {
	return &SyntaxError{Line: line, Column: column, Text: fmt.Sprintf(format, arguments...)}
}

// twice is the fault of a name that a map has twice.
func twice(line, column int, name string) *SyntaxError {
	return faultAt(line, column, "the name %s comes twice here: remove or rename one of the two", quote(name))
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// below returns the pointer of a member.
func below(pointer, name string) string {
	return pointer + "/" + pointerEscapes.Replace(name)
}

// quote makes a text from a template safe for a message, and short.
func quote(text string) string {
	const most = 100
	if len(text) > most {
		cut := most
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "…"
	}
	return strconv.Quote(text)
}
