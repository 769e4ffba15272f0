package logs_test

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/sandbox/logs"
)

func TestSecretsAreNeitherInMemoryNorOnDisk(t *testing.T) {
	t.Parallel()
	s, folder := openStore(t, logs.Small{})
	s.Redact([]string{"hunter22", "abc", "pass\"word\\1", "hunter2"})
	s.Redact([]string{"hunter22-long", "cdefgh", "abcd", "aaaa", "line one\nline two of it\n"})
	tests := []struct{ text, want string }{
		{"hunter22 and hunter2 and hunter22-long.", "<redacted> and <redacted> and <redacted>."},
		{"abc is too short", "abc is too short"},
		{`raw pass"word\1 here`, "raw <redacted> here"},
		{`{"p":"pass\"word\\1"}`, `{"p":"<redacted>"}`},
		{`{"body":"{\"p\":\"pass\\\"word\\\\1\"}"}`, `{"body":"{\"p\":\"<redacted>\"}"}`},
		{"xabcdefghx", "x<redacted>x"},
		{"abcdabcd", "<redacted><redacted>"},
		{"aaaaaaax", "<redacted>x"},
		{"line one\nline two of it\n", "<redacted>"},
		{`{"key":"line one\nline two of it\n"}`, `{"key":"<redacted>"}`},
		{"line two of it", "<redacted>"},
		{"line one", "line one"},
	}
	following := s.Follow(t.Context(), logs.Query{})
	for _, test := range tests {
		s.Append(logs.Line{Environment: "dev", Function: "items", Request: "hunter22", Text: test.text})
		if got := next(t, following); got.Text != test.want || got.Request != "<redacted>" {
			t.Errorf("%q becomes %q of request %q, want %q", test.text, got.Text, got.Request, test.want)
		}
	}
	lines := s.Read(logs.Query{})
	must(t, s.Close())
	for i, l := range read(t, folder, logs.Query{}) {
		if l != lines[i] || l.Text != tests[i].want {
			t.Errorf("%q is %q in memory and %q on disk", tests[i].text, lines[i].Text, l.Text)
		}
	}
	if file := onDisk(t, folder)["dev/items.log"]; file == "" || strings.Contains(file, "hunter2") {
		t.Errorf("the file is %s", file)
	}
}

// Each runtime writes the JSON of a secret with every kind of character.
func TestSecretsAreFoundAsRuntimesEscapeThem(t *testing.T) {
	t.Parallel()
	const secret = "a\"b\\c/d\b\f\n\r\t\x01\x7f é 🙂 <&> \u2028 '$`"
	s, _ := openStore(t, logs.Small{})
	s.Redact([]string{secret})
	inGo, err := json.Marshal(map[string]string{"secret": secret})
	must(t, err)
	twice, err := json.Marshal(map[string]string{"body": string(inGo)})
	must(t, err)
	written := map[string]string{"Go": string(inGo), "Go twice": string(twice)}
	for name, command := range map[string][]string{
		"node": {"node", "-e", `const o = JSON.stringify({secret: process.env.S}); console.log(o); console.log(JSON.stringify({body: o}))`},
		"python3": {"python3", "-c", `import json, os
o = json.dumps({"secret": os.environ["S"]})
print(o)
print(json.dumps({"body": o}))`},
	} {
		if _, err := exec.LookPath(name); err != nil {
			t.Logf("not tested: %s is not installed", name)
			continue
		}
		c := exec.Command(command[0], command[1:]...)
		c.Env = append(c.Environ(), "S="+secret)
		out, err := c.Output()
		must(t, err)
		written[name], written[name+" twice"], _ = strings.Cut(string(out), "\n")
	}
	for name, text := range written {
		s.Append(logs.Line{Environment: "dev", Function: "items", Request: name, Text: strings.TrimSpace(text)})
		want := `{"secret":"<redacted>"}`
		if strings.HasSuffix(name, "twice") {
			want = `{"body":"{\"secret\":\"<redacted>\"}"}`
		}
		if got := s.Read(logs.Query{Request: name})[0].Text; strings.ReplaceAll(got, ": ", ":") != want {
			t.Errorf("%s: %s becomes %s", name, text, got)
		}
	}
}

func TestNoSecretIsLeftInAnyText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		alphabet := []rune("ab\"\\")
		secret := rapid.StringOfN(rapid.SampledFrom(alphabet), 4, 6, -1)
		secrets := rapid.SliceOfN(secret, 1, 4).Draw(t, "secrets")
		text := rapid.StringOfN(rapid.SampledFrom(alphabet), 0, 60, -1).Draw(t, "text")
		got := logs.RedactText(text, secrets)
		plain := strings.ReplaceAll(got, "<redacted>", "|")
		for _, s := range secrets {
			if strings.Contains(plain, s) {
				t.Fatalf("%q becomes %q, which has %q", text, got, s)
			}
		}
		if !strings.Contains(got, "<redacted>") && got != text {
			t.Fatalf("%q becomes %q", text, got)
		}
	})
}
