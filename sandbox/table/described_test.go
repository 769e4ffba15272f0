package table

import "testing"

func TestWhatOperationsOnTablesAndStreamsAnswer(t *testing.T) {
	t.Parallel()
	const (
		shard = "`ShardId`:`shardId-00000000000000000003-772cd21e`,"
		ofOld = "`ResourceArn`:`$arn/old`"
	)
	answers(t, openAnswering(t), []step{
		{
			"CreateTable", "{`TableName`:`old`,`BillingMode`:`PAY_PER_REQUEST`,`AttributeDefinitions`:[{`AttributeName`:`id`,`AttributeType`:`S`},{`AttributeName`:`n`,`AttributeType`:`N`}],`KeySchema`:[{`AttributeName`:`id`,`KeyType`:`HASH`},{`AttributeName`:`n`,`KeyType`:`RANGE`}],`DeletionProtectionEnabled`:true,`StreamSpecification`:{`StreamEnabled`:true,`StreamViewType`:`OLD_IMAGE`},`Tags`:[{`Key`:`k`,`Value`:`v`}]}",
			`{"TableDescription":{"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"n","AttributeType":"N"}],"TableName":"old","KeySchema":[{"AttributeName":"id","KeyType":"HASH"},{"AttributeName":"n","KeyType":"RANGE"}],"TableStatus":"CREATING","CreationDateTime":1795924628.065,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"TableSizeBytes":0,"ItemCount":0,"TableArn":"$arn/old","TableId":"$id","BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST","LastUpdateToPayPerRequestDateTime":1795924628.065},"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"OLD_IMAGE"},"LatestStreamLabel":"$label","LatestStreamArn":"$arn/old/stream/$label","DeletionProtectionEnabled":true,"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}}}`,
		},
		{
			"CreateTable", "{`TableName`:`old-new`,`BillingMode`:`PAY_PER_REQUEST`,`AttributeDefinitions`:[{`AttributeName`:`id`,`AttributeType`:`S`}],`KeySchema`:[{`AttributeName`:`id`,`KeyType`:`HASH`}],`StreamSpecification`:{`StreamEnabled`:true,`StreamViewType`:`NEW_IMAGE`}}",
			`{"TableDescription":{"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],"TableName":"old-new","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"TableStatus":"CREATING","CreationDateTime":1795924628.065,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"TableSizeBytes":0,"ItemCount":0,"TableArn":"$arn/old-new","TableId":"$id","BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST","LastUpdateToPayPerRequestDateTime":1795924628.065},"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},"LatestStreamLabel":"$label","LatestStreamArn":"$arn/old-new/stream/$label","DeletionProtectionEnabled":false,"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}}}`,
		},
		{
			"UpdateTable", "{`TableName`:`plain`,`StreamSpecification`:{`StreamEnabled`:true,`StreamViewType`:`KEYS_ONLY`}}",
			`{"TableDescription":{"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],"TableName":"plain","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"TableStatus":"UPDATING","CreationDateTime":1795924628.065,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"TableSizeBytes":0,"ItemCount":0,"TableArn":"$arn/plain","TableId":"$id","BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST","LastUpdateToPayPerRequestDateTime":1795924628.065},"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"},"LatestStreamLabel":"$label","LatestStreamArn":"$arn/plain/stream/$label","DeletionProtectionEnabled":false,"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}}}`,
		},
		{
			"UpdateTable", "{`TableName`:`plain`,`StreamSpecification`:{`StreamEnabled`:true,`StreamViewType`:`NEW_IMAGE`}}",
			`Table already has an enabled stream: TableName: plain`,
		},
		{
			"ListStreams", "{}",
			`{"Streams":[{"StreamArn":"$arn/old-new/stream/$label","StreamLabel":"$label","TableName":"old-new"},{"StreamArn":"$arn/old/stream/$label","StreamLabel":"$label","TableName":"old"},{"StreamArn":"$arn/plain/stream/$label","StreamLabel":"$label","TableName":"plain"}]}`,
		},
		{
			"ListStreams", "{`Limit`:1}",
			`{"Streams":[{"StreamArn":"$arn/old-new/stream/$label","StreamLabel":"$label","TableName":"old-new"}],"LastEvaluatedStreamArn":"$arn/old-new/stream/$label"}`,
		},
		{
			"ListStreams", "{`ExclusiveStartStreamArn`:`$arn/old-new/stream/$label`,`Limit`:1}",
			`{"Streams":[{"StreamArn":"$arn/old/stream/$label","StreamLabel":"$label","TableName":"old"}],"LastEvaluatedStreamArn":"$arn/old/stream/$label"}`,
		},
		{
			"ListStreams", "{`ExclusiveStartStreamArn`:`$arn/old/stream/$label`,`Limit`:1}",
			`{"Streams":[{"StreamArn":"$arn/plain/stream/$label","StreamLabel":"$label","TableName":"plain"}]}`,
		},
		{
			"ListStreams", "{`TableName`:`plain`}",
			`{"Streams":[{"StreamArn":"$arn/plain/stream/$label","StreamLabel":"$label","TableName":"plain"}]}`,
		},
		{
			"ListStreams", "{`TableName`:`indexed`}",
			`{"Streams":[]}`,
		},
		{
			"DescribeStream", "{`StreamArn`:`$arn/old/stream/$label`}",
			`{"StreamDescription":{"CreationRequestDateTime":1795924628.065,"KeySchema":[{"AttributeName":"id","KeyType":"HASH"},{"AttributeName":"n","KeyType":"RANGE"}],"Shards":[{"SequenceNumberRange":{"StartingSequenceNumber":"000000000000000000001"},"ShardId":"shardId-00000000000000000003-772cd21e"}],"StreamArn":"$arn/old/stream/$label","StreamLabel":"$label","StreamStatus":"ENABLED","StreamViewType":"OLD_IMAGE","TableName":"old"}}`,
		},
		{
			"GetShardIterator", "{`StreamArn`:`$arn/old/stream/$label`}",
			`2 validation errors detected: Value null at 'shardId' failed to satisfy constraint: Member must not be null; Value null at 'shardIteratorType' failed to satisfy constraint: Member must not be null`,
		},
		{
			"GetShardIterator", "{`StreamArn`:`$arn/old/stream/$label`,`ShardId`:`x`,`ShardIteratorType`:`LATEST`}",
			`Requested resource not found: Shard does not exist`,
		},
		{
			"GetShardIterator", "{`StreamArn`:`$arn/old/stream/$label`," + shard + "`ShardIteratorType`:`FIRST`}",
			`1 validation error detected: Value 'FIRST' at 'shardIteratorType' failed to satisfy constraint: Member must satisfy enum value set: [AFTER_SEQUENCE_NUMBER, LATEST, AT_SEQUENCE_NUMBER, TRIM_HORIZON]`,
		},
		{
			"GetShardIterator", "{`StreamArn`:`$arn/old/stream/$label`," + shard + "`ShardIteratorType`:`AT_SEQUENCE_NUMBER`}",
			`Invalid SequenceNumber: `,
		},
		{
			"PutItem", "{`TableName`:`plain`,`Item`:{`id`:{`S`:`a`},`x`:{`N`:`1`}}}",
			`{}`,
		},
		{
			"PutItem", "{`TableName`:`old-new`,`Item`:{`id`:{`S`:`a`},`x`:{`N`:`1`}}}",
			`{}`,
		},
		{
			"DeleteItem", "{`TableName`:`old-new`,`Key`:{`id`:{`S`:`a`}}}",
			`{}`,
		},
		{
			"PutItem", "{`TableName`:`old`,`Item`:{`id`:{`S`:`a`},`n`:{`N`:`1`},`x`:{`N`:`1`}}}",
			`{}`,
		},
		{
			"DeleteItem", "{`TableName`:`old`,`Key`:{`id`:{`S`:`a`},`n`:{`N`:`1`}}}",
			`{}`,
		},
		{
			"GetRecords", "{`ShardIterator`:`$arn/plain/stream/$label|1|MA==`}",
			`{"Records":[{"awsRegion":"us-east-1","dynamodb":{"ApproximateCreationDateTime":1795924628,"Keys":{"id":{"S":"a"}},"SequenceNumber":"000000000000000000001","SizeBytes":3,"StreamViewType":"KEYS_ONLY"},"eventID":"00000000000000010000000000000001","eventName":"INSERT","eventSource":"aws:dynamodb","eventVersion":"1.1"}],"NextShardIterator":"$arn/plain/stream/$label|1|MQ=="}`,
		},
		{
			"GetRecords", "{`ShardIterator`:`$arn/old-new/stream/$label|1|MA==`}",
			`{"Records":[{"awsRegion":"us-east-1","dynamodb":{"ApproximateCreationDateTime":1795924628,"Keys":{"id":{"S":"a"}},"NewImage":{"id":{"S":"a"},"x":{"N":"1"}},"SequenceNumber":"000000000000000000001","SizeBytes":9,"StreamViewType":"NEW_IMAGE"},"eventID":"00000000000000040000000000000001","eventName":"INSERT","eventSource":"aws:dynamodb","eventVersion":"1.1"},{"awsRegion":"us-east-1","dynamodb":{"ApproximateCreationDateTime":1795924628,"Keys":{"id":{"S":"a"}},"SequenceNumber":"000000000000000000002","SizeBytes":3,"StreamViewType":"NEW_IMAGE"},"eventID":"00000000000000040000000000000002","eventName":"REMOVE","eventSource":"aws:dynamodb","eventVersion":"1.1"}],"NextShardIterator":"$arn/old-new/stream/$label|1|Mg=="}`,
		},
		{
			"GetRecords", "{`ShardIterator`:`$arn/old/stream/$label|1|MA==`}",
			`{"Records":[{"awsRegion":"us-east-1","dynamodb":{"ApproximateCreationDateTime":1795924628,"Keys":{"id":{"S":"a"},"n":{"N":"1"}},"SequenceNumber":"000000000000000000001","SizeBytes":6,"StreamViewType":"OLD_IMAGE"},"eventID":"00000000000000030000000000000001","eventName":"INSERT","eventSource":"aws:dynamodb","eventVersion":"1.1"},{"awsRegion":"us-east-1","dynamodb":{"ApproximateCreationDateTime":1795924628,"Keys":{"id":{"S":"a"},"n":{"N":"1"}},"OldImage":{"id":{"S":"a"},"n":{"N":"1"},"x":{"N":"1"}},"SequenceNumber":"000000000000000000002","SizeBytes":15,"StreamViewType":"OLD_IMAGE"},"eventID":"00000000000000030000000000000002","eventName":"REMOVE","eventSource":"aws:dynamodb","eventVersion":"1.1"}],"NextShardIterator":"$arn/old/stream/$label|1|Mg=="}`,
		},
		{
			"GetShardIterator", "{`StreamArn`:`$arn/old/stream/$label`," + shard + "`ShardIteratorType`:`AT_SEQUENCE_NUMBER`,`SequenceNumber`:`000000000000000000002`}",
			`{"ShardIterator":"$arn/old/stream/$label|1|MQ=="}`,
		},
		{
			"GetShardIterator", "{`StreamArn`:`$arn/old/stream/$label`," + shard + "`ShardIteratorType`:`AFTER_SEQUENCE_NUMBER`,`SequenceNumber`:`000000000000000000002`}",
			`{"ShardIterator":"$arn/old/stream/$label|1|Mg=="}`,
		},
		{
			"GetShardIterator", "{`StreamArn`:`$arn/old/stream/$label`," + shard + "`ShardIteratorType`:`LATEST`}",
			`{"ShardIterator":"$arn/old/stream/$label|1|Mg=="}`,
		},
		{
			"GetRecords", "{`ShardIterator`:`$arn/old/stream/$label|1|MQ==`}",
			`{"Records":[{"awsRegion":"us-east-1","dynamodb":{"ApproximateCreationDateTime":1795924628,"Keys":{"id":{"S":"a"},"n":{"N":"1"}},"OldImage":{"id":{"S":"a"},"n":{"N":"1"},"x":{"N":"1"}},"SequenceNumber":"000000000000000000002","SizeBytes":15,"StreamViewType":"OLD_IMAGE"},"eventID":"00000000000000030000000000000002","eventName":"REMOVE","eventSource":"aws:dynamodb","eventVersion":"1.1"}],"NextShardIterator":"$arn/old/stream/$label|1|Mg=="}`,
		},
		{
			"DescribeTable", "{`TableName`:`plain`}",
			`{"Table":{"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],"TableName":"plain","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"TableStatus":"ACTIVE","CreationDateTime":1795924628.065,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"TableSizeBytes":6,"ItemCount":1,"TableArn":"$arn/plain","TableId":"$id","BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST","LastUpdateToPayPerRequestDateTime":1795924628.065},"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"},"LatestStreamLabel":"$label","LatestStreamArn":"$arn/plain/stream/$label","DeletionProtectionEnabled":false,"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}}}`,
		},
		{
			"DescribeTable", "{`TableName`:`indexed`}",
			`{"Table":{"AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"},{"AttributeName":"s","AttributeType":"N"},{"AttributeName":"l","AttributeType":"S"},{"AttributeName":"g","AttributeType":"B"}],"TableName":"indexed","KeySchema":[{"AttributeName":"p","KeyType":"HASH"},{"AttributeName":"s","KeyType":"RANGE"}],"TableStatus":"ACTIVE","CreationDateTime":1795924628.065,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":5,"WriteCapacityUnits":6},"TableSizeBytes":0,"ItemCount":0,"TableArn":"$arn/indexed","TableId":"$id","LocalSecondaryIndexes":[{"IndexName":"byL","KeySchema":[{"AttributeName":"p","KeyType":"HASH"},{"AttributeName":"l","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"},"IndexSizeBytes":0,"ItemCount":0,"IndexArn":"$arn/indexed/index/byL"}],"GlobalSecondaryIndexes":[{"IndexName":"byG","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},"IndexStatus":"ACTIVE","ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"IndexSizeBytes":0,"ItemCount":0,"IndexArn":"$arn/indexed/index/byG"},{"IndexName":"byGL","KeySchema":[{"AttributeName":"g","KeyType":"HASH"},{"AttributeName":"l","KeyType":"RANGE"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["extra"]},"IndexStatus":"ACTIVE","ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"IndexSizeBytes":0,"ItemCount":0,"IndexArn":"$arn/indexed/index/byGL"}],"DeletionProtectionEnabled":false,"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}}}`,
		},
		{
			"ListTagsOfResource", "{" + ofOld + "}",
			`{"Tags":[{"Key":"k","Value":"v"}]}`,
		},
		{
			"TagResource", "{" + ofOld + ",`Tags`:[{`Key`:`z`,`Value`:`1`},{`Key`:`b`,`Value`:`1`},{`Key`:`k`,`Value`:`w`}]}",
			``,
		},
		{
			"UntagResource", "{" + ofOld + ",`TagKeys`:[`b`,`none`]}",
			``,
		},
		{
			"ListTagsOfResource", "{" + ofOld + "}",
			`{"Tags":[{"Key":"k","Value":"w"},{"Key":"z","Value":"1"}]}`,
		},
		{
			"ListTagsOfResource", "{`ResourceArn`:`$arn/plain`}",
			`{"Tags":[]}`,
		},
		{
			"DescribeTimeToLive", "{`TableName`:`plain`}",
			`{"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}}`,
		},
		{
			"UpdateTimeToLive", "{`TableName`:`plain`,`TimeToLiveSpecification`:{`Enabled`:true,`AttributeName`:`ends`}}",
			`{"TimeToLiveSpecification":{"AttributeName":"ends","Enabled":true}}`,
		},
		{
			"UpdateTimeToLive", "{`TableName`:`plain`,`TimeToLiveSpecification`:{`Enabled`:true,`AttributeName`:`ends`}}",
			`TimeToLive is already enabled`,
		},
		{
			"UpdateTimeToLive", "{`TableName`:`plain`,`TimeToLiveSpecification`:{`Enabled`:true,`AttributeName`:`other`}}",
			`TimeToLive is active on a different AttributeName: current AttributeName is ends`,
		},
		{
			"DescribeTimeToLive", "{`TableName`:`plain`}",
			`{"TimeToLiveDescription":{"AttributeName":"ends","TimeToLiveStatus":"ENABLED"}}`,
		},
		{
			"UpdateTimeToLive", "{`TableName`:`plain`,`TimeToLiveSpecification`:{`Enabled`:false,`AttributeName`:`ends`}}",
			`{"TimeToLiveSpecification":{"AttributeName":"ends","Enabled":false}}`,
		},
		{
			"DescribeTimeToLive", "{`TableName`:`plain`}",
			`{"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}}`,
		},
		{
			"DeleteTable", "{`TableName`:`old`}",
			`Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.`,
		},
		{
			"UpdateTable", "{`TableName`:`old`,`DeletionProtectionEnabled`:false}",
			`{"TableDescription":{"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"n","AttributeType":"N"}],"TableName":"old","KeySchema":[{"AttributeName":"id","KeyType":"HASH"},{"AttributeName":"n","KeyType":"RANGE"}],"TableStatus":"UPDATING","CreationDateTime":1795924628.065,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"TableSizeBytes":0,"ItemCount":0,"TableArn":"$arn/old","TableId":"$id","BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST","LastUpdateToPayPerRequestDateTime":1795924628.065},"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"OLD_IMAGE"},"LatestStreamLabel":"$label","LatestStreamArn":"$arn/old/stream/$label","DeletionProtectionEnabled":false,"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}}}`,
		},
		{
			"DeleteTable", "{`TableName`:`old`}",
			`{"TableDescription":{"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"n","AttributeType":"N"}],"TableName":"old","KeySchema":[{"AttributeName":"id","KeyType":"HASH"},{"AttributeName":"n","KeyType":"RANGE"}],"TableStatus":"DELETING","CreationDateTime":1795924628.065,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"TableSizeBytes":0,"ItemCount":0,"TableArn":"$arn/old","TableId":"$id","BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST","LastUpdateToPayPerRequestDateTime":1795924628.065},"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"OLD_IMAGE"},"LatestStreamLabel":"$label","LatestStreamArn":"$arn/old/stream/$label","DeletionProtectionEnabled":false,"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}}}`,
		},
		{
			"UpdateTable", "{`TableName`:`plain`,`StreamSpecification`:{`StreamEnabled`:false}}",
			`{"TableDescription":{"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],"TableName":"plain","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"TableStatus":"UPDATING","CreationDateTime":1795924628.065,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"TableSizeBytes":6,"ItemCount":1,"TableArn":"$arn/plain","TableId":"$id","BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST","LastUpdateToPayPerRequestDateTime":1795924628.065},"LatestStreamLabel":"$label","LatestStreamArn":"$arn/plain/stream/$label","DeletionProtectionEnabled":false,"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}}}`,
		},
		{
			"GetRecords", "{`ShardIterator`:`$arn/plain/stream/$label|1|MA==`}",
			`{"Records":[{"awsRegion":"us-east-1","dynamodb":{"ApproximateCreationDateTime":1795924628,"Keys":{"id":{"S":"a"}},"SequenceNumber":"000000000000000000001","SizeBytes":3,"StreamViewType":"KEYS_ONLY"},"eventID":"00000000000000010000000000000001","eventName":"INSERT","eventSource":"aws:dynamodb","eventVersion":"1.1"}]}`,
		},
		{
			"DescribeStream", "{`StreamArn`:`$arn/plain/stream/$label`}",
			`{"StreamDescription":{"CreationRequestDateTime":1795924628.065,"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"Shards":[{"SequenceNumberRange":{"StartingSequenceNumber":"000000000000000000001"},"ShardId":"shardId-00000000000000000001-772cd21e"}],"StreamArn":"$arn/plain/stream/$label","StreamLabel":"$label","StreamStatus":"DISABLED","TableName":"plain"}}`,
		},
		{
			"ListStreams", "{}",
			`{"Streams":[{"StreamArn":"$arn/old-new/stream/$label","StreamLabel":"$label","TableName":"old-new"},{"StreamArn":"$arn/plain/stream/$label","StreamLabel":"$label","TableName":"plain"}]}`,
		},
		{
			"UpdateTable", "{`TableName`:`plain`,`StreamSpecification`:{`StreamEnabled`:true,`StreamViewType`:`NEW_IMAGE`}}",
			`{"TableDescription":{"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],"TableName":"plain","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"TableStatus":"UPDATING","CreationDateTime":1795924628.065,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"TableSizeBytes":6,"ItemCount":1,"TableArn":"$arn/plain","TableId":"$id","BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST","LastUpdateToPayPerRequestDateTime":1795924628.065},"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},"LatestStreamLabel":"$label","LatestStreamArn":"$arn/plain/stream/$label","DeletionProtectionEnabled":false,"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}}}`,
		},
		{
			"GetRecords", "{`ShardIterator`:`$arn/plain/stream/$label|1|MA==`}",
			`{"Records":[],"NextShardIterator":"$arn/plain/stream/$label|1|MA=="}`,
		},
		{
			"ListTables", "{}",
			`{"TableNames":["indexed","old-new","plain"]}`,
		},
	})
}
