package call_test

import (
	"net/http"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/sandbox"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/identitypool"
)

func TestOnlyCharactersThatURLsDoNotAllowAreEncoded(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, path, query string }{
		{"/books", "/books", ""},
		{"/books/a b?x=1&y=a+b", "/books/a%20b", "x=1&y=a+b"},
		{"/news/a%2Fb/%41 {x}", "/news/a%2Fb/%41%20%7Bx%7D", ""},
		{"/a/../b//c/.", "/a/../b//c/.", ""},
		{"/é?q=é\"#", "/%C3%A9", "q=%C3%A9%22%23"},
	} {
		path, query, err := call.Target(tt.text)
		if err != nil || path != tt.path || query != tt.query {
			t.Errorf("%q: %q %q %v, want %q %q", tt.text, path, query, err, tt.path, tt.query)
		}
	}
	for _, text := range []string{"", "books", "/a%zz", "/a\x1b[2J"} {
		if path, _, err := call.Target(text); err == nil {
			t.Errorf("%q is the path %q", text, path)
		} else if strings.Contains(err.Error(), "\x1b") {
			t.Errorf("the error has an escape sequence: %q", err)
		}
	}
}

func TestReadingATargetAgainChangesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		path, query, err := call.Target("/" + rapid.String().Draw(r, "text"))
		if err != nil {
			return
		}
		target := path
		if query != "" {
			target += "?" + query
		}
		again, rest, err := call.Target(target)
		if err != nil || again != path || rest != query {
			t.Fatalf("%q is %q and %q, %v", target, again, rest, err)
		}
	})
}

func TestASegmentDoesNotDivideAPath(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		if segment := call.Segment(rapid.String().Draw(r, "text")); strings.ContainsAny(segment, "/?# ") {
			t.Fatalf("%q divides a path", segment)
		}
	})
}

func TestHeaderLinesAreRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"X-Trace: 1": "X-Trace=1", "x:a:b ": "x=a:b", "X-Empty:": "X-Empty="} {
		if name, value, ok := call.Header(text); !ok || name+"="+value != want {
			t.Errorf("%q: %q %q %v", text, name, value, ok)
		}
	}
	for _, text := range []string{"", "X", ": 1", "X Y: 1", "X: 1\r\nY: 2", "X: \x00"} {
		if name, value, ok := call.Header(text); ok {
			t.Errorf("%q is the header %q: %q", text, name, value)
		}
	}
}

// A system takes no argument of any length, but a pipe does.
func TestALongBodyIsNoArgumentOfACommand(t *testing.T) {
	t.Parallel()
	request := call.Request{Method: "PUT", Path: "/b", Body: []byte(strings.Repeat("x", 200_000))}
	for _, request.Test = range []bool{false, true} {
		if got, _ := call.Curl(sandbox.ServedAPI{}, request); !strings.HasPrefix(got, "printf 'x") {
			t.Errorf("a test %v: %.60s", request.Test, got)
		}
	}
}

// The commands themselves are compared here; the package request runs them with curl.
func TestCommandsOfRequests(t *testing.T) {
	t.Parallel()
	api := sandbox.ServedAPI{Environment: "dev", Label: "shop", Endpoint: "http://127.0.0.1:4280/abc/dev"}
	for _, tt := range []struct {
		name    string
		request call.Request
		want    string
	}{
		{"a GET", call.Request{Method: "GET", Path: "/books"}, "curl http://127.0.0.1:4280/abc/dev/books"},
		{"HEAD", call.Request{Method: "HEAD", Path: "/books"}, "curl --head http://127.0.0.1:4280/abc/dev/books"},
		{
			"a body",
			call.Request{Method: "POST", Path: "/books", Headers: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{"by": "o'hara"}`)},
			`curl -X POST http://127.0.0.1:4280/abc/dev/books -H 'Content-Type: application/json' --data-raw '{"by": "o'\''hara"}'`,
		},
		{"a body without a type", call.Request{Method: "PUT", Path: "/b", Body: []byte("x")}, "curl -X PUT http://127.0.0.1:4280/abc/dev/b -H 'Content-Type:' --data-raw x"},
		{"bytes", call.Request{Method: "PUT", Path: "/b", Body: []byte("\x00%'")}, `printf '\000\045\047' | curl -X PUT http://127.0.0.1:4280/abc/dev/b -H 'Content-Type:' --data-binary @-`},
		{"bytes like an option", call.Request{Method: "PUT", Path: "/b", Body: []byte("--b\r\n")}, `printf '\055-b\015\012' | curl -X PUT http://127.0.0.1:4280/abc/dev/b -H 'Content-Type:' --data-binary @-`},
		{"dots and brackets", call.Request{Method: "GET", Path: "/a/../[1]", Query: "x=$HOME"}, "curl --globoff --path-as-is 'http://127.0.0.1:4280/abc/dev/a/../[1]?x=$HOME'"},
		{"a user", call.Request{Method: "GET", Path: "/b", As: &identitypool.Signer{User: "o'hara $x"}}, `curl http://127.0.0.1:4280/abc/dev/b -H "Authorization: Bearer $(gatewright token --env dev -- 'o'\''hara $x')"`},
		{"a guest", call.Request{Method: "GET", Path: "/b", As: &identitypool.Signer{Guest: true}}, "curl http://127.0.0.1:4280/abc/dev/b"},
		{"a signed-in user", call.Request{Method: "GET", Path: "/b", As: &identitypool.Signer{AnyUser: true}}, "gatewright call GET /b --env dev --api shop --as authenticated"},
		{"a member", call.Request{Method: "GET", Path: "/b", As: &identitypool.Signer{Group: "Ed itors"}}, "gatewright call GET /b --env dev --api shop --as 'group:Ed itors'"},
		{"a test", call.Request{Method: "GET", Path: "/b", Query: "a=1&b", Test: true}, "gatewright call GET '/b?a=1&b' --env dev --api shop --test"},
		{"a body like the name of a file", call.Request{Method: "POST", Path: "/b", Body: []byte("@x"), Test: true}, `printf '@x' | gatewright call POST /b --env dev --api shop --test --data -`},
	} {
		if got, _ := call.Curl(api, tt.request); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}
