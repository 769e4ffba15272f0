package gateway

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gatewright/sandbox/function"
)

func TestATestOfTheConsoleHasTheTimeOfACallWithoutThatOfPreparing(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		prepares, takes time.Duration
		again           bool
		status          int
	}{
		"a call":                      {0, 28 * time.Second, false, 200},
		"a long call":                 {0, 30 * time.Second, false, 504},
		"long prepared":               {time.Hour, 28 * time.Second, false, 200},
		"long prepared, a long call":  {time.Hour, 30 * time.Second, false, 504},
		"prepared twice":              {20 * time.Second, 28 * time.Second, true, 200},
		"prepared twice, a long call": {20 * time.Second, 30 * time.Second, true, 504},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := New(Options{Now: time.Now, Invoker: handler(func(ctx context.Context, c function.Call) (function.Answer, error) {
					if row.prepares > 0 {
						c.Preparing(true)
						time.Sleep(row.prepares)
						c.Preparing(false)
					}
					if row.again {
						c.Preparing(true)
						time.Sleep(row.prepares)
						c.Preparing(false)
					}
					select {
					case <-ctx.Done():
						return function.Answer{}, ctx.Err()
					case <-time.After(row.takes):
						return function.Answer{Payload: []byte(`{"statusCode":200}`)}, nil
					}
				})})
				g.Apply([]API{shop()})
				got, err := g.Test(t.Context(), Request{Environment: "dev", Label: "shop", Method: "GET", Path: "/items"})
				if err != nil || got.Status != row.status || row.status == 504 && !strings.Contains(got.Body, "Endpoint request timed out") {
					t.Errorf("it is answered %d %s, %v", got.Status, got.Body, err)
				}
			})
		})
	}
}

func TestATestWhoseEventIsTooLongCallsNothing(t *testing.T) {
	t.Parallel()
	g := New(Options{Now: time.Now, Invoker: handler(func(context.Context, function.Call) (function.Answer, error) {
		return function.Answer{Payload: []byte(`{"statusCode":200}`)}, nil
	})})
	g.Apply([]API{shop()})
	request := Request{Environment: "dev", Label: "shop", Method: "POST", Path: "/items"}
	send := func(n int) Test {
		request.Body = []byte(strings.Repeat("x", n))
		got, err := g.Test(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	// The rest of the event has a length that is known from a short one.
	rest := len(send(10).Event) - 10
	if got := send(function.MaxPayload - rest); got.Status != 200 {
		t.Errorf("an event of the longest is answered %d %s", got.Status, got.Body)
	}
	if got := send(function.MaxPayload - rest + 1); got.Status != 413 || got.Body != `{"message": "Request Too Long"}` {
		t.Errorf("an event that is too long is answered %d %s", got.Status, got.Body)
	}
}
