package table

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"gatewright/sandbox/pages"
)

func streamOf(t testing.TB, s *Store, operation, request string) map[string]any {
	t.Helper()
	output, err := s.do(t.Context(), StreamTarget+operation, input(t, request))
	if err != nil {
		t.Fatalf("%s %s: %v", operation, request, err)
	}
	return decode(t, output)
}

func TestAStreamHasEveryChangeInOrder(t *testing.T) {
	t.Parallel()
	s := openStore(t, Options{})
	do(t, s, "CreateTable", strings.Replace(plainTable, "}]}", "}],`StreamSpecification`:{`StreamEnabled`:true,`StreamViewType`:`NEW_AND_OLD_IMAGES`}}", 1))
	arn := do(t, s, "DescribeTable", "{`TableName`:`plain`}")["Table"].(map[string]any)["LatestStreamArn"].(string)
	mustBe(t, streamOf(t, s, "ListStreams", "{`TableName`:`plain`}")["Streams"].([]any)[0].(map[string]any)["StreamArn"], `"`+arn+`"`)
	shard := streamOf(t, s, "DescribeStream", "{`StreamArn`:`"+arn+"`}")["StreamDescription"].(map[string]any)["Shards"].([]any)[0].(map[string]any)["ShardId"].(string)
	iterator := func(kind string) string {
		return streamOf(t, s, "GetShardIterator", "{`StreamArn`:`"+arn+"`,`ShardId`:`"+shard+"`,`ShardIteratorType`:`"+kind+"`}")["ShardIterator"].(string)
	}
	do(t, s, "PutItem", "{`TableName`:`plain`,`Item`:{`id`:{`S`:`a`},`n`:{`N`:`1`}}}")
	latest := iterator("LATEST")
	do(t, s, "PutItem", "{`TableName`:`plain`,`Item`:{`id`:{`S`:`a`},`n`:{`N`:`1`}}}") // changes nothing
	do(t, s, "UpdateItem", "{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}},`UpdateExpression`:`REMOVE n`}")
	do(t, s, "TransactWriteItems", "{`TransactItems`:[{`Delete`:{`TableName`:`plain`,`Key`:{`id`:{`S`:`a`}}}}]}")

	var records []any
	at := iterator("TRIM_HORIZON")
	for range 5 {
		answer := streamOf(t, s, "GetRecords", "{`ShardIterator`:`"+at+"`,`Limit`:1}")
		for _, r := range answer["Records"].([]any) {
			record := r.(map[string]any)
			change := record["dynamodb"].(map[string]any)
			records = append(records, []any{record["eventName"], change["Keys"], change["OldImage"], change["NewImage"]})
		}
		at = answer["NextShardIterator"].(string)
	}
	mustBe(t, records, `[["INSERT",{"id":{"S":"a"}},null,{"id":{"S":"a"},"n":{"N":"1"}}],["MODIFY",{"id":{"S":"a"}},{"id":{"S":"a"},"n":{"N":"1"}},{"id":{"S":"a"}}],
		["REMOVE",{"id":{"S":"a"}},{"id":{"S":"a"}},null]]`)
	if n := len(streamOf(t, s, "GetRecords", "{`ShardIterator`:`"+latest+"`}")["Records"].([]any)); n != 2 {
		t.Errorf("%d records after the latest, want 2", n)
	}

	// A day later, each new record deletes two expired ones.
	s.clock = func() time.Time { return time.Now().Add(streamLife + time.Minute) }
	for _, id := range []string{"b", "c"} {
		do(t, s, "PutItem", "{`TableName`:`plain`,`Item`:{`id`:{`S`:`"+id+"`}}}")
	}
	if n := len(streamOf(t, s, "GetRecords", "{`ShardIterator`:`"+iterator("TRIM_HORIZON")+"`}")["Records"].([]any)); n != 2 {
		t.Errorf("%d records are left, want 2", n)
	}
	do(t, s, "UpdateTable", "{`TableName`:`plain`,`StreamSpecification`:{`StreamEnabled`:false}}")
	do(t, s, "PutItem", "{`TableName`:`plain`,`Item`:{`id`:{`S`:`d`}}}")
	mustBe(t, streamOf(t, s, "DescribeStream", "{`StreamArn`:`"+arn+"`}")["StreamDescription"].(map[string]any)["StreamStatus"], `"DISABLED"`)
}

