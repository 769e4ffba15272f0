package logs_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gatewright/sandbox/logs"
	"gatewright/test/await"
)

func TestALineIsReadAsItWasAppended(t *testing.T) {
	t.Parallel()
	s, folder := openStore(t, logs.Small{})
	want := []logs.Line{
		line(0),
		{Time: line(1).Time, Environment: "dev", Function: "items", Text: "two\nlines\twith \"quotes\" \\ and \x00\x1b é 🙂 \u2028 <&>"},
		{Time: line(2).Time, Environment: "dev", Function: logs.Gateway, Level: logs.Platform, Text: ""},
	}
	for _, l := range want {
		s.Append(l)
	}
	if diff := cmp.Diff(want, s.Read(logs.Query{})); diff != "" {
		t.Error("from memory:", diff)
	}
	must(t, s.Close())
	if diff := cmp.Diff(want, read(t, folder, logs.Query{})); diff != "" {
		t.Error("from disk:", diff)
	}
	if diff := cmp.Diff(want, reopenStore(t, folder, logs.Small{}).Read(logs.Query{})); diff != "" {
		t.Error("after opening it again:", diff)
	}
}

func TestEncodingJSONReadsTheLinesOfAFile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := logs.Line{Time: line(0).Time, Environment: rapid.String().Draw(t, "environment"), Function: "f", Level: logs.Warn, Text: rapid.String().Draw(t, "text")}
		folder, err := os.MkdirTemp("", "logs")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(folder)
		s, err := logs.Open(folder)
		if err != nil {
			t.Fatal(err)
		}
		s.Append(want)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(folder, logs.FileName(want.Environment), "f.log"))
		if err != nil {
			t.Fatal(err)
		}
		var got logs.Line
		if err := json.Unmarshal(text, &got); err != nil || got != want || strings.Count(string(text), "\n") != 1 {
			t.Fatalf("%v: %q gives %+v, want %+v", err, text, got, want)
		}
	})
}

func TestALineWithoutATimeGetsThePresentTime(t *testing.T) {
	t.Parallel()
	s, _ := openStore(t, logs.Small{})
	before := time.Now().Add(-time.Second)
	s.Append(logs.Line{Environment: "dev", Function: "items", Text: "x"})
	if at := s.Read(logs.Query{})[0].Time; at.Before(before) || at.After(time.Now().Add(time.Second)) || at.Location() != time.UTC {
		t.Errorf("it has the time %v", at)
	}
}

func TestLinesAreOnDiskSoonWithoutClose(t *testing.T) {
	t.Parallel()
	s, folder := openStore(t, logs.Small{})
	s.Append(line(0))
	await.Until(t, "the line on disk", func() bool { return len(read(t, folder, logs.Query{})) == 1 })
}

func TestQueriesSelectLines(t *testing.T) {
	t.Parallel()
	s, folder := openStore(t, logs.Small{Lines: 4})
	at := func(n int, environment, function, request string) logs.Line {
		return logs.Line{Time: line(n).Time, Environment: environment, Function: function, Request: request, Text: fmt.Sprint(n)}
	}
	for _, l := range []logs.Line{
		at(0, "dev", "items", "a"), at(1, "prod", "items", "b"), at(2, "dev", "users", "a"), at(3, "dev", "items", ""), at(4, "dev", "items", "a"),
		at(5, "dev", "items", "a"), at(6, "dev", "items", "c"), at(7, "dev", "items", "a"),
	} {
		s.Append(l)
	}
	tests := []struct {
		query logs.Query
		want  []string
	}{
		{logs.Query{}, []string{"0", "1", "2", "3", "4", "5", "6", "7"}},
		{logs.Query{Last: 3}, []string{"5", "6", "7"}},
		{logs.Query{Environment: "dev", Last: 100}, []string{"0", "2", "3", "4", "5", "6", "7"}},
		{logs.Query{Environment: "prod"}, []string{"1"}},
		{logs.Query{Function: "items", Last: 2}, []string{"6", "7"}},
		{logs.Query{Environment: "dev", Function: "users"}, []string{"2"}},
		{logs.Query{Request: "a"}, []string{"0", "2", "4", "5", "7"}},
		{logs.Query{Request: "a", Last: 4}, []string{"2", "4", "5", "7"}},
		{logs.Query{Request: "none"}, []string{}},
		{logs.Query{Environment: "Dev"}, []string{}},
		{logs.Query{Function: "../dev/items"}, []string{}},
	}
	check := func(from string, read func(logs.Query) []logs.Line) {
		for _, test := range tests {
			if diff := cmp.Diff(test.want, texts(read(test.query))); diff != "" {
				t.Errorf("%s, %+v: %s", from, test.query, diff)
			}
		}
	}
	check("while it runs", s.Read)
	must(t, s.Close())
	check("after it", func(q logs.Query) []logs.Line { return read(t, folder, q) })
	again := reopenStore(t, folder, logs.Small{Lines: 4})
	check("opened again", again.Read)
}

