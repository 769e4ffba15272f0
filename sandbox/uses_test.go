package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/traffic"
	"gatewright/sandbox/trigger"
	"gatewright/test/await"
)

// using is a handler that uses things as a client of the cloud without an SDK, and tells of how often
// it used what: with n, it puts and gets so many items, reads a parameter and a secret, and calls
// the function helper; it is refused a table and another service, each once. With loose it sends
// no trace header.
const using = `const http = require("http");
let counts;
const send = (what, operation, service, path, target, body) => new Promise((done, fail) => {
  const key = what + " " + operation;
  counts[key] = (counts[key] || 0) + 1;
  const headers = { "Content-Type": "application/x-amz-json-1.0", Authorization: "AWS4-HMAC-SHA256 Credential=" +
    process.env.AWS_ACCESS_KEY_ID + "/20261126/eu-west-1/" + service + "/aws4_request, SignedHeaders=host, Signature=x" };
  if (target) headers["X-Amz-Target"] = target + "." + operation;
  if (!counts.loose) headers["X-Amzn-Trace-Id"] = process.env._X_AMZN_TRACE_ID;
  const request = http.request(new URL(process.env.AWS_ENDPOINT_URL + path), { method: "POST", headers }, (answer) => {
    let text = "";
    answer.on("data", (part) => { text += part; });
    answer.on("end", () => done(text));
  });
  request.on("error", fail);
  request.end(JSON.stringify(body));
});
const table = (name, operation, body) => send("table/" + name, operation, "dynamodb", "/", "DynamoDB_20120810", { TableName: name + "-dev", ...body });
exports.handler = async (event) => {
  counts = event.queryStringParameters && event.queryStringParameters.loose ? { loose: true } : {};
  const n = Number((event.queryStringParameters || event).n || 0);
  const item = { shelf: { S: "a" }, at: { N: String(n) } };
  for (let i = 0; i < n; i++) {
    await table("books", "PutItem", { Item: item });
    await Promise.all([table("books", "GetItem", { Key: item }), table("books", "GetItem", { Key: item })]);
  }
  if (n > 0 && !event.n) {
    await send("function/helper", "Invoke", "lambda", "/2015-03-31/functions/helper/invocations", "", { n: 1 });
    await send("parameter/app/key", "GetParameter", "ssm", "/", "AmazonSSM", { Name: "/app/key" });
    await send("secret/token", "GetSecretValue", "secretsmanager", "/", "secretsmanager", { SecretId: "token" });
    await table("forbidden", "GetItem", { Key: item });
    await send("kinesis", "PutRecord", "kinesis", "/", "Kinesis_20131202", {});
  }
  delete counts.loose;
  return { statusCode: 200, body: JSON.stringify(counts) };
};`

// openUsing starts a sandbox with the functions items, at /items, and helper, which have the handler using.
func openUsing(t *testing.T) *site {
	s := openSite(t, Options{})
	s.write(using)
	env := s.environment()
	helper := env.Functions[0]
	helper.Name, helper.DeployedName = "helper", "helper"
	env.Functions = append(env.Functions, helper)
	all := []cfn.Statement{
		{Effect: "Allow", Actions: []string{"*"}, Resources: []string{"*"}},
		{Effect: "Deny", Actions: []string{"*"}, Resources: []string{"arn:aws:dynamodb:eu-west-1:000000000000:table/forbidden-dev"}},
	}
	env.Grants, env.Tables, env.Values = map[string][]cfn.Statement{}, []Table{books()}, map[string]string{"/app/key": "v", "token": "v"}
	for i := range env.Functions {
		f := &env.Functions[i]
		key := AccessKey("dev", f.Name)
		f.Variables, f.Cloud = map[string]string{"AWS_ACCESS_KEY_ID": key}, &function.Cloud{Address: s.CloudAddress(), Caller: key}
		env.Grants[f.Name] = all
	}
	forbidden := books()
	forbidden.Name, forbidden.Definition = "forbidden-dev", &model.Table{Name: "forbidden", PartitionKey: forbidden.Definition.PartitionKey, SortKey: forbidden.Definition.SortKey}
	env.Tables = append(env.Tables, forbidden)
	must(t, s.Apply(Config{Environments: []Environment{env}}))
	return s
}

