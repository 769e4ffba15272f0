package attribute

import (
	"fmt"

	"gatewright/sandbox/constraint"
)

// Error is a refusal as the wire says it: Code is the last part of `__type`, Message what the SDK shows.
type Error struct {
	Code, Message string
}

// Error is the message alone; the code has a place of its own on the wire.
func (e *Error) Error() string { return e.Message }

// Invalid is a ValidationException with a message.
func Invalid(format string, args ...any) *Error {
	return &Error{Code: "ValidationException", Message: fmt.Sprintf(format, args...)}
}

// Broken is a ValidationException about the constraints that a request breaks, nil if it breaks none.
func Broken(v *constraint.Violations) error {
	if message := v.Message(); message != "" {
		return Invalid("%s", message)
	}
	return nil
}
