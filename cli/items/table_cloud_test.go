package items_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"gatewright/cli/clitest"
	"gatewright/deploy/awstest"
	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/table/attribute"
)

// TestItemsInAWSAreAskedForByTheNameOfTheirEnvironment reads and changes the items of a table that
// was pushed: a change needs the name of the environment, and none is lost on the way.
func TestItemsInAWSAreAskedForByTheNameOfTheirEnvironment(t *testing.T) {
	t.Parallel()
	fake := awstest.New(t, awstest.Options{})
	tables, err := sandbox.OpenTables(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tables.Close() })
	definition := &model.Table{Name: "loans", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}
	if err := tables.Make(t.Context(), []sandbox.Table{{Name: "loans-dev", Definition: definition}}); err != nil {
		t.Fatal(err)
	}
	s := clitest.New(t)
	s.Environ = fake.Env()
	for _, line := range []string{
		"init --name shop --app-id d1shop --region eu-central-1", "update env dev --provider aws", "add table loans --partition-key id", "push --yes",
	} {
		s.Run(0, strings.Fields(line)...)
	}
	// Before the push the account has no table of that name.
	fake.Serve("dynamodb", func(q awstest.Request) (any, error) {
		answer, err := tables.Do(context.Background(), q.Action, q.Body)
		if refused := (*attribute.Error)(nil); errors.As(err, &refused) {
			return nil, &awstest.Refusal{Code: refused.Code, Message: refused.Message}
		}
		return answer, err
	})
	s.Put("two.jsonl", `{"id":"2","n":1.50}`+"\n"+`{"id":"3"}`+"\n")
	for _, step := range []struct {
		code int
		line string
		want string
	}{
		{0, `table put loans {"id":"local"}`, `added 1 item
note: these are the items of the sandbox; for the ones in AWS give --env dev
`},
		{0, `table scan loans --env dev`, ""},
		{2, `table put loans {"id":"1"} --env dev`, `gatewright: environment dev is in AWS; to write 1 item into table loans-dev of environment dev, account 123456789012, eu-central-1 give --confirm dev
`},
		{0, `table put loans {"id":"1"} --confirm dev --env dev`, `added 1 item
confirmed: write 1 item into table loans-dev of environment dev, account 123456789012, eu-central-1
`},
		{0, `table put loans {"id":"1","again":true} --confirm dev --env dev`, `replaced 1 item
confirmed: write 1 item into table loans-dev of environment dev, account 123456789012, eu-central-1
`},
		{2, `table import loans two.jsonl --env dev`, `gatewright: environment dev is in AWS; to write 2 items into table loans-dev of environment dev, account 123456789012, eu-central-1 give --confirm dev
`},
		{0, `table import loans two.jsonl --confirm dev --env dev`, `items imported into table loans of two.jsonl: 2
confirmed: write 2 items into table loans-dev of environment dev, account 123456789012, eu-central-1
`},
		{0, `table get loans 2 --env dev`, `{
  "id": "2",
  "n": 1.5
}
`},
		{0, `table scan loans --json --env dev`, `{
  "table": "loans-dev",
  "items": [
    {
      "id": "2",
      "n": 1.5
    },
    {
      "id": "3"
    },
    {
      "again": true,
      "id": "1"
    }
  ]
}
`},
		{0, `table export loans - --env dev`, `{"again":true,"id":"1"}
{"id":"2","n":1.5}
{"id":"3"}
`},
		{2, `table delete loans 2 --env dev`, `gatewright: environment dev is in AWS; to delete the item {"id":"2"} of table loans-dev of environment dev, account 123456789012, eu-central-1 give --confirm dev
`},
		{0, `table delete loans 2 --confirm dev --env dev`, `deleted 1 item
confirmed: delete the item {"id":"2"} of table loans-dev of environment dev, account 123456789012, eu-central-1
`},
		{1, `table get loans 2 --env dev`, `gatewright: table loans has no item with the key {"id":"2"}
`},
		{1, `table drop loans --confirm loans --env dev`, `gatewright: table loans: it belongs to the stack of environment dev in AWS, where only a push may replace or remove it; delete items with: gatewright table delete loans KEY --env dev, or remove the table from the project and push
`},
		{0, `table scan loans --limit 1 --env dev`, `{"id":"3"}
`},
	} {
		if got := s.Run(step.code, strings.Fields(step.line)...); got != step.want {
			t.Errorf("%s prints\n%s\nwant\n%s", step.line, got, step.want)
		}
	}
}
