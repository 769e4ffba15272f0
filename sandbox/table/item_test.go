package table

import (
	"strings"
	"testing"
)

func TestAnItemComesBackAsItWasPut(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	const item = `{"id":{"S":"a\"\u0001é"},"n":{"N":"12345678901234567890123456789012345678"},"b":{"B":"AP8="},"t":{"BOOL":true},"f":{"BOOL":false},
		"z":{"NULL":true},"e":{"S":""},"m":{"M":{"x":{"L":[{"S":"1"},{"M":{}},{"L":[]}]},"":{"N":"0"}}},"ss":{"SS":["a","b"]},
		"ns":{"NS":["-1.5","2"]},"bs":{"BS":["AA==","/w=="]}}`
	mustBe(t, do(t, s, "PutItem", `{"TableName":"plain","Item":`+item+`}`), `{}`)
	mustBe(t, do(t, s, "GetItem", `{"TableName":"plain","Key":{"id":{"S":"a\"\u0001é"}}}`), `{"Item":`+item+`}`)
	mustBe(t, do(t, s, "GetItem", `{"TableName":"plain","Key":{"id":{"S":"other"}}}`), `{}`)
	mustBe(t, do(t, s, "GetItem", "{`TableName`:`arn:aws:dynamodb:us-east-1:000000000000:table/plain`,`Key`:{`id`:{`S`:`a\\`\\u0001é`}},"+
		"`ProjectionExpression`:`m.x[0], ns, nothing`}"), `{"Item":{"m":{"M":{"x":{"L":[{"S":"1"}]}}},"ns":{"NS":["-1.5","2"]}}}`)
}

// Each step depends on those before it.
func TestWhatAWriteReturns(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	for _, step := range []struct{ name, operation, request, want string }{
		{"a new item has no old one", "PutItem", "{`TableName`:`plain`,`Item`:{`id`:{`S`:`a`},`n`:{`N`:`1`}},`ReturnValues`:`ALL_OLD`}", `{}`},
		{
			"the item that was replaced", "PutItem", "{`TableName`:`plain`,`Item`:{`id`:{`S`:`a`},`n`:{`N`:`2`},`m`:{`M`:{`x`:{`N`:`1`}}}},`ReturnValues`:`ALL_OLD`}",
			`{"Attributes":{"id":{"S":"a"},"n":{"N":"1"}}}`,
		},
		{
			"only what an update wrote, before", "UpdateItem",
			"{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}},`UpdateExpression`:`SET n = n + :v, m.y = :v`,`ExpressionAttributeValues`:{`:v`:{`N`:`0.5`}},`ReturnValues`:`UPDATED_OLD`}",
			`{"Attributes":{"n":{"N":"2"}}}`,
		},
		{
			"and after", "UpdateItem",
			"{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}},`UpdateExpression`:`SET m.y = :v REMOVE n`,`ExpressionAttributeValues`:{`:v`:{`N`:`9`}},`ReturnValues`:`UPDATED_NEW`}",
			`{"Attributes":{"m":{"M":{"y":{"N":"9"}}}}}`,
		},
		{
			"an update makes an item that is not there", "UpdateItem", "{`TableName`:`plain`,`Key`:{`id`:{`S`:`b`}},`ReturnValues`:`ALL_NEW`}",
			`{"Attributes":{"id":{"S":"b"}}}`,
		},
		{
			"an update from before expressions", "UpdateItem",
			"{`TableName`:`plain`,`Key`:{`id`:{`S`:`b`}},`AttributeUpdates`:{`c`:{`Action`:`ADD`,`Value`:{`N`:`3`}}},`ReturnValues`:`ALL_NEW`}",
			`{"Attributes":{"id":{"S":"b"},"c":{"N":"3"}}}`,
		},
		{
			"what was removed, and what it cost", "DeleteItem",
			"{`TableName`:`plain`,`Key`:{`id`:{`S`:`b`}},`ReturnValues`:`ALL_OLD`,`ReturnConsumedCapacity`:`TOTAL`}",
			`{"Attributes":{"id":{"S":"b"},"c":{"N":"3"}},"ConsumedCapacity":{"TableName":"plain","CapacityUnits":1}}`,
		},
		{"nothing is removed twice", "DeleteItem", "{`TableName`:`plain`,`Key`:{`id`:{`S`:`b`}},`ReturnValues`:`ALL_OLD`}", `{}`},
		{"what is left", "Scan", "{`TableName`:`plain`}", `{"Count":1,"Items":[{"id":{"S":"a"},"m":{"M":{"x":{"N":"1"},"y":{"N":"9"}}}}],"ScannedCount":1}`},
	} {
		t.Run(step.name, func(t *testing.T) { mustBe(t, do(t, s, step.operation, step.request), step.want) })
	}
	mustBe(t, do(t, s, "DescribeTable", "{`TableName`:`plain`}")["Table"].(map[string]any)["ItemCount"], `1`)
}

