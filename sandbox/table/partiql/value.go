package partiql

import (
	"strings"

	"gatewright/sandbox/table/attribute"
)

// isLiteral reports whether a word is a value and no name.
func isLiteral(word string) bool {
	return strings.EqualFold(word, "true") || strings.EqualFold(word, "false") || strings.EqualFold(word, "null")
}

// value reads a constant, a list, a map, a set, or a question mark for the next parameter.
func (p *parser) value() (*attribute.Value, error) {
	t := p.peek()
	switch {
	case t.kind == textLexeme:
		p.at++
		return &attribute.Value{Kind: attribute.S, Text: t.text}, nil
	case t.kind == numberLexeme:
		p.at++
		text, err := attribute.CanonicalNumber(t.text)
		return &attribute.Value{Kind: attribute.N, Text: text}, err
	case p.word("TRUE"):
		return &attribute.Value{Kind: attribute.BOOL, Bool: true}, nil
	case p.word("FALSE"):
		return &attribute.Value{Kind: attribute.BOOL}, nil
	case p.word("NULL"):
		return &attribute.Value{Kind: attribute.NULL}, nil
	case p.sign("?"):
		if p.used++; p.used > len(p.parameters) {
			return nil, attribute.Invalid("Number of parameters in request and statement don't match.")
		}
		return attribute.ParseValue(p.parameters[p.used-1])
	}
	if p.depth++; p.depth > deepestStatement {
		return nil, Malformed("the statement is nested too deeply")
	}
	defer func() { p.depth-- }()
	switch {
	case p.sign("["):
		list, err := p.values("]")
		return &attribute.Value{Kind: attribute.L, List: list}, err
	case p.sign("<<"):
		list, err := p.values(">>")
		if err != nil {
			return nil, err
		}
		return setOf(list)
	case p.sign("{"):
		return p.mapValue()
	}
	return nil, p.unexpected()
}

// values reads values up to a closing bracket.
func (p *parser) values(end string) ([]*attribute.Value, error) {
	list := []*attribute.Value{}
	for !p.sign(end) {
		if len(list) > 0 && !p.sign(",") {
			return nil, p.unexpected()
		}
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

func (p *parser) mapValue() (*attribute.Value, error) {
	out := &attribute.Value{Kind: attribute.M, Map: make(map[string]*attribute.Value)}
	for !p.sign("}") {
		if len(out.Map) > 0 && !p.sign(",") {
			return nil, p.unexpected()
		}
		t := p.peek()
		if t.kind != textLexeme && t.kind != quotedLexeme && t.kind != wordLexeme {
			return nil, p.unexpected()
		}
		p.at++
		if _, twice := out.Map[t.text]; twice || !p.sign(":") {
			return nil, p.unexpected()
		}
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		out.Map[t.text] = v
	}
	return out, nil
}

// setOf is the set of some values.
func setOf(list []*attribute.Value) (*attribute.Value, error) {
	if len(list) == 0 {
		return nil, attribute.InvalidParameter("An string set  may not be empty")
	}
	out := new(attribute.Value)
	for i, v := range list {
		if v.Kind != list[0].Kind {
			return nil, Malformed("a set has values of one kind")
		}
		for _, before := range list[:i] {
			if attribute.Equal(v, before) {
				return nil, attribute.InvalidParameter("Input collection contains duplicates.")
			}
		}
		switch v.Kind {
		case attribute.S:
			out.Kind, out.Texts = attribute.SS, append(out.Texts, v.Text)
		case attribute.N:
			out.Kind, out.Texts = attribute.NS, append(out.Texts, v.Text)
		case attribute.B:
			out.Kind, out.Blobs = attribute.BS, append(out.Blobs, v.Bytes)
		default:
			return nil, Malformed("a set has texts, numbers or binary values")
		}
	}
	return out, nil
}
