package gateway

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"gatewright/model"
	"gatewright/sandbox/traffic"
	"gatewright/test/depth"
)

// withDecoded are a text and what it has in base64, wherever that begins.
func withDecoded(text string) string {
	all := text
	for _, part := range regexp.MustCompile(`[A-Za-z0-9+/]{8,}`).FindAllString(text, -1) {
		for from := range 4 {
			plain, _ := base64.RawStdEncoding.DecodeString(part[from:])
			all += "\n" + string(plain)
		}
	}
	return all
}

func TestNoSecretInBase64IsRemembered(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	const password, cookie, known = "hunter2-hunter2", "session-0123456789", "known-to-the-sandbox"
	token := "eyJhbGciOiJub25lIn0.eyJzdWIiOiJlbW1hIn0.c2lnbmF0dXJl"
	short := `{"password":"` + password + `","note":"` + token + `","again":"` + cookie + `","own":"` + known + `"}`
	// The cut of the kept beginning lies in the middle of the password.
	const head = `{"title":"","password":"hunter2`
	cut := func(limit int) string {
		return `{"title":"` + strings.Repeat("a", limit-len(head)) + `",` + short[1:len(short)-1] + `,"rest":"` + strings.Repeat("b", limit) + `"}`
	}
	for name, body := range map[string]string{
		"short": short, "cut as text": cut(traffic.MostKept), "cut as base64": cut(traffic.MostKept / 4 * 3),
		"no UTF-8": "\xff&password=" + password + "&note=" + token + "&own=" + known + "&again=" + cookie,
	} {
		for _, types := range [][]string{{model.AllMediaTypes}, {"image/png"}, nil} {
			if types == nil && utf8.ValidString(body) {
				continue // as with image/png
			}
			r := start(t, withBinary(types...), encoded(body, "application/json"), recorded)
			r.gateway.options.Logs.Redact([]string{known})
			lines := []string{"Cookie: " + cookie, "Content-Type: application/json"}
			all := base64.StdEncoding.EncodeToString([]byte(body))
			for _, accept := range []string{"image/png", "text/html"} {
				answer := r.call("POST", "/items", body, append(lines, "Accept: "+accept)...)
				if answer.status != 200 || answer.body != body && answer.body != all {
					t.Errorf("%s with %q: %d %.80q", name, types, answer.status, answer.body)
				}
			}
			r.call("POST", "/items", all, lines...)
			r.call("POST", "/secret", body, lines...)
			if _, err := r.gateway.Test(t.Context(), Request{Environment: "dev", Label: "shop", Method: "POST", Path: "/items", Headers: http.Header{"Cookie": {cookie}}, Body: []byte(body)}); err != nil {
				t.Fatal(err)
			}
			for _, d := range r.details(5) {
				text, err := json.Marshal(d)
				if err != nil {
					t.Fatal(err)
				}
				kept := withDecoded(string(text))
				for _, secret := range []string{password[:7], token[:12], cookie[:9], known[:9]} {
					if at := strings.Index(kept, secret); at >= 0 {
						t.Errorf("%s with %q: %s keeps %q", name, types, d.Target, kept[max(0, at-60):min(len(kept), at+60)])
					}
				}
				if d.Function != "" && (d.Result == "" || d.AnswerBody == "" || d.Body == "" || d.Event == "") || len(d.Left) == 0 {
					t.Errorf("%s with %q: it is remembered as %.400s", name, types, text)
				}
			}
		}
	}
}

func TestAResultInBase64StaysWhatItIs(t *testing.T) {
	t.Parallel()
	const body = `{"token":"0123456789","title":"Emma"}`
	r := start(t, withBinary("image/png"), encoded(body, "application/json"), recorded)
	r.call("GET", "/items", "", "Accept: text/html")
	d := r.details(1)[0]
	var result struct{ Body string }
	if err := json.Unmarshal([]byte(d.Result), &result); err != nil {
		t.Fatal(err)
	}
	for what, kept := range map[string]string{"result": result.Body, "answer": d.AnswerBody} {
		plain, err := base64.StdEncoding.DecodeString(kept)
		if want := `{"token":"` + model.Redacted + `","title":"Emma"}`; err != nil || string(plain) != want {
			t.Errorf("the %s is kept as %s (%v), want %s", what, plain, err, want)
		}
	}
	if d.AnswerBase64 || len(d.Left) != 1 || d.Left[0] != `the value of the field token` {
		t.Errorf("in base64 %v, left are %q", d.AnswerBase64, d.Left)
	}
}
