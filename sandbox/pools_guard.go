package sandbox

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"

	"gatewright/model"
	"gatewright/sandbox/cloud"
	"gatewright/sandbox/function"
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
	// used is told of each use by a function, before it gets the answer.
	used func(u function.Told, status int, answer []byte)
}

// Answer answers an operation, or refuses it.
func (g poolGuard) Answer(ctx context.Context, head *http1.Head, body []byte) (int, []http1.Field, []byte) {
	c, known := cloud.CallerOf(head.Get, g.caller)
	use := useOf(c, head)
	status, fields, answer := http.StatusBadRequest, []http1.Field(nil), g.refuse(c, known, head, body)
	if answer == nil {
		status, fields, answer = g.Endpoint.Answer(ctx, head, body)
	} else {
		fields = []http1.Field{
			{Name: "Content-Type", Value: "application/x-amz-json-1.1"},
			{Name: "x-amzn-ErrorType", Value: "AccessDeniedException:"},
		}
	}
	if _, operation, named := strings.Cut(head.Get("X-Amz-Target"), "."); known && named {
		use.Operation, use.Resources = operation, []string{string(model.KindPool)}
		g.used(use, status, answer)
	}
	return status, fields, answer
}

// refuse is the answer to an operation that a function may not use, or nil.
func (g poolGuard) refuse(c caller, known bool, head *http1.Head, body []byte) []byte {
	operation, is := strings.CutPrefix(head.Get("X-Amz-Target"), identity.UserPoolTarget)
	if !is || !known || userpool.IsPublic(operation) || head.MayBeFromPage() {
		return nil
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
