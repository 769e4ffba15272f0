package partiql

import "strings"

// parseUpdate reads an UPDATE; its clauses become those of an UpdateExpression.
func (p *parser) parseUpdate() error {
	p.out.Verb = "UPDATE"
	if err := p.parseFrom(); err != nil {
		return err
	}
	var sets, removes []string
	for {
		switch {
		case p.word("SET"):
			for {
				path, err := p.pathText()
				if err != nil {
					return err
				}
				if !p.sign("=") {
					return p.unexpected()
				}
				value, err := p.parseAssigned()
				if err != nil {
					return err
				}
				sets = append(sets, path+" = "+value)
				if !p.sign(",") {
					break
				}
			}
			continue
		case p.word("REMOVE"):
			path, err := p.pathText()
			if err != nil {
				return err
			}
			removes = append(removes, path)
			continue
		}
		break
	}
	if len(sets) > 0 {
		p.out.Update = "SET " + strings.Join(sets, ", ")
	}
	if len(removes) > 0 {
		p.out.Update += " REMOVE " + strings.Join(removes, ", ")
	}
	if p.out.Update == "" {
		return p.unexpected()
	}
	if err := p.parseWhere(); err != nil {
		return err
	}
	return p.parseReturning()
}

// parseAssigned reads the right side of SET: an operand, or two with + or - between them.
func (p *parser) parseAssigned() (string, error) {
	text, err := p.operandText()
	if err != nil {
		return "", err
	}
	for _, sign := range []string{"+", "-"} {
		if p.sign(sign) {
			second, err := p.operandText()
			return text + " " + sign + " " + second, err
		}
	}
	return text, nil
}

func (p *parser) parseDelete() error {
	p.out.Verb = "DELETE"
	if err := p.need("FROM"); err != nil {
		return err
	}
	if err := p.parseFrom(); err != nil {
		return err
	}
	if err := p.parseWhere(); err != nil {
		return err
	}
	return p.parseReturning()
}

// parseReturning reads RETURNING at the end of a write.
func (p *parser) parseReturning() error {
	if !p.word("RETURNING") {
		return nil
	}
	all := p.word("ALL")
	if !all {
		if err := p.need("MODIFIED"); err != nil {
			return err
		}
	}
	old := p.word("OLD")
	if !old {
		if err := p.need("NEW"); err != nil {
			return err
		}
	}
	p.out.Returning = map[[2]bool]string{
		{true, true}: "ALL_OLD", {true, false}: "ALL_NEW", {false, true}: "UPDATED_OLD", {false, false}: "UPDATED_NEW",
	}[[2]bool{all, old}]
	if p.out.Verb == "DELETE" && p.out.Returning != "ALL_OLD" || !p.sign("*") {
		return p.unexpected()
	}
	return nil
}
