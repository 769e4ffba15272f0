package gateway

import (
	"encoding/base64"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/sandbox/function"
	"gatewright/sandbox/http1"
)

// event is the input of a handler function. The event of a call to a deployed API follows
// the recordings; the event of the console's test has the fields of the example in the
// Amplify CLI's documentation of REST APIs (https://docs.amplify.aws/cli/restapi/testing).
type event struct {
	api      *servedAPI
	method   string
	resource string
	// path is the raw path without the stage, fullPath requestContext.path.
	path, fullPath string
	params         []access.Param
	query          []parameter
	headers        []namedValues
	body           []byte
	// isText says that the body is UTF-8.
	isText bool

	id           identifiers
	at           time.Time
	domainName   string
	domainPrefix string
	stage        string
	sourceIP     string
	userAgent    string
	// console is set for the event of the console's test.
	console bool
	// caller is nil for an open path.
	caller *caller
}

// timeLayout is the format of requestTime.
const timeLayout = "02/Jan/2006:15:04:05 +0000"

// json writes the event.
func (e *event) json() []byte {
	c := e.call()
	return c.Body.Into(c.Payload)
}

// call is a call with the event. A long body goes apart.
func (e *event) call() (c function.Call) {
	w := e.head()
	binary := len(e.body) > 0 && e.binary()
	switch {
	case len(e.body) == 0:
		w.raw("null")
	case len(e.body) >= function.LeastApart && (binary || e.isText):
		c.Body = function.Apart{Text: e.body, Base64: binary, At: len(w.b)}
		w.raw(`""`)
	case binary:
		w.raw(`"`)
		w.b = base64.StdEncoding.AppendEncode(w.b, e.body)
		w.raw(`"`)
	default:
		w.b = appendText(w.b, e.body)
	}
	w.raw(`,"isBase64Encoded":`).raw(strconv.FormatBool(binary)).raw("}")
	c.Payload = w.b
	return c
}

// head writes the event up to its body.
func (e *event) head() *writer {
	size := 2048 + min(len(e.body), function.LeastApart)*3/2
	for _, h := range e.headers {
		size += 2 * (len(h.name) + 8)
		for _, v := range h.values {
			size += 2 * len(v)
		}
	}
	w := &writer{make([]byte, 0, size)}
	w.raw(`{"resource":`).text(e.resource)
	w.raw(`,"path":`).text(e.path)
	w.raw(`,"httpMethod":`).text(e.method)
	e.maps(w)
	w.raw(`,"stageVariables":null,"requestContext":{`)
	e.context(w)
	w.raw(`,"identity":{`)
	e.identity(w)
	return w.raw(`}},"body":`)
}

// maps writes the maps with one value for each name, and with all values.
func (e *event) maps(w *writer) {
	w.raw(`,"headers":`).object(len(e.headers), "null", func(i int) {
		h := e.headers[i]
		w.text(h.name).raw(":").text(h.values[len(h.values)-1])
	})
	w.raw(`,"multiValueHeaders":`).object(len(e.headers), "null", func(i int) {
		w.text(e.headers[i].name).raw(":").list(e.headers[i].values)
	})
	w.raw(`,"queryStringParameters":`).object(len(e.query), "null", func(i int) {
		p := e.query[i]
		w.text(p.name).raw(":").text(p.values[len(p.values)-1])
	})
	// In the console's test, this map alone is never null.
	none := "null"
	if e.console {
		none = "{}"
	}
	w.raw(`,"multiValueQueryStringParameters":`).object(len(e.query), none, func(i int) {
		w.text(e.query[i].name).raw(":").list(e.query[i].values)
	})
	w.raw(`,"pathParameters":`).object(len(e.params), "null", func(i int) {
		w.text(e.params[i].Name).raw(":").text(e.params[i].Value)
	})
}

func (e *event) context(w *writer) {
	w.raw(`"resourceId":`).text(e.api.resourceID(e.resource))
	w.raw(`,"resourcePath":`).text(e.resource)
	w.raw(`,"httpMethod":`).text(e.method)
	w.raw(`,"extendedRequestId":`).text(e.id.extended)
	w.raw(`,"requestTime":`).text(e.at.UTC().Format(timeLayout))
	w.raw(`,"path":`).text(e.fullPath)
	w.raw(`,"accountId":`).text(e.api.AccountID)
	w.raw(`,"protocol":"HTTP/1.1","stage":`).text(e.stage)
	w.raw(`,"domainPrefix":`).text(e.domainPrefix)
	w.raw(`,"requestTimeEpoch":`)
	w.b = strconv.AppendInt(w.b, e.at.UnixMilli(), 10)
	w.raw(`,"requestId":`).text(e.id.request)
	w.raw(`,"domainName":`).text(e.domainName)
	if !e.console {
		w.raw(`,"deploymentId":`).text(e.api.deployment)
	}
	switch {
	case e.caller == nil:
	case e.caller.credential == byToken:
		w.raw(`,"authorizer":{"claims":`).claims(e.caller.token)
		w.raw("}")
	case e.api.Administration && e.caller.session.SignedIn:
		w.raw(`,"authorizer":{"claims":`).claimsOf(e.caller.session)
		w.raw("}")
	}
	w.raw(`,"apiId":`).text(e.api.ID)
}

