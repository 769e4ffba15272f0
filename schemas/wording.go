package schemas

import (
	"fmt"
	"strconv"
	"strings"

	"gatewright/internal/text/spelling"
)

// maxQuoted is how many characters of a document a message repeats at most.
const maxQuoted = 60

// boolean reports whether r allows true and false. The schemas write that as an enum, because
// the engine takes the string "true" for a boolean.
func (r *rule) boolean() bool {
	if len(r.Enum) == 0 {
		return false
	}
	_, is := r.Enum[0].(bool)
	return is
}

func (r *rule) hasType(value any) bool {
	var ok bool
	switch {
	case r.boolean():
		_, ok = value.(bool)
	case r.Type == "string":
		_, ok = value.(string)
	case r.Type == "integer":
		number, isNumber := value.(number)
		ok = isNumber && number.whole()
	case r.Type == "array":
		_, ok = value.([]any)
	case r.Type == "object":
		_, ok = value.(object)
	default:
		ok = true
	}
	return ok
}

// expected names the type of value that r requires.
func (r *rule) expected() string {
	switch {
	case r.boolean():
		return "true or false"
	case r.Type == "integer":
		return "a whole number"
	case r.Type == "array", r.Type == "object":
		return "an " + r.Type
	default:
		return "a " + r.Type
	}
}

// found names a value, without its text if it may be a secret.
func (r *rule) found(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(value)
	case string:
		if r.WriteOnly {
			return "another string"
		}
		return "the string " + quote(value)
	case number:
		if r.WriteOnly {
			return "a number"
		}
		return "the number " + shorten(string(value))
	case []any:
		return "an array"
	default:
		return "an object"
	}
}

// retype returns the fix for a value of the wrong type.
func (r *rule) retype(value any) string {
	switch value := value.(type) {
	case string:
		bare := strings.ToLower(strings.TrimSpace(value))
		switch {
		case r.boolean() && (bare == "true" || bare == "false"):
			return fmt.Sprintf("write %s without quotes", bare)
		case r.Type == "integer" && bare != "" && strings.Trim(bare, "0123456789") == "" && len(bare) < maxQuoted:
			return fmt.Sprintf("write %s without quotes", bare)
		case r.Type == "array" && r.Items.Type == "string":
			return fmt.Sprintf("put it into brackets: [%s]", quote(value))
		}
	case number:
		if r.Type == "string" && r.Enum == nil && !r.WriteOnly {
			return fmt.Sprintf("put it into quotes: %s", quote(string(value)))
		}
	}
	return r.instruction()
}

// instruction returns a fix that names the values that r allows.
func (r *rule) instruction() string {
	switch {
	case r.boolean():
		return "write true or false"
	case r.Enum != nil:
		return "one of: " + strings.Join(r.choices(), ", ")
	case r.Minimum != nil && r.Maximum != nil:
		return fmt.Sprintf("write a whole number from %d to %d", *r.Minimum, *r.Maximum)
	case r.Type == "object":
		return "write an object: {...}"
	case r.Type == "array":
		return "write an array: [...]"
	default:
		return "write " + r.expected()
	}
}

// sample continues "add ..." with a value.
func (r *rule) sample() string {
	switch {
	case r.Const != nil:
		return ": " + literal(r.Const)
	case r.boolean():
		return ", true or false"
	case r.Enum != nil:
		return ", one of: " + strings.Join(r.choices(), ", ")
	case len(r.Examples) > 0:
		return ", for example " + literal(r.Examples[0])
	default:
		return ", " + r.expected()
	}
}

func (r *rule) choices() []string {
	words := make([]string, len(r.Enum))
	for i, choice := range r.Enum {
		words[i] = fmt.Sprint(choice)
	}
	return words
}

// proposal names the allowed word that was probably meant, or all of them.
func proposal(word string, allowed []string) string {
	if near := spelling.Nearest(word, allowed); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "one of: " + strings.Join(allowed, ", ")
}

// literal writes a string, number or boolean of a schema as JSON.
func literal(value any) string {
	if text, isString := value.(string); isString {
		return strconv.Quote(text)
	}
	return fmt.Sprint(value)
}

// quotedList names fields of a schema: "a", "b" and "c".
func quotedList(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(name)
	}
	if last := len(quoted) - 1; last > 0 {
		return strings.Join(quoted[:last], ", ") + " and " + quoted[last]
	}
	return quoted[0]
}

func quote(text string) string { return strconv.Quote(shorten(text)) }

func shorten(text string) string {
	length := 0
	for i := range text {
		if length == maxQuoted {
			return text[:i] + "…"
		}
		length++
	}
	return text
}

func count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "y"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(noun, "y"))
	default:
		return fmt.Sprintf("%d %ss", n, noun)
	}
}
