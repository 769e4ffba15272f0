package table

import (
	"strings"
	"testing"
)

// The messages were recorded from the service.
func TestRefusalsAreWordedAsTheServices(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	create := func(rest string) string { return "{`TableName`:`fresh`,`BillingMode`:`PAY_PER_REQUEST`" + rest + "}" }
	const (
		defined = ",`AttributeDefinitions`:[{`AttributeName`:`a`,`AttributeType`:`S`},{`AttributeName`:`b`,`AttributeType`:`N`}]"
		schema  = ",`KeySchema`:[{`AttributeName`:`a`,`KeyType`:`HASH`},{`AttributeName`:`b`,`KeyType`:`RANGE`}]"
		invalid = "One or more parameter values were invalid: "
		one     = "1 validation error detected: "
	)
	for _, c := range []struct{ operation, request, code, message string }{
		{"GetItem", "{}", "ValidationException", one + "Value null at 'tableName' failed to satisfy constraint: Member must not be null"},
		{"GetItem", "{`TableName`:``,`Key`:{}}", "ValidationException", one + "Value '' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 1"},
		{"GetItem", "{`TableName`:`a b`,`Key`:{}}", "ValidationException", one + "Value 'a b' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
		{"GetItem", "{`TableName`:`plain`}", "ValidationException", one + "Value null at 'key' failed to satisfy constraint: Member must not be null"},
		{"GetItem", "{`TableName`:`nowhere`,`Key`:{`id`:{`S`:`a`}}}", "ResourceNotFoundException", "Requested resource not found"},
		{"GetItem", "{`TableName`:`plain`,`Key`:{`id`:{`N`:`1`}}}", "ValidationException", "The provided key element does not match the schema"},
		{"GetItem", "{`TableName`:`plain`,`Key`:{`id`:{`S`:`1`},`x`:{`S`:`1`}}}", "ValidationException", "The provided key element does not match the schema"},
		{"GetItem", "{`TableName`:`plain`,`Key`:{`id`:{`S`:``}}}", "ValidationException", "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: id"},
		{"GetItem", "{`TableName`:`plain`,`Key`:{`id`:{`S`:`" + strings.Repeat("k", 2049) + "`}}}", "ValidationException", invalid + "Size of hashkey has exceeded the maximum size limit of2048 bytes"},
		{"GetItem", "{`TableName`:1}", "SerializationException", "NUMBER_VALUE cannot be converted to String"},
		{"GetItem", "{`TableName`:`plain`,`Key`:[]}", "SerializationException", "Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>"},
		{"GetItem", "{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}},`ConsistentRead`:`maybe`}", "SerializationException", "Unexpected token received from parser"},
		{"GetItem", "{`TableName`:`plain`,`Key`:{},`AttributesToGet`:[]}", "ValidationException", one + "Value '[]' at 'attributesToGet' failed to satisfy constraint: Member must have length greater than or equal to 1"},
		{"BatchGetItem", "{`RequestItems`:{`plain`:{`Keys`:[" + strings.Repeat("{},", 100) + "{}]}}}", "ValidationException", one + "Value at 'RequestItems.plain.member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100"},
		{"BatchWriteItem", "{`RequestItems`:{`a b`:[]}}", "ValidationException", one + "Value '{a b=[]}' at 'requestItems' failed to satisfy constraint: Map keys must satisfy constraint: " +
			"[Member must have length less than or equal to 255, Member must have length greater than or equal to 1, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]"},
		{"BatchWriteItem", "{`RequestItems`:{`plain`:[]}}", "ValidationException", one + "Value '{plain=[]}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: " +
			"[Member must have length less than or equal to 25, Member must have length greater than or equal to 1]"},
		{"TransactGetItems", "{`TransactItems`:[{}]}", "ValidationException", one + "Value null at 'transactItems.1.member.get' failed to satisfy constraint: Member must not be null"},
		{
			"TransactWriteItems", "{`TransactItems`:[{`ConditionCheck`:{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}}}}]}", "ValidationException",
			one + "Value null at 'transactItems.1.member.conditionCheck.conditionExpression' failed to satisfy constraint: Member must not be null",
		},
		{"Query", "{`TableName`:`plain`,`Limit`:0}", "ValidationException", one + "Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1"},
		{"Scan", "{`TableName`:`plain`,`Limit`:0}", "ValidationException", one + "Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1"},
		{"PutItem", "{`TableName`:`plain`,`Item`:{`id`:{`S`:`a`}},`ConditionalOperator`:`XOR`}", "ValidationException", one + "Value 'XOR' at 'conditionalOperator' failed to satisfy constraint: Member must satisfy enum value set: [OR, AND]"},
		{"GetItem", "{`TableName`:`plain`,`TableName`:`plain`}", "SerializationException", ""},
		{"GetItem", "{`TableName`:`plain`", "SerializationException", ""},
		{"GetItem", "{} {}", "SerializationException", ""},
		{"PutItem", "{`TableName`:`plain`,`Item`:{`x`:{`S`:`a`}}}", "ValidationException", invalid + "Missing the key id in the item"},
		{"PutItem", "{`TableName`:`plain`,`Item`:{`id`:{`N`:`1`}}}", "ValidationException", invalid + "Type mismatch for key id expected: S actual: N"},
		{"PutItem", "{`TableName`:`plain`,`Item`:{`id`:{`S`:`a`}},`ReturnValues`:`ALL_NEW`}", "ValidationException", "Return values set to invalid value"},
		{"PutItem", "{`TableName`:`plain`,`Item`:{`id`:{`S`:`a`}},`ReturnValues`:`X`,`ReturnConsumedCapacity`:`Y`}", "ValidationException", "2 validation errors detected: " +
			"Value 'Y' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]; " +
			"Value 'X' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]"},
		{"PutItem", "{`TableName`:`plain`,`Item`:{`id`:{`S`:`a`},`x`:{`S`:`" + strings.Repeat("x", 400<<10) + "`}}}", "ValidationException", "Item size has exceeded the maximum allowed size"},
		{"PutItem", "{`TableName`:`indexed`,`Item`:{`p`:{`S`:`a`},`s`:{`N`:`1`},`l`:{`N`:`1`}}}", "ValidationException", invalid + "Type mismatch for Index Key l Expected: S Actual: N IndexName: byL"},
		{"PutItem", "{`TableName`:`indexed`,`Item`:{`p`:{`S`:`a`},`s`:{`N`:`1`},`g`:{`B`:``}}}", "ValidationException", "One or more parameter values are not valid. A value specified for a " +
			"secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty binary value. IndexName: byG, IndexKey: g"},
		{
			"UpdateItem", "{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}},`UpdateExpression`:`SET id = :v`,`ExpressionAttributeValues`:{`:v`:{`S`:`b`}}}", "ValidationException",
			invalid + "Cannot update attribute id. This attribute is part of the key",
		},
		{
			"UpdateItem", "{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}},`UpdateExpression`:`SET x = :v`,`ExpressionAttributeValues`:{`:v`:{`S`:`" + strings.Repeat("x", 400<<10) + "`}}}", "ValidationException",
			"Item size to update has exceeded the maximum allowed size",
		},
		{"Query", "{`TableName`:`plain`}", "ValidationException", "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."},
		{"Query", "{`TableName`:`indexed`,`KeyConditionExpression`:`p = :p`,`ExpressionAttributeValues`:{`:p`:{`N`:`1`}}}", "ValidationException", invalid + "Condition parameter type does not match schema type"},
		{"Query", "{`TableName`:`indexed`,`IndexName`:`none`,`KeyConditionExpression`:`p = :p`,`ExpressionAttributeValues`:{`:p`:{`S`:`1`}}}", "ValidationException", "The table does not have the specified index: none"},
		{
			"Query", "{`TableName`:`indexed`,`KeyConditionExpression`:`p = :p`,`FilterExpression`:`s = :p`,`ExpressionAttributeValues`:{`:p`:{`S`:`1`}}}", "ValidationException",
			"Filter Expression can only contain non-primary key attributes: Primary key attribute: s",
		},
		{
			"Query", "{`TableName`:`indexed`,`IndexName`:`byGL`,`KeyConditionExpression`:`g = :g`,`ProjectionExpression`:`rest`,`ExpressionAttributeValues`:{`:g`:{`B`:`AA==`}}}", "ValidationException",
			invalid + "Global secondary index byGL does not project [rest]",
		},
		{
			"Query", "{`TableName`:`indexed`,`KeyConditionExpression`:`p = :p`,`ExclusiveStartKey`:{`p`:{`S`:`other`},`s`:{`N`:`1`}},`ExpressionAttributeValues`:{`:p`:{`S`:`1`}}}", "ValidationException",
			"The provided starting key is outside query boundaries based on provided conditions",
		},
		{"Scan", "{`TableName`:`indexed`,`ExclusiveStartKey`:{`p`:{`S`:`other`}}}", "ValidationException", "The provided starting key is invalid: The provided key element does not match the schema"},
		{"Scan", "{`TableName`:`plain`,`Segment`:1,`TotalSegments`:1}", "ValidationException", "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 1 is not less than TotalSegments: 1"},
		{"Scan", "{`TableName`:`plain`,`Select`:`SPECIFIC_ATTRIBUTES`}", "ValidationException", "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"},
		{"Scan", "{`TableName`:`plain`,`FilterExpression`:`id.x = :v`,`ExpressionAttributeValues`:{`:v`:{`S`:`a`}}}", "ValidationException", "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: id"},
		{"GetItem", "{`TableName`:`indexed`,`Key`:{`p`:{`S`:`a`},`s`:{`N`:`1`}},`ProjectionExpression`:`l[0]`}", "ValidationException", "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: l"},
		{"BatchGetItem", "{`RequestItems`:{}}", "ValidationException", "The requestItems parameter is required for BatchGetItem"},
		{"BatchGetItem", "{`RequestItems`:{`plain`:{`Keys`:[{`id`:{`S`:`a`}},{`id`:{`S`:`a`}}]}}}", "ValidationException", "Provided list of item keys contains duplicates"},
		{"BatchWriteItem", "{`RequestItems`:{`plain`:[{`PutRequest`:{`Item`:{`id`:{`S`:`a`}}}},{`DeleteRequest`:{`Key`:{`id`:{`S`:`a`}}}}]}}", "ValidationException", "Provided list of item keys contains duplicates"},
		{"TransactWriteItems", "{`TransactItems`:[]}", "ValidationException", one + "Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length greater than or equal to 1"},
		{"TransactGetItems", "{`TransactItems`:[{`Get`:{`TableName`:`plain`,`Key`:{}}}]}", "TransactionCanceledException", "Transaction cancelled, please refer cancellation reasons for specific reasons [ValidationError]"},
		{"DescribeTable", "{`TableName`:`nowhere`}", "ResourceNotFoundException", "Requested resource not found: Table: nowhere not found"},
		{"CreateTable", plainTable, "ResourceInUseException", "Table already exists: plain"},
		{"CreateTable", create(""), "ValidationException", "2 validation errors detected: Value null at 'attributeDefinitions' failed to satisfy constraint: Member must not be null; " +
			"Value null at 'keySchema' failed to satisfy constraint: Member must not be null"},
		{"CreateTable", create(defined + ",`KeySchema`:[{`AttributeName`:`a`,`KeyType`:`RANGE`},{`AttributeName`:`b`,`KeyType`:`HASH`}]"), "ValidationException", "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
		{
			"CreateTable", create(defined + ",`KeySchema`:[{`AttributeName`:`a`,`KeyType`:`HASH`}]"), "ValidationException",
			invalid + "Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions",
		},
		{
			"CreateTable", create(defined + ",`KeySchema`:[{`AttributeName`:`c`,`KeyType`:`HASH`}]"), "ValidationException",
			invalid + "Some index key attributes are not defined in AttributeDefinitions. Keys: [c], AttributeDefinitions: [a, b]",
		},
		{"CreateTable", create(defined + schema + ",`GlobalSecondaryIndexes`:[]"), "ValidationException", invalid + "List of GlobalSecondaryIndexes is empty"},
		{"UpdateTable", "{`TableName`:`plain`}", "ValidationException", "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required"},
		{"UpdateTable", "{`TableName`:`indexed`,`GlobalSecondaryIndexUpdates`:[{`Delete`:{`IndexName`:`none`}}]}", "ResourceNotFoundException", "Requested resource not found"},
		{"Nothing", "{}", "UnknownOperationException", ""},
	} {
		t.Run(c.operation, func(t *testing.T) {
			if e := refused(t, s, c.operation, c.request); e.Code != c.code || e.Message != c.message {
				t.Errorf("%.300s\ngot  %s %s\nwant %s %s", c.request, e.Code, e.Message, c.code, c.message)
			}
		})
	}
}
