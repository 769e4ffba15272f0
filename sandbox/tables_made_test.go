package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/sandbox/table/attribute"
)

// asked are tables that note what they are asked to do, and describe themselves as they are told
// to; "" is a table that is not there.
type asked struct {
	is string
	// ttl is the description of its time to live; "" is none.
	ttl string
	all []string
	err error
}

func (a *asked) Do(_ context.Context, operation string, input []byte) ([]byte, error) {
	switch {
	case operation == "DescribeTimeToLive":
		return []byte(`{"TimeToLiveDescription":` + cmp.Or(a.ttl, `{"TimeToLiveStatus":"DISABLED"}`) + `}`), nil
	case operation != "DescribeTable":
		a.all = append(a.all, operation+" "+string(input))
		return []byte(`{}`), a.err
	case a.is == "":
		return nil, &attribute.Error{Code: "ResourceNotFoundException", Message: "Requested resource not found"}
	}
	return []byte(`{"Table":` + a.is + `}`), nil
}

func TestATableBecomesWhatItsDefinitionSays(t *testing.T) {
	t.Parallel()
	whole := books()
	definition := *whole.Definition
	definition.Indexes = []model.Index{
		{Name: "byTitle", PartitionKey: model.Key{Name: "title", Type: model.StringKey}},
		{Name: "byAt", PartitionKey: model.Key{Name: "at", Type: model.NumberKey}, SortKey: model.Key{Name: "cover", Type: model.BinaryKey}},
	}
	definition.Triggers = []model.StreamTrigger{{Function: "audit"}} // they want a stream
	whole.Definition = &definition
	const (
		attributes = `[{"AttributeName":"shelf","AttributeType":"S"},{"AttributeName":"at","AttributeType":"N"},{"AttributeName":"title","AttributeType":"S"},{"AttributeName":"cover","AttributeType":"B"}]`
		keys       = `[{"AttributeName":"shelf","KeyType":"HASH"},{"AttributeName":"at","KeyType":"RANGE"}]`
		byTitle    = `{"IndexName":"byTitle","KeySchema":[{"AttributeName":"title","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}`
		byAt       = `{"IndexName":"byAt","KeySchema":[{"AttributeName":"at","KeyType":"HASH"},{"AttributeName":"cover","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}`
		streamed   = `{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}`
		head       = `{"TableName":"books-dev","AttributeDefinitions":` + attributes + `,"KeySchema":` + keys
		changed    = `UpdateTable {"AttributeDefinitions":` + attributes + `,"GlobalSecondaryIndexUpdates":[`
		ofTable    = `],"TableName":"books-dev"}`
		create     = `CreateTable {"TableName":"books-dev","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":` + attributes + `,"KeySchema":` + keys
		newStream  = `UpdateTable {"StreamSpecification":` + streamed + `,"TableName":"books-dev"}`
	)
	for _, row := range []struct {
		name, is string
		want     []string
	}{
		{"none", "", []string{create + `,"GlobalSecondaryIndexes":[` + byTitle + "," + byAt + `],"StreamSpecification":` + streamed + `}`}},
		{"the same, in another order", head + `,"GlobalSecondaryIndexes":[` + byAt + "," + byTitle + `],"StreamSpecification":` + streamed + `}`, nil},
		{"an index less", head + `,"GlobalSecondaryIndexes":[` + byTitle + `],"StreamSpecification":` + streamed + `}`, []string{changed + `{"Create":` + byAt + `}` + ofTable}},
		{
			"another index, and one with another key",
			`{"TableName":"books-dev","AttributeDefinitions":[{"AttributeName":"shelf","AttributeType":"S"},{"AttributeName":"at","AttributeType":"N"},{"AttributeName":"title","AttributeType":"N"},{"AttributeName":"cover","AttributeType":"B"}],"KeySchema":` +
				keys + `,"GlobalSecondaryIndexes":[{"IndexName":"old","KeySchema":[{"AttributeName":"cover","KeyType":"HASH"}]},` + byTitle + `,` + byAt + `],"StreamSpecification":` + streamed + `}`,
			[]string{changed + `{"Delete":{"IndexName":"old"}}` + ofTable, changed + `{"Delete":{"IndexName":"byTitle"}}` + ofTable, changed + `{"Create":` + byTitle + `}` + ofTable},
		},
		{"no stream", head + `,"GlobalSecondaryIndexes":[` + byTitle + "," + byAt + `]}`, []string{newStream}},
		{
			"a stream with less", head + `,"GlobalSecondaryIndexes":[` + byTitle + "," + byAt + `],"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`,
			[]string{`UpdateTable {"StreamSpecification":{"StreamEnabled":false},"TableName":"books-dev"}`, newStream},
		},
	} {
		a := &asked{is: row.is}
		must(t, makeTable(t.Context(), a, whole))
		if diff := gocmp.Diff(row.want, a.all); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.name, diff)
		}
	}
	// A stream that the definition no longer wants stays: others may read it.
	plain := books()
	a := &asked{is: `{"AttributeDefinitions":` + attributes + `,"KeySchema":` + keys + `,"GlobalSecondaryIndexes":[` + byTitle + `],"StreamSpecification":` + streamed + `}`}
	must(t, makeTable(t.Context(), a, plain))
	if len(a.all) != 0 {
		t.Errorf("without a stream: %q", a.all)
	}
	// How long items stay and how the table is paid follow the definition, there and back.
	kept := *plain.Definition
	kept.TimeToLive, kept.Protected, kept.Billing, kept.ReadCapacity, kept.WriteCapacity = "expires", true, model.Provisioned, 5, 1
	ttl := func(attribute string, enabled bool) string {
		return fmt.Sprintf(`UpdateTimeToLive {"TableName":"books-dev","TimeToLiveSpecification":{"AttributeName":"%s","Enabled":%t}}`, attribute, enabled)
	}
	simple := `{"AttributeDefinitions":` + attributes + `,"KeySchema":` + keys
	for _, row := range []struct {
		name string
		of   model.Table
		a    asked
		want []string
	}{
		{"new", kept, asked{}, []string{
			strings.NewReplacer(`,{"AttributeName":"cover","AttributeType":"B"}`, "", `"PAY_PER_REQUEST"`, `"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":1}`).Replace(create) + `,"GlobalSecondaryIndexes":[{"IndexName":"byTitle","KeySchema":[{"AttributeName":"title","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},"ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":1}}],"DeletionProtectionEnabled":true}`,
			ttl("expires", true),
		}},
		{"another attribute", kept, asked{is: simple + `,"GlobalSecondaryIndexes":[` + byTitle + `],"ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":1},"DeletionProtectionEnabled":true}`, ttl: `{"TimeToLiveStatus":"ENABLED","AttributeName":"until"}`}, []string{ttl("until", false), ttl("expires", true)}},
		{"back", *plain.Definition, asked{is: simple + `,"GlobalSecondaryIndexes":[` + byTitle + `],"ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":1},"DeletionProtectionEnabled":true}`, ttl: `{"TimeToLiveStatus":"ENABLED","AttributeName":"expires"}`}, []string{
			`UpdateTable {"BillingMode":"PAY_PER_REQUEST","DeletionProtectionEnabled":false,"TableName":"books-dev"}`, ttl("expires", false),
		}},
	} {
		must(t, makeTable(t.Context(), &row.a, Table{plain.Name, &row.of}))
		if diff := gocmp.Diff(row.want, row.a.all); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.name, diff)
		}
	}
	full := errors.New("the disk is full")
	a = &asked{is: head + `}`, err: full}
	if err := makeTable(t.Context(), a, whole); !errors.Is(err, full) || len(a.all) != 1 {
		t.Errorf("%v after %q", err, a.all)
	}
	a = &asked{is: `{"AttributeDefinitions":[{"AttributeName":"shelf","AttributeType":"N"}],"KeySchema":[{"AttributeName":"shelf","KeyType":"HASH"},{"AttributeName":"gone","KeyType":"RANGE"}]}`}
	const other = "table books-dev has the key shelf (N), gone (?) and its definition has shelf (S), at (N): the key of an existing table cannot change; " +
		"give the table another name, or replace it by an empty one with: gatewright table drop books-dev"
	if err := makeTable(t.Context(), a, whole); err == nil || err.Error() != other || len(a.all) != 0 {
		t.Errorf("%v after %q", err, a.all)
	}
	var value struct{ A int }
	if err := Ask(t.Context(), a, "GetItem", make(chan int), &value); err == nil {
		t.Error("a channel is asked for")
	}
	if err := Ask(t.Context(), a, "GetItem", map[string]int{"A": 1}, &value); err != nil || a.all[0] != `GetItem {"A":1}` {
		t.Errorf("%v, %q", err, a.all)
	}
}