func TestARecordOfAStreamLivesForADay(t *testing.T) {
	t.Parallel()
	s := openStore(t, Options{})
	now := time.UnixMilli(1_800_000_000_000)
	s.clock = func() time.Time { return now }
	do(t, s, "CreateTable", strings.Replace(plainTable, "}]}", "}],`StreamSpecification`:{`StreamEnabled`:true,`StreamViewType`:`KEYS_ONLY`}}", 1))
	for i, row := range []struct {
		later      time.Duration
		told, kept int
	}{{0, 1, 1}, {streamLife - time.Millisecond, 2, 2}, {time.Millisecond, 2, 2}, {streamLife - time.Millisecond, 2, 2}} {
		now = now.Add(row.later)
		do(t, s, "PutItem", "{`TableName`:`plain`,`Item`:{`id`:{`S`:`"+strconv.Itoa(i)+"`}}}")
		changes, err := s.ReadChanges("plain", "reader", 10, 1<<20)
		kept := 0
		err = errors.Join(err, s.view(func(tx *pages.Tx) error {
			at := tx.Bucket(s.table("plain").StreamBucket()).Cursor()
			for key, _ := at.First(); key != nil; key, _ = at.Next() {
				kept++
			}
			return nil
		}))
		if err != nil || len(changes.List) != row.told || kept != row.kept {
			t.Errorf("write %d, %v later: %d records are told and %d kept, %v; want %d and %d", i, row.later, len(changes.List), kept, err, row.told, row.kept)
		}
	}
}

func TestARecordOfAStreamThatIsNoneIsDamage(t *testing.T) {
	t.Parallel()
	// broken is the file of a table with such a record.
	broken := func() string {
		name := filepath.Join(t.TempDir(), "tables.db")
		s, err := Open(name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		do(t, s, "CreateTable", strings.Replace(plainTable, "}]}", "}],`StreamSpecification`:{`StreamEnabled`:true,`StreamViewType`:`KEYS_ONLY`}}", 1))
		err = s.db.Update(func(tx *pages.Tx) error {
			return tx.Bucket(s.table("plain").StreamBucket()).Put(sequenceKey(1), []byte("short"))
		})
		if err = errors.Join(err, s.Close()); err != nil {
			t.Fatal(err)
		}
		return name
	}
	told := func(err error) {
		t.Helper()
		if !pages.IsDamage(err) || !strings.Contains(err.Error(), "tables.db") || !strings.Contains(err.Error(), "a record of a stream is not what was written") {
			t.Errorf("%v", err)
		}
	}
	s := openStoreFile(t, broken(), Options{})
	_, err := s.ReadChanges("plain", "reader", 10, 1<<20)
	told(err)
	s = openStoreFile(t, broken(), Options{})
	_, err = s.do(t.Context(), StreamTarget+"GetRecords", []byte(`{"ShardIterator":"`+s.iterator(s.table("plain"), 0)+`"}`))
	told(err)

	name := broken()
	_, err = Open(name, Options{Thorough: true})
	told(err)
	name = broken()
	if err := os.Remove(name + pages.Suffix); err != nil {
		t.Fatal(err)
	}
	_, err = Open(name, Options{})
	told(err)
	into := filepath.Join(t.TempDir(), "tables.db")
	if kept, err := Repair(name, into); err != nil || len(kept) != 1 || !kept[0].Stream {
		t.Errorf("%+v, %v", kept, err)
	}
	openStoreFile(t, into, Options{})
}
