package partiql

import (
	"strconv"
	"strings"

	"gatewright/sandbox/table/expression"
)

// path reads an attribute, or a path into one.
func (p *parser) path() (expression.Path, error) {
	name, err := p.name()
	if err != nil {
		return nil, err
	}
	path := expression.Path{{Name: name, Index: -1}}
	for {
		switch {
		case p.sign("."):
			if name, err = p.name(); err != nil {
				return nil, err
			}
			path = append(path, expression.Step{Name: name, Index: -1})
		case p.sign("["):
			t := p.peek()
			n, err := strconv.Atoi(t.text)
			if t.kind != numberLexeme || err != nil || n < 0 {
				return nil, p.unexpected()
			}
			p.at++
			if !p.sign("]") {
				return nil, p.unexpected()
			}
			path = append(path, expression.Step{Index: n})
		default:
			return path, nil
		}
	}
}

func (p *parser) pathText() (string, error) {
	path, err := p.path()
	return p.textOf(path), err
}

// textOf is a path with placeholders.
func (p *parser) textOf(path expression.Path) string {
	var b strings.Builder
	for i, step := range path {
		switch {
		case step.Index >= 0:
			b.WriteString("[" + strconv.Itoa(step.Index) + "]")
		case i > 0:
			b.WriteString("." + p.placeholder(step.Name))
		default:
			b.WriteString(p.placeholder(step.Name))
		}
	}
	return b.String()
}
