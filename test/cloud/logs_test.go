//go:build unix

package cloud

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/test/standin"
)

// observer reads the logs of an account with the SDK of AWS for Python, and makes metrics: the
// stand-in counts the calls of functions that it is asked for, and none of API Gateway.
const observer = `
import boto3, datetime, json, sys
place = dict(endpoint_url=sys.argv[1], region_name=sys.argv[2], aws_access_key_id=sys.argv[3], aws_secret_access_key='x')
logs, metrics = boto3.client('logs', **place), boto3.client('cloudwatch', **place)
if sys.argv[4] == 'logs':
    events = [e for page in logs.get_paginator('filter_log_events').paginate(logGroupName=sys.argv[5]) for e in page['events']]
    print(json.dumps([e['message'] for e in events]))
elif sys.argv[4] == 'remove':
    logs.delete_log_group(logGroupName=sys.argv[5])
else:
    functions = boto3.client('lambda', **place)
    for name, event in [('items', {}), ('items', {}), ('items', {'httpMethod': 'DELETE'}), ('news', {})]:
        functions.invoke(FunctionName=name + '-dev', Payload=json.dumps(event))
    of = [{'Name': 'ApiName', 'Value': sys.argv[5]}, {'Name': 'Stage', 'Value': sys.argv[6]}]
    at = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=59)
    data = [{'MetricName': 'Count', 'Dimensions': of, 'Timestamp': at, 'Value': 1}] * 9
    data += [{'MetricName': '4XXError', 'Dimensions': of, 'Timestamp': at, 'Value': v} for v in [1, 1] + [0] * 7]
    data += [{'MetricName': 'Latency', 'Dimensions': of, 'Timestamp': at, 'Value': v} for v in [250] * 9]
    metrics.put_metric_data(Namespace='AWS/ApiGateway', MetricData=data)
    print('[]')
`

// observe runs the observer.
func (m *machine) observe(region, account string, words ...string) (messages []string) {
	m.t.Helper()
	script := filepath.Join(m.t.TempDir(), "observer.py")
	m.write(script, observer)
	out, err := exec.Command(m.server.Python, append([]string{script, m.server.URL, region, account}, words...)...).Output()
	if err != nil {
		m.t.Fatalf("%v: %s", err, out)
	}
	if len(out) > 0 && json.Unmarshal(out, &messages) != nil {
		m.t.Fatalf("the observer prints %s", out)
	}
	return messages
}

// logLine is a line that the program prints as JSON.
type logLine struct{ Time, Environment, Function, Request, Level, Text string }

func linesIn(t *testing.T, out string) []logLine {
	t.Helper()
	var all []logLine
	for text := range strings.Lines(out) {
		var l logLine
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		all = append(all, l)
	}
	return all
}

