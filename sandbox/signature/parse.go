package signature

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatewright/internal/text/phrase"
	"gatewright/sandbox/http1"
)

// LongestExpiry bounds the validity of a presigned request.
const LongestExpiry = 7 * 24 * time.Hour

// IsPresigned reports whether the query of a raw target has any parameter of a signature,
// valid or not.
func IsPresigned(target string) bool {
	_, query := http1.SplitTarget(target)
	if !strings.Contains(query, "-") && !strings.Contains(query, "%") {
		return false
	}
	return slices.ContainsFunc(parseQuery(query), func(p parameter) bool {
		return p.name == algorithmParameter || p.name == credentialParameter || p.name == signatureParameter
	})
}

// Parse reads the claim of a request from its Authorization header or its query. The error is an *Error. The
// claim is not proved until Verify accepts it.
func Parse(r Request) (Claim, error) {
	authorization := r.values("authorization")
	presigned := IsPresigned(r.Target)
	switch {
	case presigned && len(authorization) > 0:
		return Claim{}, &Error{
			Invalid, "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.",
			"the request has credentials in its query and in its header; send only one",
		}
	case len(authorization) > 1:
		return Claim{}, sentTwice(Incomplete, "Authorization")
	case !presigned && len(authorization) == 0:
		return Claim{}, &Error{MissingToken, "Missing Authentication Token", "the request is not signed"}
	}
	if refused := r.check(); refused != nil {
		return Claim{}, refused
	}
	var c Claim
	var refused *Error
	if presigned {
		refused = c.fromQuery(&r)
	} else {
		refused = c.fromHeader(&r, authorization[0])
	}
	if refused != nil {
		return Claim{}, refused
	}
	return c, nil
}

// check refuses a request that two readers may read in two ways.
func (r *Request) check() *Error {
	if a := authority(r.Target); a != "" && a != r.Host {
		return &Error{Invalid, "The request names two hosts.", "the host in the target is not the Host header"}
	}
	for i, host := range r.values("host") {
		if i > 0 || host != r.Host {
			return sentTwice(Invalid, "Host")
		}
	}
	for _, name := range []string{dateHeader, tokenHeader} {
		if len(r.values(name)) > 1 {
			return sentTwice(Invalid, name)
		}
	}
	return nil
}

func sentTwice(code, name string) *Error {
	return &Error{
		code, "The header '" + name + "' may be sent once only.",
		"the header " + phrase.Quote(name) + " was sent more than once",
	}
}

// fromHeader reads an Authorization header.
func (c *Claim) fromHeader(r *Request, header string) *Error {
	scheme, rest, _ := strings.Cut(header, " ")
	given := map[string]string{}
	for part := range strings.SplitSeq(rest, ",") {
		part = strings.Trim(part, " \t")
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			return &Error{
				Incomplete, "Invalid key=value pair (missing equal-sign) in Authorization header (hashed with SHA-256 and " +
					"encoded with Base64): '" + headerHash(header) + "'.",
				"the Authorization header is not a signature",
			}
		}
		if _, known := given[name]; known {
			return &Error{
				Incomplete, "Authorization header has a parameter more than once. " + hashedHeader(header),
				"the Authorization header has a parameter twice",
			}
		}
		given[name] = value
	}
	var missing []string
	for _, name := range []string{"Credential", "Signature", "SignedHeaders"} {
		if given[name] == "" {
			missing = append(missing, "Authorization header requires '"+name+"' parameter.")
		}
	}
	dates := r.values(dateHeader)
	if len(dates) == 0 {
		if dates = r.values("date"); len(dates) > 1 {
			return sentTwice(Invalid, "Date")
		}
	}
	if len(dates) == 0 {
		missing = append(missing, "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header.")
	}
	if len(missing) > 0 {
		return &Error{
			Incomplete, strings.Join(missing, " ") + " " + hashedHeader(header),
			"the signature in the Authorization header is incomplete",
		}
	}
	if scheme != algorithm {
		return &Error{
			Incomplete, "Unsupported AWS 'algorithm' (only " + algorithm + " for now). " + hashedHeader(header),
			"the request is not signed with " + algorithm,
		}
	}
	if token := r.values(tokenHeader); len(token) > 0 {
		c.SessionToken = token[0]
	}
	c.signature = given["Signature"]
	return c.read(given["Credential"], given["SignedHeaders"], dates[0])
}

