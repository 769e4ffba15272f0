package expression

import "strings"

// ParseCondition parses a condition. kind is the name of its parameter, with which refusals
// begin: "ConditionExpression" or "FilterExpression".
func ParseCondition(kind, text string, n *Names) (*Condition, error) {
	root, err := parseCondition(text, n)
	if err != nil {
		return nil, prefixed(kind, err)
	}
	return newCondition(root), nil
}

// parseCondition parses, checks and resolves a condition.
func parseCondition(text string, n *Names) (*term, error) {
	s, err := newSource(text, " AND OR NOT BETWEEN IN ")
	if err != nil {
		return nil, err
	}
	root, err := s.logical(s.disjunction)
	if err == nil && s.peek().kind != endLexeme {
		err = s.unexpected()
	}
	if err != nil {
		return nil, err
	}
	return root, s.checkCondition(root, n)
}

// logical reads a term that must be true or false. An operand alone is refused at the
// lexeme that follows it.
func (s *source) logical(read func() (*term, error)) (*term, error) {
	t, err := read()
	if err == nil && (t.form == pathForm || t.form == valueForm) {
		err = s.unexpected()
	}
	return t, err
}

func (s *source) disjunction() (*term, error) { return s.chain("OR", orForm, s.conjunction) }

func (s *source) conjunction() (*term, error) { return s.chain("AND", andForm, s.negation) }

// chain reads one or more terms with a keyword between them.
func (s *source) chain(keyword string, form form, read func() (*term, error)) (*term, error) {
	left, err := read()
	if err != nil || s.keyword() != keyword {
		return left, err
	}
	for s.keyword() == keyword {
		if left.form == pathForm || left.form == valueForm {
			return nil, s.unexpected()
		}
		s.at++
		s.operators++
		right, err := s.logical(read)
		if err != nil {
			return nil, err
		}
		left = &term{form: form, word: keyword, args: []*term{left, right}}
	}
	return left, nil
}

func (s *source) negation() (*term, error) {
	if !s.takeKeyword("NOT") {
		return s.comparison()
	}
	s.operators++
	t, err := s.logical(s.negation)
	return &term{form: notForm, word: "NOT", args: []*term{t}}, err
}

// comparison reads a comparison, or a function or parentheses that stand alone.
func (s *source) comparison() (*term, error) {
	left, err := s.primary(s.disjunction)
	if err != nil || !left.isOperand() {
		return left, err
	}
	t := s.peek()
	switch {
	case t.kind == markLexeme && strings.Contains(" = <> < <= > >= ", " "+t.text+" "):
		s.at++
		s.operators++
		right, err := s.operand()
		return &term{form: compareForm, word: t.text, args: []*term{left, right}}, err
	case s.takeKeyword("BETWEEN"):
		s.operators++
		low, err := s.operand()
		if err != nil {
			return nil, err
		}
		if !s.takeKeyword("AND") {
			return nil, s.unexpected()
		}
		high, err := s.operand()
		return &term{form: betweenForm, word: "BETWEEN", args: []*term{left, low, high}}, err
	case s.takeKeyword("IN"):
		s.operators++
		if err := s.want("("); err != nil {
			return nil, err
		}
		out := &term{form: inForm, word: "IN", args: []*term{left}}
		return out, s.arguments(out, s.operand)
	}
	return left, nil
}

// operand reads a path, a value or a function, with or without parentheses.
func (s *source) operand() (*term, error) {
	t, err := s.primary(s.operand)
	if err == nil && !t.isOperand() {
		err = s.unexpected()
	}
	return t, err
}

// primary reads an operand, or parentheses, whose content the function within reads. A path
// in parentheses may continue after them.
func (s *source) primary(within func() (*term, error)) (*term, error) {
	switch {
	case s.take("("):
		t, err := within()
		if err == nil {
			err = s.want(")")
		}
		if err != nil {
			return nil, err
		}
		if t.parenthesized {
			s.redundant = true
		}
		t.parenthesized = true
		if t.form == pathForm && (s.is(".") || s.is("[")) {
			t.parenthesized = false
			return t, s.steps(t)
		}
		return t, nil
	case s.peek().kind == valueLexeme:
		return s.valueTerm()
	case s.callNext():
		return s.call(s.operand)
	}
	return s.pathTerm()
}
