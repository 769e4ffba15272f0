package function

import "time"

// MaxPayload is the largest event in bytes: 6 MB, Lambda's limit for synchronous
// calls (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html).
const MaxPayload = 6 << 20

// MaxResult is the largest result in bytes: Lambda allows 100 over the limit, as its error
// for a larger one says (https://zaccharles.medium.com/deep-dive-lambdas-response-payload-size-limit-8aedba9530ed).
const MaxResult = MaxPayload + 100

// Call is one invocation of a function.
type Call struct {
	// Environment and Function are the resource names.
	Environment, Function string
	// RequestID is the caller's id of the call: letters, digits and hyphens. Any other
	// text, also "", is replaced by a new UUID.
	RequestID string
	// Payload is the event, JSON, and Body the text of its member body if that goes apart.
	Payload []byte
	Body    Apart
	// TakesApart says that the caller takes a long body of the result apart, as Answer.Body.
	TakesApart bool
	// Timeout is the time that the handler has; 0 means the function's own.
	Timeout time.Duration
	// ClientContext is what the caller tells of itself, a JSON object in ASCII without line
	// breaks, which the handler finds in its context; "" if it tells nothing. Qualifier is
	// the version or alias that the caller named. Lineage is the last part of the trace
	// header, which shows loops of calls.
	ClientContext, Qualifier, Lineage string
	// Nested means that a function waits for the answer. Such a call goes before those of
	// others, and may get a worker beyond the limit (see Runner.Waiting).
	Nested bool
	// Preparing, which may be nil, is called with true if the call waits until the
	// function's packages are installed or its program is built, and with false when that
	// is over: this time is none of the call's. It must not block.
	Preparing func(bool)
	// Flight, which may be nil, gets stamps of what happens to the call.
	Flight *Flight
}

// Answer is the answer of a function to a Call.
type Answer struct {
	RequestID string
	// Payload is the result, or with Failed the error object: errorType,
	// errorMessage, and trace (Node.js) or stackTrace (Python, Go). Body is the text of its member
	// body if that came apart, only for a call that takes it.
	Payload []byte
	Body    Apart
	Failed  bool
	// Init is how long the worker took to start, 0 for a warm one; Duration is the
	// handler's time without that.
	Init, Duration time.Duration
	// MaxMemory is the most memory that the worker has had so far in MB, 0 if the system
	// does not measure it.
	MaxMemory int
}

// IsRequestID reports whether a caller's id is safe in a header and in a path.
func IsRequestID(id string) bool {
	if id == "" || len(id) > 64 {
		return false
	}
	for i := range len(id) {
		switch c := id[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-':
		default:
			return false
		}
	}
	return true
}
