package sandbox

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"

	"gatewright/model/access"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/invoke"
	"gatewright/sandbox/table"
)

// tableGuard allows functions the table operations that their grants allow. Requests with
// any other access key come from programs of the user, which may do everything.
type tableGuard struct {
	// caller returns a function by the access key id of its credentials.
	caller func(key string) (caller, bool)
	tables table.Service
	// refused is called for each use that a function may not make.
	refused func(caller, use, invoke.Permission)
	// assumed is called for each use that only an assumed grant allows.
	assumed func(caller, use)
}

// tableActions are the actions that operations need. They follow the policies that the
// Amplify CLI writes for functions with access to a table
// (https://github.com/aws-amplify/amplify-cli).
var tableActions = map[string]access.Action{
	"PutItem": access.Create, "CreateTable": access.Create, "BatchWriteItem": access.Create,
	"GetItem": access.Read, "BatchGetItem": access.Read, "Query": access.Read, "Scan": access.Read,
	"DescribeTable": access.Read, "TransactGetItems": access.Read,
	"DescribeTimeToLive": access.Read, "ListTagsOfResource": access.Read,
	"UpdateItem": access.Update, "UpdateTable": access.Update, "UpdateTimeToLive": access.Update,
	"TagResource":   access.Update,
	"UntagResource": access.Update,
	"DeleteItem":    access.Delete, "DeleteTable": access.Delete,
}

// ServeHTTP answers requests other than POST.
func (g *tableGuard) ServeHTTP(w http.ResponseWriter, r *http.Request) { g.tables.ServeHTTP(w, r) }

// notForPages is the answer to web pages: tables have no users whose credentials could
// protect them.
const notForPages = `{"__type":"com.amazon.coral.service#AccessDeniedException","Message":"Tables are not for pages of a browser: programs ask for them at 127.0.0.1 or localhost"}`

// Answer answers an operation, or refuses it.
func (g *tableGuard) Answer(ctx context.Context, head *http1.Head, body []byte) (int, []http1.Field, []byte) {
	if head.MayBeFromPage() {
		return http.StatusBadRequest, table.Fields([]byte(notForPages)), []byte(notForPages)
	}
	if refusal := g.refuse(accessKeyOf(head.Get("Authorization")), head.Get("X-Amz-Target"), body); refusal != nil {
		return http.StatusBadRequest, table.Fields(refusal), refusal
	}
	return g.tables.Answer(ctx, head, body)
}

// refuse is the answer to an operation that a function may not use, or nil.
func (g *tableGuard) refuse(key, target string, body []byte) []byte {
	c, known := g.caller(key)
	if !known {
		return nil
	}
	_, operation, _ := strings.Cut(target, ".")
	uses, err := table.Uses(operation, body)
	if err != nil {
		// The tables refuse this themselves.
		return nil
	}
	for _, u := range uses {
		use := use{operation, u.Operation, u.Table, tableActions[u.Operation]}
		permission, assumed := c.may(use)
		if permission != invoke.Granted {
			g.refused(c, use, permission)
			return c.refusal(use, permission)
		}
		if assumed {
			g.assumed(c, use)
		}
	}
	return nil
}

// accessKeyOf is the access key id in an Authorization header of Signature Version 4.
func accessKeyOf(authorization string) string {
	_, rest, _ := strings.Cut(authorization, "Credential=")
	key, _, _ := strings.Cut(rest, "/")
	return key
}

// use is what an operation does with one table. No grant allows a use without a table or an
// action.
type use struct {
	// operation is what was asked for, part the operation on this table in it.
	operation, part, table string
	action                 access.Action
}

// needs is the action of policies that a use needs. A transaction needs what its parts need
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html).
func (u use) needs() string {
	if strings.HasPrefix(u.operation, "Transact") || strings.Contains(u.operation, "Statement") {
		return "dynamodb:" + u.part
	}
	return "dynamodb:" + u.operation
}

// may is what the grants of a function say of a use, and whether only an assumed one allows it.
func (c caller) may(u use) (permission invoke.Permission, assumed bool) {
	arn, needed := c.arn(u.table), u.needs()
	return judge(c.grants, func(g Grant) bool {
		return g.Table == u.table && g.Actions.Has(u.action) || g.covers(needed, arn)
	})
}

// arn is the ARN of a table.
func (c caller) arn(table string) string {
	return "arn:aws:dynamodb:" + c.Region + ":" + c.Account + ":table/" + table
}

// refusal is the answer to a use that a function may not make, in the words of IAM
// (https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_access-denied.html).
func (c caller) refusal(u use, permission invoke.Permission) []byte {
	why := " because no identity-based policy allows the dynamodb:" + u.operation + " action"
	if permission == invoke.Denied {
		why = " with an explicit deny in an identity-based policy"
	}
	text, _ := json.Marshal(map[string]string{
		"__type": "com.amazon.coral.service#AccessDeniedException",
		"Message": fmt.Sprintf("User: arn:aws:sts::%s:assumed-role/%s/%s is not authorized to perform: dynamodb:%s on "+
			"resource: %s%s",
			c.Account, c.Deployed, c.Deployed, u.operation, c.arn(u.table), why),
	})
	return text
}
