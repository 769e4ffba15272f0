package table

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/sandbox/constraint"
	"gatewright/sandbox/table/attribute"
)

// checks reads the members of a request and collects what is wrong with them: the first
// error, such as a member that cannot be read, or else the constraints of the service's
// model that they break.
type checks struct {
	constraint.Violations
	first error
}

// refuse keeps the first error other than a broken constraint.
func (c *checks) refuse(err error) {
	if c.first == nil {
		c.first = err
	}
}

// err is what is wrong with the request, or nil.
func (c *checks) err() error {
	if c.first != nil {
		return c.first
	}
	return attribute.Broken(&c.Violations)
}

// orRefuse returns a value, and adds the error of reading it to the checks.
func orRefuse[T any](c *checks, value T, err error) T {
	if err != nil {
		c.refuse(err)
	}
	return value
}

// text reads a string, as the methods of members do; nil if it is absent or refused.
func (c *checks) text(m members, name string) *string {
	v, err := m.text(name)
	return orRefuse(c, v, err)
}

// texts reads an array of strings.
func (c *checks) texts(m members, name string) []string {
	v, err := m.texts(name)
	return orRefuse(c, v, err)
}

// flag reads true or false.
func (c *checks) flag(m members, name string) *bool {
	v, err := m.flag(name)
	return orRefuse(c, v, err)
}

// whole reads an integer of a kind.
func (c *checks) whole(m members, name, kind string) *int64 {
	v, err := m.whole(name, kind)
	return orRefuse(c, v, err)
}

// list reads the elements of an array.
func (c *checks) list(m members, name string) []jsontext.Value {
	v, err := m.list(name)
	return orRefuse(c, v, err)
}

// object reads an object.
func (c *checks) object(m members, name string, what shape) members {
	v, err := m.object(name, what)
	return orRefuse(c, v, err)
}

// members reads an object that is no member.
func (c *checks) members(text []byte, what shape) members {
	v, err := parseMembers(text, what)
	return orRefuse(c, v, err)
}

// required is the refusal of a request without a required member, nil if it is present.
func required(present bool, path string) error {
	var c checks
	c.Require(present, path)
	return c.err()
}

// limit reads Limit, a number from 1 to most; the default is most.
func (c *checks) limit(m members, most int64) int {
	limit := c.whole(m, "Limit", "Integer")
	if limit == nil {
		return int(most)
	}
	c.AtLeast(limit, "limit", 1)
	c.AtMost(limit, "limit", most)
	return int(*limit)
}

const namePattern = "[a-zA-Z0-9_.-]+"

// isName reports whether all characters may be in names of tables and indexes.
func isName(text string) bool { return constraint.IsWord(text, "_.-") }

// name checks a name of a table or an index. An empty one breaks only the rule of its length.
func (c *checks) name(text, path string, least, most int) {
	c.Match(text == "" || isName(text), text, path, namePattern)
	c.Length(text, path, least, most)
}

// The lengths of names of tables and indexes.
const (
	longestName   = 255
	shortestTable = 3
)

// tableName is the table of an operation on items. The service checks it before everything
// else. An ARN is accepted for the name in it.
func tableName(m members) (string, error) {
	text, err := m.text("TableName")
	if err != nil {
		return "", err
	}
	if err := required(text != nil, "tableName"); err != nil {
		return "", err
	}
	var c checks
	name := withoutARN(*text)
	c.name(name, "tableName", 1, longestName)
	return name, c.err()
}

// withoutARN is the name at the end of a table's ARN, or the text itself.
func withoutARN(text string) string {
	if strings.HasPrefix(text, "arn:") {
		if _, name, found := strings.Cut(text, ":table/"); found {
			return name
		}
	}
	return text
}

// tableNameOf is tableName for the operations on tables, whose refusals differ.
func tableNameOf(m members) (string, error) {
	text, err := m.text("TableName")
	if err != nil {
		return "", err
	}
	if text == nil {
		return "", attribute.Invalid("The parameter 'TableName' is required but was not present in the request")
	}
	var c checks
	name := withoutARN(*text)
	c.name(name, "tableName", shortestTable, longestName)
	return name, c.err()
}
