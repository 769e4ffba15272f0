package prose

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNothingOfALineIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.OneOf(rapid.StringMatching(`[ {}\[\]:,"\\a-c1-3]{0,40}`), rapid.String()).Draw(t, "line")
		text := ""
		for _, part := range JSONLexemes(line) {
			if part.Text == "" {
				t.Fatalf("%q has an empty part", line)
			}
			text += part.Text
		}
		if text != line {
			t.Fatalf("%q is %q in parts", line, text)
		}
	})
}

func TestPartsOfALineAreToldApart(t *testing.T) {
	var got []string
	for _, part := range JSONLexemes(`  "a\"b": ["c", -1.5e3, true],`) {
		got = append(got, [...]string{JSONSpace: "space", JSONMark: "mark", JSONKey: "key", JSONString: "string", JSONWord: "word"}[part.Kind]+" "+part.Text)
	}
	want := `space   |key "a\"b"|mark :|space  |mark [|string "c"|mark ,|space  |word -1.5e3|mark ,|space  |word true|mark ]|mark ,`
	if strings.Join(got, "|") != want {
		t.Errorf("the parts are %s\nwant %s", strings.Join(got, "|"), want)
	}
}
