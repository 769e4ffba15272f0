package cloudcall

import (
	"net/http"

	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/sandbox/call"
)

// refusal says why API Gateway answered a request itself, as far as the definition that was pushed
// tells. What it does not tell is not said.
func (e *Environment) refusal(label string, r call.Request, c *caller, a call.Answer) []string {
	router := e.Backend.Router(label)
	if errorType(a) == "" || router == nil {
		return nil
	}
	route, found := router.Match(r.Method, r.Path)
	switch {
	case a.Status >= http.StatusInternalServerError && found && r.Method != http.MethodOptions:
		return []string{"the reason is shown by: gatewright logs " + model.ShellWord(route.Path.Function) + " --env " +
			model.ShellWord(e.Name)}
	case a.Status >= http.StatusInternalServerError, !denied(a):
		return nil
	case !found:
		return []string{"no path of the API " + phrase.Quote(label) + " serves " + phrase.Quote(r.Path) +
			"; add one, or correct the address"}
	case c != nil && c.Own:
		return []string{"the definition does not cover " + c.name +
			"; an IAM policy has to allow execute-api:Invoke, or sign the request as somebody else: --as USER"}
	}
	who := access.Caller{Stranger: c == nil}
	name := ""
	switch {
	case c == nil:
	case c.Guest:
		name = "a guest"
	default:
		who = access.Caller{SignedIn: true, Groups: c.groups}
		name = "user " + phrase.Quote(c.User) + ", in no group"
		if len(c.groups) > 0 {
			name = "user " + phrase.Quote(c.User) + ", in " + phrase.QuoteList(c.groups)
		}
	}
	d := router.Decide(who, r.Method, r.Path)
	switch {
	case d.Allowed:
		return []string{
			"by the pushed definition, " + clock.Moment(e.Deployment.Deployed) + ", " + d.Reason() +
				", but AWS refuses it; compare the stack with: gatewright prove --stack " +
				model.ShellWord(e.Deployment.Stack),
		}
	case c == nil:
		return []string{"path " + route.Path.Rule() + "; nobody signed the request; " + signing(router, r)}
	}
	return []string{d.Reason() + " (called by " + name + "); " +
		router.Remedy(who, e.Backend.Groups, r.Method, r.Path)}
}

// denied reports whether a refusal is about who calls, or about where.
func denied(a call.Answer) bool {
	switch errorType(a) {
	case "AccessDeniedException", "MissingAuthenticationTokenException":
		return true
	}
	return false
}

// signing says who would have to sign a request that nobody signed.
func signing(router *access.Router, r call.Request) string {
	if router.Decide(access.Caller{}, r.Method, r.Path).Allowed {
		return "sign it with: --as guest"
	}
	return "sign it as a user who may, with: --as USER"
}
