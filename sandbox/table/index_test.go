package table

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// After any writes, an index holds exactly the items that have its key, and the counts are
// right.
func TestIndexesFollowEveryWrite(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		s, err := Open(filepath.Join(t.TempDir(), "tables.db"), Options{})
		if err != nil {
			r.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		do(t, s, "CreateTable", indexedTable)
		kept := make(map[string]map[string]any) // by sort key
		for range rapid.IntRange(1, 30).Draw(r, "writes") {
			key := map[string]any{"p": map[string]any{"S": "p"}, "s": map[string]any{"N": fmt.Sprint(rapid.IntRange(1, 4).Draw(r, "s"))}}
			name := key["s"].(map[string]any)["N"].(string)
			item := map[string]any{"p": key["p"], "s": key["s"]}
			if l := rapid.SampledFrom([]string{"", "x", "y"}).Draw(r, "l"); l != "" {
				item["l"] = map[string]any{"S": l}
			}
			if g := rapid.SampledFrom([]string{"", "AA==", "/w=="}).Draw(r, "g"); g != "" {
				item["g"] = map[string]any{"B": g}
			}
			switch rapid.IntRange(0, 4).Draw(r, "way") {
			case 0:
				do(t, s, "PutItem", map[string]any{"TableName": "indexed", "Item": item})
				kept[name] = item
			case 1:
				do(t, s, "DeleteItem", map[string]any{"TableName": "indexed", "Key": key})
				delete(kept, name)
			case 2:
				do(t, s, "UpdateItem", map[string]any{"TableName": "indexed", "Key": key, "UpdateExpression": "REMOVE l"})
				if kept[name] == nil {
					kept[name] = map[string]any{"p": key["p"], "s": key["s"]}
				}
				delete(kept[name], "l")
			case 3:
				do(t, s, "BatchWriteItem", map[string]any{"RequestItems": map[string]any{"indexed": []any{
					map[string]any{"PutRequest": map[string]any{"Item": item}},
				}}})
				kept[name] = item
			default:
				do(t, s, "TransactWriteItems", map[string]any{"TransactItems": []any{
					map[string]any{"Put": map[string]any{"TableName": "indexed", "Item": item}},
				}})
				kept[name] = item
			}
		}
		for index, needs := range map[string][]string{"": nil, "byL": {"l"}, "byG": {"g"}, "byGL": {"g", "l"}} {
			request := map[string]any{"TableName": "indexed"}
			if index != "" {
				request["IndexName"] = index
			}
			var want []string
			for name, item := range kept {
				if !slices.ContainsFunc(needs, func(n string) bool { return item[n] == nil }) {
					want = append(want, name)
				}
			}
			got := pagesOf(t, s, "Scan", request, "s")
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				r.Fatalf("index %q has %v, want %v", index, got, want)
			}
			if n := itemCount(t, s, "indexed", index); n != len(want) {
				r.Fatalf("index %q counts %d, want %d", index, n, len(want))
			}
		}
	})
}

// itemCount is the ItemCount of a table, or of one of its indexes, in DescribeTable.
func itemCount(t testing.TB, s *Store, table, index string) int {
	t.Helper()
	described := do(t, s, "DescribeTable", map[string]any{"TableName": table})["Table"].(map[string]any)
	if index != "" {
		var all []any
		for _, kind := range []string{"LocalSecondaryIndexes", "GlobalSecondaryIndexes"} {
			list, _ := described[kind].([]any)
			all = append(all, list...)
		}
		at := slices.IndexFunc(all, func(x any) bool { return x.(map[string]any)["IndexName"] == index })
		described = all[at].(map[string]any)
	}
	n, err := described["ItemCount"].(json.Number).Int64()
	if err != nil {
		t.Fatal(err)
	}
	return int(n)
}

const addedIndex = "{`TableName`:`plain`,`AttributeDefinitions`:[{`AttributeName`:`g`,`AttributeType`:`N`}],`GlobalSecondaryIndexUpdates`:[{`Create`:" +
	"{`IndexName`:`byG`,`KeySchema`:[{`AttributeName`:`g`,`KeyType`:`HASH`}],`Projection`:{`ProjectionType`:`ALL`}}}]}"

