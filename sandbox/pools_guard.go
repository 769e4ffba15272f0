package sandbox

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"

	"gatewright/sandbox/cloud"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/identity"
	"gatewright/sandbox/identity/userpool"
)

// poolGuard allows functions the operations of user pools that their roles allow. What needs no
// signature is free, and so are programs of the user.
type poolGuard struct {
	identity.Endpoint
	caller func(key string) (caller, bool)
	tell   func(c caller, once bool, text string)
}

// Answer answers an operation, or refuses it.
func (g poolGuard) Answer(ctx context.Context, head *http1.Head, body []byte) (int, []http1.Field, []byte) {
	if refusal := g.refuse(head, body); refusal != nil {
		return http.StatusBadRequest, []http1.Field{
			{Name: "Content-Type", Value: "application/x-amz-json-1.1"},
			{Name: "x-amzn-ErrorType", Value: "AccessDeniedException:"},
		}, refusal
	}
	return g.Endpoint.Answer(ctx, head, body)
}

// refuse is the answer to an operation that a function may not use, or nil.
func (g poolGuard) refuse(head *http1.Head, body []byte) []byte {
	operation, is := strings.CutPrefix(head.Get("X-Amz-Target"), identity.UserPoolTarget)
	if !is || userpool.IsPublic(operation) || head.MayBeFromPage() {
		return nil
	}
	for _, key := range cloud.Keys(head.Get) {
		c, known := g.caller(key)
		if !known {
			continue
		}
		var input struct {
			Pool string `json:"UserPoolId"`
		}
		// The pool itself says what is wrong with the body.
		_ = json.Unmarshal(body, &input)
		// An operation that names no pool, such as ListUserPools, is about all of them.
		action, arn := "cognito-idp:"+operation, c.arn("cognito-idp", "userpool/"+cmp.Or(input.Pool, "*"))
		refusal := c.may(action, arn, arn, "the user pool: the function may not use "+operation, g.tell)
		if refusal == "" {
			return nil
		}
		text, _ := json.Marshal(map[string]string{"__type": "AccessDeniedException", "Message": refusal})
		return text
	}
	return nil
}
