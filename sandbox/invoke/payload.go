package invoke

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"unicode/utf8"

	"gatewright/sandbox/function"
)

// mostQueued is the largest event in bytes of a call that nobody waits for: 1 MB
// (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html).
const mostQueued = 1 << 20

// readPayload reads the event of a call. Lambda gives a function {} if there is none.
func readPayload(r io.Reader, kind string) ([]byte, *fault) {
	limit := function.MaxPayload
	if kind == kindEvent {
		limit = mostQueued
	}
	payload, err := io.ReadAll(io.LimitReader(r, function.MaxPayload+1))
	switch {
	case err != nil:
		return nil, &fault{status: http.StatusBadRequest, code: invalidContent, text: "Could not read the request body"}
	case len(payload) > function.MaxPayload:
		return nil, &fault{
			status: http.StatusRequestEntityTooLarge, code: tooLarge,
			text: fmt.Sprintf("Request must be smaller than %d bytes for the InvokeFunction operation", function.MaxPayload),
		}
	case len(payload) > limit:
		return nil, &fault{
			status: http.StatusRequestEntityTooLarge, code: tooLarge,
			text: fmt.Sprintf("%d byte payload is too large for the Event invocation type (limit %d bytes)", len(payload),
				limit),
		}
	case len(payload) == 0:
		return []byte("{}"), nil
	}
	if problem, at := checkJSON(payload); problem != "" {
		line := 1 + bytes.Count(payload[:at], []byte("\n"))
		column := at - bytes.LastIndexByte(payload[:at], '\n')
		return nil, &fault{status: http.StatusBadRequest, code: invalidContent, text: fmt.Sprintf(
			"Could not parse request body into json: Could not parse payload into json: %s\n at [Source: REDACTED "+
				"(`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: %d, column: %d]",
			problem, line, column,
		)}
	}
	return payload, nil
}

// checkJSON says what is wrong with a text that is no JSON, and at which byte; "" if it is
// JSON. The words are those of Lambda.
func checkJSON(text []byte) (problem string, at int) {
	if !utf8.Valid(text) {
		for at < len(text) {
			r, size := utf8.DecodeRune(text[at:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			at += size
		}
		return fmt.Sprintf("Invalid UTF-8 start byte 0x%02x", text[at]), at
	}
	if json.Valid(text) {
		return "", 0
	}
	var value json.RawMessage
	var syntax *json.SyntaxError
	if !errors.As(json.Unmarshal(text, &value), &syntax) {
		return "", 0
	}
	if syntax.Error() == endedEarly {
		return "Unexpected end-of-input", len(text)
	}
	at = int(syntax.Offset) - 1
	r, _ := utf8.DecodeRune(text[at:])
	return fmt.Sprintf("Unexpected character ('%c' (code %d)): expected a valid value (JSON String, Number, Array, "+
		"Object or token 'null', 'true' or 'false')", r, r), at
}

// endedEarly is the error of encoding/json for a text of which more is missing.
const endedEarly = "unexpected end of JSON input"

// longestContext is the largest client context, in bytes of base64, as the API documents it.
const longestContext = 3583

// readContext returns the JSON object of a client context in one line of ASCII, as runtimes
// get it in a header.
func readContext(encoded string) (string, *fault) {
	if encoded == "" {
		return "", nil
	}
	refused := &fault{
		status: http.StatusBadRequest, code: invalidContent,
		text: "Client context must be a valid Base64-encoded JSON object.",
	}
	if len(encoded) > longestContext {
		refused.text = fmt.Sprintf("Client context must have at most %d bytes in Base64.", longestContext)
		return "", refused
	}
	text, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return "", refused
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(text, &object) != nil || object == nil || !utf8.Valid(text) {
		return "", refused
	}
	var compact bytes.Buffer
	if json.Compact(&compact, text) != nil {
		return "", refused
	}
	return ascii(compact.String()), nil
}

// ascii escapes what is not ASCII in JSON without line breaks.
func ascii(text string) string {
	var b []byte
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			b = append(b, byte(r))
		case r >= 0x10000:
			b = fmt.Appendf(b, `\u%04x\u%04x`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
		default:
			b = fmt.Appendf(b, `\u%04x`, r)
		}
	}
	return string(b)
}
