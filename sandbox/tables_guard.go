package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"

	"gatewright/internal/text/phrase"
	"gatewright/model/rights"
	"gatewright/sandbox/function"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/table"
)

// tableGuard allows functions the table operations that their grants allow. Requests with
// any other access key come from programs of the user, which may do everything.
type tableGuard struct {
	// caller returns a function by the access key id of its credentials.
	caller func(key string) (caller, bool)
	tables table.Service
	// tell is told of each use that a function may not make, or that its policies leave open.
	tell func(c caller, once bool, text string)
	// used is told of each use by a function, before it gets the answer.
	used func(u function.Told, status int, answer []byte)
}

// ServeHTTP answers a request, or refuses it.
func (g *tableGuard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	const mostBody = 32 << 20
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	if err != nil {
		return
	}
	c, known := g.caller(accessKeyOf(r.Header.Get("Authorization")))
	if refusal, _, _ := g.refuse(c, known, r.Header.Get("X-Amz-Target"), body); refusal != nil {
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write(refusal)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	g.tables.ServeHTTP(w, r)
}

// notForPages is the answer to web pages: tables have no users whose credentials could
// protect them.
const notForPages = `{"__type":"com.amazon.coral.service#AccessDeniedException","Message":"Tables are not for web pages: programs ask for them at 127.0.0.1 or localhost"}`

// Answer answers an operation, or refuses it.
func (g *tableGuard) Answer(ctx context.Context, head *http1.Head, body []byte) (int, []http1.Field, []byte) {
	if head.MayBeFromPage() {
		return http.StatusBadRequest, table.Fields([]byte(notForPages)), []byte(notForPages)
	}
	c, known := g.caller(accessKeyOf(head.Get("Authorization")))
	use := useOf(c, head)
	refusal, operation, uses := g.refuse(c, known, head.Get("X-Amz-Target"), body)
	status, fields, answer := http.StatusBadRequest, []http1.Field(nil), refusal
	if refusal == nil {
		status, fields, answer = g.tables.Answer(ctx, head, body)
	} else {
		fields = table.Fields(refusal)
	}
	if known {
		use.Operation, use.Resources = operation, c.resourcesOf(uses)
		g.used(use, status, answer)
	}
	return status, fields, answer
}

// refuse is the answer to an operation that a function may not use, or nil, and what the operation uses.
func (g *tableGuard) refuse(
	c caller, known bool, target string, body []byte,
) (refusal []byte, operation string, uses []table.Use) {
	if !known {
		return nil, "", nil
	}
	_, operation, _ = strings.Cut(target, ".")
	uses, err := table.Uses(operation, body)
	if err != nil {
		// The tables refuse this themselves.
		return nil, operation, nil
	}
	for _, u := range uses {
		// An ARN that is not one of the tables here may be that of another account.
		arn := u.Table
		if !strings.HasPrefix(arn, "arn:") {
			arn = c.arn("dynamodb", "table/"+cmp.Or(arn, "*"))
		}
		known := c.names[arn] != ""
		action := "dynamodb:" + u.Operation
		what := "functions may not use the operation " + phrase.Quote(operation)
		if _, needed := rights.For(action); needed != 0 {
			if u.Table == "" {
				// The tables refuse this themselves: DynamoDB misses the name before it asks what the role allows.
				continue
			}
			what = fmt.Sprintf("table %s: the function may not %s there", phrase.Quote(u.Table), needed)
		}
		if u.Index != "" {
			arn += "/index/" + u.Index
		}
		if refusal := c.may(action, arn, arn, what, g.tell); refusal != "" {
			text, _ := json.Marshal(map[string]string{
				"__type": "com.amazon.coral.service#AccessDeniedException", "Message": refusal,
			})
			return text, operation, uses
		}
		if u.Table != "" && !known {
			// DynamoDB's answer does not name a table that is missing.
			g.tell(c, onlyOnce, "the table "+phrase.Quote(u.Table)+" is not one of the project's; to use a service that "+
				"has it, run: gatewright sandbox --table-endpoint URL")
		}
	}
	return nil, operation, uses
}

// accessKeyOf is the access key id in an Authorization header of Signature Version 4.
func accessKeyOf(authorization string) string {
	_, rest, _ := strings.Cut(authorization, "Credential=")
	key, _, _ := strings.Cut(rest, "/")
	return key
}
