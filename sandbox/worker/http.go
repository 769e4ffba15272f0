package worker

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"

	"gatewright/sandbox/function"
)

// The server reads HTTP/1.1 itself: net/http takes a third longer for the same
// exchange (BenchmarkRuntimeAPI), which is most of the cost of a call.

// The limits of a request's head, in bytes. The header with the cause of an error
// (Lambda-Runtime-Function-XRay-Error-Cause) may have 1 MB.
const (
	longestLine = 1<<20 + 4096
	longestHead = 2 << 20
)

var (
	errMalformed = errors.New("malformed request")
	errTooLong   = errors.New("request entity too large")
)

// request is one request of a worker, with only the headers that the server uses.
type request struct {
	method, path string
	// host is the Host header; browser means that a browser sent the request.
	host                          string
	browser                       bool
	close, chunked, wantsContinue bool
	length                        int
	streaming                     bool
	errorType                     string
	body                          []byte
	// apart is a text that belongs into the body and came behind it.
	apart       function.Apart
	apartLength int
}

// readHead reads a request up to its body.
func readHead(r *bufio.Reader) (*request, error) {
	line, err := readLine(r)
	if err != nil {
		return nil, err
	}
	// A line break before a request is allowed (RFC 9112, 2.2).
	if len(line) == 0 {
		if line, err = readLine(r); err != nil {
			return nil, err
		}
	}
	method, rest, ok1 := bytes.Cut(line, []byte{' '})
	path, version, ok2 := bytes.Cut(rest, []byte{' '})
	if !ok1 || !ok2 || !bytes.HasPrefix(version, []byte("HTTP/1.")) {
		return nil, errMalformed
	}
	q := &request{method: methodName(method), path: string(path), close: string(version) == "HTTP/1.0"}
	for size := len(line); ; {
		line, err := readLine(r)
		if err != nil {
			return nil, err
		}
		if len(line) == 0 {
			return q, nil
		}
		if size += len(line); size > longestHead {
			return nil, errTooLong
		}
		name, value, ok := bytes.Cut(line, []byte{':'})
		if !ok {
			return nil, errMalformed
		}
		if err := q.header(name, textproto.TrimBytes(value)); err != nil {
			return nil, err
		}
	}
}

func methodName(method []byte) string {
	switch string(method) {
	case "GET":
		return "GET"
	case "POST":
		return "POST"
	}
	return string(method)
}

func (q *request) header(name, value []byte) error {
	switch {
	case equalFold(name, "host"):
		q.host = string(value)
	case equalFold(name, "content-length"):
		length, err := strconv.ParseUint(string(value), 10, 32)
		if err != nil {
			return errMalformed
		}
		q.length = int(length)
	case equalFold(name, "transfer-encoding"):
		if !equalFold(value, "chunked") {
			return errMalformed
		}
		q.chunked = true
	case equalFold(name, "connection"):
		q.close = q.close || equalFold(value, "close")
	case equalFold(name, "expect"):
		q.wantsContinue = equalFold(value, "100-continue")
	case equalFold(name, "origin"), equalFold(name, "sec-fetch-site"):
		q.browser = true
	case equalFold(name, headerResponseMode):
		q.streaming = equalFold(value, "streaming")
	case equalFold(name, headerErrorType):
		q.errorType = string(value)
	case equalFold(name, headerApart):
		at, rest, _ := bytes.Cut(value, []byte{' '})
		length, kind, _ := bytes.Cut(rest, []byte{' '})
		q.apart.At, _ = strconv.Atoi(string(at))
		q.apartLength, _ = strconv.Atoi(string(length))
		q.apart.Base64 = string(kind) == "base64"
	}
	return nil
}

// The headers of the Runtime API that a worker sends, in lower case.
const (
	headerResponseMode = "lambda-runtime-function-response-mode"
	headerErrorType    = "lambda-runtime-function-error-type"
	headerErrorBody    = "lambda-runtime-function-error-body"
	// headerApart is our own bootstrap's: at which byte of the body a text belongs, how many bytes
	// at the end are that text, and "base64" if they are what its base64 stands for.
	headerApart = "gatewright-apart"
)

