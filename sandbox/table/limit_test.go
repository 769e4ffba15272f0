package table

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// listed are the elements of a JSON list, one for each number from 0 on.
func listed(n int, element func(i int) string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = element(i)
	}
	return "[" + strings.Join(all, ",") + "]"
}

// A limit is the last that is accepted, and one more is refused.
func TestLimitsAreAcceptedAtTheirEdge(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	put := func(i int) string { return fmt.Sprintf("{`PutRequest`:{`Item`:{`id`:{`S`:`%d`}}}}", i) }
	putIndexed := func(i int) string { return fmt.Sprintf("{`PutRequest`:{`Item`:{`p`:{`S`:`p`},`s`:{`N`:`%d`}}}}", i) }
	key := func(i int) string { return fmt.Sprintf("{`id`:{`S`:`%d`}}", i) }
	keyIndexed := func(i int) string { return fmt.Sprintf("{`p`:{`S`:`p`},`s`:{`N`:`%d`}}", i) }
	check := func(i int) string {
		return "{`ConditionCheck`:{`TableName`:`plain`,`Key`:" + key(i) + ",`ConditionExpression`:`attribute_not_exists(x)`}}"
	}
	get := func(i int) string { return "{`Get`:{`TableName`:`plain`,`Key`:" + key(i) + "}}" }
	statement := func(i int) string { return fmt.Sprintf("{`Statement`:`SELECT * FROM plain WHERE id = '%d'`}", i) }
	label := func(i int) string { return fmt.Sprintf("{`Key`:`%d`,`Value`:``}", i) }
	long := func(n int) string { return strings.Repeat("k", n) }
	tagged := func(list string) string {
		return "{`ResourceArn`:`arn:aws:dynamodb:us-east-1:000000000000:table/plain`,`Tags`:" + list + "}"
	}
	create := func(name, index string) string {
		return "{`TableName`:`" + name + "`,`BillingMode`:`PAY_PER_REQUEST`,`AttributeDefinitions`:[{`AttributeName`:`a`,`AttributeType`:`S`}]," +
			"`KeySchema`:[{`AttributeName`:`a`,`KeyType`:`HASH`}],`GlobalSecondaryIndexes`:[" + indexOf(index, "", "a") + "]}"
	}
	keyed := func(partition, sort int) string {
		return "{`TableName`:`texts`,`Item`:{`a`:{`S`:`" + long(partition) + "`},`b`:{`S`:`" + long(sort) + "`}}}"
	}
	indexed := func(partition, sort int) string {
		return "{`TableName`:`texts`,`Item`:{`a`:{`S`:`a`},`b`:{`S`:`b`},`c`:{`S`:`" + long(partition) + "`},`d`:{`S`:`" + long(sort) + "`}}}"
	}
	do(t, s, "CreateTable", "{`TableName`:`texts`,`BillingMode`:`PAY_PER_REQUEST`,`AttributeDefinitions`:[{`AttributeName`:`a`,`AttributeType`:`S`},"+
		"{`AttributeName`:`b`,`AttributeType`:`S`},{`AttributeName`:`c`,`AttributeType`:`S`},{`AttributeName`:`d`,`AttributeType`:`S`}]"+keyOfTwo+
		",`GlobalSecondaryIndexes`:["+indexOf("by-c-d", "", "c", "d")+"]}")
	const (
		large   = 409_600 - len("id") - len("a") - len("x") // what is left of an item for its text
		tooMany = "Member must have length less than or equal to "
	)
	sized := func(n int) string {
		return "{`TableName`:`plain`,`Item`:{`id`:{`S`:`a`},`x`:{`S`:`" + strings.Repeat("x", n) + "`}}}"
	}
	grown := func(n int) string {
		return "{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}},`AttributeUpdates`:{`x`:{`Value`:{`S`:`" + strings.Repeat("x", n) + "`}}}}"
	}
	for _, row := range []struct{ operation, most, more, want string }{
		{"BatchWriteItem", "{`RequestItems`:{`plain`:" + listed(25, put) + "}}", "{`RequestItems`:{`plain`:" + listed(26, put) + "}}", tooMany + "25, "},
		{
			"BatchWriteItem", "{`RequestItems`:{`plain`:" + listed(12, put) + ",`indexed`:" + listed(13, putIndexed) + "}}",
			"{`RequestItems`:{`plain`:" + listed(13, put) + ",`indexed`:" + listed(13, putIndexed) + "}}", "Too many items requested for the BatchWriteItem call",
		},
		{"BatchGetItem", "{`RequestItems`:{`plain`:{`Keys`:" + listed(100, key) + "}}}", "{`RequestItems`:{`plain`:{`Keys`:" + listed(101, key) + "}}}", tooMany + "100"},
		{
			"BatchGetItem", "{`RequestItems`:{`plain`:{`Keys`:" + listed(50, key) + "},`indexed`:{`Keys`:" + listed(50, keyIndexed) + "}}}",
			"{`RequestItems`:{`plain`:{`Keys`:" + listed(50, key) + "},`indexed`:{`Keys`:" + listed(51, keyIndexed) + "}}}", "Too many items requested for the BatchGetItem call",
		},
		{"TransactWriteItems", "{`TransactItems`:" + listed(100, check) + "}", "{`TransactItems`:" + listed(101, check) + "}", tooMany + "100"},
		{"TransactGetItems", "{`TransactItems`:" + listed(100, get) + "}", "{`TransactItems`:" + listed(101, get) + "}", tooMany + "100"},
		{"BatchExecuteStatement", "{`Statements`:" + listed(25, statement) + "}", "{`Statements`:" + listed(26, statement) + "}", tooMany + "25"},
		{"ExecuteTransaction", "{`TransactStatements`:" + listed(100, statement) + "}", "{`TransactStatements`:" + listed(101, statement) + "}", tooMany + "100"},
		{
			"TransactWriteItems", "{`ClientRequestToken`:`" + long(36) + "`,`TransactItems`:" + listed(1, check) + "}",
			"{`ClientRequestToken`:`" + long(37) + "`,`TransactItems`:" + listed(1, check) + "}", tooMany + "36",
		},
		{"TagResource", tagged(listed(50, label)), tagged(listed(51, label)), "Too many tags: 51, at most 50 are allowed"},
		{"TagResource", tagged("[{`Key`:`0`,`Value`:`" + long(256) + "`}]"), tagged("[{`Key`:`0`,`Value`:`" + long(257) + "`}]"), tooMany + "256"},
		{"CreateTable", create("abc", "xyz"), create("ab", "xyz"), "Member must have length greater than or equal to 3"},
		{"CreateTable", create(long(255), long(255)), create(long(256), "xyz"), tooMany + "255"},
		{"CreateTable", create("def", long(254)), create("ghi", long(256)), tooMany + "255"},
		{"PutItem", keyed(2048, 1024), keyed(2049, 1024), "Size of hashkey has exceeded the maximum size limit of2048 bytes"},
		{"PutItem", keyed(1, 1024), keyed(1, 1025), "Aggregated size of all range keys has exceeded the size limit of 1024 bytes"},
		{"PutItem", indexed(2048, 1024), indexed(2049, 1), "Size of hashkey has exceeded the maximum size limit of2048 bytes"},
		{"PutItem", indexed(1, 1024), indexed(1, 1025), "Aggregated size of all range keys has exceeded the size limit of 1024 bytes"},
		{"PutItem", sized(large), sized(large + 1), "Item size has exceeded the maximum allowed size"},
		{"UpdateItem", grown(large), grown(large + 1), "Item size to update has exceeded the maximum allowed size"},
		{"Scan", "{`TableName`:`plain`,`TotalSegments`:1000000,`Segment`:999999}", "{`TableName`:`plain`,`TotalSegments`:1000001,`Segment`:1}", "Member must have value less than or equal to 1000000"},
		{"ListTables", "{`Limit`:100}", "{`Limit`:101}", "Member must have value less than or equal to 100"},
		{
			"ExecuteStatement", "{`Statement`:`SELECT x FROM plain" + strings.Repeat(" ", 8192-19) + "`}",
			"{`Statement`:`SELECT x FROM plain" + strings.Repeat(" ", 8193-19) + "`}", tooMany + "8192",
		},
		{
			"ExecuteStatement", "{`Statement`:`SELECT * FROM plain WHERE " + strings.Repeat("(", 99) + "x = 1" + strings.Repeat(")", 99) + "`}",
			"{`Statement`:`SELECT * FROM plain WHERE " + strings.Repeat("(", 100) + "x = 1" + strings.Repeat(")", 100) + "`}", "the statement is nested too deeply",
		},
	} {
		do(t, s, row.operation, row.most)
		if e := refused(t, s, row.operation, row.more); !strings.Contains(e.Message+", ", row.want) {
			t.Errorf("%s %.200s: %v, want %s", row.operation, row.more, e, row.want)
		}
	}
}

