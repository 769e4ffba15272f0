package table

import (
	"fmt"
	"testing"
)

// Who may do an operation is decided by these.
func TestTheUsesOfARequest(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ operation, request, want string }{
		{"PutItem", "{`TableName`:`a`}", "[{PutItem a }]"},
		{"Query", "{`TableName`:`arn:aws:dynamodb:us-east-1:000000000000:table/a`}", "[{Query arn:aws:dynamodb:us-east-1:000000000000:table/a }]"},
		{"Query", "{`TableName`:`a`,`IndexName`:`i`}", "[{Query a i}]"},
		{"GetItem", "{`TableName`:`a`,`IndexName`:`i`}", "[{GetItem a }]"},
		{"TagResource", "{`TableName`:`a`,`ResourceArn`:`b`}", "[{TagResource b }]"},
		{"GetRecords", "{`ShardIterator`:`arn:aws:dynamodb:us-east-1:1:table/a/stream/x|1|MA==`}", "[{GetRecords arn:aws:dynamodb:us-east-1:1:table/a/stream/x }]"},
		{"ListTables", "{}", "[{ListTables  }]"},
		{"BatchGetItem", "{`RequestItems`:{`a`:{},`arn:aws:dynamodb:us-east-1:000000000000:table/b`:1}}", "[{BatchGetItem a } {BatchGetItem arn:aws:dynamodb:us-east-1:000000000000:table/b }]"},
		{"BatchWriteItem", "{`RequestItems`:{`b`:[],`a`:[]}}", "[{BatchWriteItem b } {BatchWriteItem a }]"},
		{"BatchWriteItem", "{}", "[{BatchWriteItem  }]"},
		{
			"TransactWriteItems",
			"{`TransactItems`:[{`Put`:{`TableName`:`a`}},{`Update`:{`TableName`:`b`},`Delete`:{`TableName`:`c`}},{`ConditionCheck`:{`TableName`:`d`},`Other`:1}]}",
			"[{PutItem a } {UpdateItem b } {DeleteItem c } {ConditionCheckItem d }]",
		},
		{"TransactGetItems", "{`TransactItems`:[{`Get`:{`TableName`:`a`}},{`Get`:{`TableName`:`arn:aws:dynamodb:us-east-1:000000000000:table/b`}}]}", "[{GetItem a } {GetItem arn:aws:dynamodb:us-east-1:000000000000:table/b }]"},
		{"ExecuteStatement", "{`Statement`:`SELECT * FROM a.i`}", "[{PartiQLSelect a i}]"},
		{"ExecuteStatement", "{`Statement`:`INSERT INTO a VALUE {'id': ?}`}", "[{PartiQLInsert a }]"},
		{"ExecuteStatement", "{`Statement`:`UPDATE a SET x = 1 WHERE wrong`}", "[{PartiQLUpdate a }]"},
		{"ExecuteStatement", "{`Statement`:`DELETE FROM a WHERE id = 'b'`}", "[{PartiQLDelete a }]"},
		{"ExecuteStatement", "{`Statement`:`DROP a`}", "[{  }]"},
		{"ExecuteStatement", "{`Statement`:`SELECT * FROM`}", "Statement wasn't well formed, can't be processed: Unexpected end of the statement"},
		{
			"BatchExecuteStatement", "{`Statements`:[{`Statement`:`SELECT * FROM a`},{`Statement`:`SELECT`},{`Statement`:`DELETE FROM b`}]}",
			"[{PartiQLSelect a } {PartiQLDelete b }]",
		},
		{"ExecuteTransaction", "{`TransactStatements`:[{`Statement`:`INSERT INTO a VALUE {}`},{`Statement`:`UPDATE b SET x = 1`}]}", "[{PartiQLInsert a } {PartiQLUpdate b }]"},
		{"ExecuteTransaction", "{`Statements`:[{`Statement`:`SELECT * FROM a`}]}", "[{ExecuteTransaction  }]"},
		{"PutItem", "{`TableName`:1}", "NUMBER_VALUE cannot be converted to String"},
		{"TransactWriteItems", "{`TransactItems`:[1]}", "Unexpected value type in payload"},
		{"TransactWriteItems", "{`TransactItems`:[{`Put`:[]}]}", "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.Put"},
		{"BatchGetItem", "{`RequestItems`:1}", "Unexpected field type"},
		{"BatchExecuteStatement", "{`Statements`:{}}", "Start of structure or map found where not expected"},
	} {
		uses, err := Uses(row.operation, input(t, row.request))
		got := fmt.Sprint(uses)
		if err != nil {
			got = err.Error()
		}
		if got != row.want {
			t.Errorf("%s %s\n got %s\nwant %s", row.operation, row.request, got, row.want)
		}
	}
}
