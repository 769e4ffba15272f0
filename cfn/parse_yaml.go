package cfn

import (
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// parseYAML reads YAML. Scalars without quotes are texts unless they are plainly
// something else: a date such as 2010-09-09 is a version of the format.
func parseYAML(text []byte) (*Node, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, yamlError(err)
	}
	if document.Kind != yaml.DocumentNode || len(document.Content) != 1 {
		return nil, &SyntaxError{Line: 1, Column: 1, Text: "is empty"}
	}
	r := &yamlReader{}
	return r.value(document.Content[0], "", 0)
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

func yamlError(err error) error {
	text, _, _ := strings.Cut(err.Error(), "\n")
	found := yamlLine.FindStringSubmatch(text)
	if found == nil {
		return &SyntaxError{Line: 1, Column: 1, Text: "is not valid YAML: " + text}
	}
	line, err := strconv.Atoi(found[1])
	if err != nil {
		line = 1
	}
	return &SyntaxError{Line: line, Column: 1, Text: "is not valid YAML: " + found[2]}
}

type yamlReader struct{ nodes int }

func (r *yamlReader) value(from *yaml.Node, pointer string, depth int) (*Node, error) {
	n := &Node{Line: from.Line, Column: from.Column, Pointer: pointer}
	// An alias is read again, so the count also ends documents of nested aliases.
	if r.nodes++; r.nodes > mostNodes || depth > deepest {
		return nil, &SyntaxError{Line: n.Line, Column: n.Column, Text: "is too large or too deep"}
	}
	function := longForm(from.Tag)
	if function != "" {
		return r.function(from, function, pointer, depth)
	}
	switch from.Kind {
	case yaml.AliasNode:
		return r.value(from.Alias, pointer, depth+1)
	case yaml.ScalarNode:
		n.Kind, n.Text = scalar(from)
		return n, nil
	case yaml.SequenceNode:
		n.Kind = List
		for i, item := range from.Content {
			value, err := r.value(item, pointer+"/"+strconv.Itoa(i), depth+1)
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, value)
		}
		return n, nil
	}
	n.Kind = Map
	return n, r.members(n, from, pointer, depth)
}

// members reads the members of a map. Those of a merge key (<<) come after its own.
func (r *yamlReader) members(n *Node, from *yaml.Node, pointer string, depth int) error {
	names := make(map[string]bool)
	var merged []*yaml.Node
	for i := 0; i+1 < len(from.Content); i += 2 {
		key, value := from.Content[i], from.Content[i+1]
		if key.Tag == "!!merge" {
			merged = append(merged, value)
			continue
		}
		if key.Kind != yaml.ScalarNode {
			return &SyntaxError{Line: key.Line, Column: key.Column, Text: "has a key that is not a text"}
		}
		if names[key.Value] {
			return &SyntaxError{Line: key.Line, Column: key.Column, Text: "has the key " + strconv.Quote(key.Value) + " twice"}
		}
		names[key.Value] = true
		read, err := r.value(value, pointer+"/"+segment(key.Value), depth+1)
		if err != nil {
			return err
		}
		n.Members = append(n.Members, Member{key.Value, read})
	}
	for _, value := range merged {
		read, err := r.value(value, pointer, depth+1)
		if err != nil {
			return err
		}
		for _, one := range append([]*Node{read}, read.Items...) {
			for _, m := range one.Members {
				if !names[m.Name] {
					names[m.Name] = true
					n.Members = append(n.Members, m)
				}
			}
		}
	}
	return nil
}

// longForm returns the function that a tag is short for; "" for other tags.
func longForm(tag string) string {
	name, ok := strings.CutPrefix(tag, "!")
	switch {
	case !ok || name == "" || strings.HasPrefix(name, "!"):
		return ""
	case name == "Ref" || name == "Condition":
		return name
	}
	return "Fn::" + name
}

// function reads a value with the short form of a function.
func (r *yamlReader) function(from *yaml.Node, function, pointer string, depth int) (*Node, error) {
	plain := *from
	plain.Tag = ""
	if plain.Kind == yaml.ScalarNode {
		plain.Tag = "!!str"
	}
	argument, err := r.value(&plain, pointer+"/"+segment(function), depth+1)
	if err != nil {
		return nil, err
	}
	if function == "Fn::GetAtt" {
		argument = attributeOf(argument)
	}
	return &Node{Kind: Map, Members: []Member{{function, argument}}, Line: from.Line, Column: from.Column, Pointer: pointer}, nil
}

// attributeOf returns the argument of Fn::GetAtt as a list, which may also be a text:
// Resource.Attribute.
func attributeOf(argument *Node) *Node {
	resource, attribute, ok := strings.Cut(argument.Text, ".")
	if argument.Kind != String || !ok {
		return argument
	}
	part := func(text string) *Node {
		return &Node{Kind: String, Text: text, Line: argument.Line, Column: argument.Column, Pointer: argument.Pointer}
	}
	return &Node{Kind: List, Items: []*Node{part(resource), part(attribute)}, Line: argument.Line, Column: argument.Column, Pointer: argument.Pointer}
}

func scalar(from *yaml.Node) (Kind, string) {
	quoted := from.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
	switch {
	case quoted || from.Tag == "!!str":
		return String, from.Value
	case from.Tag == "!!null":
		return Null, ""
	case from.Value == "true" || from.Value == "false":
		return Bool, from.Value
	case number.MatchString(from.Value):
		return Number, from.Value
	}
	return String, from.Value
}
