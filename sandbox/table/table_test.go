package table

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatewright/test/depth"
)

func TestTablesOutliveTheProcess(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "tables.db")
	s, err := Open(file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	place := func(string) (string, string) { return "eu-west-1", "123456789012" }
	s.Situate(place)
	made := do(t, s, "CreateTable", indexedTable)["TableDescription"].(map[string]any)
	mustBe(t, made["TableStatus"], `"CREATING"`)
	mustBe(t, made["TableArn"], `"arn:aws:dynamodb:eu-west-1:123456789012:table/indexed"`)
	do(t, s, "PutItem", "{`TableName`:`indexed`,`Item`:{`p`:{`S`:`a`},`s`:{`N`:`1`}}}")
	do(t, s, "UpdateTimeToLive", "{`TableName`:`indexed`,`TimeToLiveSpecification`:{`Enabled`:true,`AttributeName`:`ends`}}")
	do(t, s, "TagResource", "{`ResourceArn`:`arn:aws:dynamodb:eu-west-1:123456789012:table/indexed`,`Tags`:[{`Key`:`b`,`Value`:`2`},{`Key`:`a`,`Value`:`1`}]}")
	before := do(t, s, "DescribeTable", "{`TableName`:`indexed`}")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openStoreFile(t, file, Options{})
	s.Situate(place)
	after := do(t, s, "DescribeTable", "{`TableName`:`indexed`}")
	text, err := json.Marshal(before["Table"])
	if err != nil {
		t.Fatal(err)
	}
	mustBe(t, after["Table"], string(text))
	mustBe(t, after["Table"].(map[string]any)["TableStatus"], `"ACTIVE"`)
	mustBe(t, do(t, s, "DescribeTimeToLive", "{`TableName`:`indexed`}"), `{"TimeToLiveDescription":{"AttributeName":"ends","TimeToLiveStatus":"ENABLED"}}`)
	mustBe(t, do(t, s, "ListTagsOfResource", "{`ResourceArn`:`arn:aws:dynamodb:eu-west-1:123456789012:table/indexed`}"),
		`{"Tags":[{"Key":"a","Value":"1"},{"Key":"b","Value":"2"}]}`)
	mustBe(t, do(t, s, "Scan", "{`TableName`:`indexed`}")["Items"], `[{"p":{"S":"a"},"s":{"N":"1"}}]`)
}

func TestATableThatIsCreatedAgainIsEmpty(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	fillPlain(t, s, 100)
	mustBe(t, do(t, s, "DeleteTable", "{`TableName`:`plain`}")["TableDescription"].(map[string]any)["TableStatus"], `"DELETING"`)
	if e := refused(t, s, "GetItem", "{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}}}"); e.Code != "ResourceNotFoundException" {
		t.Error(e)
	}
	do(t, s, "CreateTable", plainTable)
	mustBe(t, do(t, s, "Scan", "{`TableName`:`plain`}"), `{"Count":0,"Items":[],"ScannedCount":0}`)
}

func TestAProtectedTableIsNotDeleted(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	do(t, s, "UpdateTable", "{`TableName`:`plain`,`DeletionProtectionEnabled`:true}")
	if e := refused(t, s, "DeleteTable", "{`TableName`:`plain`}"); e.Code != "ValidationException" || !strings.Contains(e.Message, "protected") {
		t.Error(e)
	}
	do(t, s, "UpdateTable", "{`TableName`:`plain`,`DeletionProtectionEnabled`:false}")
	do(t, s, "DeleteTable", "{`TableName`:`plain`}")
}

func TestTablesAreListedInOrderAndPages(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	for i := range 5 {
		do(t, s, "CreateTable", strings.Replace(plainTable, "plain", fmt.Sprintf("t-%d", 4-i), 1))
	}
	mustBe(t, do(t, s, "ListTables", "{`Limit`:3}"), `{"TableNames":["indexed","plain","t-0"],"LastEvaluatedTableName":"t-0"}`)
	mustBe(t, do(t, s, "ListTables", "{`ExclusiveStartTableName`:`t-0`}"), `{"TableNames":["t-1","t-2","t-3","t-4"]}`)
}

func TestAnAlterationThatIsRefusedChangesNothing(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	before := do(t, s, "DescribeTable", "{`TableName`:`indexed`}")["Table"]
	e := refused(t, s, "UpdateTable", "{`TableName`:`indexed`,`ProvisionedThroughput`:{`ReadCapacityUnits`:9,`WriteCapacityUnits`:9},"+
		"`GlobalSecondaryIndexUpdates`:[{`Delete`:{`IndexName`:`byG`}},{`Update`:{`IndexName`:`none`,`ProvisionedThroughput`:{`ReadCapacityUnits`:1,`WriteCapacityUnits`:1}}}]}")
	if e.Code != "ResourceNotFoundException" {
		t.Error(e)
	}
	text, err := json.Marshal(before)
	if err != nil {
		t.Fatal(err)
	}
	mustBe(t, do(t, s, "DescribeTable", "{`TableName`:`indexed`}")["Table"], string(text))
	mustBe(t, do(t, s, "Scan", "{`TableName`:`indexed`,`IndexName`:`byG`}")["Count"], `0`)
}

