package http1

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"strings"
	"testing"
	"testing/iotest"
)

// request is what a stream has, one after another.
type request struct {
	Head
	fields []Field
	body   string
}

// readAll reads requests until one cannot be read, and why.
func readAll(source io.Reader) (all []request, err error) {
	r := NewReader(source, 64<<10)
	for {
		if err := r.Await(); err != nil {
			return all, err
		}
		var q request
		if err := r.Head(&q.Head); err != nil {
			return all, err
		}
		body, err := io.ReadAll(r)
		if err != nil {
			return all, err
		}
		q.body, q.fields = string(body), append(q.fields, q.Fields...)
		all = append(all, q)
	}
}

func TestRequestsAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	stream := "GET /a%2F//b?x=1 HTTP/1.1\r\nhost: a\r\nX-One:  1 \t\r\nx-one: two\r\n\r\n" +
		"\r\nPOST / HTTP/1.1\nHost: a\ncontent-LENGTH: 3\n\nabc" +
		"PUT * HTTP/1.1\r\nHost: [::1]:80\r\nTransfer-Encoding: Chunked\r\nExpect: 100-Continue\r\n\r\n3;x=y\r\nabc\r\n0A \r\n0123456789\r\n0\r\nt: 1\r\n\r\n" +
		"GET http://h/x HTTP/1.0\r\nConnection: upgrade, Keep-Alive\r\n\r\n" +
		"DELETE /é HTTP/1.1\r\nHost:\r\nContent-Length: 2\r\nContent-Length: 2\r\nConnection: close\r\n\r\nxy"
	want := []request{
		{Head{Method: "GET", Target: "/a%2F//b?x=1", Host: "a", Size: 34}, []Field{{"host", "a"}, {"X-One", "1"}, {"x-one", "two"}}, ""},
		{Head{Method: "POST", Target: "/", Host: "a", Size: 26, BareLineFeeds: true, Length: 3}, []Field{{"Host", "a"}, {"content-LENGTH", "3"}}, "abc"},
		{Head{Method: "PUT", Target: "*", Host: "[::1]:80", Size: 66, Length: -1, Continue: true}, []Field{{"Host", "[::1]:80"}, {"Transfer-Encoding", "Chunked"}, {"Expect", "100-Continue"}}, "abc0123456789"},
		{Head{Method: "GET", Target: "http://h/x", Size: 33, Old: true}, []Field{{"Connection", "upgrade, Keep-Alive"}}, ""},
		{Head{Method: "DELETE", Target: "/é", Size: 64, Length: 2, Close: true}, []Field{{"Host", ""}, {"Content-Length", "2"}, {"Content-Length", "2"}, {"Connection", "close"}}, "xy"},
	}
	for name, source := range map[string]io.Reader{
		"at once": strings.NewReader(stream), "byte by byte": iotest.OneByteReader(strings.NewReader(stream)),
		"in halves": iotest.HalfReader(strings.NewReader(stream)),
	} {
		all, err := readAll(source)
		if !errors.Is(err, io.EOF) {
			t.Errorf("%s: %v", name, err)
		}
		for i := range want {
			want[i].Fields = nil
			if i >= len(all) {
				t.Errorf("%s: request %d is missing", name, i+1)
				continue
			}
			all[i].Fields = nil
			if got, want := fmt.Sprintf("%+v", all[i]), fmt.Sprintf("%+v", want[i]); got != want {
				t.Errorf("%s: request %d is\n%s\nwant\n%s", name, i+1, got, want)
			}
		}
	}
}

