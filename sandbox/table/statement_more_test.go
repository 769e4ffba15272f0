package table

import (
	"strings"
	"testing"
)

func TestStatementsTellTheCapacityThatTheyUse(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	for _, step := range []struct{ operation, request, want string }{
		{
			"ExecuteStatement", "{`Statement`:`INSERT INTO plain VALUE {'id': 'a', 'n': 1}`,`ReturnConsumedCapacity`:`TOTAL`}",
			`{"ConsumedCapacity":{"CapacityUnits":1,"TableName":"plain"},"Items":[]}`,
		},
		{
			"ExecuteStatement", "{`Statement`:`SELECT n FROM plain WHERE id = 'a'`,`ReturnConsumedCapacity`:`INDEXES`}",
			`{"ConsumedCapacity":{"CapacityUnits":0.5,"Table":{"CapacityUnits":0.5},"TableName":"plain"},"Items":[{"n":{"N":"1"}}]}`,
		},
		{
			"ExecuteStatement", "{`Statement`:`SELECT n FROM plain`,`ReturnConsumedCapacity`:`TOTAL`,`ConsistentRead`:true}",
			`{"ConsumedCapacity":{"CapacityUnits":1,"TableName":"plain"},"Items":[{"n":{"N":"1"}}]}`,
		},
		{"ExecuteStatement", "{`Statement`:`SELECT n FROM plain`,`ReturnConsumedCapacity`:`NONE`}", `{"Items":[{"n":{"N":"1"}}]}`},
	} {
		t.Run(step.operation, func(t *testing.T) { mustBe(t, do(t, s, step.operation, step.request), step.want) })
	}
}

// deepest is how deep the brackets of a statement may nest.
const deepest = 100

func TestStatementsThatCannotBeReadAreRefusedWithTheirReason(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	nested := func(n int) string {
		return "INSERT INTO plain VALUE {'id': 'a', 'l': " + strings.Repeat("[", n) + strings.Repeat("]", n) + "}"
	}
	// The map itself is one level.
	do(t, s, "ExecuteStatement", map[string]any{"Statement": nested(deepest - 1)})
	const form = "Statement wasn't well formed, can't be processed: "
	for statement, want := range map[string]string{
		nested(deepest): form + "the statement is nested too deeply",
		"SELECT * FROM plain WHERE size(" + strings.Repeat("size(", deepest): form + "the statement is nested too deeply",
		"INSERT INTO plain VALUE {'id': 'a', 's': <<1, 'a'>>}":               form + "a set has values of one kind",
		"INSERT INTO plain VALUE {'id': 'a', 's': <<true>>}":                 form + "a set has texts, numbers or binary values",
		"INSERT INTO plain VALUE {'id': 'a', 's': <<1, 1.0>>}":               "One or more parameter values were invalid: Input collection contains duplicates.",
		"INSERT INTO plain VALUE {'id': 'a', 's': )}":                        form + `Unexpected token ")"`,
		"SELECT * FROM plain WHERE begins_with id":                           form + `Unexpected token "id"`,
		"INSERT INTO plain VALUE {'id': 'a', 'x': ?, 'y': ?}":                "Number of parameters in request and statement don't match.",
		"UPDATE nowhere SET x = 1 WHERE id = 'a'":                            "Requested resource not found",
		`UPDATE "plain"."index" SET x = 1 WHERE id = 'a'`:                    form + "an index cannot be written to",
	} {
		request := map[string]any{"Statement": statement}
		if strings.Contains(statement, "?") {
			request["Parameters"] = []any{map[string]any{"S": "x"}}
		}
		if e := refused(t, s, "ExecuteStatement", request); e.Message != want {
			t.Errorf("%.80s\nis refused with %s\nwant            %s", statement, e.Message, want)
		}
	}
}
