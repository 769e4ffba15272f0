package request

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gatewright/deploy/deploytest"
	"gatewright/flow/request/requesttest"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/sandbox"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/signature"
)

// response is an answer without the headers that differ between any two answers.
type response struct {
	Status  int
	Headers http.Header
	Body    string
}

func comparableResponse(status int, headers http.Header, body []byte) response {
	compared := make(http.Header)
	for name, values := range headers {
		if !slices.Contains(varyingHeaders, http.CanonicalHeaderKey(name)) {
			compared[http.CanonicalHeaderKey(name)] = values
		}
	}
	return response{status, compared, string(body)}
}

// withoutIdentity removes the caller's identity, and the length that depends on it: a
// token and a signature give the function different identities.
func (a response) withoutIdentity() response {
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(a.Body), &members) == nil {
		delete(members, "identity")
		text, _ := json.Marshal(members)
		a.Body = string(text)
	}
	a.Headers = a.Headers.Clone()
	a.Headers.Del("Content-Length")
	return a
}

// curler runs curl.
type curler struct {
	t      *testing.T
	folder string
	path   string
}

// run runs a curl command in a shell and returns the response.
func (c *curler) run(command string) (response, error) {
	head, body := filepath.Join(c.folder, "head"), filepath.Join(c.folder, "body")
	for _, name := range []string{head, body} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			return response{}, err
		}
	}
	options := "curl -s -S -D " + model.ShellWord(head) + " -o " + model.ShellWord(body) + " "
	if before, after, piped := strings.Cut(command, "| curl "); piped {
		command = before + "| " + options + after
	} else {
		command = options + strings.TrimPrefix(command, "curl ")
	}
	cmd := exec.Command("sh", "-c", command)
	cmd.Env = append(os.Environ(), "PATH="+c.path+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		return response{}, fmt.Errorf("%s: %w: %s", command, err, out)
	}
	text, err := os.ReadFile(head)
	if err != nil {
		return response{}, err
	}
	reader := textproto.NewReader(bufio.NewReader(bytes.NewReader(text)))
	line, err := reader.ReadLine()
	if err != nil {
		return response{}, fmt.Errorf("%s: %w", command, err)
	}
	headers, err := reader.ReadMIMEHeader()
	if err != nil {
		return response{}, err
	}
	var status int
	if _, err := fmt.Sscanf(line, "HTTP/1.1 %d", &status); err != nil {
		return response{}, fmt.Errorf("%q: %w", line, err)
	}
	got, err := os.ReadFile(body)
	if strings.Contains(command, "--head") {
		// With --head curl writes the headers to the output file.
		got = nil
	}
	return comparableResponse(status, http.Header(headers), got), err
}

// drawnForm draws a random form.
func drawnForm(r *rapid.T) Form {
	pick := func(label string, from ...string) string { return rapid.SampledFrom(from).Draw(r, label) }
	f := Form{Environment: "dev", API: "shop", Path: pick("path", "/open", "/books/{isbn}", "/staff"), Method: pick("method", access.Methods...)}
	if f.Path == "/books/{isbn}" {
		f.Values = []string{pick("value", "1", "a b", "é", "a/b", "%41", "..", "x'y", `"q"`, "{z}", "[1-3]", "$HOME", "`id`", "a|b^c", "?", "#")}
	}
	f.Below = pick("below", "", "", "/1/cover", "/a//b/", "/../staff", "/.", "/[a]", "/é ü", "/%2e%2E/x")
	f.Query = pick("query", "", "", "limit=10", "a=1&a=2&b=x y", "q=%2F+é'\"<>&=", "status=404&x={a,b}", "plain=1", "fail=1", "status=204")
	f.Headers = rapid.SliceOfN(rapid.SampledFrom([]string{"X-Trace: 1", "X-Trace: 2", "X-Empty:", `X-Quote: it's "so"`, "Accept-Language: de", "X-Star: * $HOME"}), 0, 3).Draw(r, "headers")
	if f.Method != http.MethodHead {
		f.Body = pick("body", "", "", `{"title": "Emma", "by": "it's \"her\""}`, "text é\nof two lines\n", "@/etc/hostname", "-", "\x00\xff\x01 %d \\n", "--b\r\n\r\n1\r\n--b--", "a=1&b=2")
	}
	f.As = rapid.SampledFrom([]identitypool.Signer{{}, {Guest: true}, {Group: "Editors"}, {User: "emma"}, {User: "o'hara"}}).Draw(r, "who")
	return f
}

// signedCurl returns the curl command of a request with its signature in headers.
func signedCurl(t *testing.T, client *sandbox.Client, api sandbox.ServedAPI, r call.Request) (string, error) {
	given, err := client.Credentials(context.Background(), api.Environment, *r.As)
	must(t, err)
	// Only the host and the date are signed, so that curl may add headers.
	signed := signature.Request{Method: r.Method, Target: strings.SplitN(api.Endpoint, "/", 4)[3], Host: strings.SplitN(api.Endpoint, "/", 4)[2], Body: r.Body, AsWritten: true}
	signed.Target = "/" + signed.Target + r.Path
	if r.Query != "" {
		signed.Target += "?" + r.Query
	}
	signature.Sign(&signed, signature.Credentials{AccessKeyID: given.AccessKeyID, SecretKey: given.SecretKey, SessionToken: given.SessionToken}, api.Region, "execute-api", time.Now())
	unsigned := r
	unsigned.As, unsigned.Headers = nil, r.Headers.Clone()
	for _, f := range signed.Fields {
		unsigned.Headers[f.Name] = append(unsigned.Headers[f.Name], f.Value)
	}
	command, _ := call.Curl(api, unsigned)
	return command, nil
}

