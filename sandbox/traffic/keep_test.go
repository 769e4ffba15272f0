package traffic_test

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"gatewright/sandbox/function"
	"gatewright/sandbox/traffic"
)

// detailOf is what is seen of a call of books that took three seconds.
func detailOf(event []byte, a function.Answer, err error, hide func(string) string) traffic.Detail {
	s := traffic.New(begun)
	s.AddRun(traffic.Call{Function: "books", Took: 3 * time.Second}, traffic.Ended{}, event, a, err, hide)
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

func TestATextThatCameApartIsJoinedToWhatIsLeftOfItsJSON(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 300<<10)
	for _, row := range []struct {
		name, before, text, after string
		bytes                     bool
	}{
		{"both short", `{"body":`, "text", `,"n":1}`, false},
		{"the JSON is cut before the text", `{"n":"` + long + `","body":`, "text", `}`, false},
		{"the text is cut", `{"body":`, long, `,"n":"never behind a cut"}`, false},
		{"bytes", `{"body":`, "by\xfftes", `,"n":1}`, true},
		{"bytes are cut", `{"body":`, "\xff" + long, `,"n":"never behind a cut"}`, true},
		{"the text is cut, with escapes", `{"body":`, strings.Repeat("\x01", 300<<10), `,"n":"never behind a cut"}`, false},
		{"the cut is in a character", `{"x":`, strings.Repeat("ä€", 60<<10), `}`, false},
	} {
		text := row.text
		if row.bytes {
			text = base64.StdEncoding.EncodeToString([]byte(text))
		}
		whole := row.before + `"` + text + `"` + row.after
		json := traffic.HeldOf([]byte(row.before + `""` + row.after))
		var d traffic.Detail
		kept, _ := traffic.Joined(json, traffic.HeldOf([]byte(row.text)), function.Apart{At: len(row.before), Base64: row.bytes}).
			Kept(&d, "result", func(text string) string { return text })
		if cut := len(whole) > traffic.MostKept; cut != (len(d.Left) == 1) || !cut && kept != whole {
			t.Errorf("%s: %d bytes are kept, left are %q", row.name, len(kept), d.Left)
		}
		if len(kept) > traffic.MostKept || len(d.Left) == 1 && len(kept) < traffic.MostKept-utf8.UTFMax {
			t.Errorf("%s: %d bytes are kept", row.name, len(kept))
		}
		if row.bytes && !strings.HasPrefix(whole, kept) {
			t.Errorf("%s: kept is %.60q", row.name, kept)
		}
		if !utf8.ValidString(kept) || strings.Contains(kept, "behind") {
			t.Errorf("%s: kept is ...%q", row.name, kept[len(kept)-30:])
		}
	}
}

func TestTheBeginningOfALongTextEndsWithAWholeCharacter(t *testing.T) {
	t.Parallel()
	for shift := range 5 {
		long := strings.Repeat("x", shift) + strings.Repeat("é😀\u2028", 40<<10)
		if d := detailOf(nil, function.Answer{Payload: []byte(long)}, nil, func(text string) string { return text }); !utf8.ValidString(d.Result) || !strings.HasPrefix(long, d.Result) {
			t.Errorf("the result ends with %q", d.Result[len(d.Result)-8:])
		}
	}
}
