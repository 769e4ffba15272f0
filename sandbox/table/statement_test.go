package table

import "testing"

// Each statement depends on those before it.
func TestStatements(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	for _, step := range []struct{ name, request, want string }{
		{"an item with every kind of value", "{`Statement`:`INSERT INTO plain VALUE {'id': 'a', 'n': -1.50, 'm': {'l': [1, true, null, 'it''s']}, 's': <<'x', 'y'>>, 'b': ?}`,`Parameters`:[{`B`:`AP8=`}]}", `{"Items":[]}`},
		{
			"by its key", "{`Statement`:`SELECT * FROM \\`plain\\` WHERE id = 'a'`}",
			`{"Items":[{"id":{"S":"a"},"n":{"N":"-1.5"},"b":{"B":"AP8="},"s":{"SS":["x","y"]},"m":{"M":{"l":{"L":[{"N":"1"},{"BOOL":true},{"NULL":true},{"S":"it's"}]}}}}]}`,
		},
		{"parts by their last names", "{`Statement`:`SELECT m.l[3], n, nothing FROM plain WHERE id = 'a'`}", `{"Items":[{"l":{"S":"it's"},"n":{"N":"-1.5"}}]}`},
		{
			"an update that shows what it made", "{`Statement`:`UPDATE plain SET n = n + 2, m.x = ? REMOVE b REMOVE s WHERE id = 'a' AND n < 0 RETURNING MODIFIED NEW *`,`Parameters`:[{`S`:`new`}]}",
			`{"Items":[{"n":{"N":"0.5"},"m":{"M":{"x":{"S":"new"}}}}]}`,
		},
		{"two more", "{`Statement`:`INSERT INTO plain VALUE {'id': 'b', 'n': 7}`}", `{"Items":[]}`},
		{"without a key it is a scan", "{`Statement`:`SELECT id FROM plain WHERE (n > 1 AND n <= 7) OR id IN ['c', 'd']`}", `{"Items":[{"id":{"S":"b"}}]}`},
		{"what is missing", "{`Statement`:`SELECT id FROM plain WHERE m IS MISSING AND NOT n IS MISSING`}", `{"Items":[{"id":{"S":"b"}}]}`},
		{"a condition that does not hold finds nothing", "{`Statement`:`SELECT * FROM plain WHERE id = 'a' AND n = 1`}", `{"Items":[]}`},
		{"removed and shown", "{`Statement`:`DELETE FROM plain WHERE id = 'b' AND n BETWEEN 6 AND 8 RETURNING ALL OLD *`}", `{"Items":[{"id":{"S":"b"},"n":{"N":"7"}}]}`},
		{"nothing to remove", "{`Statement`:`DELETE FROM plain WHERE id = 'b'`}", `{"Items":[]}`},
	} {
		t.Run(step.name, func(t *testing.T) {
			mustBe(t, do(t, s, "ExecuteStatement", step.request), step.want)
		})
	}
	for _, c := range []struct{ statement, code, message string }{
		{"INSERT INTO plain VALUE {'id': 'a'}", "DuplicateItemException", "Duplicate primary key exists in table"},
		{"UPDATE plain SET x = 1 WHERE id = 'none'", "ConditionalCheckFailedException", "The conditional request failed"},
		{"UPDATE plain SET x = 1 WHERE n = 1", "ValidationException", "Where clause does not contain a mandatory equality on all key attributes"},
		{"SELECT * FROM nowhere WHERE id = 'a'", "ResourceNotFoundException", "Requested resource not found"},
		{"SELECT * FORM plain", "ValidationException", `Statement wasn't well formed, can't be processed: Unexpected token "FORM"`},
		{"SELECT * FROM plain WHERE id = 'a", "ValidationException", "Statement wasn't well formed, can't be processed: unterminated quotation"},
		{"SELECT * FROM plain WHERE id = ?", "ValidationException", "Number of parameters in request and statement don't match."},
		{"UPDATE plain SET id = 'z' WHERE id = 'a'", "ValidationException", "One or more parameter values were invalid: Cannot update attribute id. This attribute is part of the key"},
	} {
		if e := refused(t, s, "ExecuteStatement", map[string]any{"Statement": c.statement}); e.Code != c.code || e.Message != c.message {
			t.Errorf("%s\ngot  %s %s\nwant %s %s", c.statement, e.Code, e.Message, c.code, c.message)
		}
	}
}

func TestASelectOfAPartitionIsAQueryInPages(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	fillIndexed(t, s, 200)
	request := map[string]any{"Statement": `SELECT s FROM "indexed"."byL" WHERE p = 'p3' AND begins_with(l, 'l1') ORDER BY l DESC`, "Limit": 2}
	var got []any
	for range 10 {
		answer := do(t, s, "ExecuteStatement", request)
		got = append(got, answer["Items"].([]any)...)
		if answer["NextToken"] == nil {
			break
		}
		request["NextToken"] = answer["NextToken"]
	}
	if len(got) != 7 {
		t.Errorf("%d items: %v", len(got), got)
	}
}

func TestStatementsInBatchesAndTransactions(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	do(t, s, "PutItem", "{`TableName`:`plain`,`Item`:{`id`:{`S`:`a`}}}")
	mustBe(t, do(t, s, "BatchExecuteStatement", map[string]any{"Statements": []any{
		map[string]any{"Statement": "SELECT * FROM plain WHERE id = 'a'"},
		map[string]any{"Statement": "INSERT INTO plain VALUE {'id': 'a'}"},
		map[string]any{"Statement": "INSERT INTO plain VALUE {'id': 'b'}"},
		map[string]any{"Statement": "nonsense"},
	}}), `{"Responses":[{"Item":{"id":{"S":"a"}},"TableName":"plain"},
		{"Error":{"Code":"DuplicateItem","Message":"Duplicate primary key exists in table"},"TableName":"plain"},{"TableName":"plain"},
		{"Error":{"Code":"ValidationError","Message":"Statement wasn't well formed, can't be processed: Unexpected token \"nonsense\""}}]}`)
	e := refused(t, s, "ExecuteTransaction", map[string]any{"TransactStatements": []any{
		map[string]any{"Statement": "INSERT INTO plain VALUE {'id': 'c'}"}, map[string]any{"Statement": "INSERT INTO plain VALUE {'id': 'a'}"},
	}})
	if e.Message != "Transaction cancelled, please refer cancellation reasons for specific reasons [None, DuplicateItem]" {
		t.Error(e)
	}
	mustBe(t, do(t, s, "ExecuteTransaction", map[string]any{"TransactStatements": []any{
		map[string]any{"Statement": "INSERT INTO plain VALUE {'id': 'c'}"}, map[string]any{"Statement": "DELETE FROM plain WHERE id = 'a'"},
	}}), `{"Responses":[{},{}]}`)
	mustBe(t, do(t, s, "ExecuteTransaction", map[string]any{"TransactStatements": []any{
		map[string]any{"Statement": "SELECT * FROM plain WHERE id = 'c'"}, map[string]any{"Statement": "SELECT * FROM plain WHERE id = 'a'"},
	}}), `{"Responses":[{"Item":{"id":{"S":"c"}}},{}]}`)
}