// curledSnapshot sends forms both by the package and by curl.
type curledSnapshot struct {
	*Snapshot
	client *sandbox.Client
	curl   *curler
}

// send sends a form by Send, by curl with the same signature, and by the command that
// Curl returns. It returns the status, or 0 for a form that cannot be sent, and an error
// when the answers differ.
func (s curledSnapshot) send(t *testing.T, f Form) (int, error) {
	r, err := f.Request()
	if err != nil {
		return 0, nil
	}
	got, err := s.Send(context.Background(), f)
	if err != nil {
		return 0, err
	}
	sent := comparableResponse(got.Answer.Status, got.Answer.Headers, got.Answer.Body)
	if r.As != nil {
		command, err := signedCurl(t, s.client, s.Status.APIs[0], r)
		if err != nil {
			return 0, err
		}
		same, err := s.curl.run(command)
		if err != nil {
			return 0, err
		}
		if fmt.Sprint(same) != fmt.Sprint(sent) {
			return 0, fmt.Errorf("%s\ncurl, signed: %v\nSend:         %v", command, same, sent)
		}
	}
	command, _, err := s.Curl(f)
	if err != nil || !strings.Contains(command, "curl ") {
		// For a member of a group, who has no token, the command is gatewright call.
		if err != nil || r.As == nil || r.As.Group == "" {
			return 0, fmt.Errorf("%q %w", command, err)
		}
		return sent.Status, nil
	}
	same, err := s.curl.run(command)
	if err != nil {
		return 0, err
	}
	a, b := same, sent
	if r.As != nil {
		a, b = same.withoutIdentity(), sent.withoutIdentity()
	}
	if r.As != nil && sent.Status == http.StatusForbidden {
		// The refusal names the caller, who differs.
		a.Body, b.Body = "", ""
	}
	if fmt.Sprint(a) != fmt.Sprint(b) {
		return 0, fmt.Errorf("%s\ncurl:    %v\nSend:    %v", command, a, b)
	}
	return sent.Status, nil
}

// Requests of every kind of caller and answer, and random ones, are sent by this package, by curl with the
// same signature, and by the command that Curl returns.
func TestCurlGetsTheSameAnswers(t *testing.T) {
	t.Parallel()
	deploytest.NeedNode(t)
	deploytest.NeedCurl(t)
	dir := requesttest.WriteProject(t, requesttest.Shop(t))
	client, _ := deploytest.Serve(t, dir)
	requesttest.AddUser(t, dir, "emma", "Editors")
	requesttest.AddUser(t, dir, "o'hara")
	s, err := Read(dir)
	must(t, err)
	held := requesttest.OpenUsers(t, dir)
	defer func() { must(t, held.Close()) }()
	bin := t.TempDir()
	script := "#!/bin/sh\nfor name; do :; done\ncat \"" + bin + "/token of $name\"\n"
	must(t, os.WriteFile(filepath.Join(bin, "gatewright"), []byte(script), 0o700))
	for _, name := range []string{"emma", "o'hara"} {
		tokens, err := held.Tokens(context.Background(), name)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(bin, "token of "+name), []byte(tokens.ID+"\n"), 0o600))
	}
	c := &curler{t: t, folder: t.TempDir(), path: bin}
	both := curledSnapshot{Snapshot: s, client: client, curl: c}
	for _, of := range []struct {
		form Form
		want int
	}{
		{Form{Path: "/open", Method: http.MethodGet}, http.StatusOK},
		{Form{Path: "/open", Method: http.MethodPost, Query: "status=204", Body: "text"}, http.StatusNoContent},
		{Form{Path: "/open", Method: http.MethodGet, Query: "fail=1"}, http.StatusBadGateway},
		{Form{Path: "/staff", Method: http.MethodGet}, http.StatusForbidden},
		{Form{Path: "/staff", Method: http.MethodGet, As: identitypool.Signer{User: "o'hara"}}, http.StatusForbidden},
		{Form{Path: "/staff", Method: http.MethodGet, As: identitypool.Signer{User: "emma"}}, http.StatusOK},
	} {
		of.form.Environment, of.form.API = "dev", "shop"
		if status, err := both.send(t, of.form); err != nil || status != of.want {
			t.Errorf("%+v: %d, want %d (%v)", of.form, status, of.want, err)
		}
	}
	counts := make(map[int]int)
	rapid.Check(t, func(rt *rapid.T) {
		status, err := both.send(t, drawnForm(rt))
		if err != nil {
			rt.Fatal(err)
		}
		counts[status]++
	})
	t.Log(counts)
}
