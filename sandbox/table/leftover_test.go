package table

import (
	"errors"
	"strings"
	"testing"
	"time"

	"gatewright/sandbox/pages"
)

// A table, an index or a stream that is gone leaves nothing in the file.
func TestWhatIsRemovedLeavesNothingInTheFile(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	left := func(names ...[]byte) (n int) {
		t.Helper()
		err := s.db.View(func(tx *pages.Tx) error {
			for _, name := range names {
				if tx.Bucket(name) != nil {
					n++
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	streamed := strings.Replace(plainTable, "}]}", "}],`StreamSpecification`:{`StreamEnabled`:true,`StreamViewType`:`KEYS_ONLY`}}", 1)
	do(t, s, "CreateTable", strings.Replace(streamed, "plain", "streamed", 1))
	fillIndexed(t, s, 30)
	indexed, of := s.table("indexed"), s.table("streamed")
	if err := s.BeginReading("streamed", "reader", false); err != nil {
		t.Fatal(err)
	}
	if n := left(indexed.buckets()...); n != 5 {
		t.Fatalf("the table has %d buckets", n)
	}
	byG := indexed.indexBucket(indexed.index("byG"))
	do(t, s, "UpdateTable", "{`TableName`:`indexed`,`GlobalSecondaryIndexUpdates`:[{`Delete`:{`IndexName`:`byG`}}]}")
	if left(byG) != 0 {
		t.Error("the index is left")
	}
	do(t, s, "DeleteTable", "{`TableName`:`indexed`}")
	if n := left(indexed.buckets()...); n != 0 {
		t.Errorf("of the table %d buckets are left", n)
	}
	all := append(of.buckets(), of.readerBucket())
	do(t, s, "UpdateTable", "{`TableName`:`streamed`,`StreamSpecification`:{`StreamEnabled`:false}}")
	if n := left(all...); n != len(all) {
		t.Errorf("of an ended stream %d buckets of %d are left", n, len(all))
	}
	do(t, s, "DeleteTable", "{`TableName`:`streamed`}")
	if n := left(all...); n != 0 {
		t.Errorf("of the table with a stream %d buckets are left", n)
	}
}

// Items of two tables may have one key: they are no duplicates.
func TestItemsOfTwoTablesMayHaveOneKey(t *testing.T) {
	t.Parallel()
	s := openTables(t)
	do(t, s, "CreateTable", strings.Replace(plainTable, "plain", "other", 1))
	answers(t, s, []step{
		{"BatchWriteItem", "{`RequestItems`:{`plain`:[{`PutRequest`:{`Item`:{`id`:{`S`:`a`},`n`:{`N`:`1`}}}}],`other`:[{`PutRequest`:{`Item`:{`id`:{`S`:`a`},`n`:{`N`:`2`}}}}]}}", `{"UnprocessedItems":{}}`},
		{
			"BatchGetItem", "{`RequestItems`:{`plain`:{`Keys`:[{`id`:{`S`:`a`}}]},`other`:{`Keys`:[{`id`:{`S`:`a`}}]}}}",
			`{"Responses":{"plain":[{"id":{"S":"a"},"n":{"N":"1"}}],"other":[{"id":{"S":"a"},"n":{"N":"2"}}]},"UnprocessedKeys":{}}`,
		},
		{
			"TransactWriteItems", "{`TransactItems`:[{`Delete`:{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}}}},{`Update`:{`TableName`:`other`,`Key`:{`id`:{`S`:`a`}}," +
				"`UpdateExpression`:`SET n = n + n`}}]}", `{}`,
		},
		{
			"TransactGetItems", "{`TransactItems`:[{`Get`:{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}}}},{`Get`:{`TableName`:`other`,`Key`:{`id`:{`S`:`a`}}}}]}",
			`{"Responses":[{},{"Item":{"id":{"S":"a"},"n":{"N":"4"}}}]}`,
		},
		{"Scan", "{`TableName`:`plain`}", `{"Count":0,"Items":[],"ScannedCount":0}`},
	})
}

func TestAReaderGoesOnWhereItHasReadTo(t *testing.T) {
	t.Parallel()
	s := openAnswering(t)
	if err := s.BeginReading("plain", "a", false); !errors.Is(err, ErrNoStream) {
		t.Errorf("without a stream: %v", err)
	}
	if _, err := s.ReadChanges("none", "a", 10, 1<<20); !errors.Is(err, ErrNoStream) {
		t.Errorf("without a table: %v", err)
	}
	do(t, s, "UpdateTable", "{`TableName`:`plain`,`StreamSpecification`:{`StreamEnabled`:true,`StreamViewType`:`KEYS_ONLY`}}")
	put := func(id string) { do(t, s, "PutItem", "{`TableName`:`plain`,`Item`:{`id`:{`S`:`"+id+"`}}}") }
	read := func(reader string, most, largest int) (Changes, string) {
		t.Helper()
		changes, err := s.ReadChanges("plain", reader, most, largest)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, c := range changes.List {
			_, id, _ := strings.Cut(string(c.Record), `"Keys":{"id":{"S":"`)
			id, _, _ = strings.Cut(id, `"`)
			ids = append(ids, id)
		}
		return changes, strings.Join(ids, " ")
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	put("one")
	put("two")
	must(s.BeginReading("plain", "oldest", false))
	must(s.BeginReading("plain", "latest", true))
	put("three")
	first, ids := read("oldest", 2, 1<<20)
	if ids != "one two" || first.Full || first.List[0].Sequence != sequenceNumber(1) {
		t.Errorf("%s, %+v", ids, first)
	}
	if _, ids := read("latest", 10, 1<<20); ids != "three" {
		t.Errorf("the latest are %s", ids)
	}
	if one, ids := read("oldest", 10, 1); ids != "one" || !one.Full {
		t.Errorf("a small batch has %s, full %t", ids, one.Full)
	}
	must(s.DoneReading(first, "oldest", 0))
	if _, ids := read("oldest", 10, 1<<20); ids != "one two three" {
		t.Errorf("after nothing was taken: %s", ids)
	}
	must(s.DoneReading(first, "oldest", 2))
	must(s.DoneReading(first, "oldest", 1)) // later than the second
	must(s.BeginReading("plain", "oldest", true))
	if _, ids := read("oldest", 10, 1<<20); ids != "three" {
		t.Errorf("after two: %s", ids)
	}
	must(s.EndReading("plain", func(reader string) bool { return reader == "latest" }))
	must(s.EndReading("none", func(string) bool { return false }))
	if _, ids := read("oldest", 10, 1<<20); ids != "one two three" {
		t.Errorf("a reader that was forgotten gets %s", ids)
	}
	if _, ids := read("latest", 10, 1<<20); ids != "three" {
		t.Errorf("a reader that stays gets %s", ids)
	}
	// What was read of a stream that is gone is no position in the next one.
	do(t, s, "UpdateTable", "{`TableName`:`plain`,`StreamSpecification`:{`StreamEnabled`:false}}")
	s.clock = func() time.Time { return atOnce.Add(time.Second) }
	do(t, s, "UpdateTable", "{`TableName`:`plain`,`StreamSpecification`:{`StreamEnabled`:true,`StreamViewType`:`KEYS_ONLY`}}")
	put("four")
	must(s.DoneReading(first, "oldest", 2))
	if _, ids := read("oldest", 10, 1<<20); ids != "four" {
		t.Errorf("of the next stream: %s", ids)
	}
}
