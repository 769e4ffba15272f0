package gateway

import (
	"encoding/base64"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/model"
)

// event is what a handler function is called with (specification, "Handler
// function input event"). It has two shapes: that of a deployed call, which
// follows the recordings (research/sandbox.md 2.1), and that of the console's
// test, which has every field of the specification's table.
type event struct {
	api      *servedAPI
	method   string
	resource string
	// path has no stage, full is requestContext.path.
	path, fullPath string
	params         []model.Param
	query          []parameter
	headers        []namedValues
	body           []byte

	id           identifiers
	at           time.Time
	domainName   string
	domainPrefix string
	stage        string
	sourceIP     string
	userAgent    string
	// console says which of the two shapes it is.
	console bool
	// caller is who calls; nil for a path that is open to everybody.
	caller *caller
}

// timeLayout is how requestTime is written.
const timeLayout = "02/Jan/2006:15:04:05 +0000"

// binary reports whether the body is not text. The cloud takes such a body for
// text, which breaks it; here it goes as base64 (research/sandbox.md 2.1).
func (e *event) binary() bool { return !utf8.Valid(e.body) }

// json writes the event.
func (e *event) json() []byte {
	size := 2048 + len(e.body) + len(e.body)/8
	for _, h := range e.headers {
		size += 2 * (len(h.name) + 8)
		for _, v := range h.values {
			size += 2 * len(v)
		}
	}
	w := writer{make([]byte, 0, size)}
	w.raw(`{"resource":`).text(e.resource)
	w.raw(`,"path":`).text(e.path)
	w.raw(`,"httpMethod":`).text(e.method)
	e.maps(&w)
	w.raw(`,"stageVariables":null,"requestContext":{`)
	e.context(&w)
	w.raw(`,"identity":{`)
	e.identity(&w)
	w.raw(`}},"body":`)
	switch {
	case len(e.body) == 0:
		w.raw("null")
	case e.binary():
		w.raw(`"`)
		w.b = base64.StdEncoding.AppendEncode(w.b, e.body)
		w.raw(`","isBase64Encoded":true}`)
		return w.b
	default:
		w.b = appendText(w.b, e.body)
	}
	w.raw(`,"isBase64Encoded":false}`)
	return w.b
}

// maps writes what comes once with single and once with all values.
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
	// The specification's table allows null for the single values alone.
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
	if e.caller != nil && e.caller.credential == byToken {
		w.raw(`,"authorizer":{"claims":`).claims(e.caller.token)
		w.raw("}")
	}
	w.raw(`,"apiId":`).text(e.api.ID)
}

// identity says who calls. A deployed call of an open path knows the address and
// the user agent; the console's test also has the key and the user of its own.
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

// identity is what an event says of its caller; "" is null.
type identity struct {
	poolID, identityID, kind, provider    string
	userARN, accountID, userID, accessKey string
}

// identity is what the cloud says of whoever has credentials of the identity pool.
// What only a signature gives is null for callers who did not sign: the cloud knows
// none.
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

// nullable appends a text, or null for none.
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

// object writes n members, or none where there are none of them.
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

// appendText appends a JSON string. Bytes that are not UTF-8 become U+FFFD, which
// is all that AppendQuote would complain about.
func appendText[Text ~[]byte | ~string](b []byte, text Text) []byte {
	b, _ = jsontext.AppendQuote(b, text)
	return b
}
