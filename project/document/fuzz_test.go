package document

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "\ufeff[1,2]", `{"a":{"b":[null,true,-1.5e3,"\u00e9"]},"a":1}`, `{"a":1,}`, "[1 2]", "{}{}", "[\"\xff\"]",
		`["\ud800"]`, "nul", `{"a":"b`, "[[[[", " \n", "\"\x00\"", "1e400", "{\"a\"\r\n:\t1}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		given := bytes.Clone(src)
		d, err := Parse(src)
		if !bytes.Equal(src, given) {
			t.Fatal("the bytes were modified")
		}
		body := bytes.TrimPrefix(src, []byte(byteOrderMark))
		if (err == nil) != strictlyValid(body) {
			t.Fatalf("Parse: %v, jsontext: valid is %t", err, strictlyValid(body))
		}
		if err != nil {
			checkSyntaxError(t, src, err)
			return
		}
		if !json.Valid(body) {
			t.Fatal("encoding/json refuses it")
		}
		var want any
		if json.Unmarshal(body, &want) != nil {
			return // a number beyond float64
		}
		if got := plain(t, d.Root()); !reflect.DeepEqual(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

func strictlyValid(src []byte) bool {
	d := jsontext.NewDecoder(bytes.NewReader(src))
	if _, err := d.ReadValue(); err != nil {
		return false
	}
	_, err := d.ReadToken()
	return err == io.EOF
}

func checkSyntaxError(t *testing.T, src []byte, err error) {
	t.Helper()
	e := err.(*SyntaxError)
	if e.Offset < 0 || e.Offset > int64(len(src)) || e.Line < 1 || e.Column < 1 || e.Text == "" || e.Fix == "" {
		t.Fatalf("got %+v", e)
	}
	if strings.ContainsAny(e.Error(), "\r\n") {
		t.Fatalf("not one line: %q", e.Error())
	}
}

// plain returns the value that encoding/json would decode.
func plain(t *testing.T, n Node) any {
	switch n.Kind() {
	case Object:
		v := map[string]any{}
		for key, value := range n.Members() {
			v[key] = plain(t, value)
			if found, ok := n.Get(key); !ok || found != value {
				t.Fatalf("looking up %q finds %q", key, found.Raw())
			}
		}
		return v
	case Array:
		v := []any{}
		for _, value := range n.Elements() {
			v = append(v, plain(t, value))
		}
		return v
	case String:
		return n.Text()
	case Bool:
		return n.Bool()
	case Number:
		var v float64
		if err := json.Unmarshal(n.Raw(), &v); err != nil {
			t.Fatal(err)
		}
		return v
	case Null:
		return nil
	}
	t.Fatal("an invalid node")
	return nil
}

func FuzzChange(f *testing.F) {
	seeds := []struct{ disk, before, after string }{
		{`{}`, ``, `{"a":[1]}`},
		{"{\n  \"a\": 1,\n  \"b\": [1, 2]\n}", `{"a":1,"b":[1,2]}`, `{"c":1,"b":[2,3],"d":{}}`},
		{"{\"a\": {\"x\": 1}\n, \"b\": 2}", `{"a":{"x":1},"b":2}`, `{"b":{"a":1}}`},
		{`[{"a":1},{"b":2} ,3]`, `[{"a":1},{"b":2},3]`, `[{"b":2},{"a":{"c":[]}},4,5]`},
		{"\ufeff[ ]\r\n", `[]`, `[[],{},[1]]`},
		{`{"a":1,"x":2}`, `{"a":1}`, `{"x":1}`},
		{"{\n\"a\":1 ,\n\n\"b\":2,  \n\"c\":3 }", `{"a":1,"b":2,"c":3}`, `{"c":3,"n":1,"a":2}`},
		{`{"a":1,"b":2,"c":3}`, `{"a":1,"b":2,"c":3}`, `{"x":1,"y":2,"z":3,"c":1}`},
	}
	for _, s := range seeds {
		f.Add([]byte(s.disk), []byte(s.before), []byte(s.after))
		f.Add([]byte(s.disk), []byte(s.disk), []byte(s.after))
	}
	f.Fuzz(func(t *testing.T, disk, before, after []byte) {
		d, err := Parse(disk)
		if err != nil {
			return
		}
		given := bytes.Clone(disk)
		checkChange(t, d, before, after)
		checkChange(t, d, disk, after)
		checkChange(t, d, after, disk)
		if !bytes.Equal(disk, given) {
			t.Fatal("the document's bytes were modified")
		}
	})
}

// checkChange checks every change: the result is strict JSON and equals after where the
// file equalled before.
func checkChange(t *testing.T, d *Document, before, after []byte) {
	t.Helper()
	got, err := d.Change(before, after)
	if err != nil {
		return
	}
	result, err := Parse(got)
	if err != nil {
		t.Fatalf("from %q to %q the file %q became %q: %v", before, after, d.Bytes(), got, err)
	}
	was, err := parseRendering(before)
	if err != nil || !was.valid() || !equal(was, d.Root()) {
		return
	}
	wanted, err := parseRendering(after)
	if err != nil || !wanted.valid() {
		return
	}
	if !equal(result.Root(), wanted) {
		t.Fatalf("to %q the file %q became %q", after, d.Bytes(), got)
	}
	back, err := result.Change(after, before)
	if err != nil {
		t.Fatalf("changing %q back: %v", got, err)
	}
	restored, err := Parse(back)
	if err != nil || !equal(restored.Root(), was) {
		t.Fatalf("from %q back to %q it became %q: %v", got, before, back, err)
	}
}
