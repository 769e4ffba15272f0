package expression

import (
	"gatewright/sandbox/table/attribute"
)

// ParseUpdate parses an UpdateExpression.
func ParseUpdate(text string, n *Names) (*Update, error) {
	u, err := parseUpdate(text, n)
	if err != nil {
		return nil, prefixed("UpdateExpression", err)
	}
	return u, nil
}

func parseUpdate(text string, n *Names) (*Update, error) {
	s, err := newSource(text, " SET REMOVE ADD DELETE ")
	if err != nil {
		return nil, err
	}
	var changes []change
	seen := map[string]bool{}
	var repeated error
	for s.peek().kind != endLexeme {
		section := s.keyword()
		if section == "" {
			return nil, s.unexpected()
		}
		s.at++
		if seen[section] && repeated == nil {
			repeated = attribute.Invalid("The \"%s\" section can only be used once in an update expression;", section)
		}
		seen[section] = true
		for {
			c, err := s.change(section)
			if err != nil {
				return nil, err
			}
			changes = append(changes, c)
			if !s.take(",") {
				break
			}
		}
	}
	if err := s.checkUpdate(changes, repeated, n); err != nil {
		return nil, err
	}
	u := &Update{changes: changes, mismatch: operandMessage}
	u.root = tree(u.Paths())
	return u, nil
}

func (s *source) change(section string) (change, error) {
	c := change{verb: section}
	var err error
	if c.target, err = s.pathTerm(); err != nil {
		return c, err
	}
	switch section {
	case "SET":
		if err = s.want("="); err == nil {
			c.source, err = s.sum()
		}
	case "ADD", "DELETE":
		c.source, err = s.valueTerm()
	}
	return c, err
}

// sum reads what SET writes: an operand, or two with + or - between them, with or without
// parentheses.
func (s *source) sum() (*term, error) {
	left, err := s.setOperand(s.sum)
	if err != nil || !s.is("+") && !s.is("-") {
		return left, err
	}
	if left.form == sumForm {
		return nil, s.unexpected()
	}
	t := &term{form: sumForm, word: s.peek().text}
	s.at++
	s.operators++
	right, err := s.setOperand(s.sum)
	if err == nil && right.form == sumForm {
		err = s.unexpected()
	}
	t.args = []*term{left, right}
	return t, err
}

// setOperand reads a path, a value or a function, or parentheses with what within reads.
func (s *source) setOperand(within func() (*term, error)) (*term, error) {
	switch {
	case s.take("("):
		t, err := within()
		if err == nil {
			err = s.want(")")
		}
		if err == nil && t.parenthesized {
			s.redundant = true
		}
		if err == nil {
			t.parenthesized = true
		}
		return t, err
	case s.peek().kind == valueLexeme:
		return s.valueTerm()
	case s.callNext():
		return s.call(s.argument)
	}
	return s.pathTerm()
}

// argument reads an argument of a function, which cannot be a sum.
func (s *source) argument() (*term, error) { return s.setOperand(s.argument) }

// checkUpdate refuses well-formed updates that are invalid, in the order of the service's
// checks, and resolves the placeholders.
func (s *source) checkUpdate(changes []change, repeated error, n *Names) error {
	all := &term{}
	var paths Paths
	for _, c := range changes {
		all.args = append(all.args, c.target)
		if c.source != nil {
			all.args = append(all.args, c.source)
		}
	}
	if err := s.tooMany(); err != nil {
		return err
	}
	if s.redundant {
		return attribute.Invalid("The expression has redundant parentheses;")
	}
	for _, check := range []func(*term) error{reservedName, unknownSetFunction} {
		if err := first(all, check); err != nil {
			return err
		}
	}
	if repeated != nil {
		return repeated
	}
	r := &resolution{names: n}
	all.walk(r.term)
	for _, err := range []error{r.name, r.value, first(all, tooDeep)} {
		if err != nil {
			return err
		}
	}
	for _, c := range changes {
		paths = append(paths, c.target.path)
	}
	if err := paths.clash(); err != nil {
		return err
	}
	for _, c := range changes {
		if err := c.checkKind(); err != nil {
			return err
		}
	}
	return innermost(all, checkSetCall)
}

// setFunctions are the functions of SET.
var setFunctions = map[string]bool{"if_not_exists": true, "list_append": true}

func unknownSetFunction(t *term) error {
	if t.form == callForm && !setFunctions[t.word] {
		if operandCounts[t.word] > 0 {
			return attribute.Invalid("The function is not allowed in an update expression; function: %s", t.word)
		}
		return attribute.Invalid("Invalid function name; function: %s", t.word)
	}
	return nil
}

// updateKinds are the names, in messages, of the types that ADD and DELETE do not accept.
var updateKinds = map[attribute.Kind]string{
	attribute.S: "STRING", attribute.N: "NUMBER", attribute.B: "BINARY", attribute.NULL: "NULL",
	attribute.BOOL: "BOOLEAN", attribute.L: "LIST", attribute.M: "MAP",
}

// checkKind refuses values that ADD and DELETE do not accept.
func (c change) checkKind() error {
	if c.verb != "ADD" && c.verb != "DELETE" {
		return nil
	}
	kind := c.source.value.Kind
	if name := updateKinds[kind]; name != "" && (c.verb != "ADD" || kind != attribute.N) {
		return attribute.Invalid("Incorrect operand type for operator or function; operator: %s, operand type: %s, "+
			"typeSet: ALLOWED_FOR_%s_OPERAND", c.verb, name, c.verb)
	}
	return nil
}

func checkSetCall(t *term) error {
	if t.form != callForm && t.form != sumForm {
		return nil
	}
	if len(t.args) != 2 {
		return operandCount(t)
	}
	if t.word == "if_not_exists" {
		if t.args[0].form != pathForm {
			return needsPath(t.word)
		}
		return nil
	}
	want := attribute.L
	if t.form == sumForm {
		want = attribute.N
	}
	for _, arg := range t.args {
		if kind := arg.kindOf(); kind != 0 && kind != want {
			return operandKind(t.word, kind.String())
		}
	}
	return nil
}
