// Package signature signs and verifies requests with AWS Signature Version 4, with one canonical form for
// both. Verification uses the request as it was sent: the raw target, the headers in their order, the bytes
// of the body. It refuses a request that can be read in two ways, such as one with a header sent twice or
// with credentials in two places.
//
// The rules are from
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html and the vectors
// in awslabs/aws-c-auth (tests/aws-signing-test-suite/v4). The texts of errors are API Gateway's.
//
// It is our own: the AWS SDK signs and does not verify. Its signer is the oracle of the tests.
package signature

import (
	"strings"
	"time"

	"gatewright/sandbox/http1"
)

// Request is a request to sign or verify.
type Request struct {
	Method string
	// Target is the raw target of the request, with the query.
	Target string
	Host   string
	// Fields are the headers as sent; Host may be among them.
	Fields []http1.Field
	Body   []byte
	// AsWritten makes Sign sign the path as written, and Verify accept no other form.
	// Otherwise Sign signs Normal of the path, and Verify accepts both forms. It is needed
	// if the two paths lead to different resources.
	AsWritten bool
}

// Credentials sign requests. SessionToken is "" for a long-lived access key.
type Credentials struct{ AccessKeyID, SecretKey, SessionToken string }

// Claim is what a signed request says about its signature.
type Claim struct {
	AccessKeyID, SessionToken string
	// Region and Service are part of the credential scope.
	Region, Service string
	// Time is when the request was signed.
	Time time.Time
	// Presigned says that the signature is in the query. Expires is then how long it is
	// valid; 0 is as long as a signature in a header.
	Presigned bool
	Expires   time.Duration

	// date and terminator are the rest of the credential scope.
	date, terminator string
	signed           []string
	signature        string
}

// Codes of errors, in API Gateway's header x-amzn-ErrorType.
const (
	Incomplete   = "IncompleteSignatureException"
	Invalid      = "InvalidSignatureException"
	MissingToken = "MissingAuthenticationTokenException"
)

// Error is the refusal of a signature.
type Error struct {
	// Code and Message are the answer to the client. Message may have several lines. It has
	// no secret key, and of an Authorization header only its hash.
	Code, Message string
	// Reason is for the log. Of the request it has only names of headers.
	Reason string
}

// Error is the code and the first line of the message.
func (e *Error) Error() string {
	first, _, _ := strings.Cut(e.Message, "\n")
	return e.Code + ": " + first
}

const (
	algorithm  = "AWS4-HMAC-SHA256"
	terminator = "aws4_request"
	// stampLayout is the basic format of ISO 8601.
	stampLayout = "20060102T150405Z"
	dateLength  = len("20060102")
)

// Headers, in lower case, and parameters that are part of a signature.
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

// scope is the credential scope.
func scope(date, region, service, terminator string) string {
	return date + "/" + region + "/" + service + "/" + terminator
}

func (r *Request) values(name string) []string { return http1.Values(r.Fields, name) }

// authority is the host in an absolute target such as http://host/path, or "".
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
