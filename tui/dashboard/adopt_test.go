package dashboard

import (
	"testing"

	"gatewright/deploy/awstest"
)

// putTable puts a table with the name of the project's into the account.
func putTable(fake *awstest.Server, key string) {
	fake.Put("AWS::DynamoDB::Table", "items-dev", map[string]any{
		"BillingMode": "PAY_PER_REQUEST", "KeySchema": []any{map[string]any{"AttributeName": key, "KeyType": "HASH"}},
		"AttributeDefinitions": []any{map[string]any{"AttributeName": key, "AttributeType": "S"}},
	})
	fake.Fill("items-dev", 7)
}

func TestAPushOffersToTakeOverWhatAWSHasAlready(t *testing.T) {
	dir, fake := cloudProject(t, testAccount)
	putTable(fake, "id")
	d := inCloud(t, dir)
	d.press("p")
	d.shows("A push of dev is refused", "! the table items, items-dev: 7 items", "Preview the adoption")
	// The entry of the push comes by itself.
	d.shows("dev  push")
	d.golden("cloud_adopt")
	d.press("enter")
	d.until("nothing goes on", func() bool { return d.page.board.Job.Running() == "" })
	if n := len(fake.Stacks()); n != 0 {
		t.Fatalf("after a no there are %d stacks", n)
	}
	d.press("p")
	d.shows("Preview the adoption")
	d.press("tab", "enter")
	d.shows("Push environment dev", "adopts the table items, items-dev: 7 items", "AWS: 1 resource to adopt, ")
	d.press("tab", "enter")
	d.shows("pushed dev as the stack")
	if has := fake.Data()["AWS::DynamoDB::Table items-dev"]; has.Items != 7 || has.Stack == "" {
		t.Errorf("the table is %+v", has)
	}
}

func TestWhatCannotBeTakenOverIsNotOffered(t *testing.T) {
	dir, fake := cloudProject(t, testAccount)
	putTable(fake, "isbn")
	d := inCloud(t, dir)
	d.press("p")
	d.shows("A push of dev is refused", "it cannot be adopted: its key is isbn (S)", "Remove what cannot be adopted")
}
