// Package signature signs and verifies requests by AWS Signature Version 4, with
// one canonical form for both. What is verified is the request as it came: the raw
// target, the headers in their order, the bytes of the body. Where a request can be
// read in two ways (a header sent twice that may be sent once, credentials in two
// places) it is refused.
//
// The rules are those of the public documentation of Signature Version 4 and of
// the public vectors (awslabs/aws-c-auth, tests/aws-signing-test-suite/v4); the
// texts of errors are those that the cloud's gateway gives.
package signature

import (
	"strings"
	"time"

	"gatewright/sandbox/http1"
)

// Request is what a signature is made of.
type Request struct {
	Method string
	// Target is the request's target, raw as on the wire, with the query.
	Target string
	Host   string
	// Fields are the headers as they are sent; Host may be among them.
	Fields []http1.Field
	Body   []byte
	// AsWritten says that a signature of the path without its empty and relative
	// segments (Normal) is that of another request: the path as it came leads
	// elsewhere. Otherwise one of either form is good. Sign signs the path so.
	AsWritten bool
}

// Credentials are what requests are signed with. SessionToken is "" for a
// long-lived access key.
type Credentials struct{ AccessKeyID, SecretKey, SessionToken string }

// Claim is what a signed request says of its signature.
type Claim struct {
	AccessKeyID, SessionToken string
	// Region and Service are those of the credential's scope.
	Region, Service string
	// Time is when it was signed.
	Time time.Time
	// Presigned says that the signature is in the query. Expires is how long it is
	// good for then; 0 is as long as one in a header is.
	Presigned bool
	Expires   time.Duration

	// date and terminator are the rest of the scope.
	date, terminator string
	signed           []string
	signature        string
}

// Codes of errors, as the cloud's gateway names them in x-amzn-ErrorType.
const (
	Incomplete   = "IncompleteSignatureException"
	Invalid      = "InvalidSignatureException"
	MissingToken = "MissingAuthenticationTokenException"
)

// Error is a signature that is not good.
type Error struct {
	// Code and Message are what the client is told. Message may have several lines;
	// it has no secret key, and nothing of an Authorization header but its hash.
	Code, Message string
	// Reason is for whoever reads the log; it has nothing of the request's in it but
	// names of headers.
	Reason string
}

// Error is the code and the first line of what the client is told.
func (e *Error) Error() string {
	first, _, _ := strings.Cut(e.Message, "\n")
	return e.Code + ": " + first
}

const (
	algorithm  = "AWS4-HMAC-SHA256"
	terminator = "aws4_request"
	// stampLayout is how times are written: ISO 8601, basic format.
	stampLayout = "20060102T150405Z"
	dateLength  = len("20060102")
)

// Names of headers, in small letters, and of parameters that mean something to a
// signature.
const (
	dateHeader  = "x-amz-date"
	tokenHeader = "x-amz-security-token"
	hashHeader  = "x-amz-content-sha256"

	algorithmParameter  = "X-Amz-Algorithm"
	credentialParameter = "X-Amz-Credential"
	signatureParameter  = "X-Amz-Signature"
	signedParameter     = "X-Amz-SignedHeaders"
	dateParameter       = "X-Amz-Date"
	expiresParameter    = "X-Amz-Expires"
	tokenParameter      = "X-Amz-Security-Token"
)

// scope is the credential's scope.
func scope(date, region, service, terminator string) string {
	return date + "/" + region + "/" + service + "/" + terminator
}

// values are those of a header, by its name in small letters.
func (r *Request) values(name string) (values []string) {
	for _, f := range r.Fields {
		if len(f.Name) == len(name) && strings.EqualFold(f.Name, name) {
			values = append(values, f.Value)
		}
	}
	return values
}

// authority is the host in a target such as http://host/path; "" where it has none.
func authority(target string) string {
	if strings.HasPrefix(target, "/") {
		return ""
	}
	_, after, ok := strings.Cut(target, "://")
	if !ok {
		return ""
	}
	if end := strings.IndexAny(after, "/?"); end >= 0 {
		after = after[:end]
	}
	return after
}

// split gives the raw path of a target and its query.
func split(target string) (path, query string) {
	if !strings.HasPrefix(target, "/") {
		if _, after, ok := strings.Cut(target, "://"); ok {
			target = after[len(authority(target)):]
		}
	}
	path, query, _ = strings.Cut(target, "?")
	return path, query
}
