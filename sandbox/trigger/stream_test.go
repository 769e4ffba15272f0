package trigger_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/sandbox/table"
	"gatewright/sandbox/trigger"
)

// followed is a table with a stream whose changes go to functions, under the clock of
// synctest. take is the function.
type followed struct {
	t       *testing.T
	file    string
	store   *table.Store
	turn    chan struct{}
	streams *trigger.Streams

	// slow is how long a call takes.
	slow time.Duration

	mu      sync.Mutex
	take    func(function string, ids []string) (answer string, err error)
	calls   []string
	events  [][]byte
	reports []string
}

const streamed = `{"TableName": "orders-dev", "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}], "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}], "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"}}`

func follow(t *testing.T) *followed {
	f := &followed{
		t: t, file: filepath.Join(t.TempDir(), "tables.db"), turn: make(chan struct{}, 1),
		take: func(string, []string) (string, error) { return "null", nil },
	}
	f.open()
	f.do("CreateTable", streamed)
	t.Cleanup(f.close)
	return f
}

func (f *followed) open() {
	f.t.Helper()
	var err error
	if f.store, err = table.Open(f.file, table.Options{}); err != nil {
		f.t.Fatal(err)
	}
	f.streams = trigger.NewStreams(oneAtATime{f.store, f.turn}, f.call, f.report)
}

func (f *followed) close() {
	f.streams.Stop()
	f.streams.Wait()
	if err := f.store.Close(); err != nil {
		f.t.Error(err)
	}
}

func (f *followed) do(operation, input string) {
	f.t.Helper()
	f.turn <- struct{}{}
	defer func() { <-f.turn }()
	if _, err := f.store.Do(f.t.Context(), operation, []byte(input)); err != nil {
		f.t.Fatal(operation, err)
	}
}

// oneAtATime is a store of which one goroutine at a time does something. The others wait at a
// channel: at the locks of the file they would hold the clock of synctest, and what has the lock
// may wait for the clock.
type oneAtATime struct {
	*table.Store
	turn chan struct{}
}

func (s oneAtATime) take() func() {
	s.turn <- struct{}{}
	return func() { <-s.turn }
}

func (s oneAtATime) BeginReading(of, reader string, latest bool) error {
	defer s.take()()
	return s.Store.BeginReading(of, reader, latest)
}

func (s oneAtATime) ReadChanges(of, reader string, most, largest int) (table.Changes, error) {
	defer s.take()()
	return s.Store.ReadChanges(of, reader, most, largest)
}

func (s oneAtATime) DoneReading(changes table.Changes, reader string, n int) error {
	defer s.take()()
	return s.Store.DoneReading(changes, reader, n)
}

func (s oneAtATime) EndReading(of string, keep func(reader string) bool) error {
	defer s.take()()
	return s.Store.EndReading(of, keep)
}

func (f *followed) put(ids ...string) {
	f.t.Helper()
	for _, id := range ids {
		f.do("PutItem", fmt.Sprintf(`{"TableName": "orders-dev", "Item": {"id": {"S": %q}}}`, id))
	}
}

func (f *followed) call(m trigger.Mapping, event []byte) ([]byte, error) {
	var read struct {
		Records []struct {
			Change struct {
				Keys map[string]map[string]string `json:"Keys"`
			} `json:"dynamodb"`
		} `json:"Records"`
	}
	if err := json.Unmarshal(event, &read); err != nil {
		return nil, err
	}
	var ids []string
	for _, r := range read.Records {
		ids = append(ids, r.Change.Keys["id"]["S"])
	}
	time.Sleep(f.slow)
	f.mu.Lock()
	defer f.mu.Unlock()
	answer, err := f.take(m.Function, ids)
	f.events = append(f.events, event)
	f.calls = append(f.calls, strings.TrimSpace(m.Function+" "+strings.Join(ids, " ")))
	return []byte(answer), err
}

func (f *followed) report(_ trigger.Mapping, text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reports = append(f.reports, text)
}

