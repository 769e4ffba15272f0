package cloudtable_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/model/cloudtable"
)

// TestATableIsSaidInOneWay reads back the properties of a template, and the keys of the definition.
func TestATableIsSaidInOneWay(t *testing.T) {
	t.Parallel()
	key := func(name string, of model.KeyType) model.Key { return model.Key{Name: name, Type: of} }
	definition := &model.Table{
		PartitionKey: key("id", model.StringKey), SortKey: key("at", model.NumberKey),
		Indexes: []model.Index{{Name: "byHash", PartitionKey: key("hash", model.BinaryKey), SortKey: key("at", model.NumberKey)}},
		Billing: model.Provisioned, ReadCapacity: 3, WriteCapacity: 2, StreamView: "KEYS_ONLY",
		TimeToLive: "expires", Recovery: true, Protected: true,
	}
	made := cloudtable.Of(definition, "books-dev")
	var read cloudtable.Table
	if err := json.Unmarshal(made.Properties().Minified(), &read); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(made, read); diff != "" {
		t.Errorf("the properties of a template are otherwise (-want +got):\n%s", diff)
	}
	if partition, sort := read.Keys(read.KeySchema); partition != definition.PartitionKey || sort != definition.SortKey {
		t.Errorf("the key is %v, %v", partition, sort)
	}
	index := read.GlobalSecondaryIndexes[0]
	if partition, sort := read.Keys(index.KeySchema); partition != definition.Indexes[0].PartitionKey || sort != definition.Indexes[0].SortKey {
		t.Errorf("the key of the index is %v, %v", partition, sort)
	}
	if got := read.KeyText(index.KeySchema); got != "hash (B), at (N)" {
		t.Errorf("it is shown as %s", got)
	}
	// A key whose type is not known is none.
	read.AttributeDefinitions = read.AttributeDefinitions[:1]
	if _, sort := read.Keys(read.KeySchema); sort != (model.Key{}) || read.KeyText(read.KeySchema) != "id (S), at (?)" {
		t.Errorf("an unknown type gives %v, %s", sort, read.KeyText(read.KeySchema))
	}
	// What is not given is not in the template.
	plain := cloudtable.Of(&model.Table{PartitionKey: definition.PartitionKey}, "b")
	const want = `{"TableName":"b","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]}`
	if got := string(plain.Properties().Minified()); got != want {
		t.Errorf("a plain table is %s", got)
	}
}
