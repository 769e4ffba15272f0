package attribute

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/sandbox/constraint"
)

// Error is a refusal on the wire: Code is the last part of `__type`, Message is the text
// that SDKs show.
type Error struct {
	Code, Message string
}

// Error is the message without the code.
func (e *Error) Error() string { return e.Message }

// Invalid is a ValidationException.
func Invalid(format string, args ...any) *Error {
	return &Error{Code: "ValidationException", Message: fmt.Sprintf(format, args...)}
}

// InvalidParameter is a ValidationException with a beginning that many messages have.
func InvalidParameter(format string, args ...any) *Error {
	return Invalid("One or more parameter values were invalid: "+format, args...)
}

// Broken is the ValidationException about broken constraints, nil if there are none.
func Broken(v *constraint.Violations) error {
	if message := v.Message(); message != "" {
		return Invalid("%s", message)
	}
	return nil
}

// Unreadable is a SerializationException.
func Unreadable(format string, args ...any) *Error {
	return &Error{Code: "SerializationException", Message: fmt.Sprintf(format, args...)}
}

// Unconvertible is the SerializationException about JSON that is not of the type to,
// "String" or "Long". kind and text describe its first lexeme.
func Unconvertible(kind jsontext.Kind, text, to string) *Error {
	switch kind {
	case 't', 'f', '"', '0':
		return Unreadable("%s cannot be converted to %s", kindName(kind, text), to)
	case '[':
		return Unreadable("Unrecognized collection type class java.lang.%s", to)
	}
	return Unreadable(structureMessage)
}

const structureMessage = "Start of structure or map found where not expected"

// kindName is the service's name of a scalar that it cannot convert.
func kindName(kind jsontext.Kind, text string) string {
	switch {
	case kind == 't':
		return "TRUE_VALUE"
	case kind == 'f':
		return "FALSE_VALUE"
	case kind == '"':
		return "STRING_VALUE"
	case strings.ContainsAny(text, ".eE"):
		return "DECIMAL_VALUE"
	}
	return "NUMBER_VALUE"
}

// Bool converts a JSON scalar to a boolean. Like the service, it accepts some strings.
func Bool(kind jsontext.Kind, text string) (bool, *Error) {
	switch kind {
	case 't', 'f':
		return kind == 't', nil
	case '"':
		switch strings.ToLower(text) {
		case "true", "1", "yes":
			return true, nil
		case "false", "0", "no":
			return false, nil
		}
		return false, Unreadable("Unexpected token received from parser")
	}
	return false, Unconvertible(kind, text, "Boolean")
}