func TestATransactionHasAtMostFourMegabytes(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	put := func(last int) string {
		return "{`TransactItems`:" + listed(11, func(i int) string {
			size := 400_000 - len("id") - len("00") - len("x")
			if i == 10 {
				size = last - len("id") - len("00") - len("x")
			}
			return fmt.Sprintf("{`Put`:{`TableName`:`plain`,`Item`:{`id`:{`S`:`%02d`},`x`:{`S`:`%s`}}}}", i, strings.Repeat("x", size))
		}) + "}"
	}
	const last = 4<<20 - 10*400_000
	if e := refused(t, s, "TransactWriteItems", put(last+1)); e.Message != "Collection size cannot exceed 4MB" {
		t.Error(e)
	}
	do(t, s, "TransactWriteItems", put(last))
}

// A token counts for ten minutes from its transaction on, whatever other tokens came before it.
func TestATokenCountsForTenMinutes(t *testing.T) {
	t.Parallel()
	s := openAnswering(t)
	now := atOnce
	s.clock = func() time.Time { return now }
	add := func(token, by string) error {
		_, err := s.Do(t.Context(), "TransactWriteItems", input(t, "{`ClientRequestToken`:`"+token+"`,`TransactItems`:[{`Update`:{`TableName`:`plain`,"+
			"`Key`:{`id`:{`S`:`a`}},`UpdateExpression`:`ADD n :n`,`ExpressionAttributeValues`:{`:n`:{`N`:`"+by+"`}}}}]}"))
		return err
	}
	for _, one := range []struct {
		after     time.Duration
		token, by string
		want      string // the sum
		refused   bool
	}{
		{0, "first", "1", "1", false},
		{0, "second", "x", "1", true}, // what failed does not count
		{time.Minute, "second", "10", "11", false},
		{8 * time.Minute, "first", "1", "11", false},
		{0, "second", "1", "11", true}, // the same token, another transaction
		{time.Minute - time.Millisecond, "first", "1", "11", false},
		{time.Millisecond, "first", "1", "12", false},
		{0, "second", "10", "12", false},
		{time.Minute, "second", "10", "22", false},
		{0, "first", "1", "22", false},
	} {
		now = now.Add(one.after)
		if err := add(one.token, one.by); (err != nil) != one.refused {
			t.Errorf("%s by %s: %v", one.token, one.by, err)
		}
		mustBe(t, do(t, s, "GetItem", "{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}},`ProjectionExpression`:`n`}")["Item"], `{"n":{"N":"`+one.want+`"}}`)
	}
}
