package table

import (
	"errors"
	"fmt"

	"gatewright/sandbox/table/attribute"
)

// refusal is an error with further members of its answer on the wire.
type refusal struct {
	plain attribute.Error
	// extra are the members as JSON, after a comma.
	extra []byte
}

// Unwrap is the *attribute.Error.
func (r *refusal) Unwrap() error { return &r.plain }

// Error is the message.
func (r *refusal) Error() string { return r.plain.Message }

func refuse(code, format string, args ...any) *attribute.Error {
	return &attribute.Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

func notFound(format string, args ...any) *attribute.Error {
	return refuse("ResourceNotFoundException", format, args...)
}

var (
	errNoTable          = notFound("Requested resource not found")
	errStartKey         = attribute.Invalid("The provided starting key is invalid")
	errDuplicateKeys    = attribute.Invalid("Provided list of item keys contains duplicates")
	errManyOnOneItem    = attribute.Invalid("Transaction request cannot include multiple operations on one item")
	errItemTooLarge     = attribute.Invalid("Item size has exceeded the maximum allowed size")
	errUpdateTooLarge   = attribute.Invalid("Item size to update has exceeded the maximum allowed size")
	errConditionFailed  = refuse("ConditionalCheckFailedException", "The conditional request failed")
	errUnknownOperation = &attribute.Error{Code: "UnknownOperationException"}
	errClosed           = refuse("InternalServerError", "The tables are closed")
)

// noSuchTable is the refusal of operations on tables; errNoTable refuses operations on items.
func noSuchTable(name string) *attribute.Error {
	return notFound("Requested resource not found: Table: %s not found", name)
}

// isRefusal reports whether an error refuses the request, and is not a fault of the store.
func isRefusal(err error) bool {
	var e *attribute.Error
	return errors.As(err, &e)
}

// reasonCode is the short code of a refusal in the answer of a batch or a cancelled
// transaction.
func reasonCode(err error) string {
	var e *attribute.Error
	if !errors.As(err, &e) {
		return "InternalServerError"
	}
	switch e.Code {
	case "ConditionalCheckFailedException":
		return "ConditionalCheckFailed"
	case "DuplicateItemException":
		return "DuplicateItem"
	case "ResourceNotFoundException":
		return "ResourceNotFound"
	}
	return "ValidationError"
}
