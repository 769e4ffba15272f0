package traffic_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"gatewright/sandbox/function"
	"gatewright/sandbox/traffic"
)

// detailOf is what is seen of a call of books that took three seconds.
func detailOf(event []byte, a function.Answer, err error, hide func(string) string) traffic.Detail {
	s := traffic.New(begun)
	s.AddRun(traffic.Call{Function: "books", Took: 3 * time.Second}, event, a, err, hide)
	d, _ := s.Detail(1)
	return d
}

func TestACallIsKeptWithoutSecretsAndWithTheBeginningsOfWhatIsLong(t *testing.T) {
	t.Parallel()
	hide := func(text string) string { return strings.ReplaceAll(text, "known", "***") }
	// The last character that would be kept has only its first byte before the limit.
	long := strings.Repeat("a", traffic.MostKept-1) + "ä and the end"
	d := detailOf([]byte(`{"password":"hunter2","n":"known"}`), function.Answer{Payload: []byte(long), Init: time.Second, Duration: 2 * time.Second}, nil, hide)
	if want := `{"password":"<redacted>","n":"***"}`; d.Event != want {
		t.Errorf("the event is kept as %s, want %s", d.Event, want)
	}
	if want := strings.Repeat("a", traffic.MostKept-1); d.Result != want {
		t.Errorf("%d bytes of the result are kept, want %d", len(d.Result), len(want))
	}
	if len(d.Left) != 1 || d.Left[0] != "the end of the result: 64 KB of 65 KB are kept" {
		t.Errorf("left are %q", d.Left)
	}
	if d.Started != time.Second || d.Ran != 2*time.Second || d.Failed || d.Why != "" {
		t.Errorf("kept is %+v", d.Call)
	}
}

func TestACallThatFailedIsKeptWithItsReason(t *testing.T) {
	t.Parallel()
	hide := func(text string) string { return strings.ReplaceAll(text, "known", "***") }
	for _, row := range []struct {
		answer   function.Answer
		err      error
		why, fix string
	}{
		{function.Answer{Failed: true, Payload: []byte(`{"errorMessage":"no"}`)}, nil, "function books ended with an error", "see its log"},
		{function.Answer{}, errors.New("it knows known words"), "it knows *** words", ""},
	} {
		d := detailOf([]byte(`{}`), row.answer, row.err, hide)
		if !d.Failed || d.Why != row.why || d.Fix != row.fix || d.Ran != 3*time.Second || d.Result != string(row.answer.Payload) {
			t.Errorf("kept is %+v", d)
		}
	}
}
