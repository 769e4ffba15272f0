package document

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseSaysWhereAndWhatIsWrong(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		src  string
		want SyntaxError // Text and Fix: a part of them
	}{
		{"nothing", "", SyntaxError{0, 1, 1, "", "the file is empty", "{}"}},
		{"blank", " \r\n\t", SyntaxError{0, 1, 1, "", "the file is empty", "{}"}},
		{"only a byte order mark", "\ufeff\n", SyntaxError{0, 1, 1, "", "the file is empty", "{}"}},
		{"key twice", "{\n  \"é\": {\"é\": 1, \"\\u00e9\": 2}\n}", SyntaxError{20, 2, 17, "/é/é", "the key é appears twice", "rename"}},
		{"comma at the end of an object", "{\"a\": 1,\n}", SyntaxError{7, 1, 8, "", "nothing after it", "remove the comma"}},
		{"comma at the end of an array", "[1,]", SyntaxError{2, 1, 3, "", "nothing after it", "remove the comma"}},
		{"comma missing", "{\n\"a\": 1\n\"b\": 2}", SyntaxError{9, 3, 1, "", "after object value", "put a comma"}},
		{"two commas", "[1,,2]", SyntaxError{3, 1, 4, "/1", "invalid character ','", "before the comma"}},
		{"cut off", "{\"a\": {\"b\"", SyntaxError{10, 1, 11, "/a/b", "ends in the middle", "complete"}},
		{"cut off in a string", "{\"a\": \"b", SyntaxError{8, 1, 9, "/a", "ends in the middle", "complete"}},
		{"single quotes", "{'a': 1}", SyntaxError{1, 1, 2, "", `'\''`, "double quotes"}},
		{"comment", "{\n// why\n\"a\": 1}", SyntaxError{2, 2, 1, "", "'/'", "remove the comment"}},
		{"two values", "{}\n {}", SyntaxError{4, 2, 2, "", "after the end", "remove it"}},
		{"bad UTF-8", "{\"a\": \"é\xff\"}", SyntaxError{9, 1, 9, "/a", "not UTF-8", "save the file as UTF-8"}},
		{"half a surrogate pair", `["\ud800"]`, SyntaxError{2, 1, 3, "/0", "surrogate", "correct"}},
		{"line break in a string", "[\"a\nb\"]", SyntaxError{3, 1, 4, "/0", `'\n'`, "correct"}},
		{"behind a byte order mark", "\ufeff{\"a\": x}", SyntaxError{9, 1, 7, "/a", "'x'", "correct"}},
		{"byte order mark inside", "[\ufeff]", SyntaxError{1, 1, 2, "/0", "invalid character", "correct"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := Parse([]byte(tt.src))
			var got *SyntaxError
			if d != nil || !errors.As(err, &got) {
				t.Fatalf("got %v, %v, want a SyntaxError", d, err)
			}
			if !strings.Contains(got.Text, tt.want.Text) || !strings.Contains(got.Fix, tt.want.Fix) {
				t.Errorf("text %q and fix %q, want %q and %q in them", got.Text, got.Fix, tt.want.Text, tt.want.Fix)
			}
			tt.want.Text, tt.want.Fix = got.Text, got.Fix
			if diff := cmp.Diff(tt.want, *got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestErrorsAreOneShortLine(t *testing.T) {
	t.Parallel()
	long := strings.Repeat(`{"an\nother long\tkey ~/":`, 500)
	for _, src := range []string{long, long + "1,}", `{"a\nb": 1, "a\nb": 2}`, "[\"\n\"]"} {
		_, err := Parse([]byte(src))
		if err == nil {
			t.Fatalf("%.50q parsed", src)
		}
		if text := err.Error(); strings.ContainsAny(text, "\n\t") || len(text) > 300 {
			t.Errorf("not one short line: %q", text)
		}
	}
}

func TestNestingIsLimitedCleanly(t *testing.T) {
	t.Parallel()
	for _, opening := range []string{"[", `{"a":`} {
		_, err := Parse([]byte(strings.Repeat(opening, 5_000_000)))
		var got *SyntaxError
		if !errors.As(err, &got) || !strings.Contains(got.Text, "10000") || got.Offset != int64(10_000*len(opening)) {
			t.Errorf("%s: got %.300v", opening, err)
		}
	}
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	got := mustChange(t, deep, "[]", deep)
	if got != deep {
		t.Errorf("the deepest document allowed became %.50q", got)
	}
}

func TestADocumentIsItsBytesAsTheyWereRead(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"{}", " [1]\r\n", "\ufeff{\"a\": 1}\n"} {
		if d, err := Parse([]byte(src)); err != nil || string(d.Bytes()) != src {
			t.Errorf("%q: %v", src, err)
		}
	}
}

func TestParseNeverModifiesItsBytes(t *testing.T) {
	t.Parallel()
	for _, src := range []string{`{"a": [1, "\u0062", null]}`, `{"a": 1, "a": 2}`, `{"a": `, "[1]x"} {
		given := []byte(src)
		if d, err := Parse(given); err == nil && &d.Bytes()[0] != &given[0] {
			t.Errorf("%s was copied", src)
		}
		if string(given) != src {
			t.Errorf("%s became %s", src, given)
		}
	}
}

func mustParse(t failer, src string) *Document {
	t.Helper()
	d, err := Parse([]byte(src))
	if err != nil {
		t.Fatalf("parsing %.200q: %v", src, err)
	}
	return d
}

// mustChange returns the changed bytes, which must be strict JSON.
func mustChange(t failer, disk, before, after string) string {
	t.Helper()
	got, err := mustParse(t, disk).Change([]byte(before), []byte(after))
	if err != nil {
		t.Fatalf("changing %.200q: %v", disk, err)
	}
	mustParse(t, string(got))
	return string(got)
}
