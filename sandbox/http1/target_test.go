package http1

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

func TestATargetIsSplitWithoutItsSchemeAndHost(t *testing.T) {
	t.Parallel()
	for target, want := range map[string][2]string{
		"/a/b":                 {"/a/b", ""},
		"/a?b=1?c":             {"/a", "b=1?c"},
		"/?":                   {"/", ""},
		"http://h:80/a%2F?b=1": {"/a%2F", "b=1"},
		"http://h?b=/1":        {"", "b=/1"},
		"http://h":             {"", ""},
		"*":                    {"", ""},
		"h:443":                {"", ""},
		"":                     {"", ""},
	} {
		if path, query := SplitTarget(target); path != want[0] || query != want[1] {
			t.Errorf("%s is %q and %q, want %q", target, path, query, want)
		}
	}
}

func TestParametersAreDecodedInTheirOrder(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"":                     "",
		"b=2&a=1&b=3":          "b=2|a=1|b=3",
		"&a&&=1&":              "a=|=1",
		"a+b=c%20d%2B%41":      "a b=c d+A",
		"a=1=2":                "a=1=2",
		"a=%&b=%4&c=%zz&d=%4g": "a=%|b=%4|c=%zz|d=%4g",
		"%C3%A9=%ff":           "é=\xff",
	} {
		var got []string
		for name, value := range Parameters(query) {
			got = append(got, name+"="+value)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s is %q, want %s", query, got, want)
		}
	}
	for name := range Parameters("a=1&b=2") {
		if name != "a" {
			t.Errorf("after the first one there came %s", name)
		}
		break
	}
}

func TestAHeaderIsFoundWhateverTheCaseOfItsName(t *testing.T) {
	t.Parallel()
	h := Head{Fields: []Field{{"X-A", "1"}, {"x-ab", "2"}, {"x-a", "3"}}}
	if got := Values(h.Fields, "x-A"); !slices.Equal(got, []string{"1", "3"}) || h.Get("x-a") != "1" || h.Get("X-AB") != "2" || h.Get("x") != "" || Values(h.Fields, "x") != nil {
		t.Errorf("the values are %q", got)
	}
}

// What follows the chunks is held to the rules of a head, since another reader may take it for one.
func TestWhatIsBetweenAndAfterChunksIsRead(t *testing.T) {
	t.Parallel()
	const head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
	for body, want := range map[string]string{
		"3\r\nabc\r\n0\r\n\r\n":                   `"abc" <nil>`,
		"3\r\nabc\r\n0\r\nA: 1\r\nb:\r\n\r\n":     `"abc" <nil>`,
		"3\r\nabc\r\n0\r\nno trailer\r\n\r\n":     `"abc" a trailer is malformed`,
		"3\r\nabc\r\n0\r\n: 1\r\n\r\n":            `"abc" a trailer is malformed`,
		"3\r\nabc\r\n0;a=\x01\r\n\r\n":            `"abc" a line between chunks is malformed`,
		"3\r\nabcd\r\n0\r\n\r\n":                  `"abc" a chunk is longer than its size`,
		"x\r\nabc\r\n0\r\n\r\n":                   `"" the size of a chunk is malformed`,
		"0000000000000000000000003\r\nabc\r\n0\r": `"" the size of a chunk is malformed`,
	} {
		r := NewReader(strings.NewReader(head+body), 64<<10)
		var h Head
		if err := r.Await(); err != nil {
			t.Fatal(err)
		}
		if err := r.Head(&h); err != nil || !r.Unread() {
			t.Fatal(err, r.Unread())
		}
		read, err := io.ReadAll(r)
		if got := fmt.Sprintf("%q %v", read, err); got != want {
			t.Errorf("%q is %s, want %s", body, got, want)
		} else if n, again := r.Read(make([]byte, 1)); err == nil && (n != 0 || again != io.EOF || r.Unread()) {
			t.Errorf("after the end of %q: %d, %v, %t", body, n, again, r.Unread())
		}
	}
}