func equalFold(text []byte, lower string) bool {
	return len(text) == len(lower) && bytes.EqualFold(text, []byte(lower))
}

// readLine reads a line without its end. It is valid until the next read.
func readLine(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		whole := bytes.Clone(line)
		for errors.Is(err, bufio.ErrBufferFull) {
			if len(whole) > longestLine {
				return nil, errTooLong
			}
			line, err = r.ReadSlice('\n')
			whole = append(whole, line...)
		}
		line = whole
	}
	if err != nil {
		return nil, err
	}
	line = line[:len(line)-1]
	return bytes.TrimSuffix(line, []byte{'\r'}), nil
}

// readBody reads the body into q.body. A body over limit bytes is read to its end and dropped, with
// errTooLong: the connection can be used again. The trailers of a failed streamed response replace the body.
func (q *request) readBody(r *bufio.Reader, limit int) error {
	if q.chunked {
		return q.readChunks(r, limit)
	}
	if q.length > limit {
		if _, err := io.CopyN(io.Discard, r, int64(q.length)); err != nil {
			return err
		}
		return errTooLong
	}
	if q.length == 0 {
		return nil
	}
	json := q.length - q.apartLength
	// The function could send this header itself.
	if q.apartLength < 0 || q.apartLength > 0 && (q.apart.At < 0 || q.apart.At > json-len(`""`)) {
		return errMalformed
	}
	q.body = make([]byte, json)
	if _, err := io.ReadFull(r, q.body); err != nil || q.apartLength == 0 {
		return err
	}
	q.apart.Text = make([]byte, q.apartLength)
	_, err := io.ReadFull(r, q.apart.Text)
	return err
}

func (q *request) readChunks(r *bufio.Reader, limit int) error {
	var tooLong error
	for {
		line, err := readLine(r)
		if err != nil {
			return err
		}
		line, _, _ = bytes.Cut(line, []byte{';'})
		size, err := strconv.ParseUint(string(textproto.TrimBytes(line)), 16, 31)
		if err != nil {
			return errMalformed
		}
		if size == 0 {
			break
		}
		if len(q.body)+int(size) > limit {
			tooLong = errTooLong
			q.body = nil
			limit = 0
			if _, err := io.CopyN(io.Discard, r, int64(size)); err != nil {
				return err
			}
		} else {
			start := len(q.body)
			q.body = append(q.body, make([]byte, size)...)
			if _, err := io.ReadFull(r, q.body[start:]); err != nil {
				return err
			}
		}
		if end, err := readLine(r); err != nil {
			return err
		} else if len(end) != 0 {
			return errMalformed
		}
	}
	if err := q.readTrailers(r); err != nil {
		return err
	}
	return tooLong
}

func (q *request) readTrailers(r *bufio.Reader) error {
	for {
		line, err := readLine(r)
		if err != nil {
			return err
		}
		if len(line) == 0 {
			return nil
		}
		name, value, _ := bytes.Cut(line, []byte{':'})
		value = textproto.TrimBytes(value)
		switch {
		case equalFold(name, headerErrorType):
			q.errorType = string(value)
		case equalFold(name, headerErrorBody):
			if body, err := base64.StdEncoding.DecodeString(string(value)); err == nil {
				q.body = body
			}
		}
	}
}

// appendAnswer appends a complete response of the server.
func appendAnswer(to []byte, status int, body string) []byte {
	return fmt.Appendf(to, "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		status, statusText[status], len(body), body)
}

// accepted is the response to a post of a worker.
var accepted = appendAnswer(nil, 202, `{"status":"OK"}`+"\n")

var statusText = map[int]string{
	202: "Accepted", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 413: "Request Entity Too Large",
}

// appendRefusal appends an error response in the form of Lambda's Runtime API.
func appendRefusal(to []byte, status int, kind, message string) []byte {
	return appendAnswer(to, status, fmt.Sprintf(`{"errorMessage":%q,"errorType":%q}`+"\n", message, kind))
}
