package traffic_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"gatewright/sandbox/function"
	"gatewright/sandbox/traffic"
	"gatewright/test/depth"
)

const (
	password = "hunter2-hunter2"
	token    = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJlbW1hIn0.c2lnbmF0dXJl"
	known    = "known-to-the-sandbox"
)

// begins are the first characters of the secrets: nothing may be kept of one that is cut.
var begins = []string{password[:6], token[:6], known[:6]}

func hideKnown(text string) string { return strings.ReplaceAll(text, known, "<redacted>") }

// readable are a text and what is in it in base64, wherever it begins, and so on.
func readable(text string, levels int) string {
	all := text
	if levels == 0 {
		return all
	}
	for _, part := range regexp.MustCompile(`[A-Za-z0-9+/]{6,}|[\w-]{6,}`).FindAllString(text, -1) {
		part = strings.NewReplacer("-", "+", "_", "/").Replace(part)
		for from := range 4 {
			plain, _ := base64.RawStdEncoding.DecodeString(part[from:])
			all += "\n" + readable(string(plain), levels-1)
		}
	}
	return all
}

func keepsNoSecret(t *testing.T, what string, d traffic.Detail) {
	t.Helper()
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	all := readable(string(text), 2)
	for _, begin := range begins {
		if at := strings.Index(all, begin); at >= 0 {
			t.Errorf("%s: it keeps %q", what, all[max(0, at-60):min(len(all), at+60)])
		}
	}
}

// ending is what is kept of a call with the ends of texts alone, where they were cut.
func ending(d traffic.Detail) traffic.Detail {
	const most = 1000
	for _, text := range []*string{&d.Result, &d.AnswerBody} {
		*text = (*text)[max(0, len(*text)-most):]
	}
	return d
}

// secretsAfter are secrets behind so many bytes, and many bytes behind them.
func secretsAfter(n int) string {
	return `{"title":"` + strings.Repeat("a", n) + `","password":"` + password + `","note":"see ` + token + `","own":"` + known + `","tokens":["` + password + `"],"rest":"` + strings.Repeat("b", 2*traffic.MostKept) + `"}`
}

func TestSecretsAreTakenOutBeforeATextIsCut(t *testing.T) {
	t.Parallel()
	quoted := func(text string) string {
		in, _ := json.Marshal(text)
		return string(in)
	}
	encoded := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	for name, of := range map[string]func(string) string{
		"JSON":              func(text string) string { return text },
		"base64":            encoded,
		"JSON in JSON":      func(text string) string { return `{"statusCode":200,"body":` + quoted(text) + `}` },
		"base64 in JSON":    func(text string) string { return `{"isBase64Encoded":true,"body":"` + encoded(text) + `"}` },
		"base64 as a value": func(text string) string { return quoted(`{"a":1,"data":"` + encoded(text) + `"}`) },
		"form":              func(string) string { return "" },
	} {
		t.Run(name, func(t *testing.T) {
			// The cut moves through everything that holds a secret.
			for round := range depth.Rounds(2, 8, 24) {
				before := 10 - 11*round
				limit := traffic.MostKept
				if strings.HasPrefix(name, "base64") {
					limit = limit / 4 * 3
				}
				text := of(secretsAfter(limit + before))
				if name == "form" {
					text = "title=" + strings.Repeat("a", limit+before) + "&password=" + password + "&note=" + token + "&own=" + known + "&rest=" + strings.Repeat("b", limit)
				}
				var d traffic.Detail
				var names []string
				d.Result, names = traffic.HeldOf([]byte(text)).Kept(&d, "result", hideKnown)
				keepsNoSecret(t, fmt.Sprint(before), ending(d))
				if len(d.Result) > traffic.MostKept || len(d.Result) < traffic.MostKept-100 || len(d.Left) != 1 || len(names) == 0 {
					t.Fatalf("%d: %d bytes are kept, of %d, left are %q, names %q", before, len(d.Result), len(text), d.Left, names)
				}
			}
		})
	}
}

func TestASecretThatIsLongerThanWhatIsKeptLeavesTheRest(t *testing.T) {
	t.Parallel()
	image := strings.Repeat("c2lnbmF0dXJl", 15_000)
	var d traffic.Detail
	d.Body, _ = traffic.HeldOf([]byte(`{"signature":"`+image+`","title":"Emma"}`)).Kept(&d, "body", hideKnown)
	if want := `{"signature":"<redacted>","title":"Emma"}`; d.Body != want {
		t.Errorf("kept is %.80s, want %s", d.Body, want)
	}
}

