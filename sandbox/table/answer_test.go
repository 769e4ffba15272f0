package table

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// answers runs operations, each of which depends on those before it, and compares whole answers.
// The want of one that is refused is the message.
func answers(t *testing.T, s *Store, steps []step) {
	t.Helper()
	for _, one := range steps {
		target := Target
		if streamOperations[one.operation] != nil {
			target = StreamTarget
		}
		output, err := s.do(t.Context(), target+one.operation, []byte(spoken.Replace(string(input(t, one.request)))))
		got := tableID.ReplaceAllString(string(output), `"TableId":"$$id"`)
		if err != nil {
			got = err.Error()
		}
		if got != spoken.Replace(one.want) {
			t.Errorf("%s %s\n got %s\nwant %s", one.operation, one.request, got, one.want)
		}
	}
}

type step struct{ operation, request, want string }

var (
	atOnce  = time.UnixMilli(1795924628065) // the clock of the tables
	spoken  = strings.NewReplacer("$arn/", "arn:aws:dynamodb:us-east-1:000000000000:table/", "$label", "2026-11-29T03:57:08.065")
	tableID = regexp.MustCompile(`"TableId":"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"`)
)

func openAnswering(t *testing.T) *Store {
	t.Helper()
	s := openStore(t, Options{})
	s.clock = func() time.Time { return atOnce }
	do(t, s, "CreateTable", plainTable)
	do(t, s, "CreateTable", indexedTable)
	return s
}

