package expression

import (
	"strconv"

	"gatewright/sandbox/table/attribute"
)

// term is a node of an expression's syntax tree.
type term struct {
	form          form
	word          string // the function, the operator, or the placeholder of a value
	args          []*term
	path          Path // names are placeholders until resolution
	value         *attribute.Value
	parenthesized bool // has its own parentheses
}

type form uint8

const (
	pathForm    form = iota + 1 // a document path
	valueForm                   // the placeholder of a value
	callForm                    // word(args)
	compareForm                 // args[0] word args[1]
	betweenForm                 // args[0] BETWEEN args[1] AND args[2]
	inForm                      // args[0] IN (args[1], ...)
	andForm
	orForm
	notForm
	sumForm // args[0] word args[1], + or -
)

// isOperand reports whether the term is a value and not true or false. Later checks refuse
// functions that return no value.
func (t *term) isOperand() bool {
	return t.form == pathForm || t.form == valueForm || t.form == callForm
}

// walk calls f with the term and all terms below it, in the order of the text.
func (t *term) walk(f func(*term)) {
	f(t)
	for _, arg := range t.args {
		arg.walk(f)
	}
}

func (s *source) pathTerm() (*term, error) {
	t := s.peek()
	if t.kind != nameLexeme && t.kind != wordLexeme || s.keyword() != "" {
		return nil, s.unexpected()
	}
	s.at++
	out := &term{form: pathForm, path: Path{{Name: t.text, Index: -1}}}
	return out, s.steps(out)
}

// steps reads what follows the first name of a path.
func (s *source) steps(out *term) error {
	for {
		switch {
		case s.take("."):
			t := s.peek()
			if t.kind != nameLexeme && t.kind != wordLexeme || s.keyword() != "" {
				return s.unexpected()
			}
			s.at++
			out.path = append(out.path, Step{t.text, -1})
		case s.take("["):
			t := s.peek()
			if t.kind != numberLexeme {
				return s.unexpected()
			}
			index, err := strconv.Atoi(t.text)
			if err != nil || index > 1<<31-1 {
				return attribute.Invalid("List index is not within the allowable range; index: [%s]", t.text)
			}
			s.at++
			out.path = append(out.path, Step{Index: index})
			if err := s.want("]"); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

func (s *source) valueTerm() (*term, error) {
	t := s.peek()
	if t.kind != valueLexeme {
		return nil, s.unexpected()
	}
	s.at++
	return &term{form: valueForm, word: t.text}, nil
}

// callNext reports whether a function follows.
func (s *source) callNext() bool {
	return s.peek().kind == wordLexeme && s.keyword() == "" && s.lexemes[s.at+1].kind == markLexeme &&
		s.lexemes[s.at+1].text == "("
}

func (s *source) call(argument func() (*term, error)) (*term, error) {
	t := &term{form: callForm, word: s.peek().text}
	s.at += 2
	s.operators++
	return t, s.arguments(t, argument)
}

// arguments reads one or more arguments and the closing parenthesis.
func (s *source) arguments(t *term, argument func() (*term, error)) error {
	for {
		arg, err := argument()
		if err != nil {
			return err
		}
		t.args = append(t.args, arg)
		if !s.take(",") {
			return s.want(")")
		}
	}
}

// resolution replaces placeholders, and remembers the first undefined one of each kind.
type resolution struct {
	names       *Names
	name, value error // an undefined placeholder
	first       error // the first of either kind, in the order of the text
}

func (r *resolution) term(t *term) {
	switch t.form {
	case pathForm:
		for i, s := range t.path {
			if s.Index >= 0 || s.Name[0] != '#' {
				continue
			}
			name, ok := r.names.name(s.Name)
			if !ok {
				r.refuse(&r.name,
					attribute.Invalid("An expression attribute name used in the document path is not defined; attribute name: %s",
						s.Name))
			}
			t.path[i].Name = name
		}
	case valueForm:
		v, ok := r.names.value(t.word)
		if !ok {
			r.refuse(&r.value,
				attribute.Invalid("An expression attribute value used in expression is not defined; attribute value: %s", t.word))
		}
		t.value = v
	}
}

func (r *resolution) refuse(place *error, err error) {
	if *place == nil {
		*place = err
	}
	if r.first == nil {
		r.first = err
	}
}

// reservedName refuses a path with a reserved word. It is for paths before resolution.
func reservedName(t *term) error {
	for _, s := range t.path {
		if s.Index < 0 && s.Name[0] != '#' && reserved(s.Name) {
			return attribute.Invalid("Attribute name is a reserved keyword; reserved keyword: %s", s.Name)
		}
	}
	return nil
}

// tooDeep refuses a path with more steps than items have levels.
func tooDeep(t *term) error {
	if len(t.path) > attribute.MostLevels {
		return attribute.Invalid("The document path has too many nesting levels; nesting levels: %d", len(t.path))
	}
	return nil
}

// kindOf is the type of a term if every item gives it the same one, else 0.
func (t *term) kindOf() attribute.Kind {
	switch {
	case t.form == valueForm && t.value != nil:
		return t.value.Kind
	case t.form == callForm && t.word == "size", t.form == sumForm:
		return attribute.N
	case t.form == callForm && t.word == "list_append":
		return attribute.L
	}
	return 0
}

func operandCount(t *term) error {
	return attribute.Invalid("Incorrect number of operands for operator or function; operator or function: %s, number "+
		"of operands: %d", t.word, len(t.args))
}

func operandKind(word string, kind string) error {
	return attribute.Invalid("Incorrect operand type for operator or function; operator or function: %s, operand type: %s",
		word, kind)
}

func needsPath(word string) error {
	return attribute.Invalid("Operator or function requires a document path; operator or function: %s", word)
}

// mostOperators is the maximum of operators and functions in one expression (the service's
// quota).
const mostOperators = 300

func (s *source) tooMany() error {
	if s.operators > mostOperators {
		return attribute.Invalid("The expression contains too many operators; operator count: %d", s.operators)
	}
	return nil
}
