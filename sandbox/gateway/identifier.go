package gateway

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"time"
)

// identifiers are what a request is known by.
type identifiers struct {
	// request is a UUID: the gateway's request id and the function's, so that one
	// id finds the lines of both.
	request string
	// extended is the id of x-amz-apigw-id.
	extended string
	trace    trace
}

// trace is the X-Amzn-Trace-Id of a request.
type trace struct{ sent, root, parent string }

// newIdentifiers makes the ids of a request that came with the trace header
// sent, which may be empty.
func newIdentifiers(sent string, now time.Time) identifiers {
	var random [48]byte
	for at := 0; at < len(random); at += 8 {
		binary.LittleEndian.PutUint64(random[at:], rand.Uint64())
	}
	id := identifiers{
		request:  uuid([16]byte(random[:16])),
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

func uuid(b [16]byte) string {
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	var text [36]byte
	hex.Encode(text[0:8], b[0:4])
	hex.Encode(text[9:13], b[4:6])
	hex.Encode(text[14:18], b[6:8])
	hex.Encode(text[19:23], b[8:10])
	hex.Encode(text[24:36], b[10:16])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return string(text[:])
}

// sentRoot is the root of a trace header that a client sent; empty where it has
// none that is fit to be sent back.
func sentRoot(sent string) string {
	for field := range strings.SplitSeq(sent, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(field), "=")
		if !strings.EqualFold(name, "Root") || len(value) > 64 {
			continue
		}
		fit := func(r rune) bool {
			return r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		}
		if value != "" && strings.IndexFunc(value, func(r rune) bool { return !fit(r) }) < 0 {
			return value
		}
	}
	return ""
}

// event is the header as the function sees it: what the client sent, or the root
// alone.
func (t trace) event() string {
	if t.sent != "" {
		return t.sent
	}
	return "Root=" + t.root
}

// answer is the header as the client sees it.
func (t trace) answer() string { return "Root=" + t.root + ";Parent=" + t.parent + ";Sampled=0" }
