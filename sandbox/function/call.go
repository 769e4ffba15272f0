package function

import "time"

// MaxPayload is the most bytes that an event or a result may have (6 MB, the
// cloud's limit for a call that is waited for).
const MaxPayload = 6 << 20

// maxResult is what the Runtime API takes: the limit and the cloud's 100 bytes
// more.
const maxResult = MaxPayload + 100

// maxStream is the most bytes of a response in streaming mode (20 MB).
const maxStream = 20 << 20

// Call is one invocation of a function.
type Call struct {
	// Environment and Function are the resource names.
	Environment, Function string
	// RequestID is the caller's id of it, letters, digits and hyphens; anything
	// else, or "", is replaced by a new UUID.
	RequestID string
	// Payload is the event, JSON.
	Payload []byte
	// Timeout is the time that the handler has; 0 means the function's own.
	Timeout time.Duration
}

// Answer is what a function made of a Call.
type Answer struct {
	RequestID string
	// Payload is the result, or with Failed the error object: errorType,
	// errorMessage, and trace (Node.js) or stackTrace (Python, Go).
	Payload []byte
	Failed  bool
	// Init is how long the worker took to start, 0 for a warm one; Duration is
	// the handler's time alone.
	Init, Duration time.Duration
	// MaxMemory is the most that the process has used so far in MB, 0 where the
	// system does not tell.
	MaxMemory int
}

// isRequestID reports whether a caller's id can stand in a header and in a path.
func isRequestID(id string) bool {
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
