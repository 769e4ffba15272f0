package trigger_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gatewright/model"
	"gatewright/sandbox/table"
	"gatewright/sandbox/trigger"
)

// failing is a stream of one change whose file fails as it is told to.
type failing struct {
	mu                     sync.Mutex
	begin, end, read, done error
	kept                   bool
}

func (s *failing) Changed() <-chan struct{} { return nil }

func (s *failing) of(err *error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *err
}

func (s *failing) BeginReading(string, string, bool) error    { return s.of(&s.begin) }
func (s *failing) EndReading(string, func(string) bool) error { return s.of(&s.end) }
func (s *failing) set(change func(s *failing))                { s.mu.Lock(); defer s.mu.Unlock(); change(s) }

func (s *failing) DoneReading(table.Changes, string, int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = s.done == nil
	return s.done
}

func (s *failing) ReadChanges(string, string, int, int) (table.Changes, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.read != nil || s.kept {
		return table.Changes{}, s.read
	}
	return table.Changes{List: []table.Change{{Sequence: "1", Time: time.Now(), Record: []byte(`"eventID":"1"`)}}}, nil
}

func TestAFileThatFailsIsToldOnceAndTriedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &failing{begin: errors.New("no begin"), end: errors.New("no end"), read: errors.New("no read"), done: errors.New("no place")}
		calls, said := 0, []string(nil)
		var mu sync.Mutex
		streams := trigger.NewStreams(s, func(trigger.Mapping, []byte) ([]byte, error) {
			mu.Lock()
			defer mu.Unlock()
			calls++
			return []byte("null"), nil
		}, func(m trigger.Mapping, text string) {
			mu.Lock()
			defer mu.Unlock()
			said = append(said, strings.TrimSpace(m.Function+" "+text))
		})
		defer streams.Wait()
		defer streams.Stop()
		wants := func(when string, wait time.Duration, wantCalls int, want ...string) {
			t.Helper()
			time.Sleep(wait)
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			if calls != wantCalls || strings.Join(said, "\n") != strings.Join(want, "\n") {
				t.Errorf("%s: %d calls, want %d, and it says\n%s\nwant\n%s", when, calls, wantCalls, strings.Join(said, "\n"), strings.Join(want, "\n"))
			}
			calls, said = 0, nil
		}
		mapping := trigger.Mapping{Environment: "dev", Table: "orders-dev", Resource: "orders", StreamTrigger: model.StreamTrigger{Function: "audit"}}
		streams.Apply([]trigger.Mapping{mapping}, []string{"orders-dev"})
		wants("at first", 0, 0, "the positions in the stream of the table orders-dev cannot be changed: no end",
			"audit the changes of the table orders-dev cannot be read: no begin", "audit the changes of the table orders-dev cannot be read: no read")
		wants("the same again", 10*time.Second, 0)
		s.set(func(s *failing) { s.read = errors.New("another") })
		wants("another failure", 2*time.Second, 0, "audit the changes of the table orders-dev cannot be read: another")
		s.set(func(s *failing) { s.read = nil })
		const notKept = "audit the position in the stream of the table orders-dev is not kept, and its changes will come again: no place"
		wants("a position that is not kept", time.Second, 1, notKept)
		wants("the next attempt", time.Second, 1, notKept)
		s.set(func(s *failing) { s.done = nil })
		wants("a file that is well", time.Second, 1)
		wants("later", time.Minute, 0)
		// A table without a stream is no failure.
		s.set(func(s *failing) { s.begin, s.end = table.ErrNoStream, nil })
		other := mapping
		other.Function = "mail"
		streams.Apply([]trigger.Mapping{mapping, other}, []string{"orders-dev"})
		wants("no stream", time.Second, 0)
	})
}
