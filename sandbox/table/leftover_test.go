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
	if n := left(indexed.Buckets()...); n != 5 {
		t.Fatalf("the table has %d buckets", n)
	}
	byG := indexed.IndexBucket(indexed.Index("byG"))
	do(t, s, "UpdateTable", "{`TableName`:`indexed`,`GlobalSecondaryIndexUpdates`:[{`Delete`:{`IndexName`:`byG`}}]}")
	if left(byG) != 0 {
		t.Error("the index is left")
	}
	do(t, s, "DeleteTable", "{`TableName`:`indexed`}")
	if n := left(indexed.Buckets()...); n != 0 {
		t.Errorf("of the table %d buckets are left", n)
	}
	all := append(of.Buckets(), of.ReaderBucket())
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

func TestChangesAreGivenForADayAndOfTheStreamThatWasRead(t *testing.T) {
	t.Parallel()
	s := openStore(t, Options{})
	do(t, s, "CreateTable", plainTable)
	stream := func(on string) {
		do(t, s, "UpdateTable", "{`TableName`:`plain`,`StreamSpecification`:{`StreamEnabled`:"+on+"}}")
	}
	do(t, s, "UpdateTable", "{`TableName`:`plain`,`StreamSpecification`:{`StreamEnabled`:true,`StreamViewType`:`KEYS_ONLY`}}")
	put := func(id string) { do(t, s, "PutItem", "{`TableName`:`plain`,`Item`:{`id`:{`S`:`"+id+"`}}}") }
	read := func(largest int) Changes {
		t.Helper()
		changes, err := s.ReadChanges("plain", "a", 10, largest)
		if err != nil {
			t.Fatal(err)
		}
		return changes
	}
	put("one")
	put("two")
	all := read(1 << 20)
	if len(all.List) != 2 || all.Full {
		t.Fatalf("read is %+v", all)
	}
	// A record has its time and its region besides what is given.
	largest := 1
	for ; len(read(largest).List) < 2; largest++ {
		if !read(largest).Full || largest > 10_000 {
			t.Fatalf("with %d bytes: %+v", largest, read(largest))
		}
	}
	if read(largest).Full {
		t.Error("what fits exactly does not fit")
	}
	at := all.List[1].Time
	for later, want := range map[time.Duration]int{streamLife - time.Millisecond: 1, streamLife: 0} {
		s.clock = func() time.Time { return at.Add(later) }
		n := 0
		for _, c := range read(1 << 20).List {
			if c.Sequence == all.List[1].Sequence {
				n++
			}
		}
		if n != want {
			t.Errorf("%v later the change is given %d times", later, n)
		}
	}
	s.clock = time.Now
	// Another stream of the table begins anew, and who has read of the one before says nothing of it.
	stream("false")
	do(t, s, "UpdateTable", "{`TableName`:`plain`,`StreamSpecification`:{`StreamEnabled`:true,`StreamViewType`:`KEYS_ONLY`}}")
	put("three")
	before := read(1 << 20)
	if err := s.DoneReading(all, "a", 2); err != nil {
		t.Fatal(err)
	}
	after := read(1 << 20)
	if before.Label == all.Label || len(before.List) != 1 || len(after.List) != 1 {
		t.Errorf("of another stream there are %d changes, and then %d", len(before.List), len(after.List))
	}
	if err := s.DoneReading(after, "a", 1); err != nil || len(read(1<<20).List) != 0 {
		t.Errorf("what is done is read again, %v", err)
	}
	select {
	case <-s.Changed():
	default:
		t.Error("nobody is told of a change")
	}
}
