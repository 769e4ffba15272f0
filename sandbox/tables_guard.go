package sandbox

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/go-json-experiment/json"

	"gatewright/cfn"
	"gatewright/model"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/table"
)

// Grant allows a function actions on a table, or with patterns operations of DynamoDB and
// Lambda.
type Grant struct {
	// Table is the name of the deployed table.
	Table   string
	Actions model.Actions
	// Operations and Resources are the patterns of a policy instead, such as dynamodb:Get*
	// or lambda:InvokeFunction and the ARN of a table or function.
	Operations, Resources []string
	// Denied takes back what other grants allow.
	Denied bool
	// Assumed means that the project does not say what the function may do; the first use
	// is told.
	Assumed bool
}

// AccessKey is the access key id in a function's credentials. It identifies the function
// and is not secret.
func AccessKey(environment, function string) string {
	h := fnv.New64a()
	_, _ = io.WriteString(h, environment+"\x00"+function)
	return fmt.Sprintf("ASIA%016X", h.Sum64())
}

// caller is a function that uses tables.
type caller struct {
	environment, function, deployed string
	region, account                 string
	grants                          []Grant
}

// tableGuard allows functions the table operations that their grants allow. Requests with
// any other access key come from programs of the user, which may do everything.
type tableGuard struct {
	callers atomic.Pointer[map[string]caller]
	tables  table.Service
	// refused is called for each use that a function may not make.
	refused func(caller, use)
	// assumed is called for each use that only an assumed grant allows.
	assumed func(caller, use)
}

// tableActions are the actions that operations need. They follow the policies that the
// Amplify CLI writes for functions with access to a table
// (https://github.com/aws-amplify/amplify-cli).
var tableActions = map[string]model.Action{
	"PutItem": model.Create, "CreateTable": model.Create, "BatchWriteItem": model.Create,
	"GetItem": model.Read, "BatchGetItem": model.Read, "Query": model.Read, "Scan": model.Read, "DescribeTable": model.Read, "TransactGetItems": model.Read,
	"DescribeTimeToLive": model.Read, "ListTagsOfResource": model.Read,
	"UpdateItem": model.Update, "UpdateTable": model.Update, "UpdateTimeToLive": model.Update, "TagResource": model.Update, "UntagResource": model.Update,
	"DeleteItem": model.Delete, "DeleteTable": model.Delete,
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
	c, known := (*g.callers.Load())[key]
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
		allowed, assumed := c.may(use)
		if !allowed {
			g.refused(c, use)
			return c.refusal(use)
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
	action                 model.Action
}

// may reports whether a grant allows a use, and whether it is an assumed one.
func (c caller) may(u use) (allowed, assumed bool) {
	arn := c.arn(u.table)
	if slices.ContainsFunc(c.grants, func(g Grant) bool { return g.Denied && g.allows(u, arn) }) {
		return false, false
	}
	for _, g := range c.grants {
		if g.Denied {
			continue
		}
		if g.Table == u.table && g.Actions.Has(u.action) || g.allows(u, arn) {
			return true, g.Assumed
		}
	}
	return false, false
}

// arn is the ARN of a table.
func (c caller) arn(table string) string {
	return "arn:aws:dynamodb:" + c.region + ":" + c.account + ":table/" + table
}

// allows reports whether the patterns of a grant are about a use. A transaction needs what
// its parts need
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html).
func (g Grant) allows(u use, arn string) bool {
	if !slices.ContainsFunc(g.Resources, func(pattern string) bool { return cfn.MatchResource(pattern, arn) }) {
		return false
	}
	operation := u.operation
	if strings.HasPrefix(operation, "Transact") || strings.Contains(operation, "Statement") {
		operation = u.part
	}
	return slices.ContainsFunc(g.Operations, func(pattern string) bool { return cfn.MatchAction(pattern, "dynamodb:"+operation) })
}

func (c caller) refusal(u use) []byte {
	text, _ := json.Marshal(map[string]string{
		"__type": "com.amazon.coral.service#AccessDeniedException",
		"Message": fmt.Sprintf("User: arn:aws:sts::%s:assumed-role/%s/%s is not authorized to perform: dynamodb:%s on resource: arn:aws:dynamodb:%s:%s:table/%s because no identity-based policy allows the dynamodb:%s action",
			c.account, c.deployed, c.deployed, u.operation, c.region, c.account, u.table, u.operation),
	})
	return text
}