func (f *followed) apply(triggers ...model.StreamTrigger) {
	f.t.Helper()
	var mappings []trigger.Mapping
	for _, each := range triggers {
		mappings = append(mappings, trigger.Mapping{Environment: "dev", Region: "eu-west-1", Account: "123456789012", Table: "orders-dev", Resource: "orders", StreamTrigger: each})
	}
	f.streams.Apply(mappings, []string{"orders-dev"})
}

// wants waits, and compares the calls since the last look.
func (f *followed) wants(wait time.Duration, want ...string) {
	f.t.Helper()
	time.Sleep(wait)
	synctest.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	if diff := cmp.Diff(want, f.calls); diff != "" {
		f.t.Error(diff)
	}
	f.calls = nil
}

func (f *followed) will(take func(function string, ids []string) (string, error)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.take = take
}

// reported returns what was reported since the last look.
func (f *followed) reported() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	text := strings.Join(f.reports, "\n")
	f.reports = nil
	return text
}

var audit = model.StreamTrigger{Function: "audit"}

func TestChangesReachAFunctionInTheirOrderAndInBatches(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := follow(t)
		f.apply(model.StreamTrigger{Function: "audit", BatchSize: 2, BatchWindow: 1})
		f.put("a", "b", "c")
		f.wants(500*time.Millisecond, "audit a b")
		f.wants(2*time.Second, "audit c")
		f.wants(time.Hour)
	})
}

func TestANewTriggerBeginsWhereItSays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := follow(t)
		f.put("a")
		f.apply(audit, model.StreamTrigger{Function: "index", From: model.FromOldest})
		f.put("b")
		time.Sleep(time.Second)
		synctest.Wait()
		f.mu.Lock()
		seen := make(map[string]string)
		for _, call := range f.calls {
			name, ids, _ := strings.Cut(call, " ")
			seen[name] = strings.TrimSpace(seen[name] + " " + ids)
		}
		f.mu.Unlock()
		if diff := cmp.Diff(map[string]string{"audit": "b", "index": "a b"}, seen); diff != "" {
			t.Error(diff)
		}
	})
}

func TestTheEventIsThatOfAStream(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := follow(t)
		f.apply(audit)
		f.put("a")
		f.wants(time.Second, "audit a")
		var got map[string][]map[string]any
		if err := json.Unmarshal(f.events[0], &got); err != nil {
			t.Fatal(err)
		}
		record := got["Records"][0]
		arn, _ := record["eventSourceARN"].(string)
		if !strings.HasPrefix(arn, "arn:aws:dynamodb:eu-west-1:123456789012:table/orders-dev/stream/2000-01-01T") {
			t.Errorf("the ARN is %s", arn)
		}
		if id, _ := record["eventID"].(string); len(id) != 32 {
			t.Errorf("the id is %v", record["eventID"])
		}
		delete(record, "eventSourceARN")
		delete(record, "eventID")
		var want map[string]any
		const sample = `{"awsRegion": "eu-west-1", "eventName": "INSERT", "eventSource": "aws:dynamodb", "eventVersion": "1.1", "dynamodb": {
			"ApproximateCreationDateTime": 946684800, "Keys": {"id": {"S": "a"}}, "NewImage": {"id": {"S": "a"}}, "SequenceNumber": "000000000000000000001",
			"SizeBytes": 6, "StreamViewType": "NEW_AND_OLD_IMAGES"}}`
		if err := json.Unmarshal([]byte(sample), &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, record); diff != "" {
			t.Error(diff)
		}
	})
}

