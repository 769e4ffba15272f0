package table

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gatewright/test/await"
)

// expiringStore is a store whose clock the test moves, with the table plain, whose items expire by
// their attribute ttl.
func expiringStore(t testing.TB) (s *Store, now time.Time, clock *atomic.Int64) {
	t.Helper()
	s, clock = openStore(t, Options{}), new(atomic.Int64)
	now = time.Unix(1_800_000_000, 0)
	clock.Store(now.UnixNano())
	s.clock = func() time.Time { return time.Unix(0, clock.Load()) }
	do(t, s, "CreateTable", strings.Replace(plainTable, "}]}", "}],`StreamSpecification`:{`StreamEnabled`:true,`StreamViewType`:`OLD_IMAGE`}}", 1))
	do(t, s, "UpdateTimeToLive", "{`TableName`:`plain`,`TimeToLiveSpecification`:{`AttributeName`:`ttl`,`Enabled`:true}}")
	return s, now, clock
}

// ids are those of the items of the table plain.
func ids(t testing.TB, s *Store) []string {
	t.Helper()
	var all []string
	for _, item := range do(t, s, "Scan", "{`TableName`:`plain`}")["Items"].([]any) {
		all = append(all, item.(map[string]any)["id"].(map[string]any)["S"].(string))
	}
	slices.Sort(all)
	return all
}

func put(t testing.TB, s *Store, id, ttl string) {
	t.Helper()
	do(t, s, "PutItem", "{`TableName`:`plain`,`Item`:{`id`:{`S`:`"+id+"`},`ttl`:"+ttl+"}}")
}

func TestItemsGoWhenTheirTimeToLiveIsOver(t *testing.T) {
	t.Parallel()
	s, now, clock := expiringStore(t)
	number := func(d time.Duration) string { return fmt.Sprintf("{`N`:`%d`}", now.Add(d).Unix()) }
	put(t, s, "exactly", number(0))
	put(t, s, "soon", number(time.Hour))
	put(t, s, "text", "{`S`:`"+strconv.FormatInt(now.Unix()-9, 10)+"`}")
	put(t, s, "list", "{`L`:[]}")
	put(t, s, "ancient", number(-oldestExpiry*time.Second-time.Hour))
	put(t, s, "milliseconds", fmt.Sprintf("{`N`:`%d`}", now.UnixMilli()))
	put(t, s, "huge", "{`N`:`1E+125`}")
	do(t, s, "PutItem", "{`TableName`:`plain`,`Item`:{`id`:{`S`:`none`}}}")
	put(t, s, "over", number(-time.Second))
	put(t, s, "half", fmt.Sprintf("{`N`:`%d.5`}", now.Unix()-1))
	stays := []string{"ancient", "exactly", "huge", "list", "milliseconds", "none", "soon", "text"}
	await.Until(t, "the expired items are gone", func() bool { return slices.Equal(ids(t, s), stays) })
	clock.Store(now.Add(2 * time.Hour).UnixNano())
	await.Until(t, "the next one is gone", func() bool { return !slices.Contains(ids(t, s), "soon") })
	// Another attribute, while the store is open.
	do(t, s, "UpdateTimeToLive", "{`TableName`:`plain`,`TimeToLiveSpecification`:{`AttributeName`:`ttl`,`Enabled`:false}}")
	do(t, s, "PutItem", "{`TableName`:`plain`,`Item`:{`id`:{`S`:`both`},`ttl`:{`N`:`"+strconv.FormatInt(now.Unix(), 10)+"`},`until`:{`N`:`9999999999`}}}")
	do(t, s, "PutItem", "{`TableName`:`plain`,`Item`:{`id`:{`S`:`until`},`until`:{`N`:`"+strconv.FormatInt(now.Unix(), 10)+"`}}}")
	do(t, s, "UpdateTimeToLive", "{`TableName`:`plain`,`TimeToLiveSpecification`:{`AttributeName`:`until`,`Enabled`:true}}")
	await.Until(t, "the item is gone by its other attribute", func() bool { return !slices.Contains(ids(t, s), "until") })
	if !slices.Contains(ids(t, s), "both") {
		t.Error("an item is gone by the attribute of before")
	}
	// What is deleted so is a change that says who did it, for readers and for functions.
	var expired []string
	shard := streamOf(t, s, "DescribeStream", "{`StreamArn`:`"+s.streamARN(s.table("plain"))+"`}")["StreamDescription"].(map[string]any)["Shards"].([]any)[0].(map[string]any)["ShardId"].(string)
	iterator := streamOf(t, s, "GetShardIterator", "{`StreamArn`:`"+s.streamARN(s.table("plain"))+"`,`ShardId`:`"+shard+"`,`ShardIteratorType`:`TRIM_HORIZON`}")["ShardIterator"].(string)
	for _, r := range streamOf(t, s, "GetRecords", "{`ShardIterator`:`"+iterator+"`}")["Records"].([]any) {
		record := r.(map[string]any)
		if record["eventName"] == "REMOVE" {
			mustBe(t, record["userIdentity"], `{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"}`)
			expired = append(expired, record["dynamodb"].(map[string]any)["OldImage"].(map[string]any)["id"].(map[string]any)["S"].(string))
		} else if record["userIdentity"] != nil {
			t.Errorf("who wrote it is told of %v", record)
		}
	}
	slices.Sort(expired)
	if want := []string{"exactly", "half", "over", "soon", "until"}; !slices.Equal(expired, want) {
		t.Errorf("expired are %q, want %q", expired, want)
	}
	if err := s.BeginReading("plain", "f", false); err != nil {
		t.Fatal(err)
	}
	changes, err := s.ReadChanges("plain", "f", 100, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, c := range changes.List {
		if strings.HasSuffix(string(c.Record), `,"userIdentity":{"principalId":"dynamodb.amazonaws.com","type":"Service"}`) {
			told++
		}
	}
	if told != len(expired) {
		t.Errorf("functions are told of %d", told)
	}
}

func TestManyItemsExpireBesideRequests(t *testing.T) {
	t.Parallel()
	s, now, clock := expiringStore(t)
	const many = 10_000
	for batch := range many / 500 {
		var items []string
		for i := range 500 {
			items = append(items, fmt.Sprintf("{`PutRequest`:{`Item`:{`id`:{`S`:`%d`},`ttl`:{`N`:`%d`}}}}", batch*500+i, now.Unix()+60))
		}
		do(t, s, WriteMany, "{`RequestItems`:{`plain`:["+strings.Join(items, ",")+"]}}")
	}
	clock.Store(now.Add(time.Hour).UnixNano())
	written := 0
	await.Until(t, "all are gone", func() bool {
		put(t, s, "again", fmt.Sprintf("{`N`:`%d`}", now.Add(2*time.Hour).Unix()))
		written++
		return do(t, s, "DescribeTable", "{`TableName`:`plain`}")["Table"].(map[string]any)["ItemCount"] == json.Number("1")
	})
	if got := ids(t, s); !slices.Equal(got, []string{"again"}) || written == 0 {
		t.Errorf("%q are left after %d writes", got, written)
	}
}
