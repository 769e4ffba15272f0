package outputs

import "testing"

func TestLinesKnowTheirSectionAndHideTheKey(t *testing.T) {
	t.Parallel()
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
