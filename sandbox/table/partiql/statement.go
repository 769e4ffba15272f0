// Package partiql reads statements of PartiQL, DynamoDB's dialect of SQL, and says them in the terms
// of the other operations. The package table runs them.
package partiql

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/expression"
	"gatewright/sandbox/table/request"
)

// Statement is a PartiQL statement in the terms of the other operations: expressions with
// placeholders, whose names and values are in names.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.html
type Statement struct {
	Verb         string // SELECT, INSERT, UPDATE or DELETE
	Table, Index string
	Paths        []expression.Path // of SELECT; nil is all attributes
	Item         attribute.Item    // of INSERT
	Update       string            // of UPDATE, as an UpdateExpression
	Where        []Conjunct
	Descending   bool
	Returning    string // "ALL_OLD" ...
	Names        expression.Names
}

// Conjunct is one of the conditions of WHERE that must all hold. If it compares an
// attribute with constants, it may become a key condition: name, op, low and high are set.
type Conjunct struct {
	text      string
	compound  bool // OR is its outermost operator
	Name      string
	Op        string
	Low, High *attribute.Value
}

type parser struct {
	lexemes    []lexeme
	at         int
	parameters []jsontext.Value
	used       int
	out        Statement
	depth      int
}

// deepestStatement is how deep brackets may nest; the limit is ours.
const deepestStatement = 100

// Parse reads a statement and the values of its question marks.
func Parse(text string, parameters []jsontext.Value) (*Statement, error) {
	list, err := lexemes(text)
	if err != nil {
		return nil, err
	}
	p := &parser{lexemes: list, parameters: parameters}
	p.out.Names = expression.Names{Names: make(map[string]string), Values: make(map[string]*attribute.Value)}
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

func (p *parser) peek() lexeme {
	if p.at < len(p.lexemes) {
		return p.lexemes[p.at]
	}
	return lexeme{}
}

// word consumes the next lexeme if it is a keyword.
func (p *parser) word(keyword string) bool {
	if t := p.peek(); t.kind == wordLexeme && strings.EqualFold(t.text, keyword) {
		p.at++
		return true
	}
	return false
}

// sign consumes the next lexeme if it is a punctuation mark.
func (p *parser) sign(text string) bool {
	if t := p.peek(); t.kind == signLexeme && t.text == text {
		p.at++
		return true
	}
	return false
}

func (p *parser) unexpected() error {
	if t := p.peek(); t.kind != endLexeme {
		return Malformed("Unexpected token %q", t.text)
	}
	return Malformed("Unexpected end of the statement")
}

// need consumes keywords that must follow.
func (p *parser) need(keywords ...string) error {
	for _, k := range keywords {
		if !p.word(k) {
			return p.unexpected()
		}
	}
	return nil
}

// name consumes the name of an attribute, a table or an index.
func (p *parser) name() (string, error) {
	if t := p.peek(); t.kind == wordLexeme || t.kind == quotedLexeme {
		p.at++
		return t.text, nil
	}
	return "", p.unexpected()
}

func (p *parser) parseFrom() (err error) {
	if p.out.Table, err = p.name(); err != nil {
		return err
	}
	if p.out.Table = request.WithoutARN(p.out.Table); p.sign(".") {
		p.out.Index, err = p.name()
	}
	return err
}

func (p *parser) parseSelect() error {
	p.out.Verb = "SELECT"
	if !p.sign("*") {
		for {
			path, err := p.path()
			if err != nil {
				return err
			}
			p.out.Paths = append(p.out.Paths, path)
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
		if p.out.Descending = p.word("DESC"); !p.out.Descending {
			p.word("ASC")
		}
	}
	return nil
}

func (p *parser) parseInsert() error {
	p.out.Verb = "INSERT"
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
		return Malformed("the value of INSERT must be a map")
	}
	p.out.Item = v.Map
	return nil
}

// placeholder is a new placeholder of a name.
func (p *parser) placeholder(name string) string {
	key := "#n" + strconv.Itoa(len(p.out.Names.Names))
	p.out.Names.Names[key] = name
	return key
}

// valuePlaceholder is a new placeholder of a value.
func (p *parser) valuePlaceholder(v *attribute.Value) string {
	key := ":v" + strconv.Itoa(len(p.out.Names.Values))
	p.out.Names.Values[key] = v
	return key
}
