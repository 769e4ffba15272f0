package gateway

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// heads feeds a stream in pieces of a size and gives what was found.
func heads(stream []byte, size int) []head {
	var s scanner
	var found []head
	for len(stream) > 0 {
		n := min(size, len(stream))
		found = s.feed(stream[:n], found)
		stream = stream[n:]
	}
	return found
}

// Whatever comes down a connection, the scanner finds the requests that net/http
// finds, with the names that they were written with, in whatever pieces it comes.
func FuzzScanner(f *testing.F) {
	for _, stream := range []string{
		"GET / HTTP/1.1\r\nHost: a\r\nx-a: 1\r\n\r\nGET /2 HTTP/1.1\r\nhost: a\r\n\r\n",
		"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\n\r\nabcGET /2 HTTP/1.1\r\nhost: a\r\n\r\n",
		"POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nt: 1\r\n\r\nGET /2 HTTP/1.1\r\nhost: a\r\n\r\n",
		"POST / HTTP/1.0\r\nhost: a\r\ntransfer-encoding: chunked\r\ncontent-length: 2\r\n\r\nabGET /2 HTTP/1.0\r\nx-b: 2\r\n\r\n",
		"GET / HTTP/1.1\nhost: a\nx-folded: 1\n  x-not: 2\n\n",
		"GET / HTTP/1.1\r\nhost: a\r\ncontent-length: 99999999999999999999\r\n\r\n",
	} {
		f.Add([]byte(stream))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		found := heads(stream, len(stream)+1)
		for _, size := range []int{1, 7} {
			if pieces := heads(stream, size); !slices.EqualFunc(found, pieces, func(a, b head) bool { return a.line == b.line && slices.Equal(a.odd, b.odd) }) {
				t.Fatalf("in pieces of %d: %q, not %q", size, pieces, found)
			}
		}
		from := bufio.NewReader(bytes.NewReader(stream))
		for i := 0; ; i++ {
			q, err := http.ReadRequest(from)
			if err != nil {
				return
			}
			if i >= len(found) {
				t.Fatalf("request %d of net/http was not found", i)
			}
			h := found[i]
			if h.line != "" && !strings.HasPrefix(h.line, q.Method+" "+q.RequestURI+" ") {
				t.Fatalf("request %d is %q, not %s %s", i, h.line, q.Method, q.RequestURI)
			}
			for _, name := range h.odd {
				known := textproto.CanonicalMIMEHeaderKey(name)
				_, there := q.Header[known]
				_, trailer := q.Trailer[known]
				if !there && !trailer && known != "Host" && known != "Transfer-Encoding" && known != "Trailer" && known != "Content-Length" {
					t.Fatalf("request %d has no header %s: %q", i, name, q.Header)
				}
			}
			if _, err := io.Copy(io.Discard, q.Body); err != nil {
				return
			}
		}
	})
}

// Whatever a function returns, it is a result by the rules or is said not to be.
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
			if bad.text == "" || bad.fix == "" || strings.ContainsAny(bad.Error(), "\n\r\x1b") {
				t.Fatalf("%q", bad.Error())
			}
			return
		}
		if r.status < 200 || r.status > 599 || !utf8.ValidString(r.body) {
			t.Fatalf("%+v", r)
		}
		h := http.Header{}
		r.send(h, identifiers{})
		for name, values := range h {
			if !isToken(name) || strings.ContainsAny(strings.Join(values, ""), "\r\n\x00") {
				t.Fatalf("%q: %q", name, values)
			}
		}
	})
}

// Whatever a client writes as its target, it is read without a fault, and what
// is read is what was written.
func FuzzTarget(f *testing.F) {
	for _, uri := range []string{"/a/dev/x?y", "//a//dev//x", "*", "http://h/a/dev/x", "http://h?x", "", "/", "/a", "/a/dev"} {
		f.Add(uri, "127.0.0.1:1")
		f.Add(uri, "a.localhost:1")
	}
	f.Fuzz(func(t *testing.T, uri, host string) {
		path, query := rawPath(uri)
		got := parseTarget(path, query, host)
		if !strings.HasPrefix(got.path, "/") || strings.HasPrefix(got.path, "//") || strings.Contains(got.stage, "/") ||
			!strings.HasSuffix(path+"/", strings.TrimPrefix(got.path, "/")) && !strings.HasSuffix(path, strings.TrimPrefix(got.path, "/")) ||
			!strings.HasPrefix(got.full, "/"+got.stage) {
			t.Fatalf("%q of %q is %+v", uri, host, got)
		}
		parseQuery(query)
	})
}
