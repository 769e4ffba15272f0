package project_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/validate"
)

// TestWhatATableCannotHaveIsLeftOutAtItsPlace: the table runs with the rest, and so do other ones.
func TestWhatATableCannotHaveIsLeftOutAtItsPlace(t *testing.T) {
	t.Parallel()
	const folder = "amplify/backend/storage/"
	fsys := disk.Memory()
	put(t, fsys, folder+"books/cli-inputs.json", `{
		"partitionKey": {"fieldName": "id", "fieldType": "string"},
		"gsi": [
			{"name": "byTitle", "partitionKey": {"fieldName": "title", "fieldType": "string"}},
			{"name": "unkeyed"},
			{"name": "byTitle", "partitionKey": {"fieldName": "author", "fieldType": "string"}},
			{"name": "byId", "partitionKey": {"fieldName": "id", "fieldType": "number"}},
			{"name": "byAuthor", "partitionKey": {"fieldName": "author", "fieldType": "string"}}
		]}`)
	put(t, fsys, folder+"books/cloudformation-template.json", `{"Resources": {"DynamoDBTable": {"Type": "AWS::DynamoDB::Table", "Properties": {
		"ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": "2"}, "StreamSpecification": {"StreamViewType": "NEW_IMAGE"},
		"TimeToLiveSpecification": {"AttributeName": "expires", "Enabled": true}, "DeletionProtectionEnabled": "true",
		"PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": true}}}}}`)
	put(t, fsys, folder+"notes/cli-inputs.json", `{"partitionKey": `)
	put(t, fsys, folder+"notes/cloudformation-template.json", `{"Resources": {"DynamoDBTable": {"Type": "AWS::DynamoDB::Table", "Properties": {
		"AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "N"}], "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}], "BillingMode": "PAY_PER_REQUEST",
		"ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}, "TimeToLiveSpecification": {"AttributeName": "x", "Enabled": false}}}}}`)
	put(t, fsys, folder+"lost/cli-inputs.json", `{,}`)
	put(t, fsys, folder+"theirs/parameters.json", `{"resourceName": "theirs", "serviceType": "imported"}`)
	p := load(t, fsys, project.Amplify)
	key := func(name string, kind model.KeyType) model.Key { return model.Key{Name: name, Type: kind} }
	if diff := cmp.Diff([]*model.Table{
		{
			Name: "books", PartitionKey: key("id", model.StringKey), StreamView: "NEW_IMAGE", TimeToLive: "expires", Recovery: true, Protected: true,
			Indexes: []model.Index{{Name: "byTitle", PartitionKey: key("title", model.StringKey)}, {Name: "byAuthor", PartitionKey: key("author", model.StringKey)}},
			Billing: model.Provisioned, ReadCapacity: 5, WriteCapacity: 2,
		},
		{Name: "notes", PartitionKey: key("id", model.NumberKey)},
	}, p.Backend.Tables); diff != "" {
		t.Errorf("the tables are otherwise (-want +got):\n%s", diff)
	}
	const want = `amplify/backend/storage/books/cli-inputs.json:6:5: warning: table books: byTitle is not a name for an index, or is taken; this index is left out (at /gsi/2/name); use 3 to 255 of A-Z a-z 0-9 _ . -, each once
amplify/backend/storage/books/cli-inputs.json:7:4: warning: table books: the attribute id is string elsewhere and number here; this index is left out (at /gsi/3); give it one type
amplify/backend/storage/lost/cli-inputs.json:1:2: error: a comma with nothing after it; remove the comma
amplify/backend/storage/notes/cli-inputs.json:1:18: warning: the file ends in the middle of a value; the table is as its template has it (at /partitionKey); complete the file
amplify/backend/storage/theirs: warning: was created outside the project, which does not know its keys, so the sandbox does not have it; if it is a table, name a service that has it: gatewright sandbox --table-endpoint URL
`
	got := ""
	for _, problem := range validate.Project(p) {
		got += problem.Reported() + "\n"
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the problems are otherwise (-want +got):\n%s", diff)
	}
}
