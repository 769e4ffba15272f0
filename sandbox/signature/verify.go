package signature

import (
	"crypto/subtle"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatewright/internal/text/phrase"
	"gatewright/sandbox/http1"
)

// Skew is how far the time of a signature may be from now, in both directions.
const Skew = 5 * time.Minute

// mismatch is the cloud's message.
const mismatch = "The request signature we calculated does not match the signature you provided. " +
	"Check your AWS Secret Access Key and signing method. Consult the service documentation for details."

// Verify checks that a request was signed with a secret key for a region and a service, and
// that the signature is valid at this time. The error is an *Error.
func (c Claim) Verify(r Request, secret, region, service string, now time.Time) error {
	for _, check := range []func() *Error{
		r.check,
		func() *Error { return c.checkTime(now) },
		func() *Error { return c.checkCoverage(&r) },
		func() *Error { return c.checkScope(region, service) },
		func() *Error { return c.checkSignature(&r, secret) },
	} {
		if refused := check(); refused != nil {
			return refused
		}
	}
	return nil
}

// checkTime refuses a signature that is too old, expired, or from the future.
func (c Claim) checkTime(now time.Time) *Error {
	stamp := func(t time.Time) string { return t.UTC().Format(stampLayout) }
	now = now.UTC().Truncate(time.Second)
	switch end := c.Time.Add(c.Expires); {
	case c.Time.After(now.Add(Skew)):
		return &Error{
			Invalid, fmt.Sprintf("Signature not yet current: %s is still later than %s (%s + 5 min.)", stamp(c.Time),
				stamp(now.Add(Skew)), stamp(now)),
			"the client's clock is more than 5 minutes ahead",
		}
	case c.Expires > 0 && end.Before(now):
		return &Error{
			Invalid, fmt.Sprintf("Signature expired: %s is now earlier than %s", stamp(end), stamp(now)),
			"the presigned URL has expired",
		}
	case c.Expires == 0 && c.Time.Before(now.Add(-Skew)):
		return &Error{
			Invalid, fmt.Sprintf("Signature expired: %s is now earlier than %s (%s - 5 min.)", stamp(c.Time),
				stamp(now.Add(-Skew)), stamp(now)),
			"the request was signed more than 5 minutes ago, or the client's clock is behind",
		}
	}
	return nil
}

// checkCoverage refuses a request if a header that must be signed is not, or a signed one was
// sent twice.
func (c Claim) checkCoverage(r *Request) *Error {
	if len(c.signed) > len(r.Fields)+1 {
		return &Error{Invalid, mismatch, "a signed header was not sent"}
	}
	if _, signed := slices.BinarySearch(c.signed, "host"); !signed {
		return mustSign("Host' or ':authority")
	}
	for _, f := range r.Fields {
		if !isAmzHeader(f.Name) {
			continue
		}
		if _, signed := slices.BinarySearch(c.signed, strings.ToLower(f.Name)); !signed {
			return mustSign(f.Name)
		}
	}
	for _, name := range c.signed {
		if name != "host" && len(r.values(name)) > 1 {
			// One header with both values has the same signature.
			return sentTwice(Invalid, name)
		}
	}
	return nil
}

func mustSign(name string) *Error {
	return &Error{
		Invalid, "'" + name + "' must be a 'SignedHeader' in the AWS Authorization.",
		"the host and every header that begins with x-amz- have to be signed",
	}
}

// isAmzHeader reports whether a header always has to be signed.
func isAmzHeader(name string) bool {
	const prefix = "x-amz-"
	return len(name) > len(prefix) && strings.EqualFold(name[:len(prefix)], prefix)
}

// checkScope refuses a credential for another region, service or date.
func (c Claim) checkScope(region, service string) *Error {
	var wrong []string
	if c.Region != region {
		wrong = append(wrong, "Credential should be scoped to a valid region.")
	}
	if c.Service != service {
		wrong = append(wrong, "Credential should be scoped to correct service: '"+service+"'.")
	}
	if c.terminator != terminator {
		wrong = append(wrong, "Credential should be scoped with a valid terminator: '"+terminator+"'.")
	}
	if stamp := c.Time.Format(stampLayout); c.date != stamp[:dateLength] {
		wrong = append(wrong,
			"Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP, from '"+stamp+"'.")
	}
	if len(wrong) == 0 {
		return nil
	}
	return &Error{
		Invalid, strings.Join(wrong, " "),
		"the request has to be signed for region " + region + " and service " + service,
	}
}

// checkSignature compares the signature with the one of the request.
func (c Claim) checkSignature(r *Request, secret string) *Error {
	path, query := http1.SplitTarget(r.Target)
	parameters := parseQuery(query)
	forms := []string{normalPath(path)}
	switch asWritten := pathEncoding.encode(path); {
	case r.AsWritten:
		forms[0] = asWritten
	case asWritten != forms[0]:
		forms = append(forms, asWritten)
	}
	sorted := canonicalQuery(parameters)
	body := hash(r.Body)
	stamp := c.Time.Format(stampLayout)
	scope := scope(c.date, c.Region, c.Service, c.terminator)
	isSigned := func(request []byte) bool {
		want := sign(secret, c.date, c.Region, c.Service, c.terminator, toSign(stamp, scope, request))
		return subtle.ConstantTimeCompare([]byte(want), []byte(c.signature)) == 1
	}
	request := canonical(r, forms[0], sorted, c.signed, body)
	reason := ""
	switch {
	case c.missingHeader(r) != "":
		reason = "the signed header " + phrase.Quote(c.missingHeader(r)) + " was not sent"
	case !bodyHashMatches(r, body):
		reason = "x-amz-content-sha256 is not the hash of the body, which must be signed"
	case isSigned(request), len(forms) > 1 && isSigned(canonical(r, forms[1], sorted, c.signed, body)):
		return nil
	default:
		reason = "the client signed with another secret key, or signed another method, host, path, query, header or " +
			"body than it sent"
		for _, f := range clientFaults {
			if isSigned(canonical(r, f.path(path), f.query(parameters), c.signed, body)) {
				reason = f.reason
				break
			}
		}
	}
	return &Error{Invalid, mismatch + "\n\nThe Canonical String for this request should have been\n'" + string(request) +
		"'\n\nThe String-to-Sign should have been\n'" + toSign(stamp, scope, request) + "'\n", reason}
}

// missingHeader is a signed header that was not sent, or "".
func (c Claim) missingHeader(r *Request) string {
	for _, name := range c.signed {
		if name != "host" &&
			!slices.ContainsFunc(r.Fields, func(f http1.Field) bool { return strings.EqualFold(f.Name, name) }) {
			return name
		}
	}
	return ""
}

// bodyHashMatches reports whether x-amz-content-sha256 is the hash of the body, or absent.
func bodyHashMatches(r *Request, body string) bool {
	for _, sent := range r.values(hashHeader) {
		if sent != body {
			return false
		}
	}
	return true
}
