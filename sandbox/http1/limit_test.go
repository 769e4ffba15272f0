package http1

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestAHeadMayBeAsLongAsItsLimit(t *testing.T) {
	t.Parallel()
	const longest = 64 << 10
	long := func(size int) string {
		const begin, end = "GET /x HTTP/1.1\r\nHost: a\r\nx: ", "\r\n\r\n"
		return begin + strings.Repeat("x", size-len(begin)-len(end)) + end
	}
	const chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
	for name, test := range map[string]struct {
		stream string
		status int
	}{
		"a head":             {long(longest), 0},
		"a longer head":      {long(longest + 1), 431},
		"1000 headers":       {"GET /x HTTP/1.1\r\nHost: a\r\n" + strings.Repeat("x: 1\r\n", 999) + "\r\n", 0},
		"1001 headers":       {"GET /x HTTP/1.1\r\nHost: a\r\n" + strings.Repeat("x: 1\r\n", 1000) + "\r\n", 431},
		"a size of a chunk":  {chunked + "1;" + strings.Repeat("x", usualBuffer-3) + "\r\na\r\n0\r\n\r\n", 0},
		"a longer one":       {chunked + "1;" + strings.Repeat("x", usualBuffer-1) + "\r\na\r\n0\r\n\r\n", 400},
		"digits of a chunk":  {chunked + "000000000000001\r\na\r\n0\r\n\r\n", 0},
		"one digit too many": {chunked + "0000000000000001\r\na\r\n0\r\n\r\n", 400},
		"trailers":           {chunked + "0\r\n" + strings.Repeat("t:"+strings.Repeat("x", 1022)+"\r\n", 64) + "\r\n", 0},
		"longer trailers":    {chunked + "0\r\n" + strings.Repeat("t:"+strings.Repeat("x", 1022)+"\r\n", 64) + "t:\r\n\r\n", 400},
	} {
		all, err := readAll(strings.NewReader(test.stream))
		var fault *Error
		if test.status == 0 && (len(all) != 1 || !errors.Is(err, io.EOF)) || test.status != 0 && (!errors.As(err, &fault) || fault.Status != test.status) {
			t.Errorf("%s: %d requests, %v", name, len(all), err)
		}
	}
	// The limit of trailers is that of each request.
	trailers := chunked + "0\r\n" + strings.Repeat("t:"+strings.Repeat("x", 1022)+"\r\n", 64) + "\r\n"
	if all, err := readAll(strings.NewReader(trailers + trailers)); len(all) != 2 || !errors.Is(err, io.EOF) {
		t.Errorf("%d requests with trailers, %v", len(all), err)
	}
}

func TestAConnectionStaysAsItsClientAsks(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]Head{
		"GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade,\tCLOSE\r\n\r\n":        {Close: true},
		"GET / HTTP/1.1\r\nHost: a\r\nConnection: closed\r\n\r\n":                 {},
		"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nConnection: x\r\n\r\n": {Close: true},
		"GET / HTTP/1.0\r\n\r\n":                                                         {Close: true, Old: true},
		"GET / HTTP/1.0\r\nConnection: close, keep-alive\r\n\r\n":                        {Close: true, Old: true},
		"GET / HTTP/1.0\r\nConnection: keep-alive\r\nConnection: x\r\n\r\n":              {Old: true},
		"POST / HTTP/1.0\r\nExpect: 100-continue\r\nConnection: keep-alive\r\n\r\n":      {Old: true},
		"POST / HTTP/1.1\r\nHost: a\r\nEXPECT: 100-continue\r\nContent-Length:0\r\n\r\n": {Continue: true},
		"GET / HTTP/1.1\r\nHosts: b\r\nHost: a\r\nConnections: close\r\n\r\n":            {},
	} {
		var got Head
		r := NewReader(strings.NewReader(head), 64<<10)
		if err := errors.Join(r.Await(), r.Head(&got)); err != nil {
			t.Errorf("%q: %v", head, err)
		}
		if got.Close != want.Close || got.Old != want.Old || got.Continue != want.Continue {
			t.Errorf("%q: close %v, old %v, continue %v", head, got.Close, got.Old, got.Continue)
		}
	}
}

func TestAHostHasOnlyWhatAnAddressMayHave(t *testing.T) {
	t.Parallel()
	for host, good := range map[string]bool{
		"": true, "a-b.c_d:80": true, "[fe80::1%25en0]:80": true, "a!$&'()*+,;=~": true, "u@h": true, "%41": true,
		"a/b": false, "a?b": false, "a#b": false, "a b": false, "a^b": false, "a`b": false, "a|b": false, `a\b`: false, `a"b`: false, "a<b": false, "a{b": false, "é": false,
	} {
		_, err := readAll(strings.NewReader("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
		if errors.Is(err, io.EOF) != good {
			t.Errorf("the host %q: %v", host, err)
		}
	}
}

func TestABodyIsUnreadUntilItsEnd(t *testing.T) {
	t.Parallel()
	for stream, size := range map[string]int{
		"GET / HTTP/1.1\r\nHost: a\r\n\r\n":                                                              0,
		"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc":                                     3,
		"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n": 3,
	} {
		r := NewReader(strings.NewReader(stream), 64<<10)
		var h Head
		if err := errors.Join(r.Await(), r.Head(&h)); err != nil {
			t.Fatal(err)
		}
		for n := range size {
			if !r.Unread() {
				t.Errorf("%q: its body is read after %d bytes", stream, n)
			}
			if _, err := io.ReadFull(r, make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
		}
		if n, err := r.Read(nil); n != 0 || err != nil {
			t.Errorf("%q: reading nothing: %d, %v", stream, n, err)
		}
		if n, err := r.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) || r.Unread() {
			t.Errorf("%q: at its end: %d, %v, unread %v", stream, n, err, r.Unread())
		}
	}
}