func TestABatchIsTriedAgainUntilTheFunctionTakesIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := follow(t)
		f.apply(audit)
		f.will(func(string, []string) (string, error) { return "", errors.New("the mail server is down") })
		f.put("a")
		f.wants(500*time.Millisecond, "audit a")
		// Later changes wait, and do not hurry the next attempt.
		f.put("b")
		f.wants(time.Second, "audit a")
		f.wants(2*time.Second, "audit a")
		if said := f.reported(); !strings.Contains(said, "the call with 1 change of the table orders failed and is tried again in 2s: the mail server is down") {
			t.Errorf("it is reported that %s", said)
		}
		f.will(func(string, []string) (string, error) { return "", nil })
		f.streams.Retry("dev", "audit")
		f.wants(0, "audit a", "audit b")
		f.wants(time.Hour)
	})
}

func TestABatchIsGivenUpWhenItsAttemptsAreOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := follow(t)
		f.apply(model.StreamTrigger{Function: "audit", Attempts: 3, BatchSize: 1})
		f.will(func(_ string, ids []string) (string, error) {
			if ids[0] == "bad" {
				return "", errors.New("no")
			}
			return "", nil
		})
		f.put("bad", "good")
		f.wants(time.Minute, "audit bad", "audit bad", "audit bad", "audit good")
		if said := f.reported(); !strings.Contains(said, "failed 3 times and is given up: the function does not get the change 1: no") {
			t.Errorf("it is reported that %s", said)
		}
	})
}

func TestABatchIsDividedUntilOnlyWhatFailsIsLeft(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := follow(t)
		f.will(func(_ string, ids []string) (string, error) {
			if slices.Contains(ids, "bad") {
				return "", errors.New("no")
			}
			return "", nil
		})
		f.put("a", "bad", "c", "d")
		f.apply(model.StreamTrigger{Function: "audit", From: model.FromOldest, Bisect: true, Attempts: 1})
		f.wants(time.Minute, "audit a bad c d", "audit a bad", "audit a", "audit bad", "audit c d")
	})
}

func TestAFunctionSaysWhichChangesFailed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := follow(t)
		f.put("a", "b", "c")
		answers := []string{
			`{"batchItemFailures": [{"itemIdentifier": "000000000000000000003"}, {"itemIdentifier": "000000000000000000002"}]}`,
			`{"batchItemFailures": [{"itemIdentifier": "other"}]}`,
			`{"batchItemFailures": [{}]}`,
			`"text"`,
			`{"batchItemFailures": []}`,
		}
		f.will(func(string, []string) (string, error) {
			answer := answers[0]
			answers = answers[1:]
			return answer, nil
		})
		f.apply(model.StreamTrigger{Function: "audit", From: model.FromOldest, ReportFailures: true})
		f.wants(time.Minute, "audit a b c", "audit b c", "audit b c", "audit b c", "audit b c")
		const again = "the call with 2 changes of the table orders failed and is tried again in "
		want := []string{
			again + "1s: the function says that 2 changes failed",
			again + "1s: the function named a failure that is not a change of the batch",
			again + "2s: the function named a failure that is not a change of the batch",
			again + "4s: the function returned something other than batchItemFailures",
		}
		if diff := cmp.Diff(want, strings.Split(f.reported(), "\n")); diff != "" {
			t.Error(diff)
		}
	})
}

func TestAnAnswerThatNamesNoFailureTakesTheBatch(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"", " ", "null", "{}", `{"batchItemFailures": null}`, `{"batchItemFailures": []}`} {
		synctest.Test(t, func(t *testing.T) {
			f := follow(t)
			f.put("a", "b")
			f.will(func(string, []string) (string, error) { return answer, nil })
			f.apply(model.StreamTrigger{Function: "audit", From: model.FromOldest, ReportFailures: true})
			f.wants(time.Minute, "audit a b")
			if said := f.reported(); said != "" {
				t.Errorf("after %q it is reported that %s", answer, said)
			}
		})
	}
}