// screen counts what a feed tells, as a screen does.
type screen struct {
	mu     sync.Mutex
	totals map[string]int
	// lost counts the calls whose numbers were not those that come next.
	calls, lost, loose int
	last               uint64
	states             map[string]traffic.FunctionState
	opened             []traffic.Open
}

func (s *screen) see(m traffic.Moment) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, total := range m.Totals {
		s.totals[strings.Join([]string{total.Function, total.Resource, total.Operation}, " ")] = total.Calls
	}
	for _, c := range m.Calls {
		if s.calls++; c.Number != s.last+1 {
			s.lost++
		}
		s.last = c.Number
	}
	if m.Last != s.last {
		s.lost++
	}
	for _, f := range m.Functions {
		s.states[f.Name] = f
	}
	s.loose += len(m.Loose)
	s.opened = append(s.opened, m.Open...)
	return nil
}

func newScreen() *screen {
	return &screen{totals: map[string]int{}, states: map[string]traffic.FunctionState{}}
}

// has reports whether a screen has seen the calls up to a number, all of them, and so many uses.
func (s *screen) has(last uint64, totals map[string]int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last != last || s.lost > 0 || !maps.Equal(s.totals, totals) {
		return fmt.Errorf("it is at call %d of %d, lost %d, and has counted\n%v, want\n%v", s.last, last, s.lost, s.totals, totals)
	}
	return nil
}

func TestWhatFunctionsUseIsCountedAsTheyCountIt(t *testing.T) {
	t.Parallel()
	s := openUsing(t)
	client := s.connect()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var followers sync.WaitGroup
	follow := func(x *screen) { followers.Go(func() { _ = client.Feed(ctx, x.last, x.see) }) }
	early, again := newScreen(), newScreen()
	follow(early)

	own := map[string]int{}
	var mu sync.Mutex
	ask := func(path string, asks, atOnce int) {
		t.Helper()
		var all sync.WaitGroup
		for range atOnce {
			all.Go(func() {
				for range asks {
					status, body := s.get(path)
					var counts map[string]int
					if err := json.Unmarshal([]byte(body), &counts); err != nil || status != 200 {
						t.Errorf("%s is answered %d %s", path, status, body)
					}
					mu.Lock()
					for what, n := range counts {
						own["items "+what] += n
						if what == "function/helper Invoke" {
							own["helper table/books PutItem"]++
							own["helper table/books GetItem"] += 2
						}
					}
					mu.Unlock()
				}
			})
		}
		all.Wait()
	}
	ask("/items?n=3", 4, 4)
	// This one comes, goes when it has seen some, and comes again.
	enough := errors.New("enough")
	if err := client.Feed(ctx, 0, func(m traffic.Moment) error { return errors.Join(again.see(m), enough) }); !errors.Is(err, enough) {
		t.Errorf("the error of its user is %v", err)
	}
	ask("/items?n=40", 1, 2)
	follow(again)
	ask("/items?n=2&loose=1", 1, 3)
	late := newScreen()
	follow(late)

	calls := s.traffic.Calls(traffic.Query{})
	last := calls[len(calls)-1].Number
	for name, x := range map[string]*screen{"early": early, "again": again, "late": late} {
		await.Until(t, "what the reader that came "+name+" has", func() bool { return x.has(last, own) == nil })
	}
	report, err := client.Traffic(t.Context(), traffic.FiveMinutes)
	must(t, err)
	counted := newScreen()
	must(t, counted.see(traffic.Moment{Totals: report.Uses}))
	if err := counted.has(0, own); err != nil {
		t.Error("the report: ", err)
	}

	// Uses belong to their calls: those of the first kind have 9 of tables, 3 of functions, parameters and
	// secrets, and 2 that are refused.
	for _, c := range calls {
		used, failed := len(c.Uses)+c.UsesLeft, 0
		for _, u := range c.Uses {
			if u.Failed != (u.Why != "") || u.At < 0 || u.Took <= 0 || u.At+u.Took > c.Took {
				t.Errorf("%s, which took %v, has %+v", c.Target, c.Took, u)
			}
			if u.Failed {
				failed++
			}
		}
		want := map[string][3]int{"/items?n=3": {14, 0, 2}, "/items?n=40": {125, 25, 0}, "/items?n=2&loose=1": {}, "helper": {3, 0, 0}}[c.Target]
		if got := [3]int{used, c.UsesLeft, failed}; got != want {
			t.Errorf("%s has the uses %v, want %v: %+v", c.Target, got, want, c.Uses)
		}
		sum := time.Duration(0)
		for _, p := range c.Parts {
			sum += p.Took
		}
		if sum != c.Took || len(c.Parts) < 3 {
			t.Errorf("%s %s took %v, in the parts %v", c.Kind, c.Target, c.Took, c.Parts)
		}
	}
	if early.loose != 3*11 {
		t.Errorf("%d loose uses", early.loose)
	}
	if c := report.Uses; len(c) == 0 || !strings.Contains(why(calls, "table/forbidden"), "not authorized to perform: dynamodb:GetItem") ||
		!strings.Contains(why(calls, "kinesis"), "does not serve the cloud service") {
		t.Errorf("refused uses have the reasons %q and %q", why(calls, "table/forbidden"), why(calls, "kinesis"))
	}
	cancel()
	followers.Wait()
}

