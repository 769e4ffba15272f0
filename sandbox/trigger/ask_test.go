package trigger_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"gatewright/sandbox/function"
	"gatewright/sandbox/trigger"
)

// slow is an Invoker whose calls take these times, one after the other. A negative time is
// one for which the call is prepared first.
type slow struct {
	takes []time.Duration
	calls int
}

func (s *slow) Invoke(ctx context.Context, c function.Call) (function.Answer, error) {
	take := s.takes[s.calls]
	s.calls++
	if take < 0 {
		c.Preparing(true)
		time.Sleep(-take)
		c.Preparing(false)
		take = time.Second
	}
	select {
	case <-time.After(take):
		return function.Answer{RequestID: "done"}, nil
	case <-ctx.Done():
		return function.Answer{}, ctx.Err()
	}
}

func TestAFunctionThatIsLateIsCalledAgainUpToThreeTimes(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		takes []time.Duration
		late  []int
		err   error
		took  time.Duration
	}{
		{[]time.Duration{time.Second}, nil, nil, time.Second},
		{[]time.Duration{6 * time.Second, time.Second}, []int{1}, nil, 6 * time.Second},
		{[]time.Duration{time.Minute, time.Minute, time.Minute}, []int{1, 2, 3}, trigger.ErrLate, 15 * time.Second},
		// The installation of packages is none of the function's time.
		{[]time.Duration{-time.Minute}, nil, nil, 61 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			invoker, began := &slow{takes: row.takes}, time.Now()
			var late []int
			_, err := trigger.Ask(t.Context(), invoker, function.Call{}, trigger.PoolWait, trigger.PoolAttempts, func(attempt int) { late = append(late, attempt) })
			if !errors.Is(err, row.err) || !slices.Equal(late, row.late) || time.Since(began) != row.took {
				t.Errorf("%v is late at %v, fails with %v, and takes %s", row.takes, late, err, time.Since(began))
			}
		})
	}
}

func TestAnEndedRequestIsNotCalledAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		invoker := &slow{takes: []time.Duration{time.Minute, time.Minute}}
		_, err := trigger.Ask(ctx, invoker, function.Call{}, trigger.PoolWait, trigger.PoolAttempts, func(int) { t.Error("it is late") })
		if !errors.Is(err, context.DeadlineExceeded) || invoker.calls != 1 {
			t.Errorf("%d calls end with %v", invoker.calls, err)
		}
	})
}
