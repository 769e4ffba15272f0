package table

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"gatewright/sandbox/table/attribute"
)

// constraints are what a request breaks of the limits that the service's model declares. It tells of ten at most, together.
type constraints []string

func (c *constraints) add(value, path, rule string) {
	if len(*c) < 10 {
		*c = append(*c, "Value "+value+" at '"+path+"' failed to satisfy constraint: "+rule)
	}
}

// err is all of them as one refusal, or nil.
func (c constraints) err() error {
	switch len(c) {
	case 0:
		return nil
	case 1:
		return attribute.Invalid("1 validation error detected: %s", c[0])
	}
	return attribute.Invalid("%d validation errors detected: %s", len(c), strings.Join(c, "; "))
}

// must refuses what is absent.
func (c *constraints) must(present bool, path string) bool {
	if !present {
		c.add("null", path, "Member must not be null")
	}
	return present
}

// enum refuses a text that is none of those that are allowed, which the service lists in an order of its own.
func (c *constraints) enum(text *string, path string, allowed ...string) {
	if text == nil {
		return
	}
	for _, a := range allowed {
		if a == *text {
			return
		}
	}
	c.add("'"+*text+"'", path, "Member must satisfy enum value set: ["+strings.Join(allowed, ", ")+"]")
}

// atLeast refuses a number that is too small.
func (c *constraints) atLeast(n *int64, path string, least int64) {
	if n != nil && *n < least {
		c.add("'"+strconv.FormatInt(*n, 10)+"'", path, "Member must have value greater than or equal to "+strconv.FormatInt(least, 10))
	}
}

// atMost refuses a number that is too great.
func (c *constraints) atMost(n *int64, path string, most int64) {
	if n != nil && *n > most {
		c.add("'"+strconv.FormatInt(*n, 10)+"'", path, "Member must have value less than or equal to "+strconv.FormatInt(most, 10))
	}
}

// length refuses a text that is too short or too long.
func (c *constraints) length(text, path string, least, most int) {
	n := utf8.RuneCountInString(text)
	if n < least {
		c.add("'"+text+"'", path, "Member must have length greater than or equal to "+strconv.Itoa(least))
	}
	if n > most {
		c.add("'"+text+"'", path, "Member must have length less than or equal to "+strconv.Itoa(most))
	}
}

// count refuses a list with too few or too many elements; dump is the list as the service shows it.
func (c *constraints) count(n int, dump, path string, least, most int) {
	if n < least {
		c.add("'"+dump+"'", path, "Member must have length greater than or equal to "+strconv.Itoa(least))
	}
	if n > most {
		c.add("'"+dump+"'", path, "Member must have length less than or equal to "+strconv.Itoa(most))
	}
}

const namePattern = "[a-zA-Z0-9_.-]+"

// isName reports whether a text is of the letters that names of tables and indexes have.
func isName(text string) bool {
	for i := range len(text) {
		switch b := text[i]; {
		case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b >= '0' && b <= '9', b == '_', b == '.', b == '-':
		default:
			return false
		}
	}
	return text != ""
}

// name refuses a text that is no name. An empty one breaks its length alone.
func (c *constraints) name(text, path string, least, most int) {
	if text != "" && !isName(text) {
		c.add("'"+text+"'", path, "Member must satisfy regular expression pattern: "+namePattern)
	}
	c.length(text, path, least, most)
}

const (
	longestName   = 255
	shortestTable = 3
)

// tableName is the table that a request is about. The service looks at it before everything else. An ARN is taken for its last part.
func tableName(m members) (string, error) {
	text, err := m.text("TableName")
	if err != nil {
		return "", err
	}
	var c constraints
	if !c.must(text != nil, "tableName") {
		return "", c.err()
	}
	name := withoutARN(*text)
	c.name(name, "tableName", 1, longestName)
	return name, c.err()
}

// withoutARN is the name at the end of a table's ARN, or the text.
func withoutARN(text string) string {
	if strings.HasPrefix(text, "arn:") {
		if _, name, found := strings.Cut(text, ":table/"); found {
			return name
		}
	}
	return text
}

// tableNameOf is tableName for the operations that make and change tables, whose refusals differ.
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
