package table

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/test/depth"
)

// pagesOf runs a query or a scan to its end, Limit items at a time, and returns the texts of
// one attribute of every item.
func pagesOf(t testing.TB, s *Store, operation string, request map[string]any, attribute string) []string {
	t.Helper()
	var out []string
	for range 10_000 {
		answer := do(t, s, operation, request)
		for _, item := range answer["Items"].([]any) {
			for _, text := range item.(map[string]any)[attribute].(map[string]any) {
				out = append(out, text.(string))
			}
		}
		last, more := answer["LastEvaluatedKey"]
		if !more {
			return out
		}
		request["ExclusiveStartKey"] = last
	}
	t.Fatal("no end")
	return nil
}

// fillIndexed puts n items into the table "indexed": ten partitions, sort keys from -n/2
// on, and an index key that many items share.
func fillIndexed(t testing.TB, s *Store, n int) {
	t.Helper()
	for i := 0; i < n; i += mostBatchWrites {
		var puts []string
		for j := i; j < min(n, i+mostBatchWrites); j++ {
			puts = append(puts, fmt.Sprintf("{`PutRequest`:{`Item`:{`p`:{`S`:`p%d`},`s`:{`N`:`%d`},`id`:{`S`:`%04d`},`l`:{`S`:`l%d`},`g`:{`B`:`AA==`}}}}",
				j%10, j-n/2, j, j%3))
		}
		do(t, s, "BatchWriteItem", "{`RequestItems`:{`indexed`:["+strings.Join(puts, ",")+"]}}")
	}
}

func TestPagesHaveEveryItemOnce(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	s := openTables(t)
	const n = 300
	fillIndexed(t, s, n)
	rapid.Check(t, func(r *rapid.T) {
		limit := rapid.IntRange(1, n+1).Draw(r, "limit")
		forward := rapid.Bool().Draw(r, "forward")
		for _, c := range []struct {
			operation, index, condition string
			values                      map[string]any
			want                        int
		}{
			{"Scan", "", "", nil, n},
			{"Scan", "byL", "", nil, n},
			{"Scan", "byGL", "", nil, n},
			{"Query", "", "p = :p", map[string]any{":p": map[string]any{"S": "p3"}}, n / 10},
			{"Query", "byL", "p = :p", map[string]any{":p": map[string]any{"S": "p3"}}, n / 10},
			{"Query", "byG", "g = :g", map[string]any{":g": map[string]any{"B": "AA=="}}, n},
			{"Query", "byGL", "g = :g and l = :l", map[string]any{":g": map[string]any{"B": "AA=="}, ":l": map[string]any{"S": "l1"}}, n / 3},
		} {
			request := map[string]any{"TableName": "indexed", "Limit": limit}
			if c.index != "" {
				request["IndexName"] = c.index
			}
			if c.condition != "" {
				request["KeyConditionExpression"], request["ExpressionAttributeValues"] = c.condition, c.values
				request["ScanIndexForward"] = forward
			}
			got := pagesOf(t, s, c.operation, request, "s")
			slices.Sort(got)
			if len(slices.Compact(got)) != c.want {
				r.Fatalf("%s %s: %d items, want %d", c.operation, c.index, len(slices.Compact(got)), c.want)
			}
		}
	})
}

func TestAQueryIsInTheOrderOfNumbers(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	fillIndexed(t, s, 100)
	request := map[string]any{
		"TableName": "indexed", "KeyConditionExpression": "p = :p and s between :low and :high", "Limit": 2,
		"ExpressionAttributeValues": map[string]any{":p": map[string]any{"S": "p0"}, ":low": map[string]any{"N": "-30"}, ":high": map[string]any{"N": "20.5"}},
	}
	mustBe(t, pagesOf(t, s, "Query", request, "s"), `["-30","-20","-10","0","10","20"]`)
	delete(request, "ExclusiveStartKey")
	request["ScanIndexForward"] = false
	mustBe(t, pagesOf(t, s, "Query", request, "s"), `["20","10","0","-10","-20","-30"]`)
}

func TestSegmentsTogetherAreTheScan(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	for i := range 200 {
		do(t, s, "PutItem", fmt.Sprintf("{`TableName`:`plain`,`Item`:{`id`:{`S`:`%d`}}}", i))
	}
	var got []string
	for segment := range 7 {
		got = append(got, pagesOf(t, s, "Scan", map[string]any{"TableName": "plain", "Segment": segment, "TotalSegments": 7, "Limit": 9}, "id")...)
	}
	slices.Sort(got)
	if len(got) != 200 || len(slices.Compact(got)) != 200 {
		t.Fatalf("%d items, %d different", len(got), len(slices.Compact(got)))
	}
}

func TestAPageEndsAtAMegabyteAndAFilterReadsNoFurther(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	pad := strings.Repeat("x", 300<<10)
	for i := range 8 {
		do(t, s, "PutItem", fmt.Sprintf("{`TableName`:`indexed`,`Item`:{`p`:{`S`:`a`},`s`:{`N`:`%d`},`ballast`:{`S`:`%s`}}}", i, pad))
	}
	const query = "{`TableName`:`indexed`,`KeyConditionExpression`:`p = :p`,`ExpressionAttributeValues`:{`:p`:{`S`:`a`}%s},`ReturnConsumedCapacity`:`TOTAL`%s}"
	answer := do(t, s, "Query", fmt.Sprintf(query, "", ",`ProjectionExpression`:`s`"))
	mustBe(t, answer["Items"], `[{"s":{"N":"0"}},{"s":{"N":"1"}},{"s":{"N":"2"}}]`)
	mustBe(t, answer["LastEvaluatedKey"], `{"p":{"S":"a"},"s":{"N":"2"}}`)
	mustBe(t, answer["ConsumedCapacity"], `{"TableName":"indexed","CapacityUnits":113}`)
	answer = do(t, s, "Query", fmt.Sprintf(query, ",`:n`:{`S`:`none`}", ",`FilterExpression`:`ballast = :n`"))
	if answer["Count"].(interface{ String() string }).String() != "0" || answer["ScannedCount"].(interface{ String() string }).String() != "3" ||
		answer["LastEvaluatedKey"] == nil {
		t.Errorf("%v", answer)
	}
	answer = do(t, s, "Query", fmt.Sprintf(query, "", ",`Select`:`COUNT`"))
	if _, shown := answer["Items"]; shown || answer["Count"].(interface{ String() string }).String() != "3" {
		t.Errorf("%v", answer)
	}
}
