// Package wire has what the user pool and the identity pool answer where they do
// not do what they were asked: a code and a sentence, as in the cloud.
package wire

import "fmt"

// Error is a refusal. Clients read it as {"__type": Code, "message": Message},
// with status 400 and the header x-amzn-ErrorType. Code and Message are for
// everybody, and have nothing secret.
type Error struct {
	// Code is the name of the exception, such as NotAuthorizedException.
	Code string
	// Message is the cloud's sentence where the cloud has one.
	Message string

	reason error
}

// Refuse makes a refusal with a code of the cloud's and a sentence.
func Refuse(code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Because is a copy of the refusal with what is behind it, for the log and for
// errors.Is: clients are not told.
func (e *Error) Because(reason error) *Error {
	told := *e
	told.reason = reason
	return &told
}

// Error is the code and the message.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Unwrap is what Because was given; nil says that nothing more is to be known.
func (e *Error) Unwrap() error { return e.reason }
