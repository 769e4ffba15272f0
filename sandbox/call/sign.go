package call

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"gatewright/sandbox/gateway"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/signature"
)

// own is the word for a person's own credentials of AWS.
const own = "me"

// Signer is a caller as the flag --as of the command call takes it; "" for nobody.
func Signer(who identitypool.Signer) string {
	switch {
	case who.Guest:
		return "guest"
	case who.Own:
		return own
	case who.AnyUser:
		return "authenticated"
	case who.Group != "":
		return "group:" + who.Group
	case who.User != "":
		return "user:" + who.User
	}
	return ""
}

// ReadSigner reads what Signer writes; any other text is nobody.
func ReadSigner(text string) identitypool.Signer {
	kind, name, _ := strings.Cut(text, ":")
	switch kind {
	case "guest":
		return identitypool.Signer{Guest: true}
	case own:
		return identitypool.Signer{Own: true}
	case "authenticated":
		return identitypool.Signer{AnyUser: true}
	case "group":
		return identitypool.Signer{Group: name}
	case "user":
		return identitypool.Signer{User: name}
	}
	return identitypool.Signer{}
}

// CredentialsError is the error of getting credentials to sign with. It wraps a
// *wire.Error if the pool refuses them.
type CredentialsError struct{ Cause error }

func (e *CredentialsError) Error() string { return e.Cause.Error() }

// Unwrap returns the cause.
func (e *CredentialsError) Unwrap() error { return e.Cause }

// sign signs a request, without the headers that occur more than once: they would have the same
// signature as one header with all values.
func sign(r *http.Request, body []byte, keys Keys, region string) {
	signed := signature.Request{
		Method: r.Method, Target: r.URL.RequestURI(), Host: r.Host, Body: body,
		AsWritten: keys.AsWritten,
	}
	times := make(map[string]int)
	for name, values := range r.Header {
		times[strings.ToLower(name)] += len(values)
	}
	var unsigned []http1.Field
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		// signature.Request has the host in a field of its own.
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
	signature.Sign(&signed, keys.Credentials, region, gateway.SignedService, time.Now().Add(keys.Skew))
	headers := make(http.Header)
	for _, f := range append(signed.Fields, unsigned...) {
		headers[f.Name] = append(headers[f.Name], f.Value)
	}
	r.Header = headers
}
