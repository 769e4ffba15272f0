package outputs

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
)

func TestEachLineKnowsItsPlace(t *testing.T) {
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
	if got := pointersOf(text); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the places are\n%q\nwant\n%q", got, want)
	}
}

func TestAnyTextHasAPlaceForEachLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.StringMatching(`[ {}\[\]:,"\\a-c1-3\n]{0,60}`), rapid.String()).Draw(t, "text")
		if pointers, lines := pointersOf(text), linesOf(text); len(pointers) != len(lines) {
			t.Fatalf("%d places of %d lines", len(pointers), len(lines))
		}
	})
}

func TestAPlaceIsNamedInTheWordsOfEachDialect(t *testing.T) {
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
	pointers := []string{"", "/a", "/a/b", "/c"}
	for pointer, want := range map[string]int{"/a": 1, "/a/b/c/d": 2, "/c/x": 3, "/d": none, "": none} {
		if got := lineAt(pointers, pointer); got != want {
			t.Errorf("%s is in line %d, want %d", pointer, got, want)
		}
	}
}
