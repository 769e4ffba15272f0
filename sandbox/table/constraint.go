package table

import (
	"strings"

	"gatewright/sandbox/constraint"
	"gatewright/sandbox/table/attribute"
)

// constraints collects the constraints of DynamoDB's model that a request breaks.
type constraints struct{ constraint.Violations }

// err is a ValidationException about all of them, or nil.
func (c *constraints) err() error { return attribute.Broken(&c.Violations) }

// required is the refusal of a request without a required member, nil if it is present.
func required(present bool, path string) error {
	var c constraints
	c.Require(present, path)
	return c.err()
}

// limit reads Limit, a number from 1 to most; the default is most.
func (c *constraints) limit(m members, most int64) (int, error) {
	limit, err := m.whole("Limit", "Integer")
	if limit == nil || err != nil {
		return int(most), err
	}
	c.AtLeast(limit, "limit", 1)
	c.AtMost(limit, "limit", most)
	return int(*limit), nil
}

const namePattern = "[a-zA-Z0-9_.-]+"

// isName reports whether all characters may be in names of tables and indexes.
func isName(text string) bool { return constraint.IsWord(text, "_.-") }

// name checks a name of a table or an index. An empty one breaks only the rule of its length.
func (c *constraints) name(text, path string, least, most int) {
	c.Match(text == "" || isName(text), text, path, namePattern)
	c.Length(text, path, least, most)
}

const (
	longestName   = 255
	shortestTable = 3
)

// tableName is the table of an operation on items. The service checks it before everything else. An
// ARN stands for the name in it.
func tableName(m members) (string, error) {
	text, err := m.text("TableName")
	if err != nil {
		return "", err
	}
	if err := required(text != nil, "tableName"); err != nil {
		return "", err
	}
	var c constraints
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
	var c constraints
	name := withoutARN(*text)
	c.name(name, "tableName", shortestTable, longestName)
	return name, c.err()
}
