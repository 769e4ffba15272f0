package sandbox

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/sandbox/table/attribute"
)

// asked are tables that note what they are asked to do, and describe themselves as they are told
// to; "" is a table that is not there.
type asked struct {
	is  string
	all []string
	err error
}

func (a *asked) Do(_ context.Context, operation string, input []byte) ([]byte, error) {
	switch {
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
		newStream  = `UpdateTable {"StreamSpecification":` + streamed + `,"TableName":"books-dev"}`
	)
	for _, row := range []struct {
		name, is string
		want     []string
	}{
		{"none", "", []string{`CreateTable ` + head + `,"GlobalSecondaryIndexes":[` + byTitle + "," + byAt + `],"BillingMode":"PAY_PER_REQUEST","StreamSpecification":` + streamed + `}`}},
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
		if diff := cmp.Diff(row.want, a.all); diff != "" {
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
