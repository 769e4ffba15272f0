package run_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"gatewright/cli/clitest"
	"gatewright/deploy/awstest"
)

// inAWS is a session with an environment that is pushed to AWS, whose functions are books and mail, and
// one that is not.
func inAWS(t *testing.T) (*clitest.Session, *awstest.Server) {
	t.Helper()
	s, fake := clitest.New(t), awstest.New(t, awstest.Options{})
	s.Environ = fake.Env()
	for _, line := range []string{
		"init --name shop --app-id d1shop --region eu-central-1", "update env dev --provider aws", "add function mail --template plain",
		"add api shop --path /books --function books --new-function plain --auth read", "push --yes", "add function late --template plain",
		"add env prod --provider aws --region eu-west-1",
	} {
		s.Run(0, strings.Fields(line)...)
	}
	return s, fake
}

// varies is what differs from run to run: times and durations of the run.
var varies = regexp.MustCompile(`20\d\d-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?(Z| UTC)?|\b\d\d:\d\d:\d\d(\.\d+)?( UTC)?`)

// told tells a story (see [clitest.Session.Told]).
func told(s *clitest.Session, story string) {
	s.T.Helper()
	s.Told(story, func(printed string) string { return varies.ReplaceAllString(printed, "TIME") })
}

func TestLogsInAWSArePrintedAsThoseOfTheSandbox(t *testing.T) {
	t.Parallel()
	s, fake := inAWS(t)
	now := time.Now()
	fake.Serve("logs", func(r awstest.Request) (any, error) {
		var in struct {
			LogGroupName, FilterPattern string
			StartTime                   int64
		}
		if err := r.Read(&in); err != nil {
			return nil, err
		}
		events := []map[string]any{}
		for i, e := range []struct {
			group, text string
			ago         time.Duration
		}{
			{"books", "too long ago", 90 * time.Minute},
			{"books", "START RequestId: 11111111-2222-3333-4444-555555555555 Version: $LATEST", 9 * time.Minute},
			{"books", "2026-11-26T10:00:00.000Z\t11111111-2222-3333-4444-555555555555\tINFO\tserved \x1b[1mEmma", 8 * time.Minute},
			{"mail", "sent", 7 * time.Minute},
			{"books", "END RequestId: 11111111-2222-3333-4444-555555555555", 6 * time.Minute},
		} {
			at := now.Add(-e.ago).UnixMilli()
			if !strings.HasSuffix(in.LogGroupName, "/"+e.group+"-dev") || at < in.StartTime ||
				!strings.Contains(e.text, strings.Trim(in.FilterPattern, `"`)) {
				continue
			}
			events = append(events, map[string]any{
				"eventId": fmt.Sprint(i), "logStreamName": "s", "timestamp": at, "ingestionTime": at, "message": e.text + "\n",
			})
		}
		return map[string]any{"events": events}, nil
	})
	told(s, `$ 0 logs books --env dev
TIME	11111111-2222-3333-4444-555555555555	PLATFORM	START RequestId: 11111111-2222-3333-4444-555555555555 Version: $LATEST
TIME	11111111-2222-3333-4444-555555555555	INFO	served \x1b[1mEmma
TIME	11111111-2222-3333-4444-555555555555	PLATFORM	END RequestId: 11111111-2222-3333-4444-555555555555
note: this is the last hour of books in environment dev, account 123456789012; --since looks further back
$ 0 logs mail books --env dev --since 2h
TIME	books	-	-	too long ago
TIME	books	11111111-2222-3333-4444-555555555555	PLATFORM	START RequestId: 11111111-2222-3333-4444-555555555555 Version: $LATEST
TIME	books	11111111-2222-3333-4444-555555555555	INFO	served \x1b[1mEmma
TIME	mail	-	-	sent
TIME	books	11111111-2222-3333-4444-555555555555	PLATFORM	END RequestId: 11111111-2222-3333-4444-555555555555
$ 0 logs books mail --env dev --last 2
TIME	mail	-	-	sent
TIME	books	11111111-2222-3333-4444-555555555555	PLATFORM	END RequestId: 11111111-2222-3333-4444-555555555555
note: this is the last hour of books, mail in environment dev, account 123456789012; --since looks further back
$ 0 logs books --env dev --request 11111111-2222-3333-4444-555555555555 --json
{"time":"TIME","environment":"dev","function":"books","request":"11111111-2222-3333-4444-555555555555","level":"PLATFORM","text":"START RequestId: 11111111-2222-3333-4444-555555555555 Version: $LATEST"}
{"time":"TIME","environment":"dev","function":"books","request":"11111111-2222-3333-4444-555555555555","level":"INFO","text":"served \u001b[1mEmma"}
{"time":"TIME","environment":"dev","function":"books","request":"11111111-2222-3333-4444-555555555555","level":"PLATFORM","text":"END RequestId: 11111111-2222-3333-4444-555555555555"}
note: this is the last hour of books in environment dev, account 123456789012; --since looks further back
$ 0 logs mail --env dev --since 1m
note: the log of mail in environment dev has no line since TIME
$ 0 logs mail --env dev --since 1m --json
$ 2 logs .gateway --env dev
gatewright: the log .gateway exists only in the sandbox; leave out --env
$ 1 logs late --env dev
gatewright: function late: is not in environment dev as it was pushed, TIME; push it with: gatewright push --env dev
$ 1 logs boks --env dev
gatewright: function boks: not found; did you mean books?
$ 1 logs books --env prod
gatewright: environment prod was never deployed; push it with: gatewright push --env prod
`)
}

