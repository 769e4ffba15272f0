// Package await is for tests that wait for something that happens elsewhere. It gives up after a
// fifth of the time that "go test -timeout" leaves the package: two minutes of the usual ten. So
// a machine that is slow gets more with a longer -timeout, and no test has a number of seconds of
// its own.
package await

import (
	"testing"
	"time"
)

// Limit is how long the test may wait.
func Limit(t testing.TB) time.Duration {
	if t, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if end, limited := t.Deadline(); limited {
			return max(time.Until(end)/5, time.Second)
		}
	}
	return 2 * time.Minute
}

// Until waits until done reports true, and fails the test, naming what it waits for, if that takes
// longer than [Limit]. Use it for what gives no sign of itself, such as another process.
func Until(t testing.TB, what string, done func() bool) {
	t.Helper()
	end := time.Now().Add(Limit(t))
	for pause := time.Millisecond; !done(); pause = min(2*pause, 50*time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited %[2]v for %[1]s, which did not come", what, Limit(t).Round(time.Second))
		}
		time.Sleep(pause)
	}
}

// Next returns what comes next from a channel, or its zero value if that is closed. It fails the
// test, naming what it waits for, if nothing comes within [Limit].
func Next[T any](t testing.TB, what string, from <-chan T) T {
	t.Helper()
	timer := time.NewTimer(Limit(t))
	defer timer.Stop()
	select {
	case value := <-from:
		return value
	case <-timer.C:
		t.Fatalf("waited %[2]v for %[1]s, which did not come", what, Limit(t).Round(time.Second))
		panic("unreachable")
	}
}