func TestSecretsInBase64AreTakenOutOfCalls(t *testing.T) {
	t.Parallel()
	text := `{"password":"` + password + `","note":"` + token + `","own":"` + known + `","title":"Emma?>"}`
	want := `{"password":"<redacted>","note":"<redacted>","own":"<redacted>","title":"Emma?>"}`
	std, url := base64.StdEncoding, base64.URLEncoding
	lines := regexp.MustCompile(`.{76}`).ReplaceAllString(std.EncodeToString([]byte(text)), "$0\r\n")
	inLines, _ := json.Marshal(lines)
	twice := std.EncodeToString([]byte(std.EncodeToString([]byte(text))))
	for name, c := range map[string]struct {
		encoded  string
		encoding *base64.Encoding
	}{
		"padded":            {`"` + std.EncodeToString([]byte(text)) + `"`, std},
		"without padding":   {`"` + std.WithPadding(-1).EncodeToString([]byte(text+" ")) + `"`, nil},
		"other alphabet":    {`"` + url.EncodeToString([]byte(text)) + `"`, url},
		"in lines":          {string(inLines), std},
		"escaped":           {`"` + strings.NewReplacer("/", `\/`, "+", `\u002b`, "=", `\u003d`).Replace(std.EncodeToString([]byte(text))) + `"`, std},
		"in an address":     {`"data:text/plain;base64,` + std.EncodeToString([]byte(text)) + `!"`, nil},
		"after a path":      {`"files/inbox/` + std.EncodeToString([]byte(text)) + `"`, nil},
		"after a word":      {`"v1_` + url.EncodeToString([]byte(text)) + `"`, nil},
		"one after another": {`"` + std.EncodeToString([]byte(text[:len(text)-1])) + `/` + std.EncodeToString([]byte(text)) + `"`, nil},
		"twice":             {`"` + twice + `"`, nil},
		"with other bytes":  {`"` + std.EncodeToString([]byte(text+"\xff\x00")) + `"`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			payload := `{"isBase64Encoded":true,"body":` + c.encoded + `}`
			again, _ := json.Marshal(payload)
			for _, payload := range []string{payload, string(again), payload + " and no JSON"} {
				d := detailOf([]byte(payload), function.Answer{Payload: []byte(payload)}, nil, hideKnown)
				keepsNoSecret(t, payload, d)
				if !strings.Contains(readable(d.Event, 2), "Emma") || d.Event != d.Result {
					t.Errorf("the rest is gone: %s", d.Event)
				}
			}
			if c.encoding == nil {
				return
			}
			var d traffic.Detail
			var event struct{ Body string }
			d.Event, _ = traffic.HeldOf([]byte(payload)).Kept(&d, "event", hideKnown)
			err := json.Unmarshal([]byte(d.Event), &event)
			if plain, broken := c.encoding.DecodeString(event.Body); err != nil || broken != nil || string(plain) != want {
				t.Errorf("kept is %s (%v, %v)", plain, err, broken)
			}
		})
	}
}

func TestABodyOfBytesIsCleanedBeforeItIsEncoded(t *testing.T) {
	t.Parallel()
	form := func(n int) string {
		return "--b\r\nContent-Disposition: form-data; name=\"image\"\r\n\r\n" + strings.Repeat("\xff\xd8", n/2) +
			"\r\n--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n" + password + "\r\n--b\r\nown " + known + " " + token + "\r\n--b--" + strings.Repeat("\xff", traffic.MostKept)
	}
	const limit = traffic.MostKept / 4 * 3
	for round := range depth.Rounds(2, 6, 18) {
		before := -23 * round
		var d traffic.Detail
		d.AnswerBody, d.AnswerBase64, _ = traffic.HeldOf(form(limit+before)).KeptBody(&d, "answer", hideKnown)
		keepsNoSecret(t, fmt.Sprint(before), ending(d))
		if !d.AnswerBase64 || len(d.AnswerBody) > traffic.MostKept || len(d.AnswerBody) < traffic.MostKept-100 {
			t.Fatalf("%d: %d characters are kept, in base64 %v", before, len(d.AnswerBody), d.AnswerBase64)
		}
	}
}

// What has no secret stays as it is, however much of it could be base64.
func FuzzWhatHasNoSecretIsKeptAsItIs(f *testing.F) {
	f.Add([]byte(`{"path":"/books/isbn/12345678","words":"applications_and-more","escaped":"a\/b\nc\\d\u00"}`))
	f.Add([]byte("QUJD\r\nQUJDREVGRw==QUJDREVGRw\\"))
	f.Add([]byte{'\\'})
	f.Fuzz(func(t *testing.T, text []byte) {
		var d traffic.Detail
		if kept, names := traffic.HeldOf(text).Kept(&d, "event", hideKnown); len(names) == 0 && kept != string(text) && !strings.Contains(readable(string(text), 2), known) {
			t.Errorf("%q is kept as %q", text, kept)
		}
	})
}

func TestBase64ThatIsCleanedIsPaddedAsItsEncodingWantsIt(t *testing.T) {
	t.Parallel()
	for n := range 3 {
		for m := range 3 {
			secret, title := password[:len(password)-m], strings.Repeat("a", n)
			var d traffic.Detail
			kept, _ := traffic.HeldOf([]byte(base64.StdEncoding.EncodeToString([]byte(`{"password":"`+secret+`","title":"`+title+`"}`)))).Kept(&d, "body", hideKnown)
			want := `{"password":"<redacted>","title":"` + title + `"}`
			if plain, err := base64.StdEncoding.DecodeString(kept); err != nil || string(plain) != want {
				t.Errorf("%d, %d: kept is %s, of %s, %v", n, m, plain, kept, err)
			}
		}
	}
}

// Of bytes that are nearly all a secret, nothing may be left to cut.
func TestBytesThatAreNearlyAllASecretAreKept(t *testing.T) {
	t.Parallel()
	text := "\x80\x80" + `{"password":"` + strings.Repeat("x", 400<<10) + `"}`
	var d traffic.Detail
	if kept, _, _ := traffic.HeldOf(text).KeptBody(&d, "body", hideKnown); strings.Contains(kept, "eHh4") || len(d.Left) != 1 {
		t.Errorf("kept is %.80s, left out is %q", kept, d.Left)
	}
}
