package gateway

import (
	"net/http"
	"net/textproto"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model/access"
	"gatewright/sandbox/http1"
)

// joinHeaders merges headers and multiValueHeaders of a result. If both have a name, the
// values of multiValueHeaders come first, under its spelling, as in the recordings.
func joinHeaders(single, multi []namedValues) []namedValues {
	if len(multi) == 0 {
		return single
	}
	joined := slices.Clip(multi)
	spelled := make(map[string]int, len(multi))
	for i, m := range multi {
		spelled[strings.ToLower(m.name)] = i
	}
	for _, s := range single {
		if at, both := spelled[strings.ToLower(s.name)]; both {
			joined[at].values = append(joined[at].values, s.values...)
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

// check refuses headers that HTTP cannot transport.
func (r *result) check() *resultError {
	for _, h := range r.header {
		if !http1.IsToken(h.name) {
			return badResult("use letters, digits and hyphens", "has the header name %s", phrase.Quote(h.name))
		}
		for _, v := range h.values {
			if strings.ContainsFunc(v, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }) {
				return badResult("leave them out", "has control characters in the header %s", phrase.Quote(h.name))
			}
		}
	}
	return nil
}

// treatment is what the gateway does with a header of a result. API Gateway renames or
// drops some. Content-Length is renamed against its documentation, as
// https://github.com/CodeGenieApp/serverless-express/issues/104 shows:
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
type treatment uint8

const (
	passOn treatment = iota
	rename
	drop
)

var treatments = map[string]treatment{
	"authorization": rename, "connection": rename, "content-length": rename, "content-md5": rename, "date": rename,
	"max-forwards": rename, "server": rename, "user-agent": rename, "www-authenticate": rename,
	"expect": drop, "host": drop, "proxy-authenticate": drop, "te": drop, "trailer": drop, "transfer-encoding": drop,
	"upgrade": drop, "via": drop,
	// It is about the connection, which is the sandbox's own.
	"keep-alive": drop,
	// The gateway sets these itself.
	"x-amzn-requestid": drop, "x-amz-apigw-id": drop, "x-amzn-trace-id": drop,
}

// fields are the headers of the answer for a result: the function's, in its spelling,
// and the gateway's.
func (r *result) fields(id identifiers) []namedValues {
	fields := make([]namedValues, 0, len(r.header)+5)
	if find(r.header, "Content-Type") < 0 {
		fields = append(fields, field("Content-Type", "application/json"))
	}
	// Clients would wait for a body of that length.
	if hasBody(http.MethodGet, r.status) {
		fields = append(fields, field("Content-Length", strconv.Itoa(len(r.body))))
	}
	for _, h := range r.header {
		var buffer [longestKnownName]byte
		switch treatments[string(lower(h.name, &buffer))] {
		case rename:
			fields = append(fields, namedValues{"x-amzn-Remapped-" + textproto.CanonicalMIMEHeaderKey(h.name), h.values})
		case passOn:
			fields = append(fields, h)
		}
	}
	return id.fields(fields)
}

func field(name, value string) namedValues { return namedValues{name, []string{value}} }

// fields appends the headers that every answer has.
func (id identifiers) fields(to []namedValues) []namedValues {
	values := []string{id.request, id.extended, id.trace.answer()}
	return append(
		to, namedValues{"x-amzn-RequestId", values[:1]}, namedValues{"x-amz-apigw-id", values[1:2]},
		namedValues{"X-Amzn-Trace-Id", values[2:]},
	)
}

// fields are the headers of a refusal, with the CORS headers that let a web page read it.
func (r *refusal) fields(id identifiers, cors *access.CORS) []namedValues {
	if r.early {
		fields := []namedValues{field("Content-Length", strconv.Itoa(len(r.body)))}
		if r.body != "" {
			// As in the answer to a body over 10 MB (https://github.com/koki-develop/lgtm-generator/issues/10).
			fields = append(fields, field("Content-Type", "text; charset=utf-8"))
		}
		return fields
	}
	return id.fields(appendHeaders([]namedValues{
		field("Content-Type", "application/json"),
		field("Content-Length", strconv.Itoa(len(r.body))),
		field("x-amzn-ErrorType", r.errorType),
	}, cors.Answer("")))
}

// preflightFields are the headers of the answer to OPTIONS of a page of an origin.
func preflightFields(id identifiers, cors *access.CORS, origin string) []namedValues {
	return id.fields(appendHeaders([]namedValues{
		field("Content-Type", "application/json"),
		field("Content-Length", "0"),
	}, cors.Preflight(origin)))
}

func appendHeaders(to []namedValues, headers []access.Header) []namedValues {
	for _, h := range headers {
		to = append(to, field(h.Name, h.Value))
	}
	return to
}