func TestAHeadSaysItsSizeAndWhetherLinesEndInABareLineFeed(t *testing.T) {
	t.Parallel()
	for stream, want := range map[string]Head{
		"GET /long?target HTTP/1.0\r\n\r\n":                           {},
		"GET / HTTP/1.1\r\nHost: a\r\nx:   1 \r\n\r\n":                {Size: len("Host: a\r\nx:   1 \r\n")},
		"GET / HTTP/1.1\nHost: a\n\n":                                 {Size: len("Host: a\n"), BareLineFeeds: true},
		"GET / HTTP/1.1\nHost: a\r\n\r\n":                             {Size: len("Host: a\r\n"), BareLineFeeds: true},
		"GET / HTTP/1.1\r\nx: 1\nHost: a\r\n\r\n":                     {Size: len("x: 1\nHost: a\r\n"), BareLineFeeds: true},
		"GET / HTTP/1.1\r\nHost: a\r\n\n":                             {Size: len("Host: a\r\n"), BareLineFeeds: true},
		"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n\n\n": {Size: len("Host: a\r\nContent-Length: 2\r\n")},
	} {
		var got Head
		r := NewReader(strings.NewReader(stream), 64<<10)
		if err := r.Await(); err != nil {
			t.Fatal(err)
		}
		if err := r.Head(&got); err != nil {
			t.Errorf("%q: %v", stream, err)
		}
		if got.Size != want.Size || got.BareLineFeeds != want.BareLineFeeds {
			t.Errorf("%q: size %d, bare %v", stream, got.Size, got.BareLineFeeds)
		}
	}
}

