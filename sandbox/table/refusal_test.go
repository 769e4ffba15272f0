package table

import (
	"errors"
	"strings"
	"testing"

	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/schema"
)

// What contradicts itself, is out of its limits or is of another type is refused in the words of
// the service, and nothing of it has an effect.
func TestEveryOperationRefusesWhatItCannotDo(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	const (
		onDemand     = "{`TableName`:`fresh`,`BillingMode`:`PAY_PER_REQUEST`,`AttributeDefinitions`:[{`AttributeName`:`a`,`AttributeType`:`S`},{`AttributeName`:`b`,`AttributeType`:`N`}],"
		keyed        = "`KeySchema`:[{`AttributeName`:`a`,`KeyType`:`HASH`},{`AttributeName`:`b`,`KeyType`:`RANGE`}]"
		xyz          = "`IndexName`:`xyz`,`KeySchema`:[{`AttributeName`:`b`,`KeyType`:`HASH`}]"
		ofPlain      = "{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}},"
		putPlain     = "{`TableName`:`plain`,`Item`:{`id`:{`S`:`a`}},"
		inPartition  = "`KeyConditionExpression`:`p = :p`,"
		partition    = "`ExpressionAttributeValues`:{`:p`:{`S`:`1`}}}"
		oldPartition = "`KeyConditions`:{`p`:{`ComparisonOperator`:`EQ`,`AttributeValueList`:[{`S`:`a`}]}}"
		arnOfPlain   = "`ResourceArn`:`arn:aws:dynamodb:us-east-1:000000000000:table/plain`"
		invalid      = "One or more parameter values were invalid: "
		one          = "1 validation error detected: "
		broken       = " failed to satisfy constraint: "
		both         = "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: "
		illFormed    = "Statement wasn't well formed, can't be processed: "
		null         = "Member must not be null"
		wrongStart   = "The provided starting key is invalid"
	)
	for operation, rows := range map[string][]struct{ request, want string }{
		"GetItem": {
			{ofPlain + "`ExpressionAttributeNames`:{`#a`:`b`}}", "ExpressionAttributeNames can only be specified when using expressions"},
			{ofPlain + "`ProjectionExpression`:`a`,`AttributesToGet`:[`b`]}", both + "{AttributesToGet} Expression parameters: {ProjectionExpression}"},
			{ofPlain + "`ProjectionExpression`:`a`,`ExpressionAttributeNames`:{}}", "ExpressionAttributeNames must not be empty"},
			{ofPlain + "`ProjectionExpression`:`a`,`ExpressionAttributeNames`:{`a`:`b`}}", "ExpressionAttributeNames contains invalid key: Syntax error; key: \"a\""},
			{ofPlain + "`ProjectionExpression`:`a`,`ExpressionAttributeNames`:{`#a-b`:`b`}}", "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#a-b\""},
			{ofPlain + "`ProjectionExpression`:`a`,`ExpressionAttributeNames`:{`#a`:`b`}}", "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}"},
			{ofPlain + "`ProjectionExpression`:`a`,`ExpressionAttributeNames`:{`#a`:1}}", "SerializationException NUMBER_VALUE cannot be converted to String"},
			{ofPlain + "`AttributesToGet`:[`a`,`a`]}", invalid + "Duplicate value in attribute name: a"},
			{ofPlain + "`AttributesToGet`:`a`}", "SerializationException Unexpected field type"},
			{"{`TableName`:`plain`,`Key`:{`id`:{`S`:`" + strings.Repeat("k", schema.LongestPartition+1) + "`}}}", invalid + "Size of hashkey has exceeded the maximum size limit of2048 bytes"},
			{"{`TableName`:`indexed`,`Key`:{`p`:{`S`:`a`}}}", "The provided key element does not match the schema"},
			{"{`TableName`:`indexed`,`Key`:{`p`:{`S`:`a`},`s`:{`S`:`1`}}}", "The provided key element does not match the schema"},
			{"{`TableName`:`plain`,`Key`:1}", "SerializationException Unexpected field type"},
			{"{`TableName`:`plain`,`Key`:{`id`:[]}}", "SerializationException Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue"},
		},
		"PutItem": {
			{putPlain + "`ConditionExpression`:`attribute_exists(id)`,`Expected`:{`id`:{`Exists`:false}}}", both + "{Expected} Expression parameters: {ConditionExpression}"},
			{putPlain + "`ExpressionAttributeValues`:{`:a`:{`S`:`b`}}}", "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null"},
			{putPlain + "`ConditionExpression`:`id = :a`,`ExpressionAttributeValues`:{}}", "ExpressionAttributeValues must not be empty"},
			{putPlain + "`ConditionExpression`:`id = :a`,`ExpressionAttributeValues`:{`a`:{`S`:`b`}}}", "ExpressionAttributeValues contains invalid key: Syntax error; key: \"a\""},
			{putPlain + "`ConditionExpression`:`id = :a`,`ExpressionAttributeValues`:{`:a`:{`N`:`b`}}}", "ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric value: b for key :a"},
			{putPlain + "`ConditionExpression`:`id = :a`,`ExpressionAttributeValues`:{`:a`:{`S`:1}}}", "SerializationException NUMBER_VALUE cannot be converted to String"},
			{putPlain + "`ConditionExpression`:`id = :a`,`ExpressionAttributeValues`:{`:a`:{`S`:`b`},`:b`:{`S`:`b`}}}", "Value provided in ExpressionAttributeValues unused in expressions: keys: {:b}"},
			{"{`TableName`:`plain`,`Item`:[]}", "SerializationException Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>"},
			{putPlain + "`ReturnItemCollectionMetrics`:`X`,`ReturnValuesOnConditionCheckFailure`:`ALL_NEW`}", "2 validation errors detected: Value 'X' at 'returnItemCollectionMetrics'" + broken + "Member must satisfy enum value set: [SIZE, NONE]; Value 'ALL_NEW' at 'returnValuesOnConditionCheckFailure'" + broken + "Member must satisfy enum value set: [ALL_OLD, NONE]"},
			{"{`TableName`:`indexed`,`Item`:{`p`:{`S`:`a`},`s`:{`N`:`1`},`l`:{`S`:`" + strings.Repeat("k", schema.LongestSort+1) + "`}}}", invalid + "Aggregated size of all range keys has exceeded the size limit of 1024 bytes"},
		},
		"DeleteItem": {
			{ofPlain + "`ReturnValues`:`UPDATED_OLD`}", "Return values set to invalid value"},
		},
		"UpdateItem": {
			{ofPlain + "`ExpressionAttributeValues`:{`:a`:{`S`:`b`}}}", "ExpressionAttributeValues can only be specified when using expressions: UpdateExpression and ConditionExpression are null"},
			{ofPlain + "`UpdateExpression`:`SET a = b`,`AttributeUpdates`:{`a`:{`Action`:`DELETE`}},`Expected`:{`id`:{`Exists`:false}}}", both + "{AttributeUpdates, Expected} Expression parameters: {UpdateExpression}"},
			{"{`TableName`:`indexed`,`Key`:{`p`:{`S`:`a`},`s`:{`N`:`1`}},`UpdateExpression`:`SET l = :l`,`ExpressionAttributeValues`:{`:l`:{`N`:`1`}}}", invalid + "Type mismatch for Index Key l Expected: S Actual: N IndexName: byL"},
			{"{`TableName`:`indexed`,`Key`:{`p`:{`S`:`a`},`s`:{`N`:`1`}},`AttributeUpdates`:{`s`:{`Action`:`ADD`,`Value`:{`N`:`1`}}}}", invalid + "Cannot update attribute s. This attribute is part of the key"},
		},
		"Query": {
			{"{`TableName`:`indexed`," + inPartition + "`QueryFilter`:{`x`:{`ComparisonOperator`:`NULL`}}," + partition, both + "{QueryFilter} Expression parameters: {KeyConditionExpression}"},
			{"{`TableName`:`indexed`," + oldPartition + ",`QueryFilter`:{`s`:{`ComparisonOperator`:`NULL`}}}", "QueryFilter can only contain non-primary key attributes: Primary key attribute: s"},
			{"{`TableName`:`indexed`," + oldPartition + "," + inPartition + partition, both + "{KeyConditions} Expression parameters: {KeyConditionExpression}"},
			{"{`TableName`:`indexed`," + oldPartition + ",`FilterExpression`:`x = :x`,`QueryFilter`:{`x`:{`ComparisonOperator`:`NULL`}},`ExpressionAttributeValues`:{`:x`:{`S`:`1`}}}", both + "{QueryFilter} Expression parameters: {FilterExpression}"},
			{"{`TableName`:`indexed`,`IndexName`:`byG`,`ConsistentRead`:true,`KeyConditionExpression`:`g = :g`,`ExpressionAttributeValues`:{`:g`:{`B`:`AA==`}}}", "Consistent reads are not supported on global secondary indexes"},
			{"{`TableName`:`indexed`,`IndexName`:`byGL`,`Select`:`ALL_ATTRIBUTES`,`KeyConditionExpression`:`g = :g`,`ExpressionAttributeValues`:{`:g`:{`B`:`AA==`}}}", invalid + "Select type ALL_ATTRIBUTES is not supported for global secondary index byGL because its projection type is not ALL"},
			{"{`TableName`:`indexed`,`Select`:`COUNT`,`ProjectionExpression`:`x`," + inPartition + partition, "Cannot specify the ProjectionExpression when choosing to get only the Count"},
			{"{`TableName`:`indexed`,`Select`:`ALL_ATTRIBUTES`,`ProjectionExpression`:`x`," + inPartition + partition, "Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES"},
			{"{`TableName`:`indexed`,`Select`:`ALL_PROJECTED_ATTRIBUTES`," + inPartition + partition, "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"},
			{"{`TableName`:`indexed`,`Select`:`SOME`,`IndexName`:`x`,`ConditionalOperator`:`NOR`," + inPartition + partition, "3 validation errors detected: Value 'SOME' at 'select'" + broken + "Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]; Value 'x' at 'indexName'" + broken + "Member must have length greater than or equal to 3; Value 'NOR' at 'conditionalOperator'" + broken + "Member must satisfy enum value set: [OR, AND]"},
			{"{`TableName`:`indexed`,`KeyConditionExpression`:`p = :p and begins_with(s, :s)`,`ExpressionAttributeValues`:{`:p`:{`S`:`1`},`:s`:{`N`:`1`}}}", "Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N"},
			{"{`TableName`:`indexed`,`KeyConditionExpression`:`p = :p and s > :s`,`ExpressionAttributeValues`:{`:p`:{`S`:`1`},`:s`:{`S`:`1`}}}", invalid + "Condition parameter type does not match schema type"},
			{"{`TableName`:`indexed`," + inPartition + "`ExpressionAttributeValues`:{`:p`:{`S`:``}}}", "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: p"},
			{"{`TableName`:`indexed`,`KeyConditionExpression`:`s = :p`,`ExpressionAttributeValues`:{`:p`:{`N`:`1`}}}", "Query condition missed key schema element: p"},
			{"{`TableName`:`indexed`,`KeyConditionExpression`:`p = :p and s < :s`,`ExclusiveStartKey`:{`p`:{`S`:`1`},`s`:{`N`:`5`}},`ExpressionAttributeValues`:{`:p`:{`S`:`1`},`:s`:{`N`:`1`}}}", "The provided starting key does not match the range key predicate"},
			{"{`TableName`:`indexed`," + inPartition + "`FilterExpression`:`x = :p`,`ExclusiveStartKey`:{`p`:{`S`:`1`},`s`:{`N`:`x`}}," + partition, wrongStart + ": The parameter cannot be converted to a numeric value: x"},
			{"{`TableName`:`indexed`,`IndexName`:`byL`," + inPartition + "`ExclusiveStartKey`:{`p`:{`S`:`1`},`s`:{`N`:`1`}}," + partition, wrongStart},
			{"{`TableName`:`indexed`,`IndexName`:`byL`," + inPartition + "`ExclusiveStartKey`:{`p`:{`S`:`1`},`s`:{`N`:`1`},`x`:{`N`:`1`}}," + partition, wrongStart},
			{"{`TableName`:`indexed`,`IndexName`:`byL`," + inPartition + "`ExclusiveStartKey`:{`p`:{`S`:`1`},`s`:{`N`:`1`},`l`:{`N`:`1`}}," + partition, wrongStart + ": The provided key element does not match the schema"},
			{"{`TableName`:`indexed`,`IndexName`:`byL`," + inPartition + "`ExclusiveStartKey`:{`p`:{`S`:`1`},`s`:{`S`:`1`},`l`:{`S`:`1`}}," + partition, wrongStart + ": The provided key element does not match the schema"},
			{"{`TableName`:`indexed`,`IndexName`:`byG`,`KeyConditionExpression`:`g = :g`,`ProjectionExpression`:`l.x`,`ExpressionAttributeValues`:{`:g`:{`B`:`AA==`}}}", "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: l"},
			{"{`TableName`:`indexed`," + inPartition + "`ExpressionAttributeValues`:{`:p`:{`S`:`1`},`:q`:{`S`:`1`}}}", "Value provided in ExpressionAttributeValues unused in expressions: keys: {:q}"},
		},
		"Scan": {
			{"{`TableName`:`plain`,`Segment`:1}", "The TotalSegments parameter is required but was not present in the request when Segment parameter is present"},
			{"{`TableName`:`plain`,`TotalSegments`:2}", "The Segment parameter is required but was not present in the request when parameter TotalSegments is present"},
			{"{`TableName`:`plain`,`TotalSegments`:0,`Segment`:-1}", "2 validation errors detected: Value '0' at 'totalSegments'" + broken + "Member must have value greater than or equal to 1; Value '-1' at 'segment'" + broken + "Member must have value greater than or equal to 0"},
			{"{`TableName`:`plain`,`TotalSegments`:1000001,`Segment`:1000000}", "2 validation errors detected: Value '1000001' at 'totalSegments'" + broken + "Member must have value less than or equal to 1000000; Value '1000000' at 'segment'" + broken + "Member must have value less than or equal to 999999"},
			{"{`TableName`:`plain`,`TotalSegments`:2,`Segment`:0,`ExclusiveStartKey`:{`id`:{`S`:`a`}}}", wrongStart + ": Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: 2 Segment: 0"},
			{"{`TableName`:`plain`,`TotalSegments`:2,`Segment`:1,`ExclusiveStartKey`:{`id`:{`S`:`b`}}}", wrongStart + ": Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: 2 Segment: 1"},
			{"{`TableName`:`plain`,`TotalSegments`:2,`Segment`:0,`ExclusiveStartKey`:{`id`:{`S`:`c`}}}", wrongStart + ": Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: 2 Segment: 0"},
			{"{`TableName`:`plain`,`ExpressionAttributeValues`:{`:a`:{`S`:`b`}},`ProjectionExpression`:`a`}", "ExpressionAttributeValues can only be specified when using expressions: FilterExpression is null"},
			{"{`TableName`:`plain`,`ScanFilter`:{`x`:{`ComparisonOperator`:`NULL`}},`FilterExpression`:`x = :a`,`ExpressionAttributeValues`:{`:a`:{`S`:`b`}}}", both + "{ScanFilter} Expression parameters: {FilterExpression}"},
			{"{`TableName`:`indexed`,`IndexName`:`byG`,`ConsistentRead`:true}", "Consistent reads are not supported on global secondary indexes"},
			{"{`TableName`:`indexed`,`ExclusiveStartKey`:{`p`:{`S`:`" + strings.Repeat("k", schema.LongestPartition+1) + "`},`s`:{`N`:`1`}}}", wrongStart + ": " + invalid + "Size of hashkey has exceeded the maximum size limit of2048 bytes"},
		},
		"BatchWriteItem": {
			{"{`RequestItems`:{`plain`:[{`PutRequest`:{`Item`:{`id`:{`S`:`a`}}},`DeleteRequest`:{`Key`:{`id`:{`S`:`b`}}}}]}}", "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"},
			{"{`RequestItems`:{`plain`:[{}]}}", "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"},
			{"{`RequestItems`:{`plain`:[1]}}", "SerializationException Unexpected value type in payload"},
			{"{`RequestItems`:{`plain`:{}}}", "SerializationException Start of structure or map found where not expected"},
			{"{`RequestItems`:{}}", "The requestItems parameter is required for BatchWriteItem"},
			{"{`RequestItems`:{`nowhere`:[{`DeleteRequest`:{`Key`:{`id`:{`S`:`b`}}}}]}}", "ResourceNotFoundException Requested resource not found"},
			{"{`RequestItems`:{`plain`:[{`PutRequest`:{`Item`:{`id`:{`N`:`1`}}}}]}}", invalid + "Type mismatch for key id expected: S actual: N"},
		},
		"BatchGetItem": {
			{"{`RequestItems`:{`plain`:{}}}", one + "Value null at 'requestItems.plain.member.keys'" + broken + null},
			{"{`RequestItems`:{`plain`:{`Keys`:[]}}}", one + "Value '[]' at 'requestItems.plain.member.keys'" + broken + "Member must have length greater than or equal to 1"},
			{"{`RequestItems`:{`plain`:[]}}", "SerializationException Unrecognized collection type class com.amazonaws.dynamodb.v20120810.KeysAndAttributes"},
			{"{`RequestItems`:{`plain`:{`Keys`:[[]]}}}", "SerializationException Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>"},
			{"{`RequestItems`:{`plain`:{`Keys`:[{`id`:{`S`:`a`}}],`AttributesToGet`:[]}}}", one + "Value '[]' at 'requestItems.plain.member.attributesToGet'" + broken + "Member must have length greater than or equal to 1"},
			{"{`RequestItems`:{`plain`:{`Keys`:[{`id`:{`S`:`a`}}],`AttributesToGet`:[`a`],`ProjectionExpression`:`a`}}}", both + "{AttributesToGet} Expression parameters: {ProjectionExpression}"},
		},
		"TransactWriteItems": {
			{"{`TransactItems`:[{}]}", "TransactItems can only contain one of Check, Put, Update or Delete"},
			{"{`TransactItems`:[{`Put`:{`TableName`:`plain`,`Item`:{`id`:{`S`:`a`}}},`Delete`:{`TableName`:`plain`,`Key`:{`id`:{`S`:`b`}}}}]}", "TransactItems can only contain one of Check, Put, Update or Delete"},
			{"{`TransactItems`:[{`Put`:{`TableName`:`plain`,`Item`:{`id`:{`S`:`a`}}}},{`Delete`:{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}}}}]}", "Transaction request cannot include multiple operations on one item"},
			{"{`TransactItems`:[{`Delete`:{`TableName`:`nowhere`,`Key`:{`id`:{`S`:`a`}}}}]}", "ResourceNotFoundException Requested resource not found"},
			{"{`TransactItems`:[{`Delete`:{`TableName`:`plain`,`Key`:{`x`:{`S`:`a`}}}},{`Delete`:{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}}}}]}", "TransactionCanceledException Transaction cancelled, please refer cancellation reasons for specific reasons [ValidationError, None]"},
			{"{`TransactItems`:[1]}", "SerializationException Unexpected value type in payload"},
			{"{`ClientRequestToken`:``,`TransactItems`:[{`Delete`:{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}}}}]}", one + "Value '' at 'clientRequestToken'" + broken + "Member must have length greater than or equal to 1"},
			{"{`ClientRequestToken`:`1234567890123456789012345678901234567`,`TransactItems`:[{`Delete`:{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}}}}]}", one + "Value '1234567890123456789012345678901234567' at 'clientRequestToken'" + broken + "Member must have length less than or equal to 36"},
			{"{}", one + "Value null at 'transactItems'" + broken + null},
		},
		"TransactGetItems": {
			{"{`TransactItems`:[{`Get`:{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}}}},{`Get`:{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}}}}]}", "Transaction request cannot include multiple operations on one item"},
			{"{`TransactItems`:[{`Get`:{`TableName`:`nowhere`,`Key`:{`id`:{`S`:`a`}}}}]}", "ResourceNotFoundException Requested resource not found"},
			{"{`TransactItems`:[{`Get`:{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}}}},{}]}", one + "Value null at 'transactItems.2.member.get'" + broken + null},
		},
		"DescribeTable": {
			{"{}", "The parameter 'TableName' is required but was not present in the request"},
			{"{`TableName`:`ab`}", one + "Value 'ab' at 'tableName'" + broken + "Member must have length greater than or equal to 3"},
		},
		"ListTables": {
			{"{`Limit`:0}", one + "Value '0' at 'limit'" + broken + "Member must have value greater than or equal to 1"},
			{"{`Limit`:101}", one + "Value '101' at 'limit'" + broken + "Member must have value less than or equal to 100"},
			{"{`ExclusiveStartTableName`:`a`}", one + "Value 'a' at 'exclusiveStartTableName'" + broken + "Member must have length greater than or equal to 3"},
		},
		"DeleteTable": {
			{"{`TableName`:`nowhere`}", "ResourceNotFoundException Requested resource not found: Table: nowhere not found"},
		},
		"UpdateTimeToLive": {
			{"{`TableName`:`plain`}", one + "Value null at 'timeToLiveSpecification'" + broken + null},
			{"{`TableName`:`plain`,`TimeToLiveSpecification`:{}}", "2 validation errors detected: Value null at 'timeToLiveSpecification.enabled'" + broken + null + "; Value null at 'timeToLiveSpecification.attributeName'" + broken + null},
			{"{`TableName`:`plain`,`TimeToLiveSpecification`:{`Enabled`:true,`AttributeName`:``}}", one + "Value '' at 'timeToLiveSpecification.attributeName'" + broken + "Member must have length greater than or equal to 1"},
			{"{`TableName`:`plain`,`TimeToLiveSpecification`:{`Enabled`:false,`AttributeName`:`a`}}", "TimeToLive is already disabled"},
			{"{`TableName`:`nowhere`,`TimeToLiveSpecification`:{`Enabled`:false,`AttributeName`:`a`}}", "ResourceNotFoundException Requested resource not found: Table: nowhere not found"},
		},
		"DescribeTimeToLive": {
			{"{`TableName`:`nowhere`}", "ResourceNotFoundException Requested resource not found: Table: nowhere not found"},
		},
		"TagResource": {
			{"{}", "Invalid TableArn"},
			{"{`ResourceArn`:`plain`}", "Invalid TableArn: Invalid ResourceArn provided as input plain"},
			{"{`ResourceArn`:`arn:aws:dynamodb:us-east-1:111111111111:table/plain`}", "AccessDeniedException User: arn:aws:iam::000000000000:user/local is not authorized to perform: dynamodb:TagResource on resource: arn:aws:dynamodb:us-east-1:111111111111:table/plain"},
			{"{`ResourceArn`:`arn:aws:dynamodb:us-east-1:000000000000:table/nowhere`}", "ResourceNotFoundException Requested resource not found: ResourcArn: arn:aws:dynamodb:us-east-1:000000000000:table/nowhere not found"},
			{"{" + arnOfPlain + "}", one + "Value null at 'tags'" + broken + null},
			{"{" + arnOfPlain + ",`Tags`:[]}", "Atleast one Tag needs to be provided as Input."},
			{"{" + arnOfPlain + ",`Tags`:[{}]}", "2 validation errors detected: Value null at 'tags.1.member.key'" + broken + null + "; Value null at 'tags.1.member.value'" + broken + null},
			{"{" + arnOfPlain + ",`Tags`:[{`Key`:``,`Value`:``}]}", one + "Value '' at 'tags.1.member.key'" + broken + "Member must have length greater than or equal to 1"},
		},
		"UntagResource": {
			{"{" + arnOfPlain + "}", one + "Value null at 'tagKeys'" + broken + null},
			{"{" + arnOfPlain + ",`TagKeys`:[]}", "Atleast one Tag Key needs to be provided as Input."},
		},
		"ListTagsOfResource": {
			{"{`ResourceArn`:`arn:aws:dynamodb:us-east-1:000000000000:table/nowhere`}", "ResourceNotFoundException Requested resource not found: ResourcArn: arn:aws:dynamodb:us-east-1:000000000000:table/nowhere not found"},
		},
		"DescribeStream": {
			{"{}", one + "Value null at 'streamArn'" + broken + null},
			{"{`StreamArn`:`arn:aws:dynamodb:us-east-1:000000000000:table/plain/stream/`}", "ResourceNotFoundException Requested resource not found: Stream: arn:aws:dynamodb:us-east-1:000000000000:table/plain/stream/ not found"},
		},
		"ListStreams": {
			{"{`Limit`:101}", one + "Value '101' at 'limit'" + broken + "Member must have value less than or equal to 100"},
		},
		"GetRecords": {
			{"{}", one + "Value null at 'shardIterator'" + broken + null},
			{"{`ShardIterator`:`a|b`}", "Invalid ShardIterator"},
			{"{`ShardIterator`:`a|1|?`}", "Invalid ShardIterator"},
			{"{`ShardIterator`:`a|1|YQ==`}", "Invalid ShardIterator"},
			{"{`ShardIterator`:`a|1|MQ==`}", "ResourceNotFoundException Requested resource not found: Stream: a not found"},
			{"{`ShardIterator`:`a|1|MQ==`,`Limit`:1001}", one + "Value '1001' at 'limit'" + broken + "Member must have value less than or equal to 1000"},
		},
		"ExecuteStatement": {
			{"{}", one + "Value null at 'statement'" + broken + null},
			{"{`Statement`:``}", one + "Value '' at 'statement'" + broken + "Member must have length greater than or equal to 1"},
			{"{`Statement`:`SELECT * FROM plain`,`Limit`:0}", one + "Value '0' at 'limit'" + broken + "Member must have value greater than or equal to 1"},
			{"{`Statement`:`SELECT * FROM plain`,`NextToken`:`!`}", "Invalid NextToken"},
			{"{`Statement`:`SELECT * FROM plain`,`NextToken`:`e30=`}", wrongStart + ": The provided key element does not match the schema"},
		},
		"BatchExecuteStatement": {
			{"{`Statements`:[]}", one + "Value '[]' at 'statements'" + broken + "Member must have length greater than or equal to 1"},
			{"{`Statements`:[1]}", "SerializationException Unexpected value type in payload"},
		},
		"ExecuteTransaction": {
			{"{}", one + "Value null at 'transactStatements'" + broken + null},
			{"{`TransactStatements`:[{`Statement`:`SELECT * FROM plain WHERE id = 'a'`},{`Statement`:`INSERT INTO plain VALUE {'id': 'c'}`}]}", "Mixing of read and write statements within a transaction is not allowed"},
			{"{`TransactStatements`:[{`Statement`:`SELECT`}]}", illFormed + "Unexpected end of the statement"},
		},
		"CreateTable": {
			{"{`TableName`:`fresh`,`BillingMode`:`PAY_PER_REQUEST`,`AttributeDefinitions`:[{`AttributeName`:`a`,`AttributeType`:`S`}],`KeySchema`:[{`AttributeName`:`a`,`KeyType`:`HASH`},{`AttributeName`:`a`,`KeyType`:`RANGE`}]}", "Invalid KeySchema: Some index key attribute have no definition"},
			{onDemand + "`KeySchema`:[{`AttributeName`:`a`,`KeyType`:`HASH`},{`AttributeName`:`a`,`KeyType`:`RANGE`}]}", "Both the Hash Key and the Range Key element in the KeySchema have the same name"},
			{onDemand + "`KeySchema`:[{`AttributeName`:`a`,`KeyType`:`HASH`},{`AttributeName`:`b`,`KeyType`:`HASH`}]}", "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"},
			{onDemand + "`KeySchema`:[]}", one + "Value '[]' at 'keySchema'" + broken + "Member must have length greater than or equal to 1"},
			{onDemand + "`KeySchema`:[{},{`AttributeName`:`b`,`KeyType`:`SORT`},{}]}", "6 validation errors detected: Value null at 'keySchema.1.member.attributeName'" + broken + null + "; Value null at 'keySchema.1.member.keyType'" + broken + null + "; Value 'SORT' at 'keySchema.2.member.keyType'" + broken + "Member must satisfy enum value set: [HASH, RANGE]; Value null at 'keySchema.3.member.attributeName'" + broken + null + "; Value null at 'keySchema.3.member.keyType'" + broken + null + "; Value '[KeySchemaElement(attributeName=, keyType=), KeySchemaElement(attributeName=b, keyType=SORT), KeySchemaElement(attributeName=, keyType=)]' at 'keySchema'" + broken + "Member must have length less than or equal to 2"},
			{onDemand + "`KeySchema`:[1]}", "SerializationException Unexpected value type in payload"},
			{onDemand + keyed + ",`ProvisionedThroughput`:{}}", "2 validation errors detected: Value null at 'provisionedThroughput.writeCapacityUnits'" + broken + null + "; Value null at 'provisionedThroughput.readCapacityUnits'" + broken + null},
			{onDemand + keyed + ",`ProvisionedThroughput`:{`ReadCapacityUnits`:0,`WriteCapacityUnits`:-1}}", "2 validation errors detected: Value '-1' at 'provisionedThroughput.writeCapacityUnits'" + broken + "Member must have value greater than or equal to 1; Value '0' at 'provisionedThroughput.readCapacityUnits'" + broken + "Member must have value greater than or equal to 1"},
			{"{`TableName`:`fresh`,`AttributeDefinitions`:[{`AttributeName`:`a`,`AttributeType`:`S`},{`AttributeName`:`b`,`AttributeType`:`N`}]," + keyed + ",`ProvisionedThroughput`:{`ReadCapacityUnits`:1000000000001,`WriteCapacityUnits`:1}}", "Given value 1000000000001 for ReadCapacityUnits is out of bounds"},
			{"{`TableName`:`fresh`,`AttributeDefinitions`:[{`AttributeName`:`a`,`AttributeType`:`S`},{`AttributeName`:`b`,`AttributeType`:`N`}]," + keyed + ",`ProvisionedThroughput`:{`ReadCapacityUnits`:1000000000000,`WriteCapacityUnits`:1000000000001}}", "Given value 1000000000001 for WriteCapacityUnits is out of bounds"},
			{onDemand + keyed + ",`LocalSecondaryIndexes`:[{}]}", "3 validation errors detected: Value null at 'localSecondaryIndexes.1.member.indexName'" + broken + null + "; Value null at 'localSecondaryIndexes.1.member.keySchema'" + broken + null + "; Value null at 'localSecondaryIndexes.1.member.projection'" + broken + null},
			{onDemand + keyed + ",`GlobalSecondaryIndexes`:[{`IndexName`:`x`,`KeySchema`:[{`AttributeName`:`b`,`KeyType`:`HASH`}],`Projection`:{`ProjectionType`:`SOME`,`NonKeyAttributes`:[]}}]}", "3 validation errors detected: Value 'x' at 'globalSecondaryIndexes.1.member.indexName'" + broken + "Member must have length greater than or equal to 3; Value 'SOME' at 'globalSecondaryIndexes.1.member.projection.projectionType'" + broken + "Member must satisfy enum value set: [ALL, INCLUDE, KEYS_ONLY]; Value '[]' at 'globalSecondaryIndexes.1.member.projection.nonKeyAttributes'" + broken + "Member must have length greater than or equal to 1"},
			{onDemand + keyed + ",`GlobalSecondaryIndexes`:[{" + xyz + ",`Projection`:{}}]}", invalid + "Unknown ProjectionType: null"},
			{onDemand + keyed + ",`GlobalSecondaryIndexes`:[{" + xyz + ",`Projection`:{`ProjectionType`:`ALL`,`NonKeyAttributes`:[`c`]}}]}", invalid + "ProjectionType is ALL, but NonKeyAttributes is specified"},
			{onDemand + keyed + ",`GlobalSecondaryIndexes`:[{" + xyz + ",`Projection`:{`ProjectionType`:`INCLUDE`}}]}", invalid + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified"},
			{onDemand + keyed + ",`GlobalSecondaryIndexes`:[{`IndexName`:`xyz`,`KeySchema`:[{`AttributeName`:`z`,`KeyType`:`HASH`}],`Projection`:{`ProjectionType`:`ALL`}}]}", invalid + "Some index key attributes are not defined in AttributeDefinitions. Keys: [z], AttributeDefinitions: [a, b]"},
			{onDemand + keyed + ",`LocalSecondaryIndexes`:[{`IndexName`:`xyz`,`KeySchema`:[{`AttributeName`:`a`,`KeyType`:`HASH`},{`AttributeName`:`z`,`KeyType`:`RANGE`}],`Projection`:{`ProjectionType`:`ALL`}}]}", invalid + "Some index key attributes are not defined in AttributeDefinitions. Keys: [a, z], AttributeDefinitions: [a, b]"},
			{onDemand + keyed + ",`LocalSecondaryIndexes`:[{`IndexName`:`xyz`," + keyed + ",`Projection`:{}}]}", invalid + "Unknown ProjectionType: null"},
			{"{`TableName`:`fresh`,`BillingMode`:`PAY_PER_REQUEST`,`AttributeDefinitions`:[{`AttributeName`:`a`,`AttributeType`:`S`},{`AttributeName`:`b`,`AttributeType`:`N`},{`AttributeName`:`c`,`AttributeType`:`N`}]," + keyed + ",`GlobalSecondaryIndexes`:[{" + xyz + ",`Projection`:{`ProjectionType`:`ALL`}}]}", invalid + "Some AttributeDefinitions are not used. AttributeDefinitions: [a, b, c], keys used: [a, b]"},
			{onDemand + keyed + ",`StreamSpecification`:{}}", one + "Value null at 'streamSpecification.streamEnabled'" + broken + null},
			{onDemand + keyed + ",`StreamSpecification`:{`StreamEnabled`:true}}", invalid + "StreamViewType must be specified when StreamEnabled is true"},
			{onDemand + keyed + ",`StreamSpecification`:{`StreamEnabled`:false,`StreamViewType`:`NEW_IMAGE`}}", invalid + "StreamViewType cannot be specified when StreamEnabled is false"},
			{onDemand + keyed + ",`StreamSpecification`:{`StreamEnabled`:true,`StreamViewType`:`ALL`}}", one + "Value 'ALL' at 'streamSpecification.streamViewType'" + broken + "Member must satisfy enum value set: [KEYS_ONLY, NEW_AND_OLD_IMAGES, NEW_IMAGE, OLD_IMAGE]"},
			{"{`TableName`:`fresh`,`BillingMode`:`FREE`,`AttributeDefinitions`:[{`AttributeName`:`a`,`AttributeType`:`M`},{}]," + keyed + "}", "4 validation errors detected: Value 'M' at 'attributeDefinitions.1.member.attributeType'" + broken + "Member must satisfy enum value set: [B, N, S]; Value null at 'attributeDefinitions.2.member.attributeName'" + broken + null + "; Value null at 'attributeDefinitions.2.member.attributeType'" + broken + null + "; Value 'FREE' at 'billingMode'" + broken + "Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]"},
			{"{`BillingMode`:`FREE`}", "The parameter 'TableName' is required but was not present in the request"},
			{onDemand + keyed + ",`Tags`:[{`Key`:`a`}]}", one + "Value null at 'tags.1.member.value'" + broken + null},
		},
		"UpdateTable": {
			{"{`TableName`:`nowhere`,`DeletionProtectionEnabled`:true}", "ResourceNotFoundException Requested resource not found: Table: nowhere not found"},
			{"{`TableName`:`plain`,`ProvisionedThroughput`:{`ReadCapacityUnits`:1,`WriteCapacityUnits`:1}}", invalid + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"},
			{"{`TableName`:`indexed`,`ProvisionedThroughput`:{`ReadCapacityUnits`:1000000000001,`WriteCapacityUnits`:1}}", "Given value 1000000000001 for ReadCapacityUnits is out of bounds"},
			{"{`TableName`:`plain`,`StreamSpecification`:{`StreamEnabled`:false}}", "Table does not have an enabled stream: TableName: plain"},
			{"{`TableName`:`plain`,`BillingMode`:`FREE`,`GlobalSecondaryIndexUpdates`:[{`Create`:{}},{`Update`:{}},{`Delete`:{}}]}", "7 validation errors detected: Value 'FREE' at 'billingMode'" + broken + "Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]; Value null at 'globalSecondaryIndexUpdates.1.member.create.indexName'" + broken + null + "; Value null at 'globalSecondaryIndexUpdates.1.member.create.keySchema'" + broken + null + "; Value null at 'globalSecondaryIndexUpdates.1.member.create.projection'" + broken + null + "; Value null at 'globalSecondaryIndexUpdates.2.member.update.indexName'" + broken + null + "; Value null at 'globalSecondaryIndexUpdates.2.member.update.provisionedThroughput'" + broken + null + "; Value null at 'globalSecondaryIndexUpdates.3.member.delete.indexName'" + broken + null},
			{"{`TableName`:`plain`,`GlobalSecondaryIndexUpdates`:[{`Create`:{" + xyz + ",`Projection`:{`ProjectionType`:`ALL`}}}]}", invalid + "Some index key attributes are not defined in AttributeDefinitions. Keys: [b], AttributeDefinitions: [id]"},
			{"{`TableName`:`plain`,`AttributeDefinitions`:[{`AttributeName`:`b`,`AttributeType`:`N`}],`GlobalSecondaryIndexUpdates`:[{`Create`:{" + xyz + ",`Projection`:{`ProjectionType`:`INCLUDE`}}}]}", invalid + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified"},
			{"{`TableName`:`plain`,`GlobalSecondaryIndexUpdates`:[1]}", "SerializationException Unexpected value type in payload"},
		},
	} {
		for _, row := range rows {
			target := Target
			if streamOperations[operation] != nil {
				target = StreamTarget
			}
			output, err := s.do(t.Context(), target+operation, input(t, row.request))
			e, ok := errors.AsType[*attribute.Error](err)
			if !ok {
				t.Errorf("%s %.300s: %s, %v; want %s", operation, row.request, output, err, row.want)
				continue
			}
			if got := strings.TrimSpace(strings.TrimPrefix(e.Code+" "+e.Message, "ValidationException ")); got != row.want {
				t.Errorf("%s %.300s\n got %s\nwant %s", operation, row.request, got, row.want)
			}
		}
	}
	mustBe(t, do(t, s, "ListTables", "{}"), "{`TableNames`:[`indexed`,`plain`]}")
	mustBe(t, do(t, s, "Scan", "{`TableName`:`plain`}"), "{`Count`:0,`Items`:[],`ScannedCount`:0}")
	mustBe(t, do(t, s, "Scan", "{`TableName`:`indexed`}"), "{`Count`:0,`Items`:[],`ScannedCount`:0}")
}