// fromQuery reads the parameters of a presigned request.
func (c *Claim) fromQuery(r *Request) *Error {
	_, query := http1.SplitTarget(r.Target)
	given := map[string]string{}
	for _, p := range parseQuery(query) {
		switch p.name {
		case algorithmParameter, credentialParameter, signatureParameter, signedParameter, dateParameter,
			expiresParameter, tokenParameter:
			if _, known := given[p.name]; known {
				return &Error{
					Incomplete, "AWS query-string parameters must include '" + p.name + "' once only.",
					"the parameter " + p.name + " was sent more than once",
				}
			}
			given[p.name] = p.value
		}
	}
	missing := ""
	for _, name := range []string{
		algorithmParameter, credentialParameter, signatureParameter, signedParameter,
		dateParameter,
	} {
		if given[name] == "" {
			missing += "AWS query-string parameters must include '" + name + "'. "
		}
	}
	switch {
	case missing != "":
		return &Error{
			Incomplete, missing + "Re-examine the query-string parameters.",
			"the signature in the query is incomplete",
		}
	case given[algorithmParameter] != algorithm:
		return &Error{
			Incomplete, "Unsupported AWS 'algorithm' (only " + algorithm + " for now).",
			"the request is not signed with " + algorithm,
		}
	}
	c.Presigned = true
	if text, ok := given[expiresParameter]; ok {
		seconds, err := strconv.ParseUint(text, 10, 32)
		if c.Expires = time.Duration(seconds) * time.Second; err != nil || seconds == 0 || c.Expires > LongestExpiry {
			return &Error{
				Incomplete, "X-Amz-Expires must be a number of seconds from 1 to " + strconv.Itoa(int(LongestExpiry.Seconds())) +
					".",
				"X-Amz-Expires is not a number of seconds within a week",
			}
		}
	}
	c.SessionToken = given[tokenParameter]
	if header := r.values(tokenHeader); len(header) > 0 {
		if c.SessionToken != "" {
			return sentTwice(Invalid, "X-Amz-Security-Token")
		}
		c.SessionToken = header[0]
	}
	c.signature = given[signatureParameter]
	return c.read(given[credentialParameter], given[signedParameter], given[dateParameter])
}

// read reads the parts that both kinds of signature have.
func (c *Claim) read(credential, signed, stamp string) *Error {
	parts := strings.Split(credential, "/")
	if len(parts) != 5 || slices.Contains(parts, "") {
		return &Error{
			Incomplete, "Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term.",
			"the credential is not of the form key/date/region/service/" + terminator,
		}
	}
	c.AccessKeyID, c.date, c.Region, c.Service, c.terminator = parts[0], parts[1], parts[2], parts[3], parts[4]
	c.signed = strings.Split(strings.ToLower(signed), ";")
	slices.Sort(c.signed)
	for i, name := range c.signed {
		if !http1.IsToken(name) || i > 0 && name == c.signed[i-1] {
			return &Error{
				Incomplete, "SignedHeaders must be names of headers, each once.",
				"SignedHeaders is not a list of names",
			}
		}
	}
	at, err := time.Parse(stampLayout, stamp)
	if err != nil && !c.Presigned {
		at, err = http.ParseTime(stamp)
	}
	if err != nil || at.Year() < 1000 {
		return &Error{
			Incomplete, "Date must be in ISO-8601 'basic format'. See http://en.wikipedia.org/wiki/ISO_8601",
			"the date does not have the form " + stampLayout,
		}
	}
	c.Time = at.UTC()
	return nil
}

// headerHash is the hash of an Authorization header in messages.
func headerHash(header string) string {
	sum := sha256.Sum256([]byte(header))
	return base64.StdEncoding.EncodeToString(sum[:])
}

func hashedHeader(header string) string {
	return "(Hashed with SHA-256 and encoded with Base64) Authorization=" + headerHash(header)
}