// identity writes requestContext.identity. For an open path it has only the address and
// the user agent; in the console's test it also has that test's API key and user.
func (e *event) identity(w *writer) {
	var who identity
	if e.caller != nil && e.caller.hasSession {
		who = e.caller.identity()
	}
	if e.console {
		who.userARN = "arn:aws:iam::" + e.api.AccountID + ":root"
	}
	w.raw(`"cognitoIdentityPoolId":`).nullable(who.poolID).raw(`,"cognitoIdentityId":`).nullable(who.identityID)
	if e.console {
		w.raw(`,"apiKey":"test-invoke-api-key","apiKeyId":"test-invoke-api-key-id"`)
	}
	w.raw(`,"principalOrgId":null,"cognitoAuthenticationType":`).nullable(who.kind)
	w.raw(`,"cognitoAuthenticationProvider":`).nullable(who.provider)
	w.raw(`,"userArn":`).nullable(who.userARN)
	w.raw(`,"userAgent":`).nullable(e.userAgent)
	w.raw(`,"accountId":`).nullable(who.accountID).raw(`,"caller":`).nullable(who.userID)
	w.raw(`,"sourceIp":`).text(e.sourceIP)
	w.raw(`,"accessKey":`).nullable(who.accessKey).raw(`,"user":`).nullable(who.userID)
}

// identity is requestContext.identity of an event; "" is null.
type identity struct {
	poolID, identityID, kind, provider    string
	userARN, accountID, userID, accessKey string
}

// identity is the identity of a caller with credentials of the identity pool. If the request was not signed,
// which API Gateway would refuse, the fields that come from the signature are null.
func (c *caller) identity() identity {
	s := &c.session
	who := identity{poolID: s.Pool.IdentityPoolID, identityID: s.IdentityID, kind: "unauthenticated"}
	if s.SignedIn {
		who.kind, who.provider = "authenticated", s.Provider()
	}
	if c.credential == bySignature {
		who.userARN, who.accountID, who.userID, who.accessKey = s.UserARN(), s.Pool.AccountID, s.UserID(), s.AccessKeyID
	}
	return who
}

// writer appends JSON.
type writer struct{ b []byte }

func (w *writer) raw(s string) *writer {
	w.b = append(w.b, s...)
	return w
}

func (w *writer) text(s string) *writer {
	w.b = appendText(w.b, s)
	return w
}

// nullable appends a string, or null for "".
func (w *writer) nullable(s string) *writer {
	if s == "" {
		return w.raw("null")
	}
	return w.text(s)
}

func (w *writer) list(values []string) {
	w.raw("[")
	for i, v := range values {
		if i > 0 {
			w.raw(",")
		}
		w.text(v)
	}
	w.raw("]")
}

// object writes an object of n members, or the text none if n is 0.
func (w *writer) object(n int, none string, member func(int)) {
	if n == 0 {
		w.raw(none)
		return
	}
	w.raw("{")
	for i := range n {
		if i > 0 {
			w.raw(",")
		}
		member(i)
	}
	w.raw("}")
}

// appendText appends a JSON string. Bytes that are not UTF-8 become U+FFFD; AppendQuote
// reports no other error.
func appendText[Text ~[]byte | ~string](b []byte, text Text) []byte {
	b, _ = jsontext.AppendQuote(b, text)
	return b
}

// parameter is one parameter of a query string with all its values.
type parameter struct {
	name   string
	values []string
}

// parseQuery groups the values of a query string by parameter, in the order in
// which the parameters first appear.
func parseQuery(query string) []parameter {
	var parameters []parameter
	index := map[string]int{}
	for part := range model.QueryParts(query) {
		for name, value := range http1.Parameters(part) {
			at, known := index[name]
			if !known {
				at = len(parameters)
				index[name] = at
				parameters = append(parameters, parameter{name: name})
			}
			parameters[at].values = append(parameters[at].values, value)
		}
	}
	return parameters
}
