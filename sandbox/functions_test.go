package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/rights"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/traffic"
	"gatewright/test/await"
	"gatewright/test/depth"
)

// calling is a handler that calls the function event.calls[0] with the rest of the list and
// returns the answer; with an empty list it returns what it has. It is a client without an
// SDK: it sends the trace header only with event.traced.
const calling = `const http = require("http");
const send = (name, body, headers) => new Promise((done, fail) => {
  const to = new URL(process.env.AWS_ENDPOINT_URL + "/2015-03-31/functions/" + name + "/invocations");
  const key = process.env.AWS_ACCESS_KEY_ID;
  const request = http.request(to, { method: "POST", headers: { ...headers,
    Authorization: "AWS4-HMAC-SHA256 Credential=" + key + "/20261126/eu-west-1/lambda/aws4_request, SignedHeaders=host, Signature=x" } }, (answer) => {
    let text = "";
    answer.on("data", (part) => { text += part; });
    answer.on("end", () => done({ status: answer.statusCode, type: answer.headers["x-amzn-errortype"], text }));
  });
  request.on("error", fail);
  request.end(body);
});
exports.handler = async (event) => {
  if (event.calls.length === 0) {
    await new Promise((done) => setTimeout(done, event.ms || 0));
    return { depth: event.depth };
  }
  const [name, ...rest] = event.calls;
  const headers = event.traced ? { "X-Amzn-Trace-Id": process.env._X_AMZN_TRACE_ID } : {};
  if (event.nobodyWaits) headers["X-Amz-Invocation-Type"] = "Event";
  const body = JSON.stringify({ ...event, calls: event.endless ? [...rest, name] : rest, depth: (event.depth || 0) + 1 });
  const answer = await send(name, body, headers);
  if (answer.type || answer.status !== 200) return { depth: event.depth || 0, ...answer };
  return JSON.parse(answer.text);
};`

// openCalls starts a sandbox with the functions ping and pong, which may call each other and
// themselves, and lonely, which may call none.
func openCalls(t *testing.T) *site {
	s := openSite(t, Options{})
	env := s.environment()
	var arns []string
	for _, name := range []string{"ping", "pong", "lonely"} {
		folder := t.TempDir()
		must(t, os.Mkdir(filepath.Join(folder, "src"), 0o755))
		must(t, os.WriteFile(filepath.Join(folder, "src", "index.js"), []byte(calling), 0o644))
		env.Functions = append(env.Functions, function.Spec{
			Environment: "dev", Name: name, DeployedName: name, Runtime: model.NodeJS, Folder: folder, Region: "eu-west-1", AccountID: "000000000000",
			Timeout: time.Minute, Variables: map[string]string{"AWS_ACCESS_KEY_ID": AccessKey("dev", name)},
			Cloud: &function.Cloud{Address: s.CloudAddress(), Caller: AccessKey("dev", name)},
		})
		arns = append(arns, "arn:aws:lambda:eu-west-1:000000000000:function:"+name+"-dev")
	}
	each := []cfn.Statement{{Effect: "Allow", Actions: []string{rights.InvokeFunction}, Resources: arns[:2]}}
	env.Grants = map[string][]cfn.Statement{"ping": each, "pong": each}
	must(t, s.Apply(Config{Environments: []Environment{env}}))
	return s
}

// outcome is what the handler calling returned.
type outcome struct {
	Depth  int
	Status int
	Type   string
	Text   string
}

func (s *site) invoke(name, event string) outcome {
	s.t.Helper()
	a, err := s.attempt(name, event)
	must(s.t, err)
	return a
}