// Lines of any length are appended in several runs; the lines that are read are the last of
// all.
func TestTheLastLinesAreKept(t *testing.T) {
	t.Parallel()
	// A line has at most 500 bytes in the file, so that the previous file has at least
	// three.
	const file, onDisk, inMemory = 2000, 3, 10
	rapid.Check(t, func(t *rapid.T) {
		folder, err := os.MkdirTemp("", "logs")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(folder)
		var all []logs.Line
		small := logs.Small{Lines: inMemory, File: file, Every: time.Millisecond}
		for range rapid.IntRange(1, 4).Draw(t, "runs") {
			s, err := logs.OpenSmall(folder, small)
			if err != nil {
				t.Fatal(err)
			}
			begun := len(all)
			for _, length := range rapid.SliceOfN(rapid.IntRange(0, 300), 0, 40).Draw(t, "lengths") {
				l := line(len(all))
				l.Text += strings.Repeat("x", length)
				all = append(all, l)
				s.Append(l)
				if rapid.IntRange(0, 9).Draw(t, "look") == 0 {
					checkLast(t, "while it runs", all, s.Read(logs.Query{}), max(onDisk, min(inMemory, len(all)-begun)))
				}
			}
			if n := min(len(all), max(onDisk, min(inMemory, len(all)-begun))); n > 0 {
				if diff := cmp.Diff(all[len(all)-n:], s.Read(logs.Query{Last: n})); diff != "" {
					t.Fatal("the last lines:", diff)
				}
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		kept, err := logs.ReadFolder(folder, logs.Query{})
		if err != nil {
			t.Fatal(err)
		}
		checkLast(t, "from disk", all, kept, onDisk)
		entries, err := filepath.Glob(filepath.Join(folder, "dev", "*"))
		if err != nil || len(entries) > 2 {
			t.Fatalf("%v: the files are %q", err, entries)
		}
		for _, entry := range entries {
			if info, err := os.Stat(entry); err != nil || info.Size() > file {
				t.Fatalf("%s has %d bytes, %v", entry, info.Size(), err)
			}
		}
	})
}

func checkLast(t *rapid.T, from string, all, got []logs.Line, least int) {
	if len(got) < min(len(all), least) {
		t.Fatalf("%s: %d lines of %d are left", from, len(got), len(all))
	}
	if diff := cmp.Diff(all[len(all)-len(got):], got, cmp.Transformer("text", func(l logs.Line) string { return l.Text })); diff != "" {
		t.Fatal(from, diff)
	}
}

func TestManyWritersKeepTheOrderOfEachFunction(t *testing.T) {
	t.Parallel()
	const writers, each = 16, 400
	s, folder := openStore(t, logs.Small{File: 1 << 20, Every: time.Millisecond})
	following := s.Follow(t.Context(), logs.Query{})
	followed := make(chan []logs.Line)
	go func() {
		var got []logs.Line
		for l := range following {
			got = append(got, l)
		}
		followed <- got
	}()
	var writing sync.WaitGroup
	for w := range writers {
		writing.Go(func() {
			for n := range each {
				s.Append(logs.Line{Environment: "dev", Function: fmt.Sprint("f", w%4), Request: fmt.Sprint(w), Text: fmt.Sprint(n)})
				if n%100 == 0 {
					s.Read(logs.Query{Function: "f1", Last: 5})
					s.Redact([]string{fmt.Sprint("secret", n)})
				}
			}
		})
	}
	writing.Wait()
	check := func(from string, lines []logs.Line) {
		t.Helper()
		next := make(map[string]int)
		for _, l := range lines {
			if l.Level == logs.Platform {
				continue
			}
			if l.Text != fmt.Sprint(next[l.Request]) {
				t.Fatalf("%s: writer %s: line %s stands where %d should", from, l.Request, l.Text, next[l.Request])
			}
			next[l.Request]++
		}
		if len(next) != writers || slices.Min(slices.Collect(maps.Values(next))) != each {
			t.Fatalf("%s: the writers have %v lines", from, next)
		}
	}
	for w := range writers {
		if got := s.Read(logs.Query{Request: fmt.Sprint(w)}); len(got) != each {
			t.Fatalf("writer %d has %d lines", w, len(got))
		}
	}
	check("in memory", s.Read(logs.Query{}))
	must(t, s.Close())
	check("on disk", read(t, folder, logs.Query{}))
	seen := make(map[string]string)
	for _, l := range <-followed {
		if before, again := seen[l.Request]; again && l.Level != logs.Platform && number(t, before) >= number(t, l.Text) {
			t.Fatalf("the reader got line %s of writer %s after line %s", l.Text, l.Request, before)
		}
		seen[l.Request] = l.Text
	}
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	must(t, err)
	return n
}

func TestALongTextIsCut(t *testing.T) {
	t.Parallel()
	s, _ := openStore(t, logs.Small{})
	s.Append(logs.Line{Environment: "dev", Function: "items", Text: "x" + strings.Repeat("é", 200<<10)})
	text := s.Read(logs.Query{})[0].Text
	if want := fmt.Sprintf("é... (%d more bytes)", 1+2*(200<<10)-len(text)+len("... (147457 more bytes)")); len(text) > 257<<10 || !strings.HasSuffix(text, want) {
		t.Errorf("it is %d bytes and ends %q, want %q", len(text), text[len(text)-40:], want)
	}
}

func TestAnIdleFunctionWithLongLinesTakesLittleMemory(t *testing.T) {
	t.Parallel()
	s, _ := openStore(t, logs.Small{})
	for n := range 200 {
		l := line(n)
		l.Text = strings.Repeat("x", 255<<10)
		s.Append(l)
	}
	if lines := s.InMemory(); lines == 0 || lines > 40 {
		t.Errorf("%d lines of 255 KB are in memory", lines)
	}
}

func TestGatewayLinesWithoutEnvironmentMatchEveryEnvironment(t *testing.T) {
	t.Parallel()
	s, folder := openStore(t, logs.Small{})
	append := func(n int, environment, function string) {
		l := line(n)
		l.Environment, l.Function = environment, function
		s.Append(l)
	}
	append(0, "dev", logs.Gateway)
	append(1, "", logs.Gateway)
	append(2, "qa", logs.Gateway)
	append(3, "dev", "items")
	want := []struct {
		query logs.Query
		lines []string
	}{
		{logs.Query{Environment: "dev", Function: logs.Gateway}, []string{"line 0", "line 1"}},
		{logs.Query{Environment: "qa", Function: logs.Gateway}, []string{"line 1", "line 2"}},
		{logs.Query{Environment: "new", Function: logs.Gateway}, []string{"line 1"}},
		{logs.Query{Environment: "dev", Function: logs.Gateway, Request: "request-0"}, []string{"line 0", "line 1"}},
		{logs.Query{Environment: "dev", Function: "items"}, []string{"line 3"}},
		{logs.Query{Environment: "dev", Functions: []string{"items", logs.Gateway}}, []string{"line 0", "line 1", "line 3"}},
		{logs.Query{Environment: "dev", Functions: []string{"items", "users"}}, []string{"line 3"}},
		{logs.Query{Environment: "dev", Function: logs.Gateway, Since: line(1).Time}, []string{"line 1"}},
		{logs.Query{Environment: "dev"}, []string{"line 0", "line 3"}},
	}
	for _, test := range want {
		q, lines := test.query, test.lines
		if diff := cmp.Diff(lines, texts(s.Read(q))); diff != "" {
			t.Errorf("%+v from memory: %s", q, diff)
		}
		if before, _ := s.ReadAndFollow(t.Context(), q); cmp.Diff(lines, texts(before)) != "" {
			t.Errorf("%+v before following: %q", q, texts(before))
		}
	}
	must(t, s.Close())
	for _, test := range want {
		q, lines := test.query, test.lines
		if diff := cmp.Diff(lines, texts(read(t, folder, q))); diff != "" {
			t.Errorf("%+v from disk: %s", q, diff)
		}
	}
}
