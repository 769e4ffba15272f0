package gateway

import (
	"errors"
	"net/http"
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/model/access"
	"gatewright/sandbox/identity/token"
	"gatewright/sandbox/identity/wire"
	"gatewright/sandbox/signature"
)

// Answers to an invalid id token, as API Gateway's Cognito authorizer gives them.
const (
	bodyUnauthorized = `{"message":"Unauthorized"}`
	bodyExpired      = `{"message":"The incoming token has expired"}`
)

// unsignedRequest refuses a request without credentials to a restricted path.
func unsignedRequest() *refusal {
	return &refusal{
		status: http.StatusForbidden, errorType: signature.MissingToken, body: bodyNoToken,
		why: "the path is restricted and the request is not signed",
		fix: "sign it, or run the sandbox without --require-signatures",
	}
}

// tokenInsteadOfSignature explains the refusal of an Authorization header that holds a
// token. The client gets the answer to a malformed signature, as from API Gateway.
func tokenInsteadOfSignature(refused *refusal) *refusal {
	refused.why, refused.fix = "the path is restricted, and the request has a token instead of a signature",
		"sign it, or run the sandbox without --require-signatures"
	return refused
}

// badSignature refuses an invalid signature or invalid credentials. tokens is set where
// an id token is accepted as well.
func badSignature(err error, tokens bool) *refusal {
	if refused := (*signature.Error)(nil); errors.As(err, &refused) {
		return &refusal{
			status: http.StatusForbidden, errorType: refused.Code, body: message(refused.Message),
			why: "the signature is not valid: " + refused.Reason, fix: signFix(refused, tokens),
		}
	}
	if refused := (*wire.Error)(nil); errors.As(err, &refused) {
		return &refusal{
			status: http.StatusForbidden, errorType: refused.Code, body: message(refused.Message),
			why: "the credentials are not valid: " + reasonOf(err),
			fix: "sign in again with this environment's client configuration file, or refresh the session",
		}
	}
	return identityUnknown(err)
}

func signFix(refused *signature.Error, tokens bool) string {
	switch {
	case refused.Code == signature.Incomplete && tokens:
		return "sign the request (AWS4-HMAC-SHA256), or send an id token as Authorization: Bearer"
	case refused.Code == signature.Incomplete:
		return "sign the request (AWS4-HMAC-SHA256)"
	}
	return "check what the client signs, and with which credentials; the response has the details"
}

// badToken refuses an invalid id token.
func badToken(err error) *refusal {
	r := &refusal{
		status: http.StatusUnauthorized, errorType: "UnauthorizedException", body: bodyUnauthorized,
		why: "the token is not valid: " + reasonOf(err), fix: "send the id token of a user of this environment",
	}
	if errors.Is(err, token.ErrExpired) {
		r.body, r.fix = bodyExpired, "get a new one"
		return r
	}
	if refused := (*wire.Error)(nil); !errors.As(err, &refused) {
		return identityUnknown(err)
	}
	return r
}

// identityUnknown refuses a request whose credentials could not be checked.
func identityUnknown(err error) *refusal {
	return &refusal{
		status: http.StatusInternalServerError, errorType: "InternalServerErrorException", body: bodyInternal,
		why: "the credentials cannot be checked: " + onOneLine(err.Error()), fix: "check the file that the error names",
	}
}

// reasonOf is why credentials are invalid: the cause that the pool keeps from the client
// or, without one, the message for the client.
func reasonOf(err error) string {
	if refused := (*wire.Error)(nil); errors.As(err, &refused) {
		if cause := refused.Unwrap(); cause != nil {
			return onOneLine(cause.Error())
		}
		return onOneLine(refused.Message)
	}
	return onOneLine(err.Error())
}

// accessDenied refuses a call that the rules of its path do not allow.
func accessDenied(s *servedAPI, c *caller, d access.Decision, method, path string) *refusal {
	r := &refusal{
		status: http.StatusForbidden, errorType: "AccessDeniedException",
		why: d.Reason() + " (" + c.sender() + ")",
		fix: remedy(s, c, method, path),
	}
	if d.Rule == access.GuestsOff && c.credential == unsigned {
		r.errorType, r.body = signature.MissingToken, bodyNoToken
		return r
	}
	user := "anonymous"
	if c.hasSession {
		user = c.session.UserARN()
	}
	text := "User: " + user + " is not authorized to perform: execute-api:Invoke on resource: " + s.arn(method, path)
	r.body = `{"Message":` + string(appendText(nil, text)) + `}`
	return r
}

// sender says for the log who sent the request.
func (c *caller) sender() string {
	groups := memberOf(c.session.Groups)
	switch {
	case c.credential == unsigned:
		return "no credentials sent"
	case !c.session.SignedIn:
		return "called by a guest"
	case c.session.User.Name == "":
		return "called by a signed-in caller " + groups
	}
	return "called by user " + phrase.Quote(c.session.User.Name) + ", " + groups
}

func memberOf(groups []string) string {
	if len(groups) == 0 {
		return "in no group"
	}
	return "in " + phrase.QuoteList(groups)
}

// remedy says what would allow the refused call, according to the router.
func remedy(s *servedAPI, c *caller, method, path string) string {
	refresh := ""
	if user := c.session.User; c.session.SignedIn && user.Name != "" && !sameGroups(c.session.Groups, user.Groups) {
		refresh = "refresh the session: the user is now " + memberOf(user.Groups)
		if s.router.Decide(access.Caller{SignedIn: true, Groups: user.Groups}, method, path).Allowed {
			return refresh
		}
		refresh = "; " + refresh
	}
	return s.router.Remedy(c.routerCaller(), s.Definition.Groups(), method, path) + refresh
}

func sameGroups(a, b []string) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(slices.Compact(a), slices.Compact(b))
}
