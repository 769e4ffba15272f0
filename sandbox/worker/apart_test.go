package worker

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/test/depth"
)

// A text that goes apart, in the event or in the result, is the text that would be in the JSON.
func TestALongBodyGoesApartAndArrivesAsItIs(t *testing.T) {
	t.Parallel()
	bodies := map[string]string{
		"plain":       strings.Repeat("abcdefgh", 600),
		"JSON":        `{"items":["` + strings.Repeat(`a\"b\\c","`, 900) + `"]}`,
		"control":     strings.Repeat("a\x00\x1f\r\n\t\u007f\u2028", 1000),
		"characters":  strings.Repeat("äß漢😀", 1000),
		"a long one":  strings.Repeat("0123456789abcdef", 100_000),
		"a short one": "short",
		"base64":      base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\xff\x00PNG", 4000))),
		"bad base64":  strings.Repeat("abcd", 2000) + "ab=\n=",
	}
	source := `const bodies = {};
	exports.handler = async (e) => e.keep !== undefined
		? { statusCode: 200, headers: { body: "" }, "\u00fc": 1, body: e.body, isBase64Encoded: e.encoded, none: undefined }
		: { length: e.body.length, keys: Object.keys(e) }`
	for _, runtime := range []model.Runtime{model.NodeJS, model.Python} {
		f := newFacility(t, nil)
		files := map[string]string{"index.js": source}
		if runtime == model.Python {
			files = map[string]string{"index.py": `def handler(e, c):
    return {"statusCode": 200, "headers": {"body": ""}, "\u00fc": 1, "body": e["body"], "isBase64Encoded": e["encoded"]}`}
		}
		f.serve(t, runtime, files, nil)
		for name, body := range bodies {
			for way := range 8 {
				encoded, bytes, takes := way&1 != 0, way&2 != 0, way&4 != 0
				call := function.Call{Environment: "dev", Function: "items", TakesApart: takes}
				call.Payload = fmt.Appendf(nil, `{"first":"\"body\":\"\"","body":"","keep":true,"encoded":%v}`, encoded)
				call.Body = function.Apart{Text: []byte(body), At: strings.LastIndex(string(call.Payload), `""`)}
				decoded, err := base64.StdEncoding.Strict().DecodeString(body)
				isBase64 := err == nil && !strings.Contains(body, "\n")
				if bytes && !isBase64 {
					continue
				}
				if bytes {
					call.Body.Text, call.Body.Base64 = decoded, true
				}
				t.Run(fmt.Sprint(runtime, " ", name, " ", way), func(t *testing.T) {
					if name == "a long one" && way != 7 {
						depth.Gate(t)
					}
					answer, err := f.Invoke(t.Context(), call)
					if err != nil {
						t.Fatal(err)
					}
					if apart := answer.Body.Text != nil; apart != (runtime == model.NodeJS && call.TakesApart && len(body) >= function.LeastApart) {
						t.Errorf("the body came apart: %v", apart)
					}
					if want := answer.Body.Text != nil && encoded && isBase64; answer.Body.Base64 != want {
						t.Errorf("bytes came apart: %v, want %v", answer.Body.Base64, want)
					}
					var got struct {
						Body    string
						Headers map[string]string
						Ü       int
						Encoded *bool `json:"isBase64Encoded"`
					}
					whole := answer.Body.Into(answer.Payload)
					if err := json.Unmarshal(whole, &got); err != nil || got.Body != body || got.Headers["body"] != "" || got.Ü != 1 || got.Encoded == nil || *got.Encoded != encoded {
						t.Errorf("%v: the answer is %.200s", err, whole)
					}
				})
			}
		}
	}
}

func TestTheShortestTextThatGoesApartIsTheSameInNodeJS(t *testing.T) {
	t.Parallel()
	script, err := nodeSource()
	if err != nil || !strings.Contains(string(script), fmt.Sprintf("body.length < %d ", function.LeastApart)) {
		t.Errorf("%v: the script has another length than %d", err, function.LeastApart)
	}
}

func TestWhatJSONWouldSayOtherwiseDoesNotGoApart(t *testing.T) {
	t.Parallel()
	f := newFacility(t, nil)
	f.serve(t, model.NodeJS, map[string]string{"index.js": `
	const body = "x".repeat(5000);
	class Answer { constructor() { this.body = body } }
	const hidden = Object.defineProperty({ statusCode: 1 }, "body", { value: body });
	const results = [
		{ body: body + "\ud800" }, new Answer(), { body, toJSON: () => 7 }, hidden, Object.assign(Object.create({ body }), { a: 1 }),
		JSON.parse('{"__proto__":1,"body":"' + body + '"}'), body,
	];
	exports.handler = async (e) => "of" in e ? JSON.stringify(results[e.of]) : results[e.n]`}, nil)
	for n := range 7 {
		want := f.result(t, fmt.Sprintf(`{"of":%d}`, n))
		var text string
		if err := json.Unmarshal([]byte(want), &text); err != nil {
			t.Fatal(err)
		}
		answer, err := f.Invoke(t.Context(), function.Call{Environment: "dev", Function: "items", Payload: fmt.Appendf(nil, `{"n":%d}`, n), TakesApart: true})
		if err != nil || answer.Body.Text != nil || string(answer.Payload) != text {
			t.Errorf("%d: %v, apart is %.20q, the answer is %.60s, want %.60s", n, err, answer.Body.Text, answer.Payload, text)
		}
	}
}
