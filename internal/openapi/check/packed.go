package check

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
)

// mostEncodings is how often a body that is checked may be compressed.
const mostEncodings = 3

// unpacked returns a body as it was before it was compressed
// (https://www.rfc-editor.org/rfc/rfc9110#section-8.4); not ok if it is not checked, which is
// said: it is too large, compressed in a way that is not known, or cannot be unpacked.
func (j *judgement) unpacked(header http.Header, body []byte, at place) (plain []byte, ok bool) {
	var encodings []string
	for _, value := range headerValues(header, "Content-Encoding") {
		for name := range strings.SplitSeq(value, ",") {
			if name = strings.ToLower(strings.TrimSpace(name)); name != "" && name != "identity" {
				encodings = append(encodings, name)
			}
		}
	}
	if len(encodings) > mostEncodings {
		j.unchecked("body", fmt.Sprintf(", because it is compressed more than %d times", mostEncodings), at)
		return nil, false
	}
	for _, name := range slices.Backward(encodings) {
		unpack := unpackers[name]
		if unpack == nil {
			j.unchecked("body",
				", because it is compressed as "+phrase.Quote(name)+", and only gzip and deflate are unpacked", at)
			return nil, false
		}
		if len(body) > MaxBody {
			break
		}
		unpacked, err := unpack(body)
		if err != nil {
			j.add("header Content-Encoding", "is "+phrase.Quote(name)+", and the body cannot be unpacked so", at)
			return nil, false
		}
		body = unpacked
	}
	if len(body) > MaxBody {
		j.unchecked("body", fmt.Sprintf(", because it has more than %d bytes", MaxBody), at)
		return nil, false
	}
	return body, true
}

// unpackers unpack bodies, at most a byte more than what is checked: a small body may unpack
// into gigabytes.
var unpackers = map[string]func([]byte) ([]byte, error){"gzip": gunzip, "x-gzip": gunzip, "deflate": inflate}

func gunzip(body []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	return limited(r)
}

// inflate also takes what some programs send: the data without the frame of zlib
// (https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1.2).
func inflate(body []byte) ([]byte, error) {
	if r, err := zlib.NewReader(bytes.NewReader(body)); err == nil {
		return limited(r)
	}
	return limited(flate.NewReader(bytes.NewReader(body)))
}

func limited(r io.Reader) ([]byte, error) { return io.ReadAll(io.LimitReader(r, MaxBody+1)) }
