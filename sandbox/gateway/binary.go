package gateway

import (
	"encoding/base64"
	"net/http"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox/http1"
)

// binaryTypes are the binary media types of an API, in lower case.
type binaryTypes []string

func newBinaryTypes(types []string) binaryTypes {
	lowered := make(binaryTypes, len(types))
	for i, text := range types {
		lowered[i] = strings.ToLower(text)
	}
	return lowered
}

// match reports whether a media type is one of the binary ones, as in the recordings
// (test_apigateway_lambda.py, test_aws_proxy_binary_response): the part after the slash may
// be a wildcard, */* matches everything, and any other type that begins with a wildcard
// matches nothing. Media types ignore case (RFC 9110, section 8.3.1).
func (b binaryTypes) match(mediaType string) bool {
	mediaType = strings.ToLower(mediaType)
	for _, text := range b {
		main, sub, _ := strings.Cut(text, "/")
		switch {
		case text == model.AllMediaTypes:
			return true
		case main == "*":
		case sub == "*" && strings.HasPrefix(mediaType, main+"/"), text == mediaType:
			return true
		}
	}
	return false
}

// firstMediaType is the first media type of a header's value, without its parameters. Only the first one of
// an Accept header counts
// (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-payload-encodings.html), and its
// parameters do not (https://github.com/maciejtreder/serverless-apigw-binary/issues/33).
func firstMediaType(value string) string {
	if end := strings.IndexAny(value, ",;"); end >= 0 {
		value = value[:end]
	}
	return strings.TrimSpace(value)
}

// contentType is the media type of the event's body. Without a Content-Type header it is
// application/json, as API Gateway takes it where it looks for a template
// (https://docs.aws.amazon.com/apigateway/latest/developerguide/integration-passthrough-behaviors.html).
func (e *event) contentType() string {
	at := find(e.headers, "Content-Type")
	if at < 0 {
		return "application/json"
	}
	return firstMediaType(e.headers[at].values[0])
}

// binary reports whether the function gets the body in base64. With binary media types, the
// Content-Type decides (https://github.com/ministackorg/ministack/pull/767 has answers of API
// Gateway), and other bodies become text, in which each invalid byte is U+FFFD, as the
// recordings show for Amazon S3 (test_apigateway_s3.snapshot.json). Without any, API Gateway
// treats every body as text; the sandbox sends base64 if that would damage it.
func (e *event) binary() bool {
	if len(e.api.binary) > 0 {
		return e.api.binary.match(e.contentType())
	}
	return !e.isText
}

// noteBytes notes that a request's body is not text, if API Gateway would damage it.
func (e *exchange) noteBytes(event *event) {
	if event.isText || len(e.api.binary) > 0 && event.binary() {
		return
	}
	path := phrase.Quote(e.route.Path.Name)
	if len(e.api.binary) == 0 {
		e.noteOnce("binary "+e.route.Path.Name, "the body of a request to path "+path+
			" is not UTF-8: the function gets it as base64 with isBase64Encoded; API Gateway would damage it by treating it "+
			"as text, unless the API has the binary media type "+phrase.Quote(event.contentType()))
		return
	}
	e.noteOnce("binary "+e.route.Path.Name,
		"the body of a request to path "+path+" is not UTF-8, and its Content-Type, "+phrase.Quote(event.contentType())+
			", is not a binary media type of the API: as in API Gateway, the function gets it as text, in which each invalid "+
			"byte is U+FFFD; declare the media type")
}

// acceptsBytes reports whether the answer to a request may be bytes.
func (s *servedAPI) acceptsBytes(head *http1.Head) bool {
	return len(s.binary) > 0 && s.binary.match(firstMediaType(head.Get("Accept")))
}

// decode turns the body of a result with isBase64Encoded into its bytes, if the request accepts them. As in
// the recordings, the Content-Type of the result does not matter, the base64 is the body where the request
// does not accept bytes, and a body that is no base64 is an error (API_CONFIGURATION_ERROR in
// https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html).
func (e *exchange) decode(r *result) *refusal {
	name := phrase.Quote(e.route.Path.Function)
	bytes := r.encoded && e.acceptsBytes
	if r.decoded && !bytes {
		r.body = base64.StdEncoding.EncodeToString([]byte(r.body))
	}
	switch {
	case !r.encoded, r.decoded && bytes:
		return nil
	case len(e.api.binary) == 0:
		e.noteOnce("encoded "+e.route.Path.Name, "function "+name+
			" returned isBase64Encoded: its body is sent undecoded, since the API declares no binary media types; return "+
			"text, or declare them")
		return nil
	case !e.acceptsBytes:
		e.noteOnce("accept "+e.route.Path.Name, "function "+name+
			" returned isBase64Encoded: its body is sent undecoded, since the first media type of the request's Accept header "+
			"is not a binary media type of the API; send another Accept header, or declare */*")
		return nil
	}
	body, err := base64.StdEncoding.Strict().DecodeString(r.body)
	// The decoder takes line breaks.
	if err != nil || base64.StdEncoding.EncodedLen(len(body)) != len(r.body) {
		return &refusal{
			status: http.StatusInternalServerError, errorType: "InternalServerErrorException", body: bodyInternal,
			why:      "the result of function " + name + " has isBase64Encoded and a body that is not base64",
			fix:      "encode the body, or return isBase64Encoded false",
			function: e.route.Path.Function,
		}
	}
	r.body = textOf(body)
	return nil
}
