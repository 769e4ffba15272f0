package invoke

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatewright/sandbox/traffic"
	"gatewright/test/await"
)

const event = "X-Amz-Invocation-Type: Event"

// counter is a file to which the handler of orders adds a byte for each call.
type counter string

func newCounter(t *testing.T) counter {
	return counter(filepath.ToSlash(filepath.Join(t.TempDir(), "count")))
}

func (c counter) calls() int {
	text, _ := os.ReadFile(string(c))
	return len(text)
}

// ended are the calls that ended, in the order of their ends.
func (s *site) ended() (calls []traffic.Call) {
	for _, c := range s.traffic.Calls(traffic.Query{}) {
		if c.Function != "" {
			calls = append(calls, c)
		}
	}
	return calls
}

func TestACallThatNobodyWaitsForRunsAfterItsAnswer(t *testing.T) {
	t.Parallel()
	s, count := open(t), newCounter(t)
	context := "X-Amz-Client-Context: e30="
	a := s.invoke("orders", fmt.Sprintf(`{"count":%q}`, count), event, byBooks, context)
	if a.status != http.StatusAccepted || a.body != "" || a.header.Get("X-Amz-Executed-Version") != "" || a.header.Get("X-Amzn-Requestid") == "" {
		t.Fatalf("it is answered %d %s %s", a.status, a.header, a.body)
	}
	await.Until(t, "the end of the call", func() bool { return len(s.ended()) == 1 })
	c := s.ended()[0]
	if c.Failed || c.Kind != traffic.Invoke || c.Function != "orders" || c.Who.String() != "function books" || c.Request != a.header.Get("X-Amzn-Requestid") {
		t.Errorf("remembered is %+v", c)
	}
	d, _ := s.traffic.Detail(c.Number)
	if count.calls() != 1 || !strings.Contains(d.Result, `"event":`) || strings.Contains(d.Result, "client") {
		t.Errorf("%d calls, the result %s", count.calls(), d.Result)
	}
}

func TestAFailedCallThatNobodyWaitsForIsTriedTwiceMore(t *testing.T) {
	t.Parallel()
	s, count := open(t), newCounter(t)
	a := s.invoke("orders", fmt.Sprintf(`{"count":%q,"fail":true}`, count), event)
	await.Until(t, "the news of its end", func() bool { return len(s.said(&s.news)) == 1 })
	if count.calls() != 3 || len(s.ended()) != 3 {
		t.Errorf("it was called %d times, and %d are remembered", count.calls(), len(s.ended()))
	}
	id := a.header.Get("X-Amzn-Requestid")
	for _, c := range s.ended() {
		if c.Request != id || !c.Failed {
			t.Errorf("an attempt has the id %s, want %s", c.Request, id)
		}
	}
	if want := "orders this call, which nobody waits for, failed 3 times and is dropped, as in Lambda: it ended with an error"; s.said(&s.news)[0] != want {
		t.Errorf("told was %q", s.said(&s.news))
	}
	log := s.log("orders")
	for _, part := range []string{"attempt 1 of 3 of this call, which nobody waits for, failed (it ended with an error); it is tried again in", "in Lambda in 1 minute", "attempt 2 of 3", "in Lambda in 2 minutes", "failed 3 times and is dropped"} {
		if !strings.Contains(log, part) {
			t.Errorf("the log lacks %q:\n%s", part, log)
		}
	}
}

func TestACallThatSucceedsAtLastIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	s, count := open(t), newCounter(t)
	s.invoke("orders", fmt.Sprintf(`{"count":%q,"fail":true,"until":2}`, count), event)
	await.Until(t, "two attempts", func() bool { return len(s.ended()) == 2 })
	s.Close(t.Context())
	if count.calls() != 2 || len(s.said(&s.news)) != 0 {
		t.Errorf("it was called %d times; told was %q", count.calls(), s.said(&s.news))
	}
}

func TestMoreCallsThanCanWaitAreRefused(t *testing.T) {
	t.Parallel()
	s := open(t)
	for range mostBytes / mostQueued {
		if refused := s.queue.add(mostQueued); refused != nil {
			t.Fatal(refused)
		}
	}
	a := s.invoke("orders", `{}`, event, byBooks)
	if a.status != http.StatusTooManyRequests || a.header.Get("X-Amzn-Errortype") != tooMany || a.text() != "Rate Exceeded." || !strings.Contains(a.body, `"Reason":"CallerRateLimitExceeded"`) {
		t.Errorf("it is answered %d %s", a.status, a.body)
	}
	if log := s.log("books"); !strings.Contains(log, "64 calls wait for functions already (65536 KB), and no more are taken") {
		t.Errorf("the log of the caller does not say why:\n%s", log)
	}
	for range mostBytes / mostQueued {
		s.queue.remove(mostQueued)
	}
	if a := s.invoke("orders", `{}`, event, byBooks); a.status != http.StatusAccepted {
		t.Errorf("after that it is answered %d %s", a.status, a.body)
	}
}

func TestTheEndOfTheSandboxDropsWhatWaitsAndSaysSo(t *testing.T) {
	t.Parallel()
	s, count := open(t), newCounter(t)
	s.options.Pauses = []time.Duration{time.Hour, time.Hour}
	s.invoke("orders", fmt.Sprintf(`{"count":%q,"fail":true}`, count), event)
	await.Until(t, "the first attempt", func() bool { return strings.Contains(s.log("orders"), "attempt 1 of 3") })
	s.Close(t.Context())
	s.Wait()
	if log := s.log("orders"); count.calls() != 1 || !strings.Contains(log, "is dropped: the sandbox ends before the next attempt") {
		t.Errorf("%d calls; the log:\n%s", count.calls(), log)
	}
	if a := s.invoke("orders", `{}`, event); a.status != http.StatusInternalServerError || a.header.Get("X-Amzn-Errortype") != serviceFailed {
		t.Errorf("after that it is answered %d %s", a.status, a.body)
	}
}
