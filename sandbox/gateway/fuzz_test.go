package gateway

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"gatewright/sandbox/http1"
)

// Every payload of a function is a valid result or an explained error.
func FuzzResult(f *testing.F) {
	for _, payload := range []string{
		`{"statusCode":200,"headers":{"a":"b"},"multiValueHeaders":{"A":["c",true,1]},"body":"x","isBase64Encoded":false}`,
		`{}`, `null`, `"x"`, `{"statusCode":"201"}`, `{"headers":{"\ud800":"\n"}}`, `{"a":{"b":[[[[]]]]}}`, `{"multiValueHeaders":{"a":[`, `{"body":"` + "\xff" + `"}`,
	} {
		f.Add([]byte(payload))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		before := bytes.Clone(payload)
		r, bad := parseResult(payload)
		if !bytes.Equal(before, payload) {
			t.Fatal("the payload was changed")
		}
		if bad != nil {
			if bad.text == "" || bad.fix == "" || strings.ContainsAny(bad.text+bad.fix, "\n\r\x1b") {
				t.Fatalf("%+v", bad)
			}
			return
		}
		if r.status < 200 || r.status > 599 || !utf8.ValidString(r.body) {
			t.Fatalf("%+v", r)
		}
		for _, h := range r.fields(identifiers{}) {
			if !http1.IsToken(h.name) || strings.ContainsAny(strings.Join(h.values, ""), "\r\n\x00") {
				t.Fatalf("%q: %q", h.name, h.values)
			}
		}
	})
}

// parseTarget reads every request target without a panic, and changes none of its text.
func FuzzTarget(f *testing.F) {
	for _, uri := range []string{"/a/dev/x?y", "//a//dev//x", "*", "http://h/a/dev/x", "http://h?x", "", "/", "/a", "/a/dev"} {
		f.Add(uri, "127.0.0.1:1")
		f.Add(uri, "a.localhost:1")
	}
	f.Fuzz(func(t *testing.T, uri, host string) {
		path, query := http1.SplitTarget(uri)
		got := parseTarget(path, query, host)
		if !strings.HasPrefix(got.path, "/") || strings.HasPrefix(got.path, "//") || strings.Contains(got.stage, "/") ||
			!strings.HasSuffix(path+"/", strings.TrimPrefix(got.path, "/")) && !strings.HasSuffix(path, strings.TrimPrefix(got.path, "/")) ||
			!strings.HasPrefix(got.fullPath, "/"+got.stage) {
			t.Fatalf("%q of %q is %+v", uri, host, got)
		}
		parseQuery(query)
	})
}
