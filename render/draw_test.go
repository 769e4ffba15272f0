package render_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// texts are JSON strings that are hard to copy into code.
var texts = []string{
	`""`, `"a"`, `"__proto__"`, `"\u005f_proto__"`, `"__pro\u0074o__"`, `"constructor"`, `"toString"`, `"length"`, `"0"`, `"01"`, `"-1"`, `"1e3"`,
	`"'''"`, `"''''"`, `"'"`, `"\"'''\\"`, `"\\"`, `"\\u0027''"`, `"\/"`, `"</script>"`, `"*/"`, `"//"`, "\"`${a}`\"", `"$a"`, `" as const;"`,
	"\"\u2028\"", "\"\u2029\u0085\"", `"\u2028"`, `"\ud83d\ude00"`, "\"\U0001F600\"", "\"\ufeff\u202e\"", `"\u0000\b\f\n\r\t"`, "\"\x7f\"",
}

var numbers = []string{"0", "-0", "1", "1.0", "10e-1", "9007199254740993", "9007199254740992", "123456789012345678901234567890", "1E+5", "1e400", "-1e400", "1e-400", "0.1", "5e-324"}

func drawSpace(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "", "", " ", "\n", "\t\r\n  "}).Draw(t, "space")
}

func drawString(t *rapid.T) string {
	if rapid.Bool().Draw(t, "listed") {
		return rapid.SampledFrom(texts).Draw(t, "string")
	}
	text, err := json.Marshal(rapid.String().Draw(t, "text"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// drawJSON draws a text of JSON.
func drawJSON(t *rapid.T, depth int) string {
	kinds := 7
	if depth > 4 {
		kinds = 5
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return "null"
	case 1:
		return fmt.Sprint(rapid.Bool().Draw(t, "truth"))
	case 2:
		return rapid.SampledFrom(numbers).Draw(t, "number")
	case 3, 4:
		return drawString(t)
	case 5:
		return drawObject(t, depth+1)
	}
	items := make([]string, rapid.IntRange(0, 4).Draw(t, "items"))
	for i := range items {
		items[i] = drawSpace(t) + drawJSON(t, depth+1) + drawSpace(t)
	}
	return "[" + strings.Join(items, ",") + drawSpace(t) + "]"
}

// drawObject draws an object with each name once.
func drawObject(t *rapid.T, depth int) string {
	var members []string
	seen := make(map[string]bool)
	for range rapid.IntRange(0, 5).Draw(t, "members") {
		text := drawString(t)
		var name string
		if err := json.Unmarshal([]byte(text), &name); err != nil {
			t.Fatal(err)
		}
		if !seen[name] {
			seen[name] = true
			members = append(members, drawSpace(t)+text+drawSpace(t)+":"+drawSpace(t)+drawJSON(t, depth+1)+drawSpace(t))
		}
	}
	return "{" + strings.Join(members, ",") + drawSpace(t) + "}"
}
