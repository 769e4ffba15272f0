package document

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestAppendKeepsEverythingElse(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, src, want string }{
		{"empty object", `{}`, "{\n  \"new\": 1\n}"},
		{"one line", `{"a": 1}`, `{"a": 1, "new": 1}`},
		{"one line, last comma", `{"a": 1,}`, `{"a": 1, "new": 1}`},
		{"lines", "{\n\t\"a\": 1\n}\n", "{\n\t\"a\": 1,\n\t\"new\": 1\n}\n"},
		{"last comma", "{\n    \"a\": 1,\n}\n", "{\n    \"a\": 1,\n    \"new\": 1,\n}\n"},
		{"comment at the end of the line", "{\n  \"a\": 1 // one, or more\n}", "{\n  \"a\": 1, // one, or more\n  \"new\": 1\n}"},
		{"comment after the last comma", "{\n  \"a\": 1, /* x */ // y\n  // \"b\": 2,\n}", "{\n  \"a\": 1, /* x */ // y\n  \"new\": 1,\n  // \"b\": 2,\n}"},
		{"comment before the bracket", `{"a": 1 /* x */ }`, `{"a": 1, "new": 1 /* x */ }`},
		{"only a comment", "{\n  // nothing\n}", "{\n  // nothing\n\n  \"new\": 1\n}"},
		{"windows", "\ufeff// é\r\n{\r\n  \"a\": \"//,\"\r\n}\r\n", "\ufeff// é\r\n{\r\n  \"a\": \"//,\",\r\n  \"new\": 1\r\n}\r\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			file, err := ParseRelaxed([]byte(c.src))
			if err != nil {
				t.Fatal(err)
			}
			edit := file.Edit()
			edit.Append(file.Root(), `"new": 1`)
			if got := string(edit.Bytes()); got != c.want {
				t.Errorf("got\n%q, want\n%q", got, c.want)
			}
		})
	}
}

func TestWhatIsBrokenBesidesCommentsIsRefusedAtItsPlace(t *testing.T) {
	t.Parallel()
	cases := []struct {
		src          string
		line, column int
		text         string
	}{
		{"{\n  \"a\": 1,,\n}", 2, 10, ""},
		{"[,]", 1, 2, ""},
		{"{} ,", 1, 4, "more text"},
		{"{/* ü */ \"a\" 1}", 1, 14, ""},
		{"{\n  /* é", 2, 3, "a comment without an end"},
		{"{\"a\": 1, // \"b\": 2}", 1, 20, "the file ends"},
		{"// only this\n", 1, 1, "the file is empty"},
		{"{\"a\": \"x", 1, 9, "the file ends"},
	}
	for _, c := range cases {
		_, err := ParseRelaxed([]byte(c.src))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || syntax.Line != c.line || syntax.Column != c.column || !strings.HasPrefix(syntax.Text, c.text) {
			t.Errorf("%q: got %v, want line %d, column %d: %s", c.src, err, c.line, c.column, c.text)
		}
	}
}

// Comments and last commas between the lexemes of a file change none of its values, and an
// edit leaves all of them where they are.
func TestCommentsChangeNoValue(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		noise := rapid.SampledFrom([]string{"", " ", "\n", "\t// a, [b] \"c\n", "/* {\"x\": 1,\n */", "/**/", "\r\n"})
		comma := rapid.SampledFrom([]string{"", ","})
		var b strings.Builder
		put := func(lexemes ...string) {
			for _, lexeme := range lexemes {
				b.WriteString(noise.Draw(t, "noise"))
				b.WriteString(lexeme)
			}
		}
		put("{", `"a"`, ":", "[", "1", ",", `"x//, ]"`, comma.Draw(t, "comma"), "]", ",", `"b"`, ":", "{", `"c"`, ":", "null", comma.Draw(t, "comma"), "}", comma.Draw(t, "comma"), "}", "")
		file, err := ParseRelaxed([]byte(b.String()))
		if err != nil {
			t.Fatalf("%q: %v", b.String(), err)
		}
		want, err := Parse([]byte(`{"a":[1,"x//, ]"],"b":{"c":null}}`))
		if err != nil {
			t.Fatal(err)
		}
		if !equal(file.Root(), want.Root()) {
			t.Fatalf("%q reads as %q", b.String(), file.Root().Raw())
		}
		list, _ := file.Root().Get("a")
		edit := file.Edit()
		edit.Append(list, "2", "3")
		edit.Append(file.Root(), `"d": true`)
		changed, err := ParseRelaxed(edit.Bytes())
		if err != nil {
			t.Fatalf("%q became %q: %v", b.String(), edit.Bytes(), err)
		}
		want, err = Parse([]byte(`{"a":[1,"x//, ]",2,3],"b":{"c":null},"d":true}`))
		if err != nil {
			t.Fatal(err)
		}
		if !equal(changed.Root(), want.Root()) {
			t.Fatalf("%q became %q", b.String(), edit.Bytes())
		}
		rest := edit.Bytes()
		for i := range b.Len() {
			at := bytes.IndexByte(rest, b.String()[i])
			if at < 0 {
				t.Fatalf("%q lost a byte: %q", b.String(), edit.Bytes())
			}
			rest = rest[at+1:]
		}
	})
}
