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
	if len(text) > maxText {
		return nil, &SyntaxError{
			File: name,
			Text: "the template is larger than 1 MB: make it smaller, or split it into nested stacks",
		}
	}
	root, fault := parse(text, builder{
		what: "template", empty: "write at least one resource", split: "split it into nested stacks",
		functions: true, maxDepth: maxDepth, maxNodes: maxNodes, maxPointers: maxPointers,
	})
	if fault != nil {
		fault.File = name
		return nil, fault
	}
	if root.Kind != Map {
		return nil, faultOf(name,
			faultAt(root.Line, root.Column,
				"a template is a map with the key Resources, this is %s: write the template here", root.Kind))
	}
	t := &Template{Name: name, Root: root}
	t.index()
	return t, nil
}

// The limits of a document that is no template. Aliases of YAML count as what they repeat.
const (
	maxDocumentDepth    = 500
	maxDocumentNodes    = 3_000_000
	maxDocumentPointers = 512 << 20
)

// ParseDocument reads JSON or YAML that is no template, as Parse reads one: a tag of YAML is
// no function and is passed over, and the root may be of any kind. How long a text may be is
// up to the caller. The error is a *SyntaxError.
func ParseDocument(name string, text []byte) (*Node, error) {
	root, fault := parse(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), builder{
		what: "document", empty: "write it, or give another file", split: "split it into smaller ones",
		maxDepth: maxDocumentDepth, maxNodes: maxDocumentNodes, maxPointers: maxDocumentPointers,
	})
	if fault != nil {
		return nil, faultOf(name, fault)
	}
	return root, nil
}

// ParseJSON reads JSON that is no template and no YAML, such as the body of a request: the
// root may be of any kind. A name that an object has twice is refused. How long a text may be
// is up to the caller. The error is a *SyntaxError.
func ParseJSON(name string, text []byte) (*Node, error) {
	b := builder{
		what: "text", empty: "write JSON", split: "split it into smaller ones",
		maxDepth: maxDocumentDepth, maxNodes: maxDocumentNodes, maxPointers: maxDocumentPointers,
	}
	if len(bytes.TrimLeft(text, " \t\r\n")) == 0 {
		return nil, faultOf(name, b.emptyFault())
	}
	root, fault := parseJSON(text, b)
	if fault != nil {
		return nil, faultOf(name, fault)
	}
	return root, nil
}

func faultOf(name string, fault *SyntaxError) *SyntaxError {
	fault.File = name
	return fault
}

func parse(text []byte, b builder) (*Node, *SyntaxError) {
	start := bytes.TrimLeft(text, " \t\r\n")
	if len(start) == 0 {
		return nil, b.emptyFault()
	}
	if start[0] == '{' {
		return parseJSON(text, b)
	}
	return parseYAML(text, b)
}

// builder counts what a text takes while its nodes are made.
type builder struct {
	// what is read, in a word, and what to do if it is empty or too large.
	what, empty, split string
	// functions says that the text is a template, in which some tags and maps are functions.
	functions                       bool
	maxDepth, maxNodes, maxPointers int
	nodes, pointers                 int
}

func (b *builder) emptyFault() *SyntaxError {
	return faultAt(1, 1, "the %s is empty: %s", b.what, b.empty)
}

// node makes a node, or says which limit it breaks.
func (b *builder) node(kind Kind, line, column int, pointer string, depth int) (*Node, *SyntaxError) {
	b.nodes++
	b.pointers += len(pointer)
	switch {
	case depth > b.maxDepth:
		return nil, faultAt(line, column, "more than %d nested lists and maps: nest less deeply", b.maxDepth)
	case b.nodes > b.maxNodes:
		return nil, faultAt(line, column, "the %s has more than %d values, with what its aliases repeat: %s", b.what,
			b.maxNodes, b.split)
	case b.pointers > b.maxPointers:
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
	if !b.functions || name != "Fn::GetAtt" || argument.Kind != String {
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