func TestABatchThatIsGivenUpIsNamedFromItsFirstChangeToItsLast(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := follow(t)
		f.will(func(string, []string) (string, error) { return "", errors.New("no") })
		f.put("a", "b", "c")
		f.apply(model.StreamTrigger{Function: "audit", From: model.FromOldest, Attempts: 1})
		f.wants(time.Minute, "audit a b c")
		want := "the call with 3 changes of the table orders failed 1 time and is given up: the function does not get the changes 1 to 3: no"
		if said := f.reported(); said != want {
			t.Errorf("it is reported that %s", said)
		}
	})
}

func TestNothingIsLostWhenTheSandboxEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := follow(t)
		f.apply(audit)
		f.put("a")
		f.wants(time.Second, "audit a")
		f.will(func(string, []string) (string, error) { return "", errors.New("no") })
		f.put("b")
		f.wants(500*time.Millisecond, "audit b")
		f.close()
		f.open()
		f.put("c") // while no function is called
		f.will(func(string, []string) (string, error) { return "", nil })
		f.apply(audit)
		f.wants(time.Second, "audit b c")
	})
}

func TestATriggerThatIsRemovedForgetsItsPosition(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := follow(t)
		f.apply(audit)
		f.put("a")
		f.wants(time.Second, "audit a")
		f.apply()
		f.put("b")
		f.wants(time.Second)
		f.apply(audit)
		f.put("c")
		f.wants(time.Second, "audit c")
	})
}

func TestATriggerThatComesBackDuringACallBeginsAnew(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := follow(t)
		f.apply(audit)
		f.slow = 10 * time.Second
		f.put("a")
		time.Sleep(time.Second)
		// The call with a runs on.
		f.apply()
		f.put("b")
		f.apply(audit)
		f.put("c")
		f.wants(time.Second)
		f.wants(10*time.Second, "audit a")
		f.wants(10*time.Second, "audit c")
	})
}

func TestATriggerThatIsRemovedDuringACallForgetsItsPosition(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := follow(t)
		f.apply(audit)
		f.slow = 10 * time.Second
		f.put("a")
		time.Sleep(time.Second)
		f.apply()
		f.wants(20*time.Second, "audit a")
		f.put("b")
		f.apply(audit)
		f.wants(20 * time.Second)
	})
}

func TestATriggerThatChangesAndIsRemovedDuringACallForgetsItsPosition(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := follow(t)
		f.apply(audit)
		f.slow = 10 * time.Second
		f.put("a")
		time.Sleep(time.Second)
		changed := audit
		changed.BatchSize = 7
		f.apply(changed)
		f.apply()
		f.wants(20*time.Second, "audit a")
		f.put("b")
		f.apply(audit)
		f.wants(20 * time.Second)
	})
}

func TestABatchThatIsFullBySizeDoesNotWaitForItsWindow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := follow(t)
		f.apply(model.StreamTrigger{Function: "audit", BatchWindow: 300})
		large := strings.Repeat("x", 300<<10)
		for n := range 20 {
			f.do("PutItem", fmt.Sprintf(`{"TableName": "orders-dev", "Item": {"id": {"S": "%02d"}, "text": {"S": %q}}}`, n, large))
		}
		time.Sleep(time.Second)
		synctest.Wait()
		f.mu.Lock()
		defer f.mu.Unlock()
		if len(f.calls) == 0 || !strings.HasPrefix(f.calls[0], "audit 00 01 02") {
			t.Errorf("the calls are %q", f.calls)
		}
	})
}

func TestATriggerThatChangesKeepsItsPosition(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := follow(t)
		f.will(func(string, []string) (string, error) { return "", errors.New("no") })
		f.apply(audit)
		f.put("a")
		f.wants(500*time.Millisecond, "audit a")
		f.will(func(string, []string) (string, error) { return "", nil })
		f.apply(model.StreamTrigger{Function: "audit", BatchSize: 5})
		f.wants(0, "audit a")
		f.wants(time.Hour)
	})
}

func TestATableThatIsMadeAgainIsFollowedFromItsBeginning(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := follow(t)
		f.apply(audit)
		f.put("a")
		f.wants(time.Second, "audit a")
		f.do("DeleteTable", `{"TableName": "orders-dev"}`)
		f.wants(3 * time.Second)
		f.do("CreateTable", streamed)
		f.put("b")
		f.wants(2*time.Second, "audit b")
	})
}

func TestExpiredChangesAreLeftOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := follow(t)
		f.apply(audit)
		began := time.Now()
		var last time.Duration
		f.will(func(string, []string) (string, error) {
			last = time.Since(began)
			return "", errors.New("no")
		})
		f.put("a")
		time.Sleep(25 * time.Hour)
		synctest.Wait()
		f.mu.Lock()
		// Half a minute later it was a day old.
		if last != 24*time.Hour-29*time.Second {
			t.Errorf("the last attempt was after %s", last)
		}
		f.calls = nil
		f.mu.Unlock()
		f.will(func(string, []string) (string, error) { return "", nil })
		f.wants(time.Hour)
		f.put("b")
		f.wants(time.Second, "audit b")
	})
}

func TestOnlyTheFunctionThatIsNamedTriesAgainAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := follow(t)
		f.apply(audit)
		f.will(func(string, []string) (string, error) { return "", errors.New("no") })
		f.put("a")
		f.wants(500*time.Millisecond, "audit a")
		f.streams.Retry("dev", "other")
		f.streams.Retry("prod", "audit")
		f.wants(0)
		f.streams.Retry("dev", "audit")
		f.wants(0, "audit a")
	})
}

func TestWhatIsReportedOfABatchIsWhole(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := follow(t)
		f.will(func(string, []string) (string, error) { return "", errors.New("no") })
		f.put("a", "b", "c")
		f.apply(model.StreamTrigger{Function: "audit", From: model.FromOldest, Bisect: true, Attempts: 2})
		f.wants(time.Minute, "audit a b c", "audit a", "audit a", "audit b c", "audit b", "audit b", "audit c", "audit c")
		want := []string{
			"the call with 3 changes of the table orders failed, and is divided in two: no",
			"the call with 1 change of the table orders failed and is tried again in 1s: no",
			"the call with 1 change of the table orders failed 2 times and is given up: the function does not get the change 1: no",
			"the call with 2 changes of the table orders failed, and is divided in two: no",
			"the call with 1 change of the table orders failed and is tried again in 1s: no",
			"the call with 1 change of the table orders failed 2 times and is given up: the function does not get the change 2: no",
			"the call with 1 change of the table orders failed and is tried again in 1s: no",
			"the call with 1 change of the table orders failed 2 times and is given up: the function does not get the change 3: no",
		}
		if diff := cmp.Diff(want, strings.Split(f.reported(), "\n")); diff != "" {
			t.Error(diff)
		}
		// All of them are taken: nothing comes again.
		f.close()
		f.open()
		f.apply(model.StreamTrigger{Function: "audit", From: model.FromOldest})
		f.wants(time.Minute)
	})
}

func TestAWindowBeginsWithTheFirstChangeOfABatch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := follow(t)
		f.apply(model.StreamTrigger{Function: "audit", BatchWindow: 10})
		f.put("a")
		f.wants(9 * time.Second)
		f.put("b")
		f.wants(900 * time.Millisecond)
		f.wants(100*time.Millisecond, "audit a b")
		f.put("c")
		f.wants(9 * time.Second)
		f.wants(time.Second, "audit c")
	})
}

func TestThePausesBetweenAttemptsDoubleUpToHalfAMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := follow(t)
		began := time.Now()
		var at []string
		f.will(func(string, []string) (string, error) {
			at = append(at, time.Since(began).String())
			return "", errors.New("no")
		})
		f.apply(audit)
		f.put("a")
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		f.mu.Lock()
		defer f.mu.Unlock()
		if diff := cmp.Diff([]string{"0s", "1s", "3s", "7s", "15s", "31s", "1m1s", "1m31s"}, at); diff != "" {
			t.Error(diff)
		}
	})
}
