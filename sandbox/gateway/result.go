package gateway

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/internal/text/phrase"
)

// result is the valid result of a handler function:
// https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
type result struct {
	status int
	header []namedValues
	body   string
	// encoded is isBase64Encoded; decoded says that the body is already what the base64 stands for.
	encoded, decoded bool
}

// resultError describes an invalid result: what is wrong, as a predicate of "the
// result", and what to return instead.
type resultError struct{ text, fix string }

const resultFields = "return only statusCode, headers, multiValueHeaders, body and isBase64Encoded"

func badResult(fix, text string, args ...any) *resultError {
	return &resultError{fmt.Sprintf(text, args...), fix}
}

func notJSON() *resultError {
	return badResult("return an object with statusCode and body", "is not JSON")
}

// decoders pools the decoders of results.
var decoders = sync.Pool{New: func() any { return new(jsontext.Decoder) }}

type emptyReader struct{}

func (emptyReader) Read([]byte) (int, error) { return 0, io.EOF }

// parseResult reads the result of a function. As in the recordings, a number or a boolean
// counts as a string where a string is expected, and everything else is an error.
func parseResult(payload []byte) (result, *resultError) {
	d := decoders.Get().(*jsontext.Decoder)
	defer func() {
		// The pool must not keep the payload.
		d.Reset(emptyReader{})
		decoders.Put(d)
	}()
	d.Reset(bytes.NewBuffer(payload), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	r := result{status: http.StatusOK}
	kind := d.PeekKind()
	if kind != '{' {
		if kind == 0 {
			return r, notJSON()
		}
		return r, badResult("return an object with statusCode and body", "is %s and not an object", kindName(kind))
	}
	var single, multi []namedValues
	d.ReadToken()
	for d.PeekKind() == '"' {
		token, err := d.ReadToken()
		if err != nil {
			break
		}
		field := token.String()
		if bad := r.field(d, field, &single, &multi); bad != nil {
			return r, bad
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return r, notJSON()
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return r, notJSON()
	}
	r.header = joinHeaders(single, multi)
	return r, r.check()
}

func (r *result) field(d *jsontext.Decoder, field string, single, multi *[]namedValues) (bad *resultError) {
	switch field {
	case "statusCode":
		r.status, bad = readStatus(d)
	case "headers":
		*single, bad = readHeaders(d, field, readOne)
	case "multiValueHeaders":
		*multi, bad = readHeaders(d, field, readMany)
	case "body":
		r.body, _, bad = readScalar(d, `has a body that is %s`, "return a string, such as JSON.stringify makes")
	case "isBase64Encoded":
		var text string
		text, _, bad = readScalar(d, `has an isBase64Encoded that is %s`, "return true or false")
		r.encoded = strings.EqualFold(text, "true")
		if bad == nil && text != "" && !r.encoded && !strings.EqualFold(text, "false") {
			bad = badResult("return true or false", "has an isBase64Encoded that is %s", phrase.Quote(text))
		}
	case "errorMessage", "errorType":
		bad = badResult(resultFields, "is an error object: it has the key %s", field)
	default:
		bad = badResult(resultFields, "has the unknown key %s", phrase.Quote(field))
	}
	return bad
}

// readScalar reads a string, number or boolean as a string; null is "" and not given.
// what is the message about any other kind of value, which replaces its %s.
func readScalar(d *jsontext.Decoder, what, fix string) (text string, given bool, bad *resultError) {
	switch kind := d.PeekKind(); kind {
	case '{', '[':
		return "", false, badResult(fix, what, kindName(kind))
	}
	token, err := d.ReadToken()
	switch {
	case err != nil:
		return "", false, notJSON()
	case token.Kind() == 'n':
		return "", false, nil
	}
	return token.String(), true, nil
}

func readStatus(d *jsontext.Decoder) (int, *resultError) {
	const fix = "return a number from 200 to 599"
	text, given, bad := readScalar(d, "has a statusCode that is %s", fix)
	if bad != nil || !given {
		return http.StatusOK, bad
	}
	status, err := strconv.Atoi(text)
	if err != nil {
		// 200.0 and 2e2 are whole numbers too.
		number, notNumber := strconv.ParseFloat(text, 64)
		if notNumber != nil || number != float64(int16(number)) {
			return 0, badResult(fix, "has the statusCode %s", phrase.Quote(text))
		}
		status = int(number)
	}
	if status < 200 || status > 599 {
		return 0, badResult(fix, "has the statusCode %d", status)
	}
	return status, nil
}

func readHeaders(
	d *jsontext.Decoder, field string, values func(*jsontext.Decoder, string) ([]string, *resultError),
) ([]namedValues, *resultError) {
	switch kind := d.PeekKind(); kind {
	case 'n':
		d.ReadToken()
		return nil, nil
	case '{':
	default:
		return nil, badResult("return an object of header names", "has %s that are %s", field, kindName(kind))
	}
	d.ReadToken()
	var headers []namedValues
	// If a name occurs twice, which no serializer writes, the last one counts.
	at := make(map[string]int)
	for d.PeekKind() == '"' {
		token, err := d.ReadToken()
		if err != nil {
			break
		}
		name := token.String()
		v, bad := values(d, name)
		if bad != nil {
			return nil, bad
		}
		if i, twice := at[name]; twice {
			headers[i].values = v
		} else if len(v) > 0 {
			at[name] = len(headers)
			headers = append(headers, namedValues{name, v})
		}
	}
	if token, err := d.ReadToken(); err != nil || token.Kind() != '}' {
		return nil, notJSON()
	}
	return headers, nil
}

func readOne(d *jsontext.Decoder, name string) ([]string, *resultError) {
	if kind := d.PeekKind(); kind == '{' || kind == '[' {
		return nil, badResult("return a string", "has the header %s that is %s", phrase.Quote(name), kindName(kind))
	}
	text, given, bad := readScalar(d, "", "")
	if bad != nil || !given {
		return nil, bad
	}
	return []string{text}, nil
}

func readMany(d *jsontext.Decoder, name string) ([]string, *resultError) {
	switch kind := d.PeekKind(); kind {
	case 'n':
		d.ReadToken()
		return nil, nil
	case '[':
	default:
		return nil, badResult("return an array of strings", "has multiValueHeaders in which %s is %s",
			phrase.Quote(name), kindName(kind))
	}
	d.ReadToken()
	var all []string
	for d.PeekKind() != ']' {
		one, bad := readOne(d, name)
		if bad != nil {
			return nil, bad
		}
		all = append(all, one...)
	}
	d.ReadToken()
	return all, nil
}

func kindName(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '{':
		return "an object"
	case '[':
		return "an array"
	}
	return "not JSON"
}
