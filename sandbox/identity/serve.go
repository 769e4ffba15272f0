package identity

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"gatewright/internal/uuid"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/identity/wire"
)

// The addresses of the pools. Browsers and client libraries use the paths, which serve public
// operations only. The root serves all operations, and no browser.
const (
	UserPoolPath     = "/_user-pool"
	IdentityPoolPath = "/_identity-pool"

	UserPoolTarget     = "AWSCognitoIdentityProviderService."
	IdentityPoolTarget = "AWSCognitoIdentityService."

	// WellKnown follows the id of a user pool in the paths of its keys and OpenID
	// configuration.
	WellKnown = "/.well-known/"
)

const contentType = "application/x-amz-json-1.1"

// mostInput bounds the input of an operation, in bytes.
const mostInput = 256 << 10

// Paths serves public operations to browsers and client libraries.
func (s *Service) Paths() Endpoint { return Endpoint{service: s, browsers: true} }

// Root serves all operations, by X-Amz-Target at the root.
func (s *Service) Root() Endpoint { return Endpoint{service: s} }

// Endpoint serves the protocols of the pools.
type Endpoint struct {
	service  *Service
	browsers bool
}

// ServeHTTP answers everything except POST: preflights of browsers, and the paths of keys.
func (e Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodOptions && e.browsers:
		preflight(w.Header(), r)
		w.WriteHeader(http.StatusOK)
	case (r.Method == http.MethodGet || r.Method == http.MethodHead) && strings.Contains(r.URL.Path, WellKnown):
		e.service.wellKnown(w, r)
	default:
		http.Error(w, "POST an operation here, with the header X-Amz-Target", http.StatusMethodNotAllowed)
	}
}

// preflight allows browsers the requests that client libraries send. It does not allow
// Authorization: operations that need it are not for browsers.
func preflight(h http.Header, r *http.Request) {
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Allow-Methods", "POST, OPTIONS")
	var allowed []string
	for name := range strings.SplitSeq(r.Header.Get("Access-Control-Request-Headers"), ",") {
		if name = strings.TrimSpace(name); http1.IsToken(name) && !strings.EqualFold(name, "Authorization") {
			allowed = append(allowed, name)
		}
	}
	if len(allowed) > 0 {
		h.Set("Access-Control-Allow-Headers", strings.Join(allowed, ","))
	}
	h.Set("Access-Control-Max-Age", "86400")
	h.Set("Vary", "Access-Control-Request-Headers")
}

// Answer runs an operation and makes the HTTP answer.
func (e Endpoint) Answer(
	ctx context.Context, head *http1.Head, body []byte,
) (status int, header []http1.Field, answer []byte) {
	output, err := e.do(ctx, head, body)
	header = []http1.Field{
		{Name: "Content-Type", Value: contentType},
		{Name: "x-amzn-RequestId", Value: uuid.New()},
		{Name: "Cache-Control", Value: "no-store"},
	}
	if e.browsers {
		header = append(header,
			http1.Field{Name: "Access-Control-Allow-Origin", Value: "*"},
			http1.Field{
				Name:  "Access-Control-Expose-Headers",
				Value: "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date",
			})
	}
	if err == nil {
		return http.StatusOK, header, output
	}
	status = http.StatusBadRequest
	var refused *wire.Error
	if hint := wire.Hint(""); errors.As(err, &hint) {
		e.service.options.Failed(head.Get("X-Amz-Target"), hint)
	}
	if !errors.As(err, &refused) {
		// The error may name files, and the client may be a web page.
		e.service.options.Failed(head.Get("X-Amz-Target"), err)
		status, refused = http.StatusInternalServerError,
			wire.Refuse("InternalErrorException", "The sandbox failed: see its log")
	}
	header = append(header, http1.Field{Name: "x-amzn-ErrorType", Value: refused.Code + ":"})
	answer, _ = json.Marshal(struct {
		Type    string `json:"__type"`
		Message string `json:"message"`
	}{refused.Code, refused.Message})
	return status, header, answer
}

func (e Endpoint) do(ctx context.Context, head *http1.Head, body []byte) ([]byte, error) {
	target := head.Get("X-Amz-Target")
	if len(body) > mostInput {
		return nil, wire.Refuse("InvalidParameterException", "The input is larger than %s KB", strconv.Itoa(mostInput>>10))
	}
	var (
		do     func(context.Context, string, []byte) ([]byte, error)
		public func(string) bool
	)
	operation, users := strings.CutPrefix(target, UserPoolTarget)
	if users {
		do, public = e.service.users.Do, userpool.IsPublic
	} else if operation, users = strings.CutPrefix(target, IdentityPoolTarget); users {
		do, public = e.service.Identities.Do, identitypool.IsPublic
	} else {
		return nil, wire.Refuse("UnknownOperationException", "The header X-Amz-Target names no operation of the pools")
	}
	if !public(operation) {
		if err := e.administers(head); err != nil {
			return nil, err
		}
	}
	return do(ctx, operation, body)
}

// administers refuses callers of operations that the cloud serves with a signature only. Any signature is
// accepted, because only this machine can reach the address; web pages are not, whatever their host name.
func (e Endpoint) administers(head *http1.Head) error {
	switch {
	case e.browsers:
		return wire.Refuse("NotAuthorizedException", "This operation is not for web pages: ask for it at %s/",
			e.service.options.Address)
	case head.MayBeFromPage():
		return wire.Refuse("NotAuthorizedException", "This operation is not for web pages")
	case !strings.HasPrefix(head.Get("Authorization"), "AWS4-HMAC-SHA256 "):
		return wire.Refuse("MissingAuthenticationTokenException", "Missing Authentication Token")
	}
	return nil
}

// wellKnown serves the keys and the OpenID configuration of a user pool.
func (s *Service) wellKnown(w http.ResponseWriter, r *http.Request) {
	id, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), WellKnown)
	var answer []byte
	var err error
	if s.users.Has(id) {
		switch name {
		case "jwks.json":
			answer, err = s.keys.JWKS(id)
		case "openid-configuration":
			answer, err = json.Marshal(map[string]any{
				"issuer": s.issuer(id), "jwks_uri": s.issuer(id) + WellKnown + "jwks.json",
				"id_token_signing_alg_values_supported": []string{"RS256"}, "subject_types_supported": []string{"public"},
				"response_types_supported": []string{"code", "token"},
				"scopes_supported":         []string{"openid", "email", "phone", "profile"},
			})
		}
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Content-Type", "application/json")
	switch {
	case err != nil:
		s.options.Failed(name, err)
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = w.Write([]byte(`{"message":"Internal Server Error"}`))
	case answer == nil:
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte(`{"message":"Not Found"}`))
	default:
		_, _ = w.Write(answer)
	}
}