// fillPlain puts n items into the table "plain"; every other one has a
// number g, every fifth a text g, which the index cannot have.
func fillPlain(t testing.TB, s *Store, n int) {
	t.Helper()
	for i := 0; i < n; i += mostBatchWrites {
		var puts []string
		for j := i; j < min(n, i+mostBatchWrites); j++ {
			g := ""
			switch {
			case j%2 == 0:
				g = fmt.Sprintf(",`g`:{`N`:`%d`}", j%4)
			case j%5 == 0:
				g = ",`g`:{`S`:`text`}"
			}
			puts = append(puts, fmt.Sprintf("{`PutRequest`:{`Item`:{`id`:{`S`:`%05d`}%s}}}", j, g))
		}
		do(t, s, "BatchWriteItem", "{`RequestItems`:{`plain`:["+strings.Join(puts, ",")+"]}}")
	}
}

func TestANewIndexHasTheItemsOfTheTable(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	fillPlain(t, s, fillStep)
	mustBe(t, do(t, s, "UpdateTable", addedIndex)["TableDescription"].(map[string]any)["TableStatus"], `"UPDATING"`)
	if got := pagesOf(t, s, "Scan", map[string]any{"TableName": "plain", "IndexName": "byG"}, "id"); len(got) != fillStep/2 {
		t.Errorf("%d items in the index, want %d", len(got), fillStep/2)
	}
	do(t, s, "UpdateItem", "{`TableName`:`plain`,`Key`:{`id`:{`S`:`00005`}},`UpdateExpression`:`SET g = :g`,`ExpressionAttributeValues`:{`:g`:{`N`:`7`}}}")
	mustBe(t, do(t, s, "Query", "{`TableName`:`plain`,`IndexName`:`byG`,`KeyConditionExpression`:`g = :g`,`ExpressionAttributeValues`:{`:g`:{`N`:`7.0`}}}")["Items"],
		`[{"id":{"S":"00005"},"g":{"N":"7"}}]`)
	do(t, s, "UpdateTable", "{`TableName`:`plain`,`GlobalSecondaryIndexUpdates`:[{`Delete`:{`IndexName`:`byG`}}]}")
	if e := refused(t, s, "Scan", "{`TableName`:`plain`,`IndexName`:`byG`}"); e.Message != "The table does not have the specified index: byG" {
		t.Error(e)
	}
	mustBe(t, do(t, s, "DescribeTable", "{`TableName`:`plain`}")["Table"].(map[string]any)["AttributeDefinitions"], `[{"AttributeName":"id","AttributeType":"S"}]`)
}

// The file is closed during a backfill. Opening it continues the backfill; items written in
// between are in the index once.
func TestABackfillContinuesWhenTheFileIsOpenedAgain(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "tables.db")
	s, err := Open(file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	do(t, s, "CreateTable", plainTable)
	const n = fillStep*3 + 500
	fillPlain(t, s, n)
	s.cancel() // no step after the first
	do(t, s, "UpdateTable", addedIndex)
	if e := refused(t, s, "Scan", "{`TableName`:`plain`,`IndexName`:`byG`}"); e.Message != "Cannot read from backfilling global secondary index: byG" {
		t.Error(e)
	}
	for i := range 50 {
		do(t, s, "DeleteItem", fmt.Sprintf("{`TableName`:`plain`,`Key`:{`id`:{`S`:`%05d`}}}", i*50))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openStoreFile(t, file, Options{})
	for do(t, s, "DescribeTable", "{`TableName`:`plain`}")["Table"].(map[string]any)["TableStatus"] != "ACTIVE" {
		continue
	}
	if got := len(pagesOf(t, s, "Scan", map[string]any{"TableName": "plain", "IndexName": "byG"}, "id")); got != n/2-50 || itemCount(t, s, "plain", "byG") != got {
		t.Errorf("%d items in the index, %d counted, want %d", got, itemCount(t, s, "plain", "byG"), n/2-50)
	}
}
