package outputs

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
)

// pointersOf are the pointers of lines.
func pointersOf(lines []*clientLine) (pointers []string) {
	for _, line := range lines {
		pointers = append(pointers, line.pointer)
	}
	return pointers
}

func TestEachLineHasItsPointer(t *testing.T) {
	t.Parallel()
	text := `{
  "version": "1",
  "a/b": {
    "list": [
      "x",
      {"deep": 1}
    ],
    "after": {}, "same": 2
  },
  "custom":
    {"x": [1,
      2], "y": 3},
  "z": null
}`
	want := []string{"", "/version", "/a~1b", "/a~1b/list", "/a~1b/list", "/a~1b/list", "/a~1b/list", "/a~1b/after", "/a~1b", "/custom", "/custom", "/custom/x", "/z", ""}
	if got := pointersOf(linesOf(text)); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the places are\n%q\nwant\n%q", got, want)
	}
}

func TestAnyTextHasAPointerForEachLine(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.StringMatching(`[ {}\[\]:,"\\a-c1-3\n]{0,60}`), rapid.String()).Draw(t, "text")
		if got, want := len(linesOf(text)), 1+strings.Count(text, "\n"); got != want {
			t.Fatalf("%d places of %d lines", got, want)
		}
	})
}

func TestAPlaceIsTranslatedIntoEachDialect(t *testing.T) {
	t.Parallel()
	for neutral, amplify := range map[string]string{
		"auth cloud_region": "auth aws_region", "analytics messaging_app app_id": "analytics amazon_pinpoint app_id",
		"custom cloud_region": "custom cloud_region", "version": "version",
	} {
		if got := strings.Join(placeIn(strings.Fields(neutral), model.Amplify), " "); got != amplify {
			t.Errorf("%s is %s, want %s", neutral, got, amplify)
		}
		if got := strings.Join(placeIn(strings.Fields(neutral), model.Neutral), " "); got != neutral {
			t.Errorf("%s is %s", neutral, got)
		}
	}
}

func TestALineIsFoundByAPlaceInIt(t *testing.T) {
	t.Parallel()
	lines := []*clientLine{{}, {pointer: "/a"}, {pointer: "/a/b"}, {pointer: "/c"}}
	for pointer, want := range map[string]int{"/a": 1, "/a/b/c/d": 2, "/c/x": 3, "/d": none, "": none} {
		if got := lineAt(lines, pointer); got != want {
			t.Errorf("%s is in line %d, want %d", pointer, got, want)
		}
	}
}