func TestWhatCouldBeReadInTwoWaysIsRefused(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		stream string
		status int
	}{
		{"\x16\x03\x01\x02\x00", 400},
		{"GET /x\r\n\r\n", 400},
		{"GET  /x HTTP/1.1\r\nHost: a\r\n\r\n", 400},
		{"GET /x HTTP/1.1 \r\nHost: a\r\n\r\n", 400},
		{"GET /x\ty HTTP/1.1\r\nHost: a\r\n\r\n", 400},
		{"GET /x HTTP/2.0\r\nHost: a\r\n\r\n", 505},
		{"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
		{"GET /x XTTP/1.1\r\nHost: a\r\n\r\n", 400},
		{"GET /x HTTP/1.1\r\n\r\n", 400},
		{"GET /x HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400},
		{"GET /x HTTP/1.1\r\nHost: a b\r\n\r\n", 400},
		{"GET /x HTTP/1.1\r\nHost: a/b\r\n\r\n", 400},
		{"GET /x HTTP/1.1\r\nHost: a\r\nx : 1\r\n\r\n", 400},
		{"GET /x HTTP/1.1\r\nHost: a\r\n: 1\r\n\r\n", 400},
		{"GET /x HTTP/1.1\r\nHost: a\r\nx\r\n\r\n", 400},
		{"GET /x HTTP/1.1\r\nHost: a\r\nx: 1\r\n folded\r\n\r\n", 400},
		{"GET /x HTTP/1.1\r\nHost: a\r\nx: a\rb\r\n\r\n", 400},
		{"GET /x HTTP/1.1\r\nHost: a\r\nx: a\x00b\r\n\r\n", 400},
		{"POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400},
		{"POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n", 400},
		{"POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n", 400},
		{"POST /x HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n", 400},
		{"POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 400},
		{"POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
		{"POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501},
		{"POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 501},
		{"POST /x HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
		{"POST /x HTTP/1.1\r\nHost: a\r\nExpect: much\r\n\r\n", 417},
		{"GET /x HTTP/1.1\r\nHost: a\r\nx: " + strings.Repeat("x", 70<<10), 431},
		{"GET /x HTTP/1.1\r\nHost: a\r\nx: " + strings.Repeat("x", 70<<10) + "\r\n\r\n", 431},
		{"GET /x HTTP/1.1\r\nHost: a\r\n" + strings.Repeat("x: 1\r\n", 1001) + "\r\n", 431},
		{"POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", 400},
		{"POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", 400},
		{"POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1 0\r\na\r\n0\r\n\r\n", 400},
		{"POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1 ;x\r\na\r\n0\r\n\r\n", 400},
		{"POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", 400},
		{"POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", 400},
		{"POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n", 400},
		{"POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;" + strings.Repeat("x", 9000), 400},
		{"POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + strings.Repeat("t: 1234567890123456789012345678901234567890\r\n", 2000), 400},
	} {
		_, err := readAll(strings.NewReader(row.stream))
		var fault *Error
		if !errors.As(err, &fault) || fault.Status != row.status {
			t.Errorf("%.80q: %v, want %d", row.stream, err, row.status)
		}
	}
}

func TestWhatBreaksOffIsToldApartFromTheEnd(t *testing.T) {
	t.Parallel()
	whole := "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
	for cut := 1; cut < len(whole); cut++ {
		if _, err := readAll(strings.NewReader(whole[:cut])); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("after %q: %v", whole[:cut], err)
		}
	}
	if all, err := readAll(strings.NewReader(whole)); len(all) != 1 || !errors.Is(err, io.EOF) {
		t.Errorf("%v, %v", all, err)
	}
}

// Whatever comes down a connection: what is read here is what net/http reads, in
// whatever pieces it comes, so that no second reader sees other requests.
func FuzzReader(f *testing.F) {
	for _, stream := range []string{
		"GET / HTTP/1.1\r\nHost: a\r\nx-a: 1\r\n\r\nGET /2 HTTP/1.1\r\nhost: a\r\n\r\n",
		"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\n\r\nabcGET /2 HTTP/1.1\r\nhost: a\r\n\r\n",
		"POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nt: 1\r\n\r\nGET /2 HTTP/1.1\r\nhost: a\r\n\r\n",
		"POST / HTTP/1.0\r\nhost: a\r\ncontent-length: 2\r\n\r\nabGET /2 HTTP/1.0\r\nx-b: 2\r\n\r\n",
		"GET / HTTP/1.1\nhost: a\nx: 1\n\n",
		"POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n1;" + strings.Repeat("x", 5000) + "\r\na\r\n0\r\n\r\n",
	} {
		f.Add([]byte(stream))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		found, err := readAll(bytes.NewReader(stream))
		pieces, other := readAll(iotest.OneByteReader(bytes.NewReader(stream)))
		if fmt.Sprintf("%+v %v", found, err) != fmt.Sprintf("%+v %v", pieces, other) {
			t.Fatalf("byte by byte: %+v %v, at once: %+v %v", pieces, other, found, err)
		}
		from := bufio.NewReader(bytes.NewReader(stream))
		for i, mine := range found {
			// net/http forgives fewer empty lines.
			for next, _ := from.Peek(1); len(next) > 0 && (next[0] == '\r' || next[0] == '\n'); next, _ = from.Peek(1) {
				from.Discard(1)
			}
			q, err := http.ReadRequest(from)
			if err != nil {
				// It looks into what is opaque here.
				for _, known := range []string{"invalid URI", "parse ", "invalid method", "malformed HTTP version", "invalid URL", "net/url", "message cannot contain multiple Content-Length", "malformed Host"} {
					if strings.Contains(err.Error(), known) {
						return
					}
				}
				t.Fatalf("request %d: %v, here %+v", i, err, mine)
			}
			body, err := io.ReadAll(q.Body)
			if err != nil {
				t.Fatalf("request %d: %v, here %+v", i, err, mine)
			}
			if q.Method != mine.Method || q.RequestURI != mine.Target || string(body) != mine.body {
				t.Fatalf("request %d is %+v, %q, here %+v", i, q, body, mine)
			}
			values := map[string][]string{}
			for _, field := range mine.fields {
				name := textproto.CanonicalMIMEHeaderKey(field.Name)
				values[name] = append(values[name], field.Value)
			}
			for name, want := range q.Header {
				if fmt.Sprint(values[name]) != fmt.Sprint([]string(want)) && name != "Content-Length" && name != "Cache-Control" {
					t.Fatalf("request %d: %s is %q, here %q", i, name, want, values[name])
				}
			}
		}
	})
}

func BenchmarkHead(b *testing.B) {
	raw := []byte("GET /a1b2c3d4e5/dev/items?limit=3 HTTP/1.1\r\nHost: 127.0.0.1:4280\r\nUser-Agent: benchmark\r\nAccept: */*\r\naccept-language: en\r\nX-Request: 1\r\n\r\n")
	source := bytes.NewReader(raw)
	b.Run("net/http", func(b *testing.B) {
		b.ReportAllocs()
		from := bufio.NewReader(source)
		for b.Loop() {
			source.Reset(raw)
			from.Reset(source)
			if _, err := http.ReadRequest(from); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("here", func(b *testing.B) {
		b.ReportAllocs()
		r, h := NewReader(source, 64<<10), &Head{}
		for b.Loop() {
			source.Reset(raw)
			if err := errors.Join(r.Await(), r.Head(h)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
