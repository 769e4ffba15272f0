package table

import (
	"strings"

	"gatewright/sandbox/table/attribute"
)

// parseWhere reads WHERE, which is optional.
func (p *statementParser) parseWhere() (err error) {
	if p.word("WHERE") {
		p.out.where, err = p.disjunction()
	}
	return err
}

func (p *statementParser) disjunction() ([]conjunct, error) {
	if p.depth++; p.depth > deepestStatement {
		return nil, statementError("the statement is nested too deeply")
	}
	defer func() { p.depth-- }()
	list, err := p.conjunction()
	if err != nil {
		return nil, err
	}
	text := joined(list)
	alone := true
	for p.word("OR") {
		more, err := p.conjunction()
		if err != nil {
			return nil, err
		}
		text += " OR " + joined(more)
		alone = false
	}
	if alone {
		return list, nil
	}
	return []conjunct{{text: text, compound: true}}, nil
}

func (p *statementParser) conjunction() ([]conjunct, error) {
	var list []conjunct
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

// joined combines conditions with AND.
func joined(list []conjunct) string {
	texts := make([]string, len(list))
	for i, c := range list {
		texts[i] = c.text
		if c.compound && len(list) > 1 {
			texts[i] = "(" + c.text + ")"
		}
	}
	return strings.Join(texts, " AND ")
}

func (p *statementParser) predicate() (conjunct, error) {
	if p.word("NOT") {
		c, err := p.predicate()
		if c.compound {
			c.text = "(" + c.text + ")"
		}
		return conjunct{text: "NOT " + c.text}, err
	}
	if p.sign("(") {
		list, err := p.disjunction()
		if err != nil {
			return conjunct{}, err
		}
		if !p.sign(")") {
			return conjunct{}, p.unexpected()
		}
		if len(list) == 1 {
			return list[0], nil
		}
		return conjunct{text: joined(list), compound: true}, nil
	}
	first, err := p.operand()
	if err != nil {
		return conjunct{}, err
	}
	return p.comparison(first)
}

// operand is a path, a value or a function call.
type operand struct {
	text  string
	name  string           // the attribute, if the operand is a whole one
	value *attribute.Value // nil if the operand is not a value
	// call is set if the function is a condition.
	call *conjunct
}

// comparison reads what follows the first operand of a condition.
func (p *statementParser) comparison(first operand) (conjunct, error) {
	if first.call != nil {
		return *first.call, nil
	}
	simple := func(c conjunct, values ...*attribute.Value) conjunct {
		for _, v := range values {
			if v == nil {
				return c
			}
		}
		c.name, c.low = first.name, values[0]
		if len(values) > 1 {
			c.high = values[1]
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
		return simple(conjunct{text: first.text + " " + op + " " + second.text, op: op}, second.value), err
	}
	switch {
	case p.word("BETWEEN"):
		low, err := p.operand()
		if err != nil {
			return conjunct{}, err
		}
		if err := p.need("AND"); err != nil {
			return conjunct{}, err
		}
		high, err := p.operand()
		return simple(conjunct{text: first.text + " BETWEEN " + low.text + " AND " + high.text, op: "between"}, low.value, high.value), err
	case p.word("IN"):
		list, err := p.inList()
		return conjunct{text: first.text + " IN (" + list + ")"}, err
	case p.word("IS"):
		negated := p.word("NOT")
		text := "attribute_not_exists(" + first.text + ")"
		if p.word("NULL") {
			text = "attribute_type(" + first.text + ", " + p.valuePlaceholder(&attribute.Value{Kind: attribute.S, Text: "NULL"}) + ")"
		} else if err := p.need("MISSING"); err != nil {
			return conjunct{}, err
		}
		if negated {
			text = "NOT " + text
		}
		return conjunct{text: text}, nil
	}
	return conjunct{}, p.unexpected()
}

// inList reads the list of IN.
func (p *statementParser) inList() (string, error) {
	if p.sign("[") {
		list, err := p.operands("]")
		return texts(list), err
	}
	list, err := p.arguments()
	return texts(list), err
}

func (p *statementParser) operandText() (string, error) {
	o, err := p.operand()
	return o.text, err
}

// functions are the functions of expressions. The value reports whether the function is a
// condition.
var functions = map[string]bool{
	"begins_with": true, "contains": true, "attribute_type": true, "attribute_exists": true, "attribute_not_exists": true,
	"size": false, "if_not_exists": false, "list_append": false,
}

func (p *statementParser) operand() (operand, error) {
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
func (p *statementParser) call(name string, condition bool) (operand, error) {
	if p.depth++; p.depth > deepestStatement {
		return operand{}, statementError("the statement is nested too deeply")
	}
	defer func() { p.depth-- }()
	list, err := p.arguments()
	if err != nil {
		return operand{}, err
	}
	out := operand{text: name + "(" + texts(list) + ")"}
	if condition {
		out.call = &conjunct{text: out.text}
		if name == "begins_with" && len(list) == 2 && list[1].value != nil {
			out.call.name, out.call.op, out.call.low = list[0].name, name, list[1].value
		}
	}
	return out, nil
}

// arguments reads operands in parentheses.
func (p *statementParser) arguments() ([]operand, error) {
	if !p.sign("(") {
		return nil, p.unexpected()
	}
	return p.operands(")")
}

// operands reads one or more operands and the bracket after them.
func (p *statementParser) operands(end string) ([]operand, error) {
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
