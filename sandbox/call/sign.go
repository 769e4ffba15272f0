package call

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"gatewright/sandbox"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/signature"
)

// service is what requests to APIs are signed for.
const service = "execute-api"

// Signer is who signs, as the flag --as of call says it; "" for nobody.
func Signer(who identitypool.Signer) string {
	switch {
	case who.Guest:
		return "guest"
	case who.Group != "":
		return "group:" + who.Group
	case who.User != "":
		return "user:" + who.User
	}
	return ""
}

// ReadSigner is who signs, read from what Signer writes; nobody for any other text.
func ReadSigner(text string) identitypool.Signer {
	kind, name, _ := strings.Cut(text, ":")
	switch kind {
	case "guest":
		return identitypool.Signer{Guest: true}
	case "group":
		return identitypool.Signer{Group: name}
	case "user":
		return identitypool.Signer{User: name}
	}
	return identitypool.Signer{}
}

// CredentialsError says why nobody gets credentials to sign as they asked. It
// unwraps to a *wire.Error where the pool refuses.
type CredentialsError struct{ Cause error }

func (e *CredentialsError) Error() string { return e.Cause.Error() }

// Unwrap is the pool's own error.
func (e *CredentialsError) Unwrap() error { return e.Cause }

// signAs signs a request with credentials that the sandbox gives.
func signAs(ctx context.Context, client *sandbox.Client, api sandbox.ServedAPI, who identitypool.Signer, r *http.Request, body []byte) error {
	given, err := client.Credentials(ctx, api.Environment, who)
	if err != nil {
		return &CredentialsError{err}
	}
	credentials := signature.Credentials{AccessKeyID: given.AccessKeyID, SecretKey: given.SecretKey, SessionToken: given.SessionToken}
	// Neither the pool nor the working tree may be of the region that the API is of.
	sign(r, body, credentials, api.Region)
	return nil
}

// sign signs a request, its path as it is written, with the headers that it has but
// those that it has more than once: the signature of two would be that of one with
// both values.
func sign(r *http.Request, body []byte, c signature.Credentials, region string) {
	signed := signature.Request{Method: r.Method, Target: r.URL.RequestURI(), Host: r.Host, Body: body, AsWritten: true}
	times := make(map[string]int)
	for name, values := range r.Header {
		times[strings.ToLower(name)] += len(values)
	}
	var unsigned []http1.Field
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		// The host is said apart.
		if strings.EqualFold(name, "Host") {
			continue
		}
		to := &signed.Fields
		if times[strings.ToLower(name)] > 1 {
			to = &unsigned
		}
		for _, value := range r.Header[name] {
			*to = append(*to, http1.Field{Name: name, Value: value})
		}
	}
	signature.Sign(&signed, c, region, service, time.Now())
	headers := make(http.Header)
	for _, f := range append(signed.Fields, unsigned...) {
		headers[f.Name] = append(headers[f.Name], f.Value)
	}
	r.Header = headers
}
