//go:build linux

package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"gatewright/sandbox/gateway"
	"gatewright/sandbox/table"
)

// serveTables serves the tables in a file through a gateway, as the sandbox does.
func serveTables(listener net.Listener, file string) error {
	store := must(table.Open(file, table.Options{}))
	defer func() { _ = store.Close() }()
	g := gateway.New(gateway.Options{Address: listener.Addr().String()})
	g.Handle("DynamoDB_20120810.", store.Handler())
	return g.Serve(listener)
}

// answerAsTable answers without a table.
func answerAsTable(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	switch operation := r.Header.Get("X-Amz-Target"); {
	case strings.HasSuffix(operation, "GetItem"):
		_, _ = io.WriteString(w, `{"Item":`+tableItem(1)+`}`)
	case strings.HasSuffix(operation, "Query"):
		_, _ = io.WriteString(w, `{"Items":[`+strings.Repeat(tableItem(1)+",", page-1)+tableItem(1)+`],"Count":25}`)
	default:
		_, _ = io.WriteString(w, "{}")
	}
}

// page is how many items a query reads.
const page = 25

// tables compares the sandbox's tables, which last, with those of dynalite in memory.
func tables(b *bench) {
	p := b.project("tables")
	b.install(p, b.work, peers[2])
	ours := b.self(p, "tables", filepath.Join(b.work, "tables.db"))
	floor := b.self(p, "answers", "")
	const dynalite = `const s = require("dynalite")({createTableMs: 0}).listen(0, "127.0.0.1", () => console.log("listening on http://127.0.0.1:" + s.address().port))`
	peer := b.serve(p.Command(b.ctx, b.work, "node", "-e", dynalite))
	for _, t := range []struct {
		name  string
		items int
	}{{"1,000 items", 1000}, {"100,000 items", 100_000}} {
		table := fmt.Sprint("items", t.items)
		for _, s := range []*server{ours, peer} {
			fill(s, table, t.items)
		}
		var next atomic.Int64
		for _, operation := range []string{"GetItem", "PutItem", "Query"} {
			c := tableCall(operation, func() string {
				i := int(next.Add(1)*7) % t.items
				switch operation {
				case "PutItem":
					return fmt.Sprintf(`{"TableName":%q,"Item":%s}`, table, tableItem(i))
				case "GetItem":
					return fmt.Sprintf(`{"TableName":%q,"Key":{"pk":{"S":"key%d"},"sk":{"N":"%d"}}}`, table, i%10, i)
				}
				return fmt.Sprintf(`{"TableName":%q,"KeyConditionExpression":"pk = :k","ExpressionAttributeValues":`+
					`{":k":{"S":"key%d"}},"Limit":%d}`, table, i%10, page)
			})
			c.has = map[string]string{"GetItem": `"title"`, "PutItem": "{", "Query": `"Count":25`}[operation]
			b.calls(t.name+", "+operation, c, []int{1, 16}, ours, floor, peer)
		}
	}
}

// tableCall is a call of an operation of DynamoDB.
func tableCall(operation string, next func() string) call {
	return call{method: "POST", path: "/", next: next, headers: "X-Amz-Target: DynamoDB_20120810." + operation +
		"\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Date: 20261122T000000Z\r\n" +
		"Authorization: AWS4-HMAC-SHA256 Credential=local/20261122/us-east-1/dynamodb/aws4_request, " +
		"SignedHeaders=host;x-amz-date, Signature=0\r\n"}
}

// fill makes a table of ten partitions with n items.
func fill(s *server, name string, n int) {
	ask := func(operation, input string) string {
		c := tableCall(operation, func() string { return input })
		c.has = "{"
		return c.once(s)
	}
	ask("CreateTable", `{"TableName":"`+name+
		`","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]}`)
	for !strings.Contains(ask("DescribeTable", `{"TableName":"`+name+`"}`), `"ACTIVE"`) {
		time.Sleep(10 * time.Millisecond)
	}
	const batch = 25
	for at := 0; at < n; at += batch {
		var puts []string
		for i := at; i < min(at+batch, n); i++ {
			puts = append(puts, `{"PutRequest":{"Item":`+tableItem(i)+`}}`)
		}
		ask("BatchWriteItem", `{"RequestItems":{"`+name+`":[`+strings.Join(puts, ",")+`]}}`)
	}
}

// tableItem is item i, of some 200 bytes.
func tableItem(i int) string {
	return fmt.Sprintf(`{"pk":{"S":"key%d"},"sk":{"N":"%d"},"title":{"S":"%s"},"price":{"N":"12.5"},"tags":{"L":[{"S":"a"},{"BOOL":true}]}}`, i%10, i, strings.Repeat("x", 120))
}