func TestMetricsInAWSAreThoseOfTheFunctionsAndOfTheAPIs(t *testing.T) {
	t.Parallel()
	s, fake := inAWS(t)
	values := map[string]float64{
		"Invocations/Sum/books-dev": 200, "Errors/Sum/books-dev": 5, "Throttles/Sum/books-dev": 2, "Duration/p50/books-dev": 12.5, "Duration/p95/books-dev": 24000,
		"Count/SampleCount/shop-dev": 210, "4XXError/Sum/shop-dev": 21, "5XXError/Sum/shop-dev": 5, "Latency/p95/shop-dev": 300, "Latency/p50/shop-dev": 30,
	}
	fake.Serve("monitoring", func(r awstest.Request) (any, error) {
		var in struct {
			MetricDataQueries []struct {
				ID         string `json:"Id"`
				MetricStat struct {
					Metric struct {
						MetricName string
						Dimensions []struct{ Name, Value string }
					}
					Stat string
				}
			}
			StartTime, EndTime int64
		}
		if err := r.Read(&in); err != nil {
			return nil, err
		}
		results := []map[string]any{}
		for _, q := range in.MetricDataQueries {
			of := q.MetricStat
			found := []float64{}
			if value, ok := values[of.Metric.MetricName+"/"+of.Stat+"/"+of.Metric.Dimensions[0].Value]; ok {
				if in.EndTime-in.StartTime > 2*3600 {
					value *= 2
				}
				found = append(found, value)
			}
			results = append(results, map[string]any{"Id": q.ID, "StatusCode": "Complete", "Values": found})
		}
		return map[string]any{"MetricDataResults": results}, nil
	})
	told(s, `$ 0 metrics --env dev
environment dev, account 123456789012, eu-central-1: from TIME to TIME
function  calls     errors     throttled  p95
books     200       5 (2.5 %)  2          24.0 s
mail      no calls  -          -          -

API   requests  4xx        5xx        p95
shop  210       21 (10 %)  5 (2.4 %)  300 ms

books: 5 of 200 calls failed (2.5 %); see why with: gatewright logs books --env dev --since 1h
books: p95 is 24.0 s, and a call is ended after 25.0 s; raise that with: gatewright update function books --timeout 29, then: gatewright push --env dev
books: 2 calls were refused because too many ran at the same time, and the callers got an error; have the account's quota "Concurrent executions" of Lambda raised in Service Quotas, or the function's reserved concurrency
$ 0 metrics books --env dev --over 1d --json
{
  "environment": "dev",
  "since": "TIME",
  "until": "TIME",
  "functions": [
    {
      "function": "books",
      "calls": 400,
      "errors": 10,
      "throttled": 4,
      "p50": 25,
      "p95": 48000,
      "timeout": 25000
    }
  ],
  "apis": []
}
$ 0 metrics mail --env dev --json
{
  "environment": "dev",
  "since": "TIME",
  "until": "TIME",
  "functions": [
    {
      "function": "mail",
      "calls": 0,
      "errors": 0,
      "throttled": 0,
      "p50": null,
      "p95": null,
      "timeout": 25000
    }
  ],
  "apis": []
}
$ 1 metrics late --env dev
gatewright: function late: is not in environment dev as it was pushed, TIME; push it with: gatewright push --env dev
$ 1 metrics boks --env dev
gatewright: function boks: not found; did you mean books?
$ 1 metrics --env prod
gatewright: environment prod was never deployed; push it with: gatewright push --env prod
`)
}
