package board

import (
	"strings"
	"testing"

	"gatewright/model/access"
)

func TestPathsAreSortedAsRequestsAreMatched(t *testing.T) {
	t.Parallel()
	names := []string{"/{proxy+}", "/b", "/a/{id}/x", "/a-b", "/", "/a", "/a/{id}", "/a/z", "/{any}"}
	var paths []*access.Path
	for _, name := range names {
		paths = append(paths, &access.Path{Name: name})
	}
	var got []string
	for _, p := range InOrder(paths) {
		got = append(got, p.Name)
	}
	if want := "/ /a /a/z /a/{id} /a/{id}/x /a-b /b /{any} /{proxy+}"; strings.Join(got, " ") != want {
		t.Errorf("the order is %s, want %s", strings.Join(got, " "), want)
	}
}
