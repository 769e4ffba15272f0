package inspect

import (
	"slices"
	"testing"
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
