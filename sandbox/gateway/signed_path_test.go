package gateway

import (
	"net/http"
	"strings"
	"testing"

	"gatewright/sandbox/signature"
)

// A signature of the normalized path is valid for the raw path only if both have the same
// route.
func TestASignatureForOnePathOpensNoOther(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		signed, sent string
		status       int
	}{
		{"/books/1", "/books/1", 200},
		{"/books/1", "//books/1", 200},
		{"/books/1", "/books//1", 200},
		{"/books/1/", "/books/1//", 200},
		{"/books//1", "/books//1", 200},
		{"/books/1", "/vault/../books/1", 403},
		{"/books/1", "/books/2/../1", 403},
		{"/books/1", "/books/./1", 403},
		{"/books", "/books/.", 403},
		{"", "/vault/..", 403},
		{"/shelf/1/key", "/shelf//1/key", 403},
		{"/shelf/1/key", "/shelf/1//key", 403},
		{"/shelf/1/key", "/shelf/1/key", 200},
		{"/books/1", "/vault/../../dev/books/1", 403},
		{"/books/...", "/books/...", 200},
		{"/books/.hidden", "/books/.hidden", 200},
	} {
		api := restrictedAPI()
		shelf, key := *api.Definition.Paths[2], *api.Definition.Paths[2]
		shelf.Name, key.Name = "/shelf", "/shelf/{id}/key"
		api.Definition.Paths = append(api.Definition.Paths, &shelf, &key)
		r := start(t, api, handler(echo), func(g *Gateway) { g.options.Identities = testPeople() })
		s := r.signedAs("ada", "GET", c.signed, "")
		s.Target = strings.TrimSuffix(s.Target, c.signed) + c.sent
		if answer := r.send(s); answer.status != c.status {
			t.Errorf("signed for %s and sent to %s: %d, not %d: %s", c.signed, c.sent, answer.status, c.status, answer.body)
		}
		if c.status == http.StatusForbidden {
			r.logged("the signature is not valid", "which is another resource; send the path that was signed")
		}
	}
}

// A path with relative segments must be signed without normalization.
func TestRelativePathsAreSignedUnnormalized(t *testing.T) {
	t.Parallel()
	r := startRestricted(t, nil)
	s := r.signedAs("emma", "GET", "/books/2/../1", "")
	if answer := r.send(s); answer.status != http.StatusForbidden || answer.get("x-amzn-ErrorType") != signature.Invalid {
		t.Errorf("signed as /books/1: %d %s", answer.status, answer.body)
	}
	body := r.send(s).body
	_, wanted, _ := strings.Cut(body, "should have been\\n'GET\\n")
	if wanted, _, _ = strings.Cut(wanted, "\\n"); !strings.HasSuffix(wanted, "/dev/books/2/../1") {
		t.Errorf("what should have been signed is %q: %s", wanted, body)
	}
}