func TestLogsAndMetricsAreThoseOfTheAccount(t *testing.T) {
	m := newMachine(t)
	m.must(`
		init --name shop --app-id d1shop --region eu-central-1
		add function items --template plain
		add function news --template plain --runtime python
		add function idle --template plain
		add api shop --path /items --function items --open
		add path shop /news --function news --open
		update env dev --provider aws --account 123456789012
		env use dev --profile profile-of-dev
	`)
	m.write(filepath.Join(m.dir, "backend/function/items/src/index.js"), `exports.handler = async (event) => {
  console.log("asked for", event.path);
  console.error("\u001b[31mred");
  if (event.httpMethod === "DELETE") throw new Error("the shelf is empty");
  return { statusCode: 200, body: "{}" };
};
`)
	m.write(filepath.Join(m.dir, "backend/function/news/src/index.py"), `def handler(event, context):
    print("printed without an id")
    return {"statusCode": 200, "body": "{}"}
`)
	m.run(0, "push", "--yes")
	out, problems := m.run(0, "logs", "items", "--env", "dev")
	if out != "" || !strings.Contains(problems, "the last hour of items in environment dev, account "+devAccount) || !strings.Contains(problems, "has no line since ") {
		t.Errorf("before a call the log is\n%s%s", out, problems)
	}
	requests := []request{{"nobody", "GET", "/items", ""}, {"nobody", "GET", "/items/7", ""}, {"nobody", "DELETE", "/items/7", ""}, {"nobody", "GET", "/news", ""}}
	for i, got := range m.send(devAccount, requests...) {
		if failed := got.Status >= 500; failed != (requests[i].Method == "DELETE") {
			t.Fatalf("%v is answered with %v", requests[i], got)
		}
	}
	m.take()

	out, _ = m.run(0, "logs", "items", "news", "--env", "dev", "--json")
	lines := linesIn(t, out)
	for _, c := range m.take() {
		if c.Service == "logs" && c.KeyID != devAccount {
			t.Errorf("%s was called by the account %s", c.Action, c.KeyID)
		}
	}
	if !slices.IsSortedFunc(lines, func(a, b logLine) int { return strings.Compare(a.Time, b.Time) }) {
		t.Error("the lines are not in the order of their times")
	}
	for _, function := range []string{"items", "news"} {
		want := m.observe("eu-central-1", devAccount, "logs", "/aws/lambda/"+function+"-dev")
		var got []logLine
		for _, l := range lines {
			if l.Function == function {
				got = append(got, l)
			}
		}
		if len(got) != len(want) || len(want) < 4 {
			t.Fatalf("%s has %d lines, and boto3 reads %d events: %q", function, len(got), len(want), want)
		}
		for i, l := range got {
			if !strings.Contains(want[i], l.Text) {
				t.Errorf("line %d of %s is %q, and boto3 reads %q", i, function, l.Text, want[i])
			}
		}
	}

	// All lines of a request, also those without its id.
	at := slices.IndexFunc(lines, func(l logLine) bool { return strings.Contains(l.Text, "printed without an id") })
	if at < 0 || lines[at].Request == "" {
		t.Fatalf("the printed line is not that of a request: %+v", lines)
	}
	out, _ = m.run(0, "logs", "items", "news", "--env", "dev", "--json", "--request", lines[at].Request)
	var texts []string
	for _, l := range linesIn(t, out) {
		word, _, _ := strings.Cut(l.Text, " ")
		texts = append(texts, l.Function+" "+word)
	}
	if got := strings.Join(texts, ", "); got != "news START, news printed, news END, news REPORT" {
		t.Errorf("the request has %s", got)
	}
	out, _ = m.run(0, "logs", "items", "--env", "dev", "--last", "1")
	if strings.Count(out, "\n") != 1 || !strings.Contains(out, "REPORT RequestId") {
		t.Errorf("the last line is %s", out)
	}
	if out, _ = m.run(0, "logs", "items", "--env", "dev"); strings.ContainsRune(out, '\x1b') {
		t.Errorf("the output has control characters: %q", out)
	}

	_, refusal := m.run(1, "logs", "itms", "--env", "dev")
	oneLine(t, refusal, "did you mean items?")
	m.observe("eu-central-1", devAccount, "remove", "/aws/lambda/idle-dev")
	_, problems = m.run(0, "logs", "idle", "--env", "dev")
	if !strings.Contains(problems, "AWS has no log group /aws/lambda/idle-dev") {
		t.Errorf("a log group that is not there is told as %s", problems)
	}
	m.metricsOfTheAccount()
	m.keepsKeys()
}

// metricsOfTheAccount compares the metrics with what was sent.
func (m *machine) metricsOfTheAccount() {
	m.t.Helper()
	m.observe("eu-central-1", devAccount, "metrics", "shop-dev", "dev")
	out, _ := m.run(0, "metrics", "--env", "dev", "--json")
	var report struct {
		Functions []struct {
			Function                 string
			Calls, Errors, Throttled int
			P95                      *float64
		}
		APIs []struct {
			API                       string
			Requests, Refused, Failed int
			P95                       *float64
		}
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		m.t.Fatal(err)
	}
	var got []string
	for _, f := range report.Functions {
		got = append(got, fmt.Sprintf("%s %d %d %d %v", f.Function, f.Calls, f.Errors, f.Throttled, f.P95 != nil))
	}
	for _, a := range report.APIs {
		got = append(got, fmt.Sprintf("%s %d %d %d %.0f", a.API, a.Requests, a.Refused, a.Failed, *a.P95))
	}
	if text := strings.Join(got, ", "); text != "idle 0 0 0 false, items 3 1 0 true, news 1 0 0 true, shop 9 2 0 250" {
		m.t.Errorf("the metrics are %s", text)
	}
	out, _ = m.run(0, "metrics", "--env", "dev")
	for _, want := range []string{"idle      no calls", "3      1 (33 %)", "gatewright logs items --env dev --since 1h"} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), strings.Join(strings.Fields(want), " ")) {
			m.t.Errorf("the metrics do not say %q:\n%s", want, out)
		}
	}
	if n := len(standin.Actions(m.take(), "monitoring")); n != 4 {
		m.t.Errorf("two reports took %d calls of CloudWatch", n)
	}
}

// keepsKeys looks for keys in what was printed.
func (m *machine) keepsKeys() {
	m.t.Helper()
	for _, word := range []string{devKey, prodKey} {
		if strings.Contains(m.said.String(), word) {
			m.t.Errorf("%q was printed", word)
		}
	}
}
