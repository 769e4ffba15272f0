package curl

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gatewright/test/depth"
)

func TestCommandsAsTheyArePasted(t *testing.T) {
	t.Parallel()
	const firefox = "curl 'http://127.0.0.1:4280/abc/dev/books?limit=3' \\\n  -X PUT \\\n  -H 'Accept: */*' \\\r\n  --compressed \\\n  --data-raw $'{\"title\":\"it\\'s \\u00e9\\\\n\"}'\n"
	const chromeCmd = "curl ^\"http://x.org/dev/b?a=1^&b=2^\" ^\n  -H ^\"accept: */*^\" ^\n  --data-raw ^\"^{^\\^\"a^\\^\":^\\^\"50^%^\\^\"^}^\""
	const power = "curl.exe -X POST `\n  -H \"X-A: 1 `\"q`\" `$x\" `\n  -H 'X-B: it''s' `\n  http://x.org/b --json '{\"a\": 1}'"
	for _, tt := range []struct {
		name, text string
		want       Command
	}{
		{"one word", "curl http://x.org/b", Command{Method: "GET", URL: "http://x.org/b"}},
		{"firefox", firefox, Command{Method: "PUT", URL: "http://127.0.0.1:4280/abc/dev/books?limit=3", Headers: []string{"Accept: */*", "Content-Type: application/x-www-form-urlencoded"}, Body: "{\"title\":\"it's é\\n\"}"}},
		{"chrome for cmd", chromeCmd, Command{Method: "POST", URL: "http://x.org/dev/b?a=1&b=2", Headers: []string{"accept: */*", "Content-Type: application/x-www-form-urlencoded"}, Body: `{"a":"50%"}`}},
		{"PowerShell", power, Command{Method: "POST", URL: "http://x.org/b", Headers: []string{`X-A: 1 "q" $x`, "X-B: it's", "Content-Type: application/json", "Accept: application/json"}, Body: `{"a": 1}`}},
		{"with a prompt", "$ curl -sS -XPATCH http://x.org/b -d a=1 -d 'b=2 3'", Command{Method: "PATCH", URL: "http://x.org/b", Headers: []string{"Content-Type: application/x-www-form-urlencoded"}, Body: "a=1&b=2 3"}},
		{"-G", "curl -G http://x.org/b?z=1 --data-urlencode 'q=a b&c' -d limit=3", Command{Method: "GET", URL: "http://x.org/b?z=1&q=a+b%26c&limit=3"}},
		{"who", "curl --url http://x.org/b -u emma:pw -b 'a=1; b=2' -A agent -e http://r.org -I", Command{Method: "HEAD", URL: "http://x.org/b", Headers: []string{"Authorization: Basic ZW1tYTpwdw==", "Cookie: a=1; b=2", "User-Agent: agent", "Referer: http://r.org"}}},
		{"json with a type of its own", `curl --json {} -H "Content-Type: application/x+json" http://x.org/b`, Command{Method: "POST", URL: "http://x.org/b", Headers: []string{"Content-Type: application/x+json", "Accept: application/json"}, Body: "{}"}},
		{"our own token", `curl http://x.org/b -H "Authorization: Bearer $(gatewright token --env dev -- 'o'\''hara "$x"')"`, Command{Method: "GET", URL: "http://x.org/b", User: `o'hara "$x"`}},
		{"what is not understood is named", "curl http://x.org/b http://y.org -F a=@b --data @body.json --no-such -Q x -x proxy:1 -d @- | jq .", Command{
			Method: "POST", URL: "http://x.org/b", Headers: []string{"Content-Type: application/x-www-form-urlencoded"},
			Notes: []string{
				"left out: | jq .", "left out: the second URL http://y.org", "the field a is left out: multipart bodies are not supported", "the body is in the file body.json: paste it yourself", "--no-such is not understood",
				"-Q is not understood", "left out: the second URL x", "--proxy proxy:1 is not understood", "the body comes from standard input; paste it yourself",
			},
		}},
		{"JSON in parts", `curl http://x.org/b --json '{"a":' --json '1}'`, Command{Method: "POST", URL: "http://x.org/b", Headers: []string{"Content-Type: application/json", "Accept: application/json"}, Body: `{"a":1}`}},
		{"a query before the URL", "curl --url-query 'a=b c' --url-query '+d=%20' http://x.org/b?z=1", Command{Method: "GET", URL: "http://x.org/b?z=1&a=b+c&d=%20"}},
		{"a user in the URL", "curl http://emma:p%40w@x.org/b", Command{Method: "GET", URL: "http://x.org/b", Headers: []string{"Authorization: Basic ZW1tYTpwQHc="}}},
		{"another user than in the URL", "curl http://emma:pw@x.org/b -H 'authorization: Bearer x'", Command{Method: "GET", URL: "http://x.org/b", Headers: []string{"authorization: Bearer x"}}},
		{"dots", "curl http://x.org/a/./b/../../c/..?d=/../e", Command{Method: "GET", URL: "http://x.org/?d=/../e"}},
		{"dots above the root", "curl x.org/../a/.", Command{Method: "GET", URL: "x.org/a/"}},
		{"dots that stay", "curl --path-as-is http://x.org/a/../b", Command{Method: "GET", URL: "http://x.org/a/../b"}},
		{"a form of parts", "curl http://x.org/b -F a=1 -F 'b=@\"c.png\"'", Command{Method: "POST", URL: "http://x.org/b", Notes: []string{
			"the field a is left out: multipart bodies are not supported", "the field b is left out: multipart bodies are not supported",
		}}},
		{"a file", "curl -T a.txt http://x.org/b", Command{Method: "PUT", URL: "http://x.org/b", Notes: []string{"the file a.txt of --upload-file is not read: paste the body yourself"}}},
		{"no type", "curl http://x.org/b -H 'Content-Type:' -d x", Command{Method: "POST", URL: "http://x.org/b", Body: "x", Notes: []string{"a body without a Content-Type is sent as application/json"}}},
		{"firefox for cmd, in one line", `curl "http://x.org/b?a=1&b=2" -X POST --data-raw "{""a"":""b c""}" -H "X-Empty;"`, Command{
			Method: "POST", URL: "http://x.org/b?a=1&b=2", Headers: []string{"X-Empty:", "Content-Type: application/x-www-form-urlencoded"}, Body: `{"a":"b c"}`,
		}},
		{"PowerShell with single quotes", `curl.exe http://x.org/b --json '{\"a\": \"it''s\"}'`, Command{Method: "POST", URL: "http://x.org/b", Headers: []string{"Content-Type: application/json", "Accept: application/json"}, Body: `{"a": "it's"}`}},
		{
			"what is encoded", "curl http://x.org/b --data-urlencode 'a b' --data-urlencode '=c d' --data-urlencode 'e=f&g' --data-urlencode 'h@i.txt' --url-query 'j k'",
			Command{
				Method: "POST", URL: "http://x.org/b?j+k", Headers: []string{"Content-Type: application/x-www-form-urlencoded"}, Body: "a+b&c+d&e=f%26g",
				Notes: []string{"the data in the file i.txt is not read"},
			},
		},
		{
			"headers that are none", "curl http://x.org/b -H @h.txt -H nothing -b cookies.txt --oauth2-bearer abc -H 'X-Gone:' -H ' X-A:  1 '",
			Command{Method: "GET", URL: "http://x.org/b", Headers: []string{"Authorization: Bearer abc", " X-A: 1"}, Notes: []string{
				"the headers of the file h.txt are not read", "the header nothing has no colon", "the cookies of the file cookies.txt are not read",
			}},
		},
		{"one request after another", "curl -sSXDELETE http://x.org/b --next http://x.org/c -d x", Command{Method: "DELETE", URL: "http://x.org/b", Notes: []string{"left out: everything after --next"}}},
		{"an option without its value", "curl http://x.org/b -dx --data-binary @f -X", Command{
			Method: "POST", URL: "http://x.org/b", Headers: []string{"Content-Type: application/x-www-form-urlencoded"}, Body: "x", Notes: []string{"the body is in the file f: paste it yourself", "-X has no value"},
		}},
		{"data that is raw", "curl http://x.org/b --data-raw @x", Command{Method: "POST", URL: "http://x.org/b", Headers: []string{"Content-Type: application/x-www-form-urlencoded"}, Body: "@x"}},
		{"long escapes", `curl http://x.org/b -d $'\U0001F600\x41\101\e'`, Command{Method: "POST", URL: "http://x.org/b", Headers: []string{"Content-Type: application/x-www-form-urlencoded"}, Body: "😀AA\x1b"}},
		{"redirected", "curl http://x.org/b -m 2 2>/dev/null", Command{Method: "GET", URL: "http://x.org/b", Notes: []string{"left out: >/dev/null"}}},
		{"with comments", "# curl http://x.org/b#top -H 'X: #1' # it's\n", Command{Method: "GET", URL: "http://x.org/b#top", Headers: []string{"X: #1"}}},
		{"from a document", "```sh\n$ curl http://x.org/b \\\n  -d a=1\n```\n", Command{Method: "POST", URL: "http://x.org/b", Headers: []string{"Content-Type: application/x-www-form-urlencoded"}, Body: "a=1"}},
		{"from a sentence", "`curl http://x.org/b`", Command{Method: "GET", URL: "http://x.org/b"}},
		{"variables", `curl "http://x.org/$ID" -H "X: ${A} $(date)" -H 'Y: $literal'`, Command{
			Method: "GET", URL: "http://x.org/$ID", Headers: []string{"X: ${A} $(date)", "Y: $literal"},
			Notes: []string{"$ID is not replaced: the shell would do that", "${A} is not replaced: the shell would do that", "$(date) is not replaced: the shell would do that"},
		}},
	} {
		got, err := Parse(tt.text)
		if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", tt.name, err, diff)
		}
	}
}

func TestWhatIsNoCommandIsRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "not a command of curl", "curl": "not a command of curl", "wget http://x.org": "not a command of curl", "curl -s": "has no URL", "curl 'http://x.org": "a quote", "curl -X BREW http://x.org": "the method BREW",
		"curl -Uri http://x.org -Method POST": "Invoke-WebRequest",
		"{\"curl\": 1}":                       "not a command of curl", "curly http://x.org": "not a command of curl",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Random words in random quotes are divided as bash divides them.
func TestWordsAreThoseOfBash(t *testing.T) {
	t.Parallel()
	depth.Needs(t, "bash")
	piece := rapid.SampledFrom([]string{
		"a", "é", " ", "  ", "\\\n ", `'b c'`, `"d e"`, `"\"\\x"`, `\ `, `\'`, `''`, `$'\t\x41\u00e9\'\101z'`, `'it'\''s'`, "\"f\ng\"", `\\`, "#", " # c", `"'"`, `'"'`, "=", "^", "`"[:0], `"a\
b"`,
	})
	rapid.Check(t, func(r *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 1, 12).Draw(r, "pieces"), "")
		bash := exec.Command("bash", "-c", "printf '%s\\0' x "+text)
		bash.Env = append(os.Environ(), "LC_ALL=C.UTF-8") // what \u is depends on it
		out, err := bash.Output()
		if err != nil {
			r.Skip(err)
		}
		want := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
		s := splitter{text: "x " + text}
		got, ok := s.split()
		if !ok || !slices.Equal(got.all, want) {
			r.Fatalf("%q is %q, bash has %q", text, got.all, want)
		}
	})
}

func TestNoTextBreaksTheReader(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		text := "curl " + rapid.StringOf(rapid.SampledFrom([]rune("abx^\"'`\\$(){}\n -|>@=:;dHXé0u'"))).Draw(r, "text")
		_, _ = Parse(text)
	})
}