// why is the reason of the first use of something that failed.
func why(calls []traffic.Call, resource string) string {
	for _, c := range calls {
		for _, u := range c.Uses {
			if u.Resource == resource && u.Failed {
				return u.Why
			}
		}
	}
	return ""
}

func TestAFeedTellsWhatIsOnItsWay(t *testing.T) {
	t.Parallel()
	s := openSite(t, Options{})
	client := s.connect()
	x := newScreen()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	moments := 0
	go func() {
		ended <- client.Feed(ctx, 0, func(m traffic.Moment) error {
			x.mu.Lock()
			moments++
			x.mu.Unlock()
			return x.see(m)
		})
	}()
	// The handler of a schedule takes 300 ms, after its worker has started.
	s.fire(trigger.Entry{Environment: "dev", Function: testFunction}, time.Now())
	await.Until(t, "the call, and its end", func() bool {
		x.mu.Lock()
		defer x.mu.Unlock()
		stages := ""
		for _, o := range x.opened {
			stages += string(o.Stage) + " "
			if o.Kind != traffic.Schedule || o.Function != testFunction || o.Environment != "dev" || o.ID == "" {
				t.Errorf("on its way is %+v", o)
			}
		}
		return x.calls == 1 && strings.Contains(stages, "handler") && x.states[testFunction].Idle == 1 && x.states[testFunction].Busy == 0
	})
	c := s.traffic.Calls(traffic.Query{})[0]
	if words := c.PartsInWords(time.Duration.String); !strings.HasPrefix(words, "gate ") || !strings.Contains(words, ", start ") || !strings.Contains(words, ", handler ") || !strings.Contains(words, ", answer ") {
		t.Errorf("the parts of a call by a schedule are %s", words)
	}
	if report := s.traffic.Report(traffic.All, time.Now()); report.Uses == nil || len(report.Uses) > 0 {
		t.Errorf("uses: %+v", report.Uses)
	}
	s.end()
	if err := <-ended; err != nil {
		t.Errorf("following ends with %v", err)
	}
	if x.lost > 0 || moments == 0 {
		t.Errorf("%d lost, %d moments", x.lost, moments)
	}
}