func TestWhatOperationsOnItemsAnswer(t *testing.T) {
	t.Parallel()
	const (
		inPartition = "`KeyConditionExpression`:`p = :p`,"
		partition   = "`ExpressionAttributeValues`:{`:p`:{`S`:`a`}}}"
		withG       = "`KeyConditionExpression`:`g = :g`,"
		g           = "`ExpressionAttributeValues`:{`:g`:{`B`:`AA==`}}}"
		indexed     = "{`TableName`:`indexed`,"
	)
	answers(t, openAnswering(t), []step{
		{
			"BatchWriteItem", "{`RequestItems`:{`indexed`:[{`PutRequest`:{`Item`:{`p`:{`S`:`a`},`s`:{`N`:`-2`},`l`:{`S`:`x`},`g`:{`B`:`AA==`},`extra`:{`S`:`e`},`rest`:{`N`:`1`}}}},{`PutRequest`:{`Item`:{`p`:{`S`:`a`},`s`:{`N`:`0`},`l`:{`S`:`y`},`g`:{`B`:`AA==`},`rest`:{`N`:`2`}}}},{`PutRequest`:{`Item`:{`p`:{`S`:`a`},`s`:{`N`:`10`},`l`:{`S`:`xx`},`rest`:{`N`:`3`}}}},{`PutRequest`:{`Item`:{`p`:{`S`:`b`},`s`:{`N`:`7`},`g`:{`B`:`/w==`},`m`:{`M`:{`k`:{`L`:[{`S`:`one`},{`S`:`two`}]}}}}}}]}}",
			`{"UnprocessedItems":{}}`,
		},
		{
			"Query", indexed + inPartition + "`Select`:`ALL_ATTRIBUTES`," + partition,
			`{"Count":3,"Items":[{"extra":{"S":"e"},"g":{"B":"AA=="},"l":{"S":"x"},"p":{"S":"a"},"rest":{"N":"1"},"s":{"N":"-2"}},{"g":{"B":"AA=="},"l":{"S":"y"},"p":{"S":"a"},"rest":{"N":"2"},"s":{"N":"0"}},{"l":{"S":"xx"},"p":{"S":"a"},"rest":{"N":"3"},"s":{"N":"10"}}],"ScannedCount":3}`,
		},
		{
			"Query", indexed + inPartition + "`Select`:`SPECIFIC_ATTRIBUTES`,`ProjectionExpression`:`rest`,`ScanIndexForward`:false," + partition,
			`{"Count":3,"Items":[{"rest":{"N":"3"}},{"rest":{"N":"2"}},{"rest":{"N":"1"}}],"ScannedCount":3}`,
		},
		{
			"Query", indexed + inPartition + "`Select`:`COUNT`,`FilterExpression`:`rest > :r`,`Limit`:2,`ExpressionAttributeValues`:{`:p`:{`S`:`a`},`:r`:{`N`:`1`}}}",
			`{"Count":1,"LastEvaluatedKey":{"p":{"S":"a"},"s":{"N":"0"}},"ScannedCount":2}`,
		},
		{
			"Query", indexed + "`IndexName`:`byL`," + inPartition + partition,
			`{"Count":3,"Items":[{"l":{"S":"x"},"p":{"S":"a"},"s":{"N":"-2"}},{"l":{"S":"xx"},"p":{"S":"a"},"s":{"N":"10"}},{"l":{"S":"y"},"p":{"S":"a"},"s":{"N":"0"}}],"ScannedCount":3}`,
		},
		{
			"Query", indexed + "`IndexName`:`byL`," + inPartition + "`Select`:`ALL_ATTRIBUTES`,`ScanIndexForward`:false,`Limit`:1,`ConsistentRead`:true,`ReturnConsumedCapacity`:`INDEXES`," + partition,
			`{"Count":1,"Items":[{"g":{"B":"AA=="},"l":{"S":"y"},"p":{"S":"a"},"rest":{"N":"2"},"s":{"N":"0"}}],"LastEvaluatedKey":{"l":{"S":"y"},"p":{"S":"a"},"s":{"N":"0"}},"ScannedCount":1,"ConsumedCapacity":{"TableName":"indexed","CapacityUnits":1,"Table":{"CapacityUnits":0},"LocalSecondaryIndexes":{"byL":{"CapacityUnits":1}}}}`,
		},
		{
			"Query", indexed + "`IndexName`:`byL`," + inPartition + "`ProjectionExpression`:`rest, l`," + partition,
			`{"Count":3,"Items":[{"l":{"S":"x"},"rest":{"N":"1"}},{"l":{"S":"xx"},"rest":{"N":"3"}},{"l":{"S":"y"},"rest":{"N":"2"}}],"ScannedCount":3}`,
		},
		{
			"Query", indexed + "`IndexName`:`byL`," + inPartition + "`FilterExpression`:`rest = :r`,`ExpressionAttributeValues`:{`:p`:{`S`:`a`},`:r`:{`N`:`2`}}}",
			`{"Count":1,"Items":[{"l":{"S":"y"},"p":{"S":"a"},"s":{"N":"0"}}],"ScannedCount":3}`,
		},
		{
			"Query", indexed + "`IndexName`:`byGL`," + withG + "`ReturnConsumedCapacity`:`INDEXES`," + g,
			`{"Count":2,"Items":[{"extra":{"S":"e"},"g":{"B":"AA=="},"l":{"S":"x"},"p":{"S":"a"},"s":{"N":"-2"}},{"g":{"B":"AA=="},"l":{"S":"y"},"p":{"S":"a"},"s":{"N":"0"}}],"ScannedCount":2,"ConsumedCapacity":{"TableName":"indexed","CapacityUnits":0.5,"Table":{"CapacityUnits":0},"GlobalSecondaryIndexes":{"byGL":{"CapacityUnits":0.5}}}}`,
		},
		{
			"Query", indexed + "`IndexName`:`byGL`," + withG + "`Select`:`ALL_PROJECTED_ATTRIBUTES`,`Limit`:1," + g,
			`{"Count":1,"Items":[{"extra":{"S":"e"},"g":{"B":"AA=="},"l":{"S":"x"},"p":{"S":"a"},"s":{"N":"-2"}}],"LastEvaluatedKey":{"g":{"B":"AA=="},"l":{"S":"x"},"p":{"S":"a"},"s":{"N":"-2"}},"ScannedCount":1}`,
		},
		{
			"Query", indexed + "`IndexName`:`byGL`," + withG + "`FilterExpression`:`attribute_exists(rest)`," + g,
			`{"Count":0,"Items":[],"ScannedCount":2}`,
		},
		{
			"Query", indexed + "`IndexName`:`byGL`," + withG + "`FilterExpression`:`attribute_exists(extra)`," + g,
			`{"Count":1,"Items":[{"extra":{"S":"e"},"g":{"B":"AA=="},"l":{"S":"x"},"p":{"S":"a"},"s":{"N":"-2"}}],"ScannedCount":2}`,
		},
		{
			"Query", indexed + "`IndexName`:`byG`," + withG + "`FilterExpression`:`attribute_exists(rest)`,`ProjectionExpression`:`rest`," + g,
			`{"Count":2,"Items":[{"rest":{"N":"1"}},{"rest":{"N":"2"}}],"ScannedCount":2}`,
		},
		{
			"Query", indexed + "`KeyConditions`:{`p`:{`ComparisonOperator`:`EQ`,`AttributeValueList`:[{`S`:`a`}]},`s`:{`ComparisonOperator`:`BETWEEN`,`AttributeValueList`:[{`N`:`-1`},{`N`:`10`}]}},`QueryFilter`:{`l`:{`ComparisonOperator`:`BEGINS_WITH`,`AttributeValueList`:[{`S`:`x`}]},`rest`:{`ComparisonOperator`:`EQ`,`AttributeValueList`:[{`N`:`2`}]}},`ConditionalOperator`:`OR`,`AttributesToGet`:[`s`]}",
			`{"Count":2,"Items":[{"s":{"N":"0"}},{"s":{"N":"10"}}],"ScannedCount":2}`,
		},
		{
			"Query", indexed + "`KeyConditions`:{`p`:{`ComparisonOperator`:`EQ`,`AttributeValueList`:[{`S`:`a`}]}},`FilterExpression`:`rest < :r`,`ProjectionExpression`:`s`,`ExpressionAttributeValues`:{`:r`:{`N`:`2`}}}",
			`{"Count":1,"Items":[{"s":{"N":"-2"}}],"ScannedCount":3}`,
		},
		{
			"Query", indexed + inPartition + "`ExclusiveStartKey`:{`p`:{`S`:`a`},`s`:{`N`:`5`}},`ProjectionExpression`:`s`," + partition,
			`{"Count":1,"Items":[{"s":{"N":"10"}}],"ScannedCount":1}`,
		},
		{
			"Query", indexed + inPartition + "`ExclusiveStartKey`:{`p`:{`S`:`a`},`s`:{`N`:`0`}},`ProjectionExpression`:`s`,`ScanIndexForward`:false," + partition,
			`{"Count":1,"Items":[{"s":{"N":"-2"}}],"ScannedCount":1}`,
		},
		{
			"Query", indexed + "`IndexName`:`byGL`,`KeyConditionExpression`:`g = :g and l > :l`,`ProjectionExpression`:`s`,`ExpressionAttributeValues`:{`:g`:{`B`:`AA==`},`:l`:{`S`:`x`}}}",
			`{"Count":1,"Items":[{"s":{"N":"0"}}],"ScannedCount":1}`,
		},
		{
			"Scan", indexed + "`FilterExpression`:`#m.k[1] = :v`,`ProjectionExpression`:`#m.k[0], p`,`ExpressionAttributeNames`:{`#m`:`m`},`ExpressionAttributeValues`:{`:v`:{`S`:`two`}},`ReturnConsumedCapacity`:`TOTAL`}",
			`{"Count":1,"Items":[{"m":{"M":{"k":{"L":[{"S":"one"}]}}},"p":{"S":"b"}}],"ScannedCount":4,"ConsumedCapacity":{"TableName":"indexed","CapacityUnits":0.5}}`,
		},
		{
			"Scan", indexed + "`ScanFilter`:{`rest`:{`ComparisonOperator`:`GE`,`AttributeValueList`:[{`N`:`2`}]},`l`:{`ComparisonOperator`:`CONTAINS`,`AttributeValueList`:[{`S`:`x`}]}},`AttributesToGet`:[`rest`],`ConsistentRead`:true,`ReturnConsumedCapacity`:`INDEXES`}",
			`{"Count":1,"Items":[{"rest":{"N":"3"}}],"ScannedCount":4,"ConsumedCapacity":{"TableName":"indexed","CapacityUnits":1,"Table":{"CapacityUnits":1}}}`,
		},
		{
			"Scan", indexed + "`IndexName`:`byG`,`Select`:`COUNT`,`ReturnConsumedCapacity`:`INDEXES`}",
			`{"Count":3,"ScannedCount":3,"ConsumedCapacity":{"TableName":"indexed","CapacityUnits":0.5,"Table":{"CapacityUnits":0},"GlobalSecondaryIndexes":{"byG":{"CapacityUnits":0.5}}}}`,
		},
		{
			"GetItem", indexed + "`Key`:{`p`:{`S`:`a`},`s`:{`N`:`0`}},`ConsistentRead`:true,`AttributesToGet`:[`rest`,`none`],`ReturnConsumedCapacity`:`INDEXES`}",
			`{"Item":{"rest":{"N":"2"}},"ConsumedCapacity":{"TableName":"indexed","CapacityUnits":1,"Table":{"CapacityUnits":1}}}`,
		},
		{
			"GetItem", indexed + "`Key`:{`p`:{`S`:`a`},`s`:{`N`:`1`}},`ReturnConsumedCapacity`:`TOTAL`}",
			`{"ConsumedCapacity":{"TableName":"indexed","CapacityUnits":0.5}}`,
		},
		{
			"BatchGetItem", "{`RequestItems`:{`indexed`:{`Keys`:[{`p`:{`S`:`b`},`s`:{`N`:`7`}},{`p`:{`S`:`a`},`s`:{`N`:`5`}},{`p`:{`S`:`a`},`s`:{`N`:`0`}}],`AttributesToGet`:[`s`],`ConsistentRead`:true},`plain`:{`Keys`:[{`id`:{`S`:`x`}}]}},`ReturnConsumedCapacity`:`INDEXES`}",
			`{"Responses":{"indexed":[{"s":{"N":"7"}},{"s":{"N":"0"}}],"plain":[]},"UnprocessedKeys":{},"ConsumedCapacity":[{"TableName":"indexed","CapacityUnits":3,"Table":{"CapacityUnits":3}},{"TableName":"plain","CapacityUnits":0.5,"Table":{"CapacityUnits":0.5}}]}`,
		},
		{
			"TransactGetItems", "{`TransactItems`:[{`Get`:" + indexed + "`Key`:{`p`:{`S`:`b`},`s`:{`N`:`7`}},`ProjectionExpression`:`#m.k[1]`,`ExpressionAttributeNames`:{`#m`:`m`}}},{`Get`:{`TableName`:`plain`,`Key`:{`id`:{`S`:`x`}}}}],`ReturnConsumedCapacity`:`TOTAL`}",
			`{"Responses":[{"Item":{"m":{"M":{"k":{"L":[{"S":"two"}]}}}}},{}],"ConsumedCapacity":[{"TableName":"indexed","CapacityUnits":2},{"TableName":"plain","CapacityUnits":2}]}`,
		},
		{
			"TransactWriteItems", "{`TransactItems`:[{`Put`:" + indexed + "`Item`:{`p`:{`S`:`c`},`s`:{`N`:`1`},`l`:{`S`:`x`}}}},{`Update`:" + indexed + "`Key`:{`p`:{`S`:`a`},`s`:{`N`:`0`}},`UpdateExpression`:`REMOVE g`}},{`ConditionCheck`:" + indexed + "`Key`:{`p`:{`S`:`b`},`s`:{`N`:`7`}},`ConditionExpression`:`attribute_exists(m)`}},{`Delete`:{`TableName`:`plain`,`Key`:{`id`:{`S`:`x`}}}}],`ReturnConsumedCapacity`:`INDEXES`,`ReturnItemCollectionMetrics`:`SIZE`}",
			`{"ConsumedCapacity":[{"TableName":"indexed","CapacityUnits":12,"Table":{"CapacityUnits":6},"LocalSecondaryIndexes":{"byL":{"CapacityUnits":2}},"GlobalSecondaryIndexes":{"byG":{"CapacityUnits":2},"byGL":{"CapacityUnits":2}}},{"TableName":"plain","CapacityUnits":2,"Table":{"CapacityUnits":2}}],"ItemCollectionMetrics":{"indexed":[{"ItemCollectionKey":{"p":{"S":"c"}},"SizeEstimateRangeGB":[0,1]},{"ItemCollectionKey":{"p":{"S":"a"}},"SizeEstimateRangeGB":[0,1]}]}}`,
		},
		{
			"UpdateItem", indexed + "`Key`:{`p`:{`S`:`a`},`s`:{`N`:`0`}},`UpdateExpression`:`SET rest = rest + :o, l = :l REMOVE nothing`,`ExpressionAttributeValues`:{`:o`:{`N`:`1`},`:l`:{`S`:`z`}},`ReturnValues`:`UPDATED_NEW`,`ReturnConsumedCapacity`:`INDEXES`,`ReturnItemCollectionMetrics`:`SIZE`}",
			`{"Attributes":{"l":{"S":"z"},"rest":{"N":"3"}},"ConsumedCapacity":{"TableName":"indexed","CapacityUnits":3,"Table":{"CapacityUnits":1},"LocalSecondaryIndexes":{"byL":{"CapacityUnits":2}}},"ItemCollectionMetrics":{"ItemCollectionKey":{"p":{"S":"a"}},"SizeEstimateRangeGB":[0,1]}}`,
		},
		{
			"UpdateItem", indexed + "`Key`:{`p`:{`S`:`a`},`s`:{`N`:`0`}},`UpdateExpression`:`SET rest = :o`,`ExpressionAttributeValues`:{`:o`:{`N`:`1`}},`ReturnValues`:`ALL_OLD`}",
			`{"Attributes":{"l":{"S":"z"},"p":{"S":"a"},"rest":{"N":"3"},"s":{"N":"0"}}}`,
		},
		{
			"UpdateItem", "{`TableName`:`plain`,`Key`:{`id`:{`S`:`n`}},`UpdateExpression`:`SET a = :o`,`ExpressionAttributeValues`:{`:o`:{`N`:`1`}},`ReturnValues`:`UPDATED_OLD`}",
			`{}`,
		},
		{
			"UpdateItem", "{`TableName`:`plain`,`Key`:{`id`:{`S`:`n`}},`UpdateExpression`:`DELETE a :o`,`ExpressionAttributeValues`:{`:o`:{`NS`:[`1`]}}}",
			`An operand in the update expression has an incorrect data type`,
		},
		{
			"DeleteItem", indexed + "`Key`:{`p`:{`S`:`a`},`s`:{`N`:`0`}},`ConditionExpression`:`rest = :o`,`ExpressionAttributeValues`:{`:o`:{`N`:`1`}},`ReturnValues`:`ALL_OLD`,`ReturnConsumedCapacity`:`INDEXES`}",
			`{"Attributes":{"l":{"S":"z"},"p":{"S":"a"},"rest":{"N":"1"},"s":{"N":"0"}},"ConsumedCapacity":{"TableName":"indexed","CapacityUnits":2,"Table":{"CapacityUnits":1},"LocalSecondaryIndexes":{"byL":{"CapacityUnits":1}}}}`,
		},
	})
}
