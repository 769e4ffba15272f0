package gateway

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"time"

	"gatewright/internal/uuid"
)

// identifiers are the ids of a request.
type identifiers struct {
	// request is a UUID: the request id of the gateway and of the function, so that one
	// id finds the log lines of both.
	request string
	// extended is the value of x-amz-apigw-id.
	extended string
	trace    trace
}

// trace is the X-Amzn-Trace-Id of a request.
type trace struct{ sent, root, parent string }

// newIdentifiers makes the ids of a request with the X-Amzn-Trace-Id header sent, which
// may be empty.
func newIdentifiers(sent string, now time.Time) identifiers {
	var random [48]byte
	for at := 0; at < len(random); at += 8 {
		binary.LittleEndian.PutUint64(random[at:], rand.Uint64())
	}
	id := identifiers{
		request:  uuid.V4([16]byte(random[:16])),
		extended: base64.StdEncoding.EncodeToString(random[16:27]),
		trace:    trace{sent: sent, root: sentRoot(sent), parent: hex.EncodeToString(random[40:48])},
	}
	if id.trace.root == "" {
		var at [4]byte
		binary.BigEndian.PutUint32(at[:], uint32(now.Unix()))
		id.trace.root = "1-" + hex.EncodeToString(at[:]) + "-" + hex.EncodeToString(random[28:40])
	}
	return id
}

// sentRoot is the root of a client's trace header, or "" if the header has no root that
// can be sent back safely.
func sentRoot(sent string) string {
	for field := range strings.SplitSeq(sent, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(field), "=")
		if !strings.EqualFold(name, "Root") || len(value) > 64 {
			continue
		}
		isSafe := func(r rune) bool {
			return r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		}
		if value != "" && strings.IndexFunc(value, func(r rune) bool { return !isSafe(r) }) < 0 {
			return value
		}
	}
	return ""
}

// event is the header in the event: the client's, or the root alone.
func (t trace) event() string {
	if t.sent != "" {
		return t.sent
	}
	return "Root=" + t.root
}

// answer is the header of the answer.
func (t trace) answer() string { return "Root=" + t.root + ";Parent=" + t.parent + ";Sampled=0" }
