package function

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestATextApartHasThePlaceAndTheSizeThatItHasInJSON(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := strings.ToValidUTF8(rapid.String().Draw(t, "text")+rapid.StringOf(rapid.SampledFrom([]rune("\x00\x1f\"\\\n\t\x7fä"))).Draw(t, "more"), "")
		before, after := `{"a":"\"\"","body":`, `,"b":""}`
		a := Apart{Text: []byte(text), At: len(before), Base64: rapid.Bool().Draw(t, "base64")}
		if a.Base64 {
			text = base64.StdEncoding.EncodeToString(a.Text)
		}
		outer := []byte(before + `""` + after)
		whole := a.Into(outer)
		var got struct{ A, Body, B string }
		if err := json.Unmarshal(whole, &got); err != nil || got.Body != text || got.A != `""` {
			t.Fatalf("%v: %s", err, whole)
		}
		size := len(whole)
		if a.Exceeds(outer, size) || !a.Exceeds(outer, size-1) {
			t.Fatalf("%q is said to have another size than %d", text, size)
		}
	})
	if got := (Apart{}).Into([]byte("{}")); string(got) != "{}" {
		t.Errorf("without a text the JSON is %s", got)
	}
}
