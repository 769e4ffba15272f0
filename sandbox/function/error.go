package function

import (
	"encoding/json"
	"strings"

	"gatewright/internal/text/phrase"
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
	// Runtime.ExitError and "RequestId: ID Error: Runtime exited with error: exit status 3",
	// Sandbox.Timedout and "ID Task timed out after 3.00 seconds", or the error that
	// the runtime itself reported. They are "" if Lambda has none.
	CloudType, CloudText string
	// Reported is the whole error object that the runtime reported when it could not start,
	// with the trace; nil if it reported none.
	Reported []byte
	// Kept means that the same is answered until something changes: nothing is tried meanwhile.
	Kept bool
}

// Error returns the one line.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("function ")
	b.WriteString(phrase.Quote(e.Function))
	if e.Environment != "" {
		b.WriteString(" of environment ")
		b.WriteString(phrase.Quote(e.Environment))
	}
	b.WriteString(": ")
	b.WriteString(e.Text)
	if e.Fix != "" {
		b.WriteString("; ")
		b.WriteString(e.Fix)
	}
	return b.String()
}

// Object returns the error object of Lambda's answer, nil if Lambda has none.
func (e *Error) Object() []byte {
	if e.CloudType == "" && e.CloudText == "" {
		return nil
	}
	text, err := json.Marshal(struct {
		Type    string `json:"errorType,omitempty"`
		Message string `json:"errorMessage"`
	}{e.CloudType, e.CloudText})
	if err != nil {
		return nil
	}
	return text
}

// longestText is how many characters of a function's text an error may quote.
const longestText = 400

// OneLine makes a text that a function wrote safe for an error: one line, without
// control characters.
func OneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || 0x80 <= r && r < 0xa0 || r == '\u2028' || r == '\u2029' || 0x202a <= r && r <= 0x202e ||
			0x2066 <= r && r <= 0x2069 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	if runes := []rune(text); len(runes) > longestText {
		text = string(runes[:longestText]) + "..."
	}
	return text
}
