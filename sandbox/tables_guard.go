package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"strings"
	"sync/atomic"

	"gatewright/model"
)

// Grant is what a function may do with a table.
type Grant struct {
	// Table is the name of the deployed table.
	Table   string
	Actions model.Actions
}

// AccessKey is the id of the access key that a function asks with: it says who
// asks and is no secret.
func AccessKey(environment, function string) string {
	h := fnv.New64a()
	_, _ = io.WriteString(h, environment+"\x00"+function)
	return fmt.Sprintf("ASIA%016X", h.Sum64())
}

// caller is a function that asks for tables.
type caller struct {
	environment, function, deployed string
	region, account                 string
	grants                          []Grant
}

// tableGuard lets functions do with tables what their definitions say. Whoever asks
// with another access key is a person of this machine, who may do everything.
type tableGuard struct {
	callers atomic.Pointer[map[string]caller]
	tables  http.Handler
	// refused is told of what a function may not do.
	refused func(c caller, action model.Action, table string)
}

// tableActions are the actions that the operations stand for, as the field's tools
// grant them (research/rest-wizard.md 5a).
var tableActions = map[string]model.Action{
	"PutItem": model.Create, "CreateTable": model.Create, "BatchWriteItem": model.Create,
	"GetItem": model.Read, "BatchGetItem": model.Read, "Query": model.Read, "Scan": model.Read, "DescribeTable": model.Read, "TransactGetItems": model.Read,
	"DescribeTimeToLive": model.Read, "ListTagsOfResource": model.Read,
	"UpdateItem": model.Update, "UpdateTable": model.Update, "UpdateTimeToLive": model.Update, "TagResource": model.Update, "UntagResource": model.Update,
	"DeleteItem": model.Delete, "DeleteTable": model.Delete,
}

func (g *tableGuard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, known := (*g.callers.Load())[accessKeyOf(r.Header.Get("Authorization"))]
	if !known {
		g.tables.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	operation := strings.TrimPrefix(r.Header.Get("X-Amz-Target"), tableTarget)
	for _, use := range usesOf(operation, body) {
		if !c.may(use) {
			g.refused(c, use.action, use.table)
			c.refuse(w, use)
			return
		}
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	g.tables.ServeHTTP(w, r)
}

// accessKeyOf is the access key of an Authorization header of signature version 4.
func accessKeyOf(authorization string) string {
	_, rest, _ := strings.Cut(authorization, "Credential=")
	key, _, _ := strings.Cut(rest, "/")
	return key
}

// use is what an operation does with one table.
type use struct {
	operation, table string
	action           model.Action
}

// usesOf are the tables that an operation is about. What cannot be read names none:
// the tables refuse it themselves.
func usesOf(operation string, body []byte) []use {
	var input struct {
		TableName     string
		RequestItems  map[string]json.RawMessage
		TransactItems []map[string]struct{ TableName string }
	}
	if json.Unmarshal(body, &input) != nil {
		return nil
	}
	var uses []use
	add := func(operation, table string) {
		// A table may be named by its ARN.
		if at := strings.LastIndex(table, ":table/"); at >= 0 {
			table = table[at+len(":table/"):]
		}
		if action, known := tableActions[operation]; known && table != "" {
			uses = append(uses, use{operation, table, action})
		}
	}
	add(operation, input.TableName)
	for table := range input.RequestItems {
		add(operation, table)
	}
	for _, item := range input.TransactItems {
		for kind, of := range item {
			switch kind {
			case "ConditionCheck", "Get":
				add("GetItem", of.TableName)
			default:
				add(kind+"Item", of.TableName)
			}
		}
	}
	return uses
}

func (c caller) may(u use) bool {
	for _, g := range c.grants {
		if g.Table == u.table && g.Actions.Has(u.action) {
			return true
		}
	}
	return false
}

func (c caller) refuse(w http.ResponseWriter, u use) {
	text, _ := json.Marshal(map[string]string{
		"__type": "com.amazon.coral.service#AccessDeniedException",
		"Message": fmt.Sprintf("User: arn:aws:sts::%s:assumed-role/%s/%s is not authorized to perform: dynamodb:%s on resource: arn:aws:dynamodb:%s:%s:table/%s because no identity-based policy allows the dynamodb:%s action",
			c.account, c.deployed, c.deployed, u.operation, c.region, c.account, u.table, u.operation),
	})
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.WriteHeader(http.StatusBadRequest)
	_, _ = w.Write(text)
}
