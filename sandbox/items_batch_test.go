package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// stubborn are tables that take only some of the items of each batch.
type stubborn struct {
	Tables
	// take is how many of the items of the next batches are taken; all of later ones.
	take []int
	// sent is how many items each batch had.
	sent []int
}

func (s *stubborn) Do(ctx context.Context, operation string, input []byte) ([]byte, error) {
	if operation != "BatchWriteItem" {
		return s.Tables.Do(ctx, operation, input)
	}
	var in struct {
		RequestItems map[string][]json.RawMessage
	}
	if err := json.Unmarshal(input, &in); err != nil {
		return nil, err
	}
	left := map[string][]json.RawMessage{}
	for name, requests := range in.RequestItems {
		taken := len(requests)
		s.sent = append(s.sent, taken)
		if len(s.take) > 0 {
			taken, s.take = s.take[0], s.take[1:]
		}
		if left[name] = requests[taken:]; taken == 0 {
			continue
		}
		in.RequestItems[name] = requests[:taken]
		text, _ := json.Marshal(in)
		if _, err := s.Tables.Do(ctx, operation, text); err != nil {
			return nil, err
		}
	}
	return json.Marshal(map[string]any{"UnprocessedItems": left})
}

func linesOfShelves(n int) string {
	var lines strings.Builder
	for i := range n {
		_, _ = fmt.Fprintf(&lines, `{"shelf": "s%d", "at": %d}`+"\n", i%5, i)
	}
	return lines.String()
}

func TestWhatATableDidNotTakeIsSentAgain(t *testing.T) {
	t.Parallel()
	x := itemsOf(t, books())
	s := &stubborn{Tables: x.Tables, take: []int{10, 0, 0, 14, 1}}
	x.Tables, x.Pause = s, time.Nanosecond
	if n, err := x.Import(t.Context(), "f", strings.NewReader(linesOfShelves(30)), nil); n != 30 || err != nil {
		t.Fatal(n, err)
	}
	if got := fmt.Sprint(s.sent); got != "[25 15 15 15 1 5]" {
		t.Errorf("the batches had %s items", got)
	}
	if n, err := x.Count(t.Context()); n != 30 || err != nil {
		t.Errorf("there are %d items, %v", n, err)
	}
}

func TestAnImportThatEndsEarlySaysHowFarItGot(t *testing.T) {
	t.Parallel()
	x := itemsOf(t, books())
	x.Tables, x.Pause = &stubborn{Tables: x.Tables, take: append([]int{25}, make([]int, 100)...)}, time.Nanosecond
	_, err := x.Import(t.Context(), "f", strings.NewReader(linesOfShelves(60)), nil)
	const want = "25 of 60 items were written: table books-dev takes no items for now: it has reached its limit of writes; wait a minute, and try again; " +
		"what is written stays, and the import can be run again"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	ctx, stop := context.WithCancel(t.Context())
	_, err = itemsOf(t, books()).Import(ctx, "f", strings.NewReader(linesOfShelves(2500)), func(written, _ int) {
		if written == 1000 {
			stop()
		}
	})
	if partly := new(PartlyError); !errors.As(err, &partly) || partly.Written != 1000 || !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "1000 of 2500 items were written: interrupted; ") {
		t.Errorf("an interrupted import ends with %v", err)
	}
}

// counted are tables that note how many items each request writes.
type counted struct {
	Tables
	wrote []string
}

func (c *counted) Do(ctx context.Context, operation string, input []byte) ([]byte, error) {
	if n := strings.Count(string(input), `"PutRequest"`); n > 0 {
		c.wrote = append(c.wrote, fmt.Sprint(operation, " ", n))
	}
	return c.Tables.Do(ctx, operation, input)
}

func TestAnImportWritesManyItemsInATransactionOfTheTablesHere(t *testing.T) {
	t.Parallel()
	large := func(n int) string {
		return strings.ReplaceAll(linesOfShelves(n), `"at"`, `"text": "`+strings.Repeat("x", 300_000)+`", "at"`)
	}
	for _, c := range []struct{ lines, wrote string }{
		{linesOfShelves(2500), "[WriteMany 1000 WriteMany 1000 WriteMany 500]"},
		{large(10), "[WriteMany 7 WriteMany 3]"},
		{`{"shelf": "a", "at": 1, "n": 1}{"shelf": "a", "at": 1, "n": 2}{"shelf": "b", "at": 1, "n": 3}`, "[WriteMany 2]"},
	} {
		x := itemsOf(t, books())
		h := x.Tables.(*HeldTables)
		asked := &counted{Tables: h.Tables}
		h.Tables = asked
		n, err := x.Import(t.Context(), "f", strings.NewReader(c.lines), nil)
		if got := fmt.Sprint(asked.wrote); err != nil || n != strings.Count(c.lines, "shelf") || got != c.wrote {
			t.Errorf("%d items are written by %s, %v", n, got, err)
		}
		if item, err := x.Get(t.Context(), parsed(t, `{"shelf": "a", "at": 1}`)); err != nil || item != nil && item["n"].Text != "2" {
			t.Errorf("the item is %v, %v", item, err)
		}
	}
}

func TestAnExportHasTheOrderOfTheKeysWhateverIsKeptInMemory(t *testing.T) {
	t.Parallel()
	var want bytes.Buffer
	line := func(at int) string { return strings.Repeat(fmt.Sprintf("%03d", at), 1+at%7) + "\n" }
	for i := range 200 {
		want.WriteString(line(i))
	}
	for _, most := range []int{1, 100, 1000, 1 << 20} {
		s := &sorter{most: most}
		for i := range 200 {
			at := i * 77 % 200
			if err := s.add(fmt.Appendf(nil, "%03d", at), []byte(line(at))); err != nil {
				t.Fatal(err)
			}
		}
		var got bytes.Buffer
		err := s.each(func(text []byte) error {
			_, err := got.Write(text)
			return err
		})
		if err != nil || got.String() != want.String() {
			t.Errorf("with %d bytes in memory: %v, %d bytes", most, err, got.Len())
		}
		parts := len(s.parts)
		if err := s.Close(); err != nil || (parts > 0) != (most < 1<<20) {
			t.Errorf("with %d bytes in memory there were %d parts; %v", most, parts, err)
		}
	}
}
