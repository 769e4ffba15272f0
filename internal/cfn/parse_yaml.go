package cfn

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// yamlReader makes nodes of YAML. An alias is read again wherever it stands, because each
// place has its pointer; the limits of the builder end what refers to itself.
type yamlReader struct {
	builder
}

func parseYAML(text []byte, b builder) (*Node, *SyntaxError) {
	if at := invalidUTF8(text); at >= 0 {
		line := bytes.Count(text[:at], []byte{'\n'}) + 1
		column := utf8.RuneCount(text[bytes.LastIndexByte(text[:at], '\n')+1:at]) + 1
		return nil, faultAt(line, column, "bytes that are not UTF-8: save the file as UTF-8")
	}
	r := &yamlReader{builder: b}
	document, fault := r.decode(text)
	if fault != nil {
		return nil, fault
	}
	return r.value(document.Content[0], "", 0)
}

func invalidUTF8(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	at := 0
	for {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
}

// decode returns the only document of a text.
func (r *yamlReader) decode(text []byte) (document *yaml.Node, fault *SyntaxError) {
	// The library panics where it finds a mistake of its own. A file must not end the
	// program.
	defer func() {
		if p := recover(); p != nil {
			document, fault = nil, &SyntaxError{Text: fmt.Sprintf("this cannot be read as YAML (%v): use simpler YAML", p)}
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var first, second yaml.Node
	if err := decoder.Decode(&first); errors.Is(err, io.EOF) {
		return nil, r.emptyFault()
	} else if err != nil {
		return nil, yamlFault(err)
	}
	if err := decoder.Decode(&second); err == nil {
		return nil, faultAt(second.Line, second.Column,
			"a second document begins here: a %s is one document, remove the rest", r.what)
	} else if !errors.Is(err, io.EOF) {
		return nil, yamlFault(err)
	}
	return &first, nil
}

// yamlFault takes the line out of an error of the library.
func yamlFault(err error) *SyntaxError {
	text, line := strings.TrimPrefix(err.Error(), "yaml: "), 0
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		number, message, _ := strings.Cut(rest, ": ")
		if at, err := strconv.Atoi(number); err == nil {
			line, text = at, message
		}
	}
	return faultAt(line, 0, "this is not YAML (%s): correct the text here", strings.Trim(quote(text), `"`))
}

// value makes the node of a YAML node. A tag such as !Ref becomes a map around it.
func (r *yamlReader) value(y *yaml.Node, pointer string, depth int) (*Node, *SyntaxError) {
	tag := y.ShortTag()
	if !r.functions || y.Kind == yaml.AliasNode || !strings.HasPrefix(tag, "!") || strings.HasPrefix(tag, "!!") {
		return r.plain(y, pointer, depth, kindOf(y, tag))
	}
	name, ok := short(tag)
	if !ok {
		return nil, faultAt(y.Line, y.Column,
			"the tag %s is not a function of CloudFormation: use one that is", quote(tag))
	}
	function, fault := r.node(Map, y.Line, y.Column, pointer, depth)
	if fault != nil {
		return nil, fault
	}
	argument, fault := r.plain(y, below(pointer, name), depth+1, String)
	if fault != nil {
		return nil, fault
	}
	function.Members = []Member{{Name: name, Value: argument, Line: y.Line, Column: y.Column}}
	return function, r.splitAttribute(function, depth+2)
}

// plain makes a node without looking at its tag; a scalar is of the given kind.
func (r *yamlReader) plain(y *yaml.Node, pointer string, depth int, scalar Kind) (*Node, *SyntaxError) {
	n, fault := r.node(scalar, y.Line, y.Column, pointer, depth)
	if fault != nil {
		return nil, fault
	}
	switch y.Kind {
	case yaml.AliasNode:
		// The alias counts as a level, so that one within its own anchor comes to an end.
		n, fault = r.value(y.Alias, pointer, depth+1)
		return n, fault
	case yaml.MappingNode:
		n.Kind = Map
		return n, r.mapping(n, y, depth)
	case yaml.SequenceNode:
		n.Kind = List
		for i, item := range y.Content {
			value, fault := r.value(item, pointer+"/"+strconv.Itoa(i), depth+1)
			if fault != nil {
				return nil, fault
			}
			n.Items = append(n.Items, value)
		}
		return n, nil
	}
	switch scalar {
	case Null:
	case Bool:
		n.Text = strings.ToLower(y.Value)
	default:
		n.Text = y.Value
	}
	return n, nil
}

// kindOf returns the kind of a scalar.
func kindOf(y *yaml.Node, tag string) Kind {
	switch tag {
	case "!!null":
		return Null
	case "!!bool":
		return Bool
	case "!!int", "!!float":
		if strings.ContainsAny(y.Value, "0123456789") {
			return Number
		}
		// .inf and .nan are no numbers of a template.
		return String
	default:
		return String
	}
}

// mapping reads the members of a mapping, and then what the merge key << adds: names that
// are not there yet, of which the first counts (https://yaml.org/type/merge.html).
func (r *yamlReader) mapping(n *Node, y *yaml.Node, depth int) *SyntaxError {
	seen := make(map[string]bool)
	var merged []*yaml.Node
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, value := y.Content[i], y.Content[i+1]
		if key.ShortTag() == "!!merge" {
			merged = append(merged, value)
			continue
		}
		name, fault := nameOf(key)
		if fault != nil {
			return fault
		}
		if seen[name] {
			return twice(key.Line, key.Column, name)
		}
		seen[name] = true
		member, fault := r.value(value, below(n.Pointer, name), depth+1)
		if fault != nil {
			return fault
		}
		n.Members = append(n.Members, Member{Name: name, Value: member, Line: key.Line, Column: key.Column})
	}
	for _, source := range merged {
		if fault := r.merge(n, source, seen, depth+1); fault != nil {
			return fault
		}
	}
	return r.splitAttribute(n, depth+2)
}

// nameOf returns the name that a key gives its member.
func nameOf(key *yaml.Node) (string, *SyntaxError) {
	if key.Kind == yaml.AliasNode {
		key = key.Alias
	}
	if key.Kind != yaml.ScalarNode {
		return "", faultAt(key.Line, key.Column, "this key is a list or a map: write a text")
	}
	return key.Value, nil
}

func (r *yamlReader) merge(n *Node, source *yaml.Node, seen map[string]bool, depth int) *SyntaxError {
	sources := []*yaml.Node{source}
	if source.Kind == yaml.SequenceNode {
		sources = source.Content
	}
	for _, s := range sources {
		from, fault := r.value(s, n.Pointer, depth)
		if fault != nil {
			return fault
		}
		if from.Kind != Map {
			return faultAt(s.Line, s.Column,
				"the key << takes a map or a list of maps, this is %s: write an alias of a map", from.Kind)
		}
		for _, m := range from.Members {
			if !seen[m.Name] {
				seen[m.Name] = true
				n.Members = append(n.Members, m)
			}
		}
	}
	return nil
}
