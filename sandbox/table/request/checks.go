package request

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/sandbox/constraint"
	"gatewright/sandbox/table/attribute"
)

// Checks reads the members of a request and collects what is wrong with them: the first error, such as a
// member that cannot be read, or else the constraints of the service's model that they break.
type Checks struct {
	constraint.Violations
	first error
}

// Refuse keeps the first error other than a broken constraint.
func (c *Checks) Refuse(err error) {
	if c.first == nil {
		c.first = err
	}
}

// Err is what is wrong with the request, or nil.
func (c *Checks) Err() error {
	if c.first != nil {
		return c.first
	}
	return attribute.Broken(&c.Violations)
}

// orRefuse returns a value, and adds the error of reading it to the checks.
func orRefuse[T any](c *Checks, value T, err error) T {
	if err != nil {
		c.Refuse(err)
	}
	return value
}

// Text reads a string, as the methods of members do; nil if it is absent or refused.
func (c *Checks) Text(m Members, name string) *string {
	v, err := m.Text(name)
	return orRefuse(c, v, err)
}

// Texts reads an array of strings.
func (c *Checks) Texts(m Members, name string) []string {
	v, err := m.Texts(name)
	return orRefuse(c, v, err)
}

// Flag reads true or false.
func (c *Checks) Flag(m Members, name string) *bool {
	v, err := m.Flag(name)
	return orRefuse(c, v, err)
}

// Whole reads an integer of a kind.
func (c *Checks) Whole(m Members, name, kind string) *int64 {
	v, err := m.Whole(name, kind)
	return orRefuse(c, v, err)
}

// List reads the elements of an array.
func (c *Checks) List(m Members, name string) []jsontext.Value {
	v, err := m.List(name)
	return orRefuse(c, v, err)
}

// Object reads an object.
func (c *Checks) Object(m Members, name string, what Shape) Members {
	v, err := m.Object(name, what)
	return orRefuse(c, v, err)
}

// Members reads an object that is no member.
func (c *Checks) Members(text []byte, what Shape) Members {
	v, err := Parse(text, what)
	return orRefuse(c, v, err)
}

// Required is the refusal of a request without a required member, nil if it is present.
func Required(present bool, path string) error {
	var c Checks
	c.Require(present, path)
	return c.Err()
}

// Limit reads Limit, a number from 1 to most; the default is most.
func (c *Checks) Limit(m Members, most int64) int {
	limit := c.Whole(m, "Limit", "Integer")
	if limit == nil {
		return int(most)
	}
	c.AtLeast(limit, "limit", 1)
	c.AtMost(limit, "limit", most)
	return int(*limit)
}

// NamePattern is what names of tables and indexes match, in the words of the service.
const NamePattern = "[a-zA-Z0-9_.-]+"

// IsName reports whether all characters may be in names of tables and indexes.
func IsName(text string) bool { return constraint.IsWord(text, "_.-") }

// Name checks a name of a table or an index. An empty one breaks only the rule of its length.
func (c *Checks) Name(text, path string, least, most int) {
	c.Match(text == "" || IsName(text), text, path, NamePattern)
	c.Length(text, path, least, most)
}

// The lengths of names of tables and indexes.
const (
	LongestName   = 255
	ShortestTable = 3
)

// TableName is the table of an operation on items. The service checks it before everything
// else. An ARN is accepted for the name in it.
func TableName(m Members) (string, error) {
	text, err := m.Text("TableName")
	if err != nil {
		return "", err
	}
	if err := Required(text != nil, "tableName"); err != nil {
		return "", err
	}
	var c Checks
	name := WithoutARN(*text)
	c.Name(name, "tableName", 1, LongestName)
	return name, c.Err()
}

// WithoutARN is the name at the end of a table's ARN, or the text itself.
func WithoutARN(text string) string {
	if strings.HasPrefix(text, "arn:") {
		if _, name, found := strings.Cut(text, ":table/"); found {
			return name
		}
	}
	return text
}

// TableNameOf is TableName for the operations on tables, whose refusals differ.
func TableNameOf(m Members) (string, error) {
	text, err := m.Text("TableName")
	if err != nil {
		return "", err
	}
	if text == nil {
		return "", attribute.Invalid("The parameter 'TableName' is required but was not present in the request")
	}
	var c Checks
	name := WithoutARN(*text)
	c.Name(name, "tableName", ShortestTable, LongestName)
	return name, c.Err()
}

// LowerFirst is the name of a member as it is in the paths of refusals.
func LowerFirst(name string) string { return strings.ToLower(name[:1]) + name[1:] }