func TestAConditionThatDoesNotHoldLeavesEverythingAsItWas(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	do(t, s, "PutItem", "{`TableName`:`plain`,`Item`:{`id`:{`S`:`a`},`n`:{`N`:`1`}}}")
	for operation, request := range map[string]string{
		"PutItem":    "{`TableName`:`plain`,`Item`:{`id`:{`S`:`a`}},`ConditionExpression`:`attribute_not_exists(id)`}",
		"DeleteItem": "{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}},`Expected`:{`n`:{`Value`:{`N`:`2`}}}}",
		"UpdateItem": "{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}},`UpdateExpression`:`REMOVE n`,`ConditionExpression`:`n > :v`," +
			"`ExpressionAttributeValues`:{`:v`:{`N`:`1`}},`ReturnValuesOnConditionCheckFailure`:`ALL_OLD`}",
	} {
		if e := refused(t, s, operation, request); e.Code != "ConditionalCheckFailedException" || e.Message != "The conditional request failed" {
			t.Errorf("%s: %v", operation, e)
		}
	}
	mustBe(t, do(t, s, "Scan", "{`TableName`:`plain`}")["Items"], `[{"id":{"S":"a"},"n":{"N":"1"}}]`)
	_, err := s.Do(t.Context(), "UpdateItem", input(t, "{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}},`UpdateExpression`:`REMOVE n`,"+
		"`ConditionExpression`:`attribute_not_exists(n)`,`ReturnValuesOnConditionCheckFailure`:`ALL_OLD`}"))
	status, body := failure(err)
	if status != 400 {
		t.Errorf("status %d", status)
	}
	mustBe(t, decode(t, body)["Item"], `{"id":{"S":"a"},"n":{"N":"1"}}`)
}

func TestTheCostOfAWriteCountsItsIndexes(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	put := func(rest string) any {
		return do(t, s, "PutItem", "{`TableName`:`indexed`,`ReturnConsumedCapacity`:`INDEXES`,`ReturnItemCollectionMetrics`:`SIZE`,"+
			"`Item`:{`p`:{`S`:`x`},`s`:{`N`:`1`}"+rest+"}}")
	}
	mustBe(t, put(""), `{"ConsumedCapacity":{"TableName":"indexed","CapacityUnits":1,"Table":{"CapacityUnits":1}},
		"ItemCollectionMetrics":{"ItemCollectionKey":{"p":{"S":"x"}},"SizeEstimateRangeGB":[0,1]}}`)
	mustBe(t, put(",`l`:{`S`:`" + strings.Repeat("a", 1000) + "`},`pad`:{`S`:`" + strings.Repeat("a", 1000) + "`}").(map[string]any)["ConsumedCapacity"],
		`{"TableName":"indexed","CapacityUnits":3,"Table":{"CapacityUnits":2},"LocalSecondaryIndexes":{"byL":{"CapacityUnits":1}}}`)
	mustBe(t, put(",`l`:{`S`:`b`}").(map[string]any)["ConsumedCapacity"],
		`{"TableName":"indexed","CapacityUnits":4,"Table":{"CapacityUnits":2},"LocalSecondaryIndexes":{"byL":{"CapacityUnits":2}}}`)
	mustBe(t, put(",`l`:{`S`:`b`},`other`:{`N`:`1`}").(map[string]any)["ConsumedCapacity"],
		`{"TableName":"indexed","CapacityUnits":1,"Table":{"CapacityUnits":1}}`)
}
