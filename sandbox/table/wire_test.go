package table

import (
	"bytes"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

func TestTheProtocol(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	server := httptest.NewServer(s.Handler())
	t.Cleanup(server.Close)
	ids := make(map[string]bool)
	for _, c := range []struct {
		name, method, path, kind, target, body string
		status                                 int
		want                                   string
	}{
		{"an operation", "POST", "/", contentType, "DynamoDB_20120810.PutItem", `{"TableName":"plain","Item":{"id":{"S":"é"}}}`, 200, `{}`},
		{"at any path", "POST", "/shop/tables", "application/json; charset=utf-8", "DynamoDB_20120810.GetItem", `{"TableName":"plain","Key":{"id":{"S":"\u00e9"}}}`, 200, `{"Item":{"id":{"S":"é"}}}`},
		{"a refusal", "POST", "/", contentType, "DynamoDB_20120810.PutItem", `{"TableName":"plain"}`, 400, `{"__type":"com.amazon.coral.validate#ValidationException",` +
			`"message":"1 validation error detected: Value null at 'item' failed to satisfy constraint: Member must not be null"}`},
		{"what is not there", "POST", "/", contentType, "DynamoDB_20120810.Scan", `{"TableName":"none"}`, 400, `{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"Requested resource not found"}`},
		{"no JSON", "POST", "/", contentType, "DynamoDB_20120810.Scan", `{"TableName":`, 400, `{"__type":"com.amazon.coral.service#SerializationException"}`},
		{"nothing", "POST", "/", contentType, "DynamoDB_20120810.Scan", ``, 400, `{"__type":"com.amazon.coral.service#SerializationException"}`},
		{"another type", "POST", "/", contentType, "DynamoDB_20120810.Scan", `{"TableName":true}`, 400, `{"__type":"com.amazon.coral.service#SerializationException","Message":"TRUE_VALUE cannot be converted to String"}`},
		{"an operation that there is not", "POST", "/", contentType, "DynamoDB_20120810.Explode", `{}`, 400, `{"__type":"com.amazon.coral.service#UnknownOperationException"}`},
		{"another service", "POST", "/", contentType, "S3.GetItem", `{}`, 400, `{"__type":"com.amazon.coral.service#UnknownOperationException"}`},
		{"no operation", "POST", "/", contentType, "", `{}`, 400, `{"__type":"com.amazon.coral.service#UnknownOperationException"}`},
		{"a form", "POST", "/", "application/x-www-form-urlencoded", "DynamoDB_20120810.Scan", `{}`, 404, "<UnknownOperationException/>\n"},
		{"a browser that asks first", "OPTIONS", "/", "", "", "", 404, "<UnknownOperationException/>\n"},
		{"is it there", "GET", "/", "", "", "", 200, "healthy: dynamodb.us-east-1.amazonaws.com "},
		{"too much", "POST", "/", contentType, "DynamoDB_20120810.PutItem", strings.Repeat(" ", largestRequest+1), 413, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			request, err := http.NewRequestWithContext(t.Context(), c.method, server.URL+c.path, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Content-Type", c.kind)
			request.Header.Set("X-Amz-Target", c.target)
			answer, err := server.Client().Do(request)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(answer.Body)
			if err != nil {
				t.Fatal(err)
			}
			if answer.StatusCode != c.status || string(body) != c.want {
				t.Errorf("%d %s\nwant %d %s", answer.StatusCode, body, c.status, c.want)
			}
			h := answer.Header
			if sum := strconv.FormatUint(uint64(crc32.ChecksumIEEE(body)), 10); h.Get("X-Amz-Crc32") != sum {
				t.Errorf("sum %s, want %s", h.Get("X-Amz-Crc32"), sum)
			}
			if id := h.Get("X-Amzn-Requestid"); len(id) != 52 || ids[id] {
				t.Errorf("request id %q", id)
			} else {
				ids[id] = true
			}
			if h.Get("Access-Control-Allow-Origin") != "" {
				t.Error("a web page may read the answer")
			}
		})
	}
}

// Any request is answered with JSON, and so is the request after it.
func FuzzRequest(f *testing.F) {
	for _, seed := range []struct{ operation, request string }{
		{"PutItem", "{`TableName`:`plain`,`Item`:{`id`:{`S`:`a`},`m`:{`M`:{`l`:{`L`:[{`NS`:[`1e125`]}]}}}},`Expected`:{`id`:{`Exists`:false}}}"},
		{"UpdateItem", "{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}},`UpdateExpression`:`SET a.b[0] = if_not_exists(c, :v) + :v`,`ExpressionAttributeValues`:{`:v`:{`N`:`1`}}}"},
		{"Query", "{`TableName`:`indexed`,`IndexName`:`byL`,`KeyConditions`:{`p`:{`ComparisonOperator`:`EQ`,`AttributeValueList`:[{`S`:`a`}]}},`ExclusiveStartKey`:{`p`:{`S`:`a`},`s`:{`N`:`1`},`l`:{`S`:`x`}}}"},
		{"Scan", "{`TableName`:`plain`,`Segment`:1,`TotalSegments`:3,`FilterExpression`:`size(#a) > :v`,`ExpressionAttributeNames`:{`#a`:`m`},`ExpressionAttributeValues`:{`:v`:{`N`:`1`}}}"},
		{"BatchWriteItem", "{`RequestItems`:{`plain`:[{`DeleteRequest`:{`Key`:{`id`:{`S`:`a`}}}}]}}"},
		{"BatchGetItem", "{`RequestItems`:{`plain`:{`Keys`:[{`id`:{`S`:`a`}}],`AttributesToGet`:[`id`]}}}"},
		{"TransactWriteItems", "{`ClientRequestToken`:`x`,`TransactItems`:[{`ConditionCheck`:{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}},`ConditionExpression`:`attribute_exists(id)`}}]}"},
		{"TransactGetItems", "{`TransactItems`:[{`Get`:{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}}}}]}"},
		{"CreateTable", strings.ReplaceAll(indexedTable, "indexed", "other")},
		{"UpdateTable", addedIndex},
		{"UpdateTimeToLive", "{`TableName`:`plain`,`TimeToLiveSpecification`:{`Enabled`:true,`AttributeName`:`t`}}"},
		{"TagResource", "{`ResourceArn`:`arn:aws:dynamodb:us-east-1:000000000000:table/plain`,`Tags`:[{`Key`:`a`,`Value`:`b`}]}"},
		{"ExecuteStatement", "{`Statement`:`SELECT a.b[0], \\`c d\\` FROM \\`indexed\\`.\\`byL\\` WHERE p = ? AND (l > 'x' OR NOT begins_with(q, 'y')) ORDER BY l DESC`,`Parameters`:[{`S`:`a`}]}"},
		{"ExecuteStatement", "{`Statement`:`INSERT INTO plain VALUE {'id': 'a', 'l': [1, {'m': <<'x','y'>>}, true, null]}`}"},
		{"ExecuteStatement", "{`Statement`:`UPDATE plain SET n = n + 1, m = list_append(m, [1]) REMOVE o WHERE id = 'a' AND n BETWEEN 1 AND 2 RETURNING ALL NEW *`}"},
		{"ListTables", "{`Limit`:1,`ExclusiveStartTableName`:`plain`}"},
	} {
		f.Add(seed.operation, input(f, seed.request))
	}
	f.Add("GetItem", []byte(`{"TableName":"plain","Key":{"id":`+strings.Repeat(`{"M":{"a":`, 100)))
	f.Add("GetItem", bytes.Repeat([]byte("["), 100_000))
	s := openTables(f)
	f.Fuzz(func(t *testing.T, operation string, request []byte) {
		before := bytes.Clone(request)
		output, err := s.Do(t.Context(), operation, request)
		if !bytes.Equal(before, request) {
			t.Fatal("the request was changed")
		}
		if err != nil {
			var status int
			if status, output = failure(err); status != http.StatusBadRequest {
				t.Fatalf("%d %s", status, output)
			}
		}
		decode(t, output)
		do(t, s, "ListTables", "{}")
	})
}
