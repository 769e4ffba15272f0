package inspect

import (
	"slices"
	"testing"

	"gatewright/model/access"
)

func TestFilesThatAreComparedAsOneAreToldAsOne(t *testing.T) {
	t.Parallel()
	few, many := map[string]string{"src/index.js": "1", "src/a.js": "2"}, map[string]string{".": "3"}
	for _, tt := range []struct {
		a, b map[string]string
		want []string
	}{
		{few, map[string]string{"src/index.js": "1", "src/b.js": "2"}, []string{"src/a.js", "src/b.js"}},
		{few, many, []string{"."}},
		{many, few, []string{"."}},
		{many, map[string]string{".": "4"}, []string{"."}},
		{many, many, nil},
	} {
		if got := otherFiles(tt.a, tt.b); !slices.Equal(got, tt.want) {
			t.Errorf("of %v and %v differ %q", tt.a, tt.b, got)
		}
	}
	if text := filesText(otherFiles(few, many)); text != "of many files" {
		t.Errorf("it says %q", text)
	}
}

func TestTheReservedPathIsBehindTheRootThatMatchesTheSame(t *testing.T) {
	t.Parallel()
	open := func(name string) *access.Path {
		return &access.Path{Name: name, Function: "f", Access: access.Access{Setting: access.Open}}
	}
	for _, paths := range [][]*access.Path{{open(access.ProxyPath), open("/"), open("/a")}, {open("/a"), open("/"), open(access.ProxyPath)}} {
		routes, remarks := routesOf(access.Gate{}, &access.API{Label: "shop", Paths: paths})
		var got []string
		for _, r := range routes {
			got = append(got, r.Path+" "+r.Resource)
		}
		if want := []string{"/ /", "/a /a", "/a /a/{proxy+}", "/ /{proxy+}"}; !slices.Equal(got, want) {
			t.Errorf("the routes are %q", got)
		}
		if want := []string{"/a and /a/1 go to /a and not to /", "/{proxy+} is never reached: /{proxy+} of the path / matches the same requests"}; !slices.Equal(remarks, want) {
			t.Errorf("the remarks are %q", remarks)
		}
	}
}
