package partiql

import (
	"strings"

	"gatewright/sandbox/table/attribute"
)

// parseWhere reads WHERE, which is optional.
func (p *parser) parseWhere() (err error) {
	if p.word("WHERE") {
		p.out.Where, err = p.disjunction()
	}
	return err
}

func (p *parser) disjunction() ([]Conjunct, error) {
	if p.depth++; p.depth > deepestStatement {
		return nil, Malformed("the statement is nested too deeply")
	}
	defer func() { p.depth-- }()
	list, err := p.conjunction()
	if err != nil {
		return nil, err
	}
	text := Joined(list)
	alone := true
	for p.word("OR") {
		more, err := p.conjunction()
		if err != nil {
			return nil, err
		}
		text += " OR " + Joined(more)
		alone = false
	}
	if alone {
		return list, nil
	}
	return []Conjunct{{text: text, compound: true}}, nil
}

func (p *parser) conjunction() ([]Conjunct, error) {
	var list []Conjunct
	for {
		one, err := p.predicate()
		if err != nil {
			return nil, err
		}
		list = append(list, one)
		if !p.word("AND") {
			return list, nil
		}
	}
}

// Joined combines conditions with AND.
func Joined(list []Conjunct) string {
	texts := make([]string, len(list))
	for i, c := range list {
		texts[i] = c.text
		if c.compound && len(list) > 1 {
			texts[i] = "(" + c.text + ")"
		}
	}
	return strings.Join(texts, " AND ")
}

func (p *parser) predicate() (Conjunct, error) {
	if p.word("NOT") {
		c, err := p.predicate()
		if c.compound {
			c.text = "(" + c.text + ")"
		}
		return Conjunct{text: "NOT " + c.text}, err
	}
	if p.sign("(") {
		list, err := p.disjunction()
		if err != nil {
			return Conjunct{}, err
		}
		if !p.sign(")") {
			return Conjunct{}, p.unexpected()
		}
		if len(list) == 1 {
			return list[0], nil
		}
		return Conjunct{text: Joined(list), compound: true}, nil
	}
	first, err := p.operand()
	if err != nil {
		return Conjunct{}, err
	}
	return p.comparison(first)
}

// operand is a path, a value or a function call.
type operand struct {
	text  string
	name  string           // the attribute, if the operand is a whole one
	value *attribute.Value // nil if the operand is not a value
	// call is set if the function is a condition.
	call *Conjunct
}

// comparison reads what follows the first operand of a condition.
func (p *parser) comparison(first operand) (Conjunct, error) {
	if first.call != nil {
		return *first.call, nil
	}
	simple := func(c Conjunct, values ...*attribute.Value) Conjunct {
		for _, v := range values {
			if v == nil {
				return c
			}
		}
		c.Name, c.Low = first.name, values[0]
		if len(values) > 1 {
			c.High = values[1]
		}
		return c
	}
	for _, op := range []string{"=", "<>", "!=", "<=", ">=", "<", ">"} {
		if !p.sign(op) {
			continue
		}
		if op == "!=" {
			op = "<>"
		}
		second, err := p.operand()
		return simple(Conjunct{text: first.text + " " + op + " " + second.text, Op: op}, second.value), err
	}
	switch {
	case p.word("BETWEEN"):
		low, err := p.operand()
		if err != nil {
			return Conjunct{}, err
		}
		if err := p.need("AND"); err != nil {
			return Conjunct{}, err
		}
		high, err := p.operand()
		return simple(Conjunct{text: first.text + " BETWEEN " + low.text + " AND " + high.text, Op: "between"}, low.value,
			high.value), err
	case p.word("IN"):
		list, err := p.inList()
		return Conjunct{text: first.text + " IN (" + list + ")"}, err
	case p.word("IS"):
		negated := p.word("NOT")
		text := "attribute_not_exists(" + first.text + ")"
		if p.word("NULL") {
			text = "attribute_type(" + first.text + ", " +
				p.valuePlaceholder(&attribute.Value{Kind: attribute.S, Text: "NULL"}) + ")"
		} else if err := p.need("MISSING"); err != nil {
			return Conjunct{}, err
		}
		if negated {
			text = "NOT " + text
		}
		return Conjunct{text: text}, nil
	}
	return Conjunct{}, p.unexpected()
}

// inList reads the list of IN.
func (p *parser) inList() (string, error) {
	if p.sign("[") {
		list, err := p.operands("]")
		return texts(list), err
	}
	list, err := p.arguments()
	return texts(list), err
}

func (p *parser) operandText() (string, error) {
	o, err := p.operand()
	return o.text, err
}

// functions are the functions of expressions. The value reports whether the function is a
// condition.
var functions = map[string]bool{
	"begins_with": true, "contains": true, "attribute_type": true, "attribute_exists": true, "attribute_not_exists": true,
	"size": false, "if_not_exists": false, "list_append": false,
}

func (p *parser) operand() (operand, error) {
	t := p.peek()
	if t.kind == quotedLexeme || t.kind == wordLexeme && !isLiteral(t.text) {
		called := strings.ToLower(t.text)
		condition, known := functions[called]
		if known && t.kind == wordLexeme && p.at+1 < len(p.lexemes) && p.lexemes[p.at+1].text == "(" {
			p.at++
			return p.call(called, condition)
		}
		path, err := p.path()
		if err != nil {
			return operand{}, err
		}
		o := operand{text: p.textOf(path)}
		if len(path) == 1 {
			o.name = path[0].Name
		}
		return o, nil
	}
	v, err := p.value()
	if err != nil {
		return operand{}, err
	}
	return operand{text: p.valuePlaceholder(v), value: v}, nil
}

// call reads the arguments of a function.
func (p *parser) call(name string, condition bool) (operand, error) {
	if p.depth++; p.depth > deepestStatement {
		return operand{}, Malformed("the statement is nested too deeply")
	}
	defer func() { p.depth-- }()
	list, err := p.arguments()
	if err != nil {
		return operand{}, err
	}
	out := operand{text: name + "(" + texts(list) + ")"}
	if condition {
		out.call = &Conjunct{text: out.text}
		if name == "begins_with" && len(list) == 2 && list[1].value != nil {
			out.call.Name, out.call.Op, out.call.Low = list[0].name, name, list[1].value
		}
	}
	return out, nil
}

// arguments reads operands in parentheses.
func (p *parser) arguments() ([]operand, error) {
	if !p.sign("(") {
		return nil, p.unexpected()
	}
	return p.operands(")")
}

// operands reads one or more operands and the bracket after them.
func (p *parser) operands(end string) ([]operand, error) {
	var list []operand
	for {
		o, err := p.operand()
		if err != nil {
			return nil, err
		}
		list = append(list, o)
		if !p.sign(",") {
			break
		}
	}
	if !p.sign(end) {
		return nil, p.unexpected()
	}
	return list, nil
}

func texts(list []operand) string {
	out := make([]string, len(list))
	for i, o := range list {
		out[i] = o.text
	}
	return strings.Join(out, ", ")
}
