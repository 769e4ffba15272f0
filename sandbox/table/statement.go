package table

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/expression"
)

// statement is a PartiQL statement in the terms of the other operations: expressions with
// placeholders, whose names and values are in names.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.html
type statement struct {
	verb         string // SELECT, INSERT, UPDATE or DELETE
	table, index string
	paths        []expression.Path // of SELECT; nil is all attributes
	item         attribute.Item    // of INSERT
	update       string            // of UPDATE, as an UpdateExpression
	where        []conjunct
	descending   bool
	returning    string // "ALL_OLD" ...
	names        expression.Names
}

// conjunct is one of the conditions of WHERE that must all hold. If it compares an
// attribute with constants, it may become a key condition: name, op, low and high are set.
type conjunct struct {
	text      string
	compound  bool // OR is its outermost operator
	name      string
	op        string
	low, high *attribute.Value
}

type statementParser struct {
	lexemes    []lexeme
	at         int
	parameters []jsontext.Value
	used       int
	out        statement
	depth      int
}

// deepestStatement is how deep brackets may nest; the limit is ours.
const deepestStatement = 100

// parseStatement reads a statement and the values of its question marks.
func parseStatement(text string, parameters []jsontext.Value) (*statement, error) {
	list, err := lexemes(text)
	if err != nil {
		return nil, err
	}
	p := &statementParser{lexemes: list, parameters: parameters}
	p.out.names = expression.Names{Names: make(map[string]string), Values: make(map[string]*attribute.Value)}
	switch {
	case p.word("SELECT"):
		err = p.parseSelect()
	case p.word("INSERT"):
		err = p.parseInsert()
	case p.word("UPDATE"):
		err = p.parseUpdate()
	case p.word("DELETE"):
		err = p.parseDelete()
	default:
		err = p.unexpected()
	}
	if err == nil && p.at < len(p.lexemes) {
		err = p.unexpected()
	}
	if err == nil && p.used != len(parameters) {
		err = attribute.Invalid("Number of parameters in request and statement don't match.")
	}
	return &p.out, err
}

func (p *statementParser) peek() lexeme {
	if p.at < len(p.lexemes) {
		return p.lexemes[p.at]
	}
	return lexeme{}
}

// word consumes the next lexeme if it is a keyword.
func (p *statementParser) word(keyword string) bool {
	if t := p.peek(); t.kind == wordLexeme && strings.EqualFold(t.text, keyword) {
		p.at++
		return true
	}
	return false
}

// sign consumes the next lexeme if it is a punctuation mark.
func (p *statementParser) sign(text string) bool {
	if t := p.peek(); t.kind == signLexeme && t.text == text {
		p.at++
		return true
	}
	return false
}

func (p *statementParser) unexpected() error {
	if t := p.peek(); t.kind != endLexeme {
		return statementError("Unexpected token %q", t.text)
	}
	return statementError("Unexpected end of the statement")
}

// need consumes keywords that must follow.
func (p *statementParser) need(keywords ...string) error {
	for _, k := range keywords {
		if !p.word(k) {
			return p.unexpected()
		}
	}
	return nil
}

// name consumes the name of an attribute, a table or an index.
func (p *statementParser) name() (string, error) {
	if t := p.peek(); t.kind == wordLexeme || t.kind == quotedLexeme {
		p.at++
		return t.text, nil
	}
	return "", p.unexpected()
}

func (p *statementParser) parseFrom() (err error) {
	if p.out.table, err = p.name(); err != nil {
		return err
	}
	if p.out.table = withoutARN(p.out.table); p.sign(".") {
		p.out.index, err = p.name()
	}
	return err
}

func (p *statementParser) parseSelect() error {
	p.out.verb = "SELECT"
	if !p.sign("*") {
		for {
			path, err := p.path()
			if err != nil {
				return err
			}
			p.out.paths = append(p.out.paths, path)
			if !p.sign(",") {
				break
			}
		}
	}
	if err := p.need("FROM"); err != nil {
		return err
	}
	if err := p.parseFrom(); err != nil {
		return err
	}
	if err := p.parseWhere(); err != nil {
		return err
	}
	if p.word("ORDER") {
		if err := p.need("BY"); err != nil {
			return err
		}
		if _, err := p.name(); err != nil {
			return err
		}
		if p.out.descending = p.word("DESC"); !p.out.descending {
			p.word("ASC")
		}
	}
	return nil
}

func (p *statementParser) parseInsert() error {
	p.out.verb = "INSERT"
	if err := p.need("INTO"); err != nil {
		return err
	}
	if err := p.parseFrom(); err != nil {
		return err
	}
	if err := p.need("VALUE"); err != nil {
		return err
	}
	v, err := p.value()
	if err != nil {
		return err
	}
	if v.Kind != attribute.M {
		return statementError("the value of INSERT must be a map")
	}
	p.out.item = v.Map
	return nil
}

// placeholder is a new placeholder of a name.
func (p *statementParser) placeholder(name string) string {
	key := "#n" + strconv.Itoa(len(p.out.names.Names))
	p.out.names.Names[key] = name
	return key
}

// valuePlaceholder is a new placeholder of a value.
func (p *statementParser) valuePlaceholder(v *attribute.Value) string {
	key := ":v" + strconv.Itoa(len(p.out.names.Values))
	p.out.names.Values[key] = v
	return key
}
