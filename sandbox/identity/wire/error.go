// Package wire has the error of user pools and identity pools that clients see.
package wire

import (
	"fmt"

	"gatewright/sandbox/constraint"
)

// Error is a refusal. Clients read it as {"__type": Code, "message": Message}, with status
// 400 and the header x-amzn-ErrorType. Neither Code nor Message is secret.
type Error struct {
	// Code is the name of the exception, such as NotAuthorizedException.
	Code string
	// Message is the cloud's text, if it has one.
	Message string

	reason error
}

// Hint is the reason of a refusal that the log says, since the project can change it.
type Hint string

// Error is the hint.
func (h Hint) Error() string { return string(h) }

// IsOperation reports whether a name looks like that of an operation, such as GetUser: one that is not served may be
// the cloud's.
func IsOperation(name string) bool {
	return constraint.IsWord(name, "") && name[0] >= 'A' && name[0] <= 'Z'
}

// Refuse makes a refusal with one of the cloud's codes.
func Refuse(code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Because returns a copy of the refusal with its reason, which is for the log and errors.Is, and
// hidden from clients.
func (e *Error) Because(reason error) *Error {
	refusal := *e
	refusal.reason = reason
	return &refusal
}

// Error is the code and the message.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Unwrap is the reason that Because was given, or nil.
func (e *Error) Unwrap() error { return e.reason }