func TestATransactionIsDoneWhollyOrNotAtAll(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	do(t, s, "PutItem", "{`TableName`:`plain`,`Item`:{`id`:{`S`:`a`},`n`:{`N`:`1`}}}")
	const actions = "{`ClientRequestToken`:`%s`,`TransactItems`:[" +
		"{`Put`:{`TableName`:`indexed`,`Item`:{`p`:{`S`:`x`},`s`:{`N`:`1`}}}}," +
		"{`Update`:{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}},`UpdateExpression`:`ADD n :v`,`ExpressionAttributeValues`:{`:v`:{`N`:`1`}}}}," +
		"{`ConditionCheck`:{`TableName`:`plain`,`Key`:{`id`:{`S`:`b`}},`ConditionExpression`:`%s`}}]}"
	_, err := s.Do(t.Context(), "TransactWriteItems", input(t, fmt.Sprintf(actions, "one", "attribute_exists(id)")))
	_, body := failure(err)
	mustBe(t, decode(t, body), `{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
		"Message":"Transaction cancelled, please refer cancellation reasons for specific reasons [None, None, ConditionalCheckFailed]",
		"CancellationReasons":[{"Code":"None"},{"Code":"None"},{"Code":"ConditionalCheckFailed","Message":"The conditional request failed"}]}`)
	mustBe(t, do(t, s, "Scan", "{`TableName`:`indexed`}")["Count"], `0`)

	// A transaction that succeeded is not executed again with the same ClientRequestToken.
	for range 3 {
		do(t, s, "TransactWriteItems", fmt.Sprintf(actions, "one", "attribute_not_exists(id)"))
	}
	got := do(t, s, "TransactGetItems", "{`TransactItems`:[{`Get`:{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}}}},{`Get`:{`TableName`:`plain`,`Key`:{`id`:{`S`:`b`}}}},"+
		"{`Get`:{`TableName`:`indexed`,`Key`:{`p`:{`S`:`x`},`s`:{`N`:`1`}},`ProjectionExpression`:`s`}}]}")
	mustBe(t, got, `{"Responses":[{"Item":{"id":{"S":"a"},"n":{"N":"2"}}},{},{"Item":{"s":{"N":"1"}}}]}`)
	if e := refused(t, s, "TransactWriteItems", fmt.Sprintf(actions, "one", "attribute_not_exists(n)")); e.Code != "IdempotentParameterMismatchException" || e.Message != "Transaction request with the same ClientRequestToken has different parameters" {
		t.Error(e)
	}
	s.clock = func() time.Time { return time.Now().Add(idempotentFor + time.Second) }
	do(t, s, "TransactWriteItems", fmt.Sprintf(actions, "one", "attribute_not_exists(n)"))
}

func TestABatchIsAnsweredTableByTable(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	mustBe(t, do(t, s, "BatchWriteItem", "{`RequestItems`:{`plain`:[{`PutRequest`:{`Item`:{`id`:{`S`:`a`},`x`:{`N`:`1`}}}},{`DeleteRequest`:{`Key`:{`id`:{`S`:`b`}}}}],"+
		"`indexed`:[{`PutRequest`:{`Item`:{`p`:{`S`:`q`},`s`:{`N`:`1`}}}}]},`ReturnConsumedCapacity`:`TOTAL`,`ReturnItemCollectionMetrics`:`SIZE`}"),
		`{"UnprocessedItems":{},"ConsumedCapacity":[{"TableName":"indexed","CapacityUnits":1},{"TableName":"plain","CapacityUnits":2}],
		"ItemCollectionMetrics":{"indexed":[{"ItemCollectionKey":{"p":{"S":"q"}},"SizeEstimateRangeGB":[0,1]}]}}`)
	mustBe(t, do(t, s, "BatchGetItem", "{`RequestItems`:{`plain`:{`Keys`:[{`id`:{`S`:`a`}},{`id`:{`S`:`b`}}],`ProjectionExpression`:`x`},"+
		"`indexed`:{`Keys`:[{`p`:{`S`:`q`},`s`:{`N`:`1.0`}}],`ConsistentRead`:true}}}"),
		`{"Responses":{"plain":[{"x":{"N":"1"}}],"indexed":[{"p":{"S":"q"},"s":{"N":"1"}}]},"UnprocessedKeys":{}}`)
}

func TestABatchThatIsTooLargeIsAnsweredInPart(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	s := openTables(t)
	var keys []string
	for i := range 50 {
		do(t, s, "PutItem", fmt.Sprintf("{`TableName`:`plain`,`Item`:{`id`:{`S`:`%d`},`ballast`:{`S`:`%s`}}}", i, strings.Repeat("x", 390<<10)))
		keys = append(keys, fmt.Sprintf("{`id`:{`S`:`%d`}}", i))
	}
	answer := do(t, s, "BatchGetItem", "{`RequestItems`:{`plain`:{`Keys`:["+strings.Join(keys, ",")+"],`ConsistentRead`:true}}}")
	left := answer["UnprocessedKeys"].(map[string]any)["plain"].(map[string]any)
	mustBe(t, left["ConsistentRead"], `true`)
	if got, rest := len(answer["Responses"].(map[string]any)["plain"].([]any)), len(left["Keys"].([]any)); got != 43 || got+rest != 50 {
		t.Errorf("%d items, %d left", got, rest)
	}
}
