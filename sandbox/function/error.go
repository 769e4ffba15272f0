package function

import (
	"strings"

	"gatewright/model"
)

// ErrorKind is the reason why a call has no answer.
type ErrorKind string

// The kinds of Error.
const (
	NoFunction    ErrorKind = "no function"    // no function has this name
	NoRuntime     ErrorKind = "no runtime"     // Node.js, Python or Go is missing
	NotPrepared   ErrorKind = "not prepared"   // packages not installed, or not built
	NotStarted    ErrorKind = "not started"    // the process failed or hung before the first call
	TimedOut      ErrorKind = "timed out"      // no answer within the function's time
	Crashed       ErrorKind = "crashed"        // the process ended during the call
	StoppedTrying ErrorKind = "stopped trying" // three failed starts in a row
	Throttled     ErrorKind = "throttled"      // every worker waits for another function
	TooLarge      ErrorKind = "too large"      // an event or result over 6 MB
	Closed        ErrorKind = "closed"         // the Runner is closed, or the function removed
)

// Error is why no handler answered a call. Its text is one line: where, what, what
// to do.
type Error struct {
	Kind                  ErrorKind
	Environment, Function string
	// Text is what happened, and Fix what to do, "" if there is no advice.
	Text, Fix string
	// CloudType and CloudText are the errorType and errorMessage of Lambda's answer:
	// Runtime.ExitError and "ID Error: Runtime exited with error: exit status 3",
	// Sandbox.Timedout and "ID Task timed out after 3.00 seconds", or the error that
	// the runtime itself reported. They are "" if Lambda has none.
	CloudType, CloudText string
	// Reported is the whole error object that the runtime reported when it could not start,
	// with the trace; nil if it reported none.
	Reported []byte
}

// Error returns the one line.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("function ")
	b.WriteString(model.Quote(e.Function))
	if e.Environment != "" {
		b.WriteString(" of environment ")
		b.WriteString(model.Quote(e.Environment))
	}
	b.WriteString(": ")
	b.WriteString(e.Text)
	if e.Fix != "" {
		b.WriteString("; ")
		b.WriteString(e.Fix)
	}
	return b.String()
}
