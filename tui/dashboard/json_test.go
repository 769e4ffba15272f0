package dashboard

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/prose"
	"gatewright/tui/theme"

	"github.com/charmbracelet/x/ansi"
)

func TestNothingOfALineIsLostInColour(t *testing.T) {
	th := theme.New(theme.Dark)
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.OneOf(rapid.StringMatching(`[ {}\[\]:,"\\a-c1-3]{0,40}`), rapid.String()).Draw(t, "line")
		text := ""
		for _, part := range tokensOf(line) {
			if part.text == "" {
				t.Fatalf("%q has an empty part", line)
			}
			text += part.text
		}
		if text != line {
			t.Fatalf("%q is %q in parts", line, text)
		}
		if plain := prose.Fit(line); ansi.Strip(colour(th, plain)) != plain {
			t.Fatalf("%q is drawn as %q", plain, ansi.Strip(colour(th, plain)))
		}
	})
}

func TestPartsOfALineAreToldApart(t *testing.T) {
	var got []string
	for _, part := range tokensOf(`  "a\"b": ["c", -1.5e3, true],`) {
		got = append(got, [...]string{spaceToken: "space", markToken: "mark", keyToken: "key", stringToken: "string", wordToken: "word"}[part.kind]+" "+part.text)
	}
	want := `space   |key "a\"b"|mark :|space  |mark [|string "c"|mark ,|space  |word -1.5e3|mark ,|space  |word true|mark ]|mark ,`
	if strings.Join(got, "|") != want {
		t.Errorf("the parts are %s\nwant %s", strings.Join(got, "|"), want)
	}
}

func TestLinesKnowTheirSectionAndHideTheKey(t *testing.T) {
	text := `{
  "version": "1",
  "data": {
    "url": "u",
    "api_key": "da2-secret",
    "x": {"api_key":
      "da2-other"}
  },
  "auth": {"a": [1]},
  "data": {"api_key": "<API_KEY>", "b": 1},
  "custom": {"X-Api-Key": ["s", {"n": "s"}, 7, null], "apiKey": "", "after": "t"}
}`
	want := []string{
		"|{", `version|  "version": "1",`, `data|  "data": {`, `data|    "url": "u",`, `data|    "api_key": "<redacted>",`,
		`data|    "x": {"api_key":`, `data|      "<redacted>"}`, "data|  },", `auth|  "auth": {"a": [1]},`,
		`data|  "data": {"api_key": "<API_KEY>", "b": 1},`,
		`custom|  "custom": {"X-Api-Key": ["<redacted>", {"n": "<redacted>"}, "<redacted>", null], "apiKey": "", "after": "t"}`, "|}",
	}
	lines := linesOf(text)
	if len(lines) != len(want) {
		t.Fatalf("there are %d lines, want %d", len(lines), len(want))
	}
	for i, line := range lines {
		if got := line.section + "|" + line.text; got != want[i] {
			t.Errorf("line %d is %q, want %q", i+1, got, want[i])
		}
	}
}