// attempt is invoke for a goroutine, which may not end the test.
func (s *site) attempt(name, event string) (outcome, error) {
	response, err := http.Post(s.Address()+"/2015-03-31/functions/"+name+"/invocations", "application/octet-stream", strings.NewReader(event))
	if err != nil {
		return outcome{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return outcome{}, err
	}
	var a outcome
	if err := json.Unmarshal(body, &a); err != nil || response.StatusCode != http.StatusOK || response.Header.Get("X-Amz-Function-Error") != "" {
		return a, fmt.Errorf("%s %s is answered %d %s", name, event, response.StatusCode, body)
	}
	return a, nil
}

func (s *site) logOf(name string) string {
	var b strings.Builder
	for _, l := range s.Logs().Read(logs.Query{Environment: "dev", Function: name}) {
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

func TestAFunctionCallsThoseThatItsAccessAllows(t *testing.T) {
	t.Parallel()
	s := openCalls(t)
	if a := s.invoke("ping", `{"calls":["pong","ping"]}`); a.Depth != 2 || a.Type != "" {
		t.Errorf("a call that is allowed: %+v", a)
	}
	a := s.invoke("lonely", `{"calls":["ping"]}`)
	if a.Status != http.StatusForbidden || a.Type != "AccessDeniedException" ||
		a.Text != `{"Message":"User: arn:aws:sts::000000000000:assumed-role/lonely/lonely is not authorized to perform: lambda:InvokeFunction on resource: arn:aws:lambda:eu-west-1:000000000000:function:ping-dev because no identity-based policy allows the lambda:InvokeFunction action"}` {
		t.Errorf("a call that is not allowed: %+v", a)
	}
	want := "the function may not call the function ping; allow it with: gatewright update function lonely --access function/ping=read"
	if log := s.logOf("lonely"); !strings.Contains(log, want) {
		t.Errorf("the log does not say what allows it:\n%s", log)
	}
	s.invoke("lonely", `{"calls":["nothing"]}`)
	want = "the function may not call the function nothing, which is not in this project; allow it with: gatewright update function lonely --access function/NAME=read"
	if log := s.logOf("lonely"); !strings.Contains(log, want) {
		t.Errorf("the log does not say what allows it:\n%s", log)
	}
	var told []string
	for _, c := range s.traffic.Calls(traffic.Query{Environment: "dev"}) {
		told = append(told, c.Who.String()+" "+c.Name()+" "+c.Outcome())
	}
	const calls = "function pong invoke ping ok, function ping invoke pong ok, nobody invoke ping ok, function lonely invoke ping 403, nobody invoke lonely ok, function lonely invoke nothing 403, nobody invoke lonely ok"
	if got := strings.Join(told, ", "); got != calls {
		t.Errorf("remembered are\n%s, want\n%s", got, calls)
	}
}

func TestFunctionsThatCallEachOtherAtOnceDoNotBlock(t *testing.T) {
	t.Parallel()
	s := openCalls(t)
	const atOnce = 12
	type answer struct {
		outcome
		err error
	}
	answers := make(chan answer, atOnce)
	for range atOnce {
		go func() {
			a, err := s.attempt("ping", `{"calls":["pong","ping","pong"],"ms":50}`)
			answers <- answer{a, err}
		}()
	}
	for range atOnce {
		if a := <-answers; a.err != nil || a.Depth != 3 || a.Type != "" {
			t.Errorf("a chain ended with %+v", a)
		}
	}
}

func TestALoopOfFunctionsIsEnded(t *testing.T) {
	t.Parallel()
	s := openCalls(t)
	for _, event := range []string{
		`{"calls":["ping"],"endless":true,"traced":true}`,
		// A client that does not send the trace header on.
		`{"calls":["ping"],"endless":true}`,
	}[:depth.Rounds(1, 2, 2)] {
		if a := s.invoke("ping", event); a.Type != "RecursiveInvocationException" || a.Status != http.StatusBadRequest || a.Depth != 15 {
			t.Errorf("%s ended with %+v", event, a)
		}
	}
	if depth.Rounds(0, 1, 1) == 0 {
		return // a loop of two has a process for each of its 31 calls at once
	}
	if a := s.invoke("ping", `{"calls":["pong","ping"],"endless":true,"traced":true}`); a.Type != "RecursiveInvocationException" || a.Depth != 31 {
		t.Errorf("a loop of two functions ended with %+v", a)
	}
}

func TestALoopOfCallsThatNobodyWaitsForIsEnded(t *testing.T) {
	t.Parallel()
	s := openCalls(t)
	before := len(s.traffic.Calls(traffic.Query{}))
	s.invoke("ping", `{"calls":["ping"],"endless":true,"traced":true,"nobodyWaits":true}`)
	await.Until(t, "the end of the loop", func() bool { return strings.Contains(s.logOf("ping"), "was called 16 times in one chain of calls") })
	// The last call ends after the refusal that it got.
	ctx, cancel := context.WithTimeout(t.Context(), await.Limit(t))
	defer cancel()
	s.calls.Close(ctx)
	s.calls.Wait()
	called, refused := 0, 0
	for _, c := range s.traffic.Calls(traffic.Query{})[before:] {
		if c.Function == "ping" {
			called++
		} else if c.Status == http.StatusBadRequest {
			refused++
		}
	}
	if called != 16 || refused != 1 {
		t.Errorf("%d calls, %d refused", called, refused)
	}
}
