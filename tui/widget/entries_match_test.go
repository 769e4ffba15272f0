package widget_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"gatewright/sandbox/logs"
	"gatewright/sandbox/logs/entry"
)

// few is a log of five lines, of which three have a fig.
func few(texts ...string) *shelf {
	s := &shelf{}
	s.Copy = func(text string) tea.Cmd { s.copied = text; return nil }
	var lines []logs.Line
	for i, text := range texts {
		lines = append(lines, logs.Line{Time: time.Date(2026, 3, 1, 12, 0, i, 0, time.UTC), Level: logs.Info, Text: text})
	}
	s.Add(entry.Read(lines))
	return s
}

// TestMatchesAndErrorsAreWentThroughBothWaysWithoutARing says where each key leads.
func TestMatchesAndErrorsAreWentThroughBothWaysWithoutARing(t *testing.T) {
	t.Parallel()
	s := few("a fig", "a pear", "another Fig", "an apple", "the last fig")
	var got []string
	for _, key := range []string{"home", "n", "/", "f", "i", "g", "enter", "n", "n", "n", "N", "N", "N", "down", "N", "n", "down", "n", "up", "N", "esc", "N"} {
		s.keys(key)
		text := s.cursor(80, 20)
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s: %s; %s", key, text[strings.LastIndex(text, "  ")+2:], s.Note())))
	}
	want := []string{
		"home: a fig;", "n: a fig;", "/: a fig;", "f: a fig; match 1 of 3", "i: a fig; match 1 of 3", "g: a fig; match 1 of 3", "enter: a fig; match 1 of 3",
		"n: another Fig; match 2 of 3", "n: the last fig; match 3 of 3", "n: the last fig; no match after this line",
		"N: another Fig; match 2 of 3", "N: a fig; match 1 of 3", "N: a fig; no match before this line",
		"down: a pear; match 1 of 3", "N: a fig; match 1 of 3", "n: another Fig; match 2 of 3", "down: an apple; match 2 of 3", "n: the last fig; match 3 of 3",
		"up: an apple; match 2 of 3", "N: another Fig; match 2 of 3", "esc: another Fig;", "N: another Fig;",
	}
	if difference := cmp.Diff(want, got); difference != "" {
		t.Errorf("the keys lead elsewhere (-want +got):\n%s", difference)
	}
	// From below the last match, typing leads to that one; a search that was dropped marks nothing.
	s = few("a fig", "a pear", "an apple")
	s.keys("end", "/", "f", "i", "g")
	if got := s.cursor(80, 20); !strings.HasSuffix(got, "a fig") {
		t.Errorf("from below, typing leads to %q", got)
	}
	s.keys("esc")
	if s.Note() != "" || s.Typing() || s.Searching() {
		t.Errorf("dropped, the note is %q", s.Note())
	}
	s.keys("y")
	if s.copied != "a fig" {
		t.Errorf("it copies %q", s.copied)
	}
}

func TestALogThatIsClearedBeginsAnew(t *testing.T) {
	t.Parallel()
	s := few("a fig", "a pear")
	s.keys("home", "/", "f", "i", "g", "enter", "*")
	s.Clear()
	if s.Len() != 0 || s.Note() != "" || s.Searching() {
		t.Errorf("it has %d entries and the note %q", s.Len(), s.Note())
	}
	s.Add(entry.Read([]logs.Line{{Text: "a fig"}, {Text: "another fig"}}))
	if got := s.cursor(80, 20); s.Note() != "" || !s.Following() || !strings.HasSuffix(got, "another fig") {
		t.Errorf("afterwards the note is %q, the cursor on %q, following %v", s.Note(), got, s.Following())
	}
}
