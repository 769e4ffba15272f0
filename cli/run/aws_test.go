package run_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/cli/clitest"
	"gatewright/deploy/awstest"
	"gatewright/deploy/cloudcall/cloudcalltest"
	"gatewright/project"
)

// inAWS is a session with a project whose environment dev is in AWS, with the functions books, which serves a path, and mail.
func inAWS(t *testing.T, environ ...string) *clitest.Session {
	t.Helper()
	s := clitest.New(t)
	s.Environ = environ
	s.Run(0, "init", "--name", "shop", "--app-id", "app1")
	s.Run(0, "update", "env", "dev", "--provider", "aws", "--region", "eu-central-1")
	s.Run(0, "add", "api", "shop", "--path", "/books", "--function", "books", "--new-function", "plain", "--auth", "all", "--guest", "read")
	s.Run(0, "add", "function", "mail", "--template", "plain")
	return s
}

func TestLogsOfAnEnvironmentInAWSAreThoseOfItsFunctions(t *testing.T) {
	t.Parallel()
	fake := awstest.New(t, awstest.Options{})
	s := inAWS(t, fake.Env()...)
	if text := s.Run(1, "logs", "books", "--env", "dev"); !strings.Contains(text, "environment dev") || !strings.Contains(text, "gatewright push") {
		t.Errorf("before the first push: %s", text)
	}
	s.Run(0, "push", "--yes")
	s.Run(0, "add", "function", "later", "--template", "plain")
	type question struct {
		Group   string `json:"logGroupName"`
		Since   int64  `json:"startTime"`
		Pattern string `json:"filterPattern"`
	}
	var asked []question
	at := time.Now().Add(-10 * time.Minute).UTC()
	fake.Serve("logs", func(r awstest.Request) (any, error) {
		var q question
		if err := r.Read(&q); err != nil {
			return nil, err
		}
		asked = append(asked, q)
		events := []map[string]any{}
		for i, text := range []string{"START RequestId: 1-2 Version: $LATEST", "first", "2026-03-01T12:00:00.000Z\t1-2\tERROR\tsecond\u202e"} {
			when := at.Add(time.Duration(i) * time.Second).UnixMilli()
			if q.Group == "/aws/lambda/books-dev" && when >= q.Since {
				events = append(events, map[string]any{"eventId": fmt.Sprint(i), "logStreamName": "one", "timestamp": when, "ingestionTime": when, "message": text + "\n"})
			}
		}
		return map[string]any{"events": events}, nil
	})
	// lines are what a command prints, without the notes.
	lines := func(args ...string) (printed []string, notes string) {
		for line := range strings.Lines(s.Run(0, append([]string{"logs", "--env", "dev"}, args...)...)) {
			if strings.HasPrefix(line, "note: ") {
				notes += line
			} else {
				printed = append(printed, strings.TrimSuffix(line, "\n"))
			}
		}
		return printed, notes
	}
	printed, notes := lines("books", "mail", "books")
	stamp := at.Add(time.Second).Truncate(time.Millisecond).Format("2006-01-02 15:04:05.000 UTC")
	if len(printed) != 3 || !strings.HasPrefix(printed[1], stamp) || !strings.HasSuffix(printed[1], "first") || strings.Contains(strings.Join(printed, ""), "\u202e") ||
		notes != "note: this is the last hour of books, mail in environment dev, account 123456789012; --since looks further back\n" {
		t.Errorf("the lines are\n%s\nand the notes\n%s", strings.Join(printed, "\n"), notes)
	}
	groups := map[string]bool{}
	for _, q := range asked {
		groups[q.Group] = true
		if back := time.Since(time.UnixMilli(q.Since)); back < time.Hour-time.Minute || back > time.Hour+time.Minute {
			t.Errorf("%s is asked for the lines since %v ago", q.Group, back)
		}
	}
	if len(groups) != 2 || !groups["/aws/lambda/mail-dev"] {
		t.Errorf("asked are %v", groups)
	}
	if printed, notes := lines("books", "--since", at.Add(1500*time.Millisecond).Format(time.RFC3339Nano)); len(printed) != 1 || notes != "" {
		t.Errorf("since the last line they are %q with the notes %q", printed, notes)
	}
	if printed, _ := lines("books", "--last", "2"); len(printed) != 2 || !strings.HasSuffix(printed[0], "first") {
		t.Errorf("the last two are %q", printed)
	}
	printed, notes = lines("books", "--json")
	var line struct {
		Function, Environment, Level, Text string
		Time                               time.Time
	}
	if err := json.Unmarshal([]byte(printed[1]), &line); err != nil || len(printed) != 3 || line.Text != "first" || !line.Time.Equal(at.Add(time.Second).Truncate(time.Millisecond)) {
		t.Errorf("as JSON they are %q, %v, with the notes %q", printed, err, notes)
	}
	if printed, notes = lines("mail", "--since", "5m"); len(printed) != 0 || !strings.HasPrefix(notes, "note: the log of mail in environment dev has no line since ") {
		t.Errorf("the log of mail is %q with the notes %q", printed, notes)
	}
	for _, row := range []struct {
		code int
		args []string
		want string
	}{
		{2, []string{".gateway"}, "the log .gateway is one of the sandbox, and there is none of it in AWS; leave out --env"},
		{2, []string{"books", ".identity"}, "the log .identity is one of the sandbox"},
		{1, []string{"bookz"}, "did you mean books?"},
		{1, []string{"books", "later"}, "function later"},
	} {
		if text := s.Run(row.code, append([]string{"logs", "--env", "dev"}, row.args...)...); !strings.Contains(text, row.want) || strings.Count(text, "\n") != 1 {
			t.Errorf("%q: %s", row.args, text)
		}
	}
}

func TestMetricsOfAnEnvironmentInAWSAreThoseOfTheTimeThatIsGiven(t *testing.T) {
	t.Parallel()
	fake := awstest.New(t, awstest.Options{})
	s := inAWS(t, fake.Env()...)
	s.Run(0, "push", "--yes")
	var from, to int64
	var names []string
	fake.Serve("monitoring", func(r awstest.Request) (any, error) {
		var in struct {
			MetricDataQueries []struct {
				ID         string `json:"Id"`
				MetricStat struct {
					Metric struct {
						MetricName string
						Dimensions []struct{ Value string }
					}
					Stat string
				}
			}
			StartTime, EndTime int64
		}
		if err := r.Read(&in); err != nil {
			return nil, err
		}
		from, to = in.StartTime, in.EndTime
		results := []map[string]any{}
		for _, q := range in.MetricDataQueries {
			of := q.MetricStat.Metric
			names = append(names, of.Dimensions[0].Value)
			value := map[string]float64{"Invocations": 40, "Errors": 4, "Throttles": 2, "Duration": 12, "Count": 50, "4XXError": 5, "5XXError": 1, "Latency": 20}[of.MetricName]
			if q.MetricStat.Stat == "p95" {
				value *= 2
			}
			results = append(results, map[string]any{"Id": q.ID, "StatusCode": "Complete", "Values": []float64{value}})
		}
		return map[string]any{"MetricDataResults": results}, nil
	})
	text := s.Run(0, "metrics", "--env", "dev")
	_, text, _ = strings.Cut(text, "\n")
	const want = `function  calls  errors    throttled  p95
books     40     4 (10 %)  2          24 ms
mail      40     4 (10 %)  2          24 ms

API   requests  4xx       5xx        p95
shop  50        5 (10 %)  1 (2.0 %)  40 ms
`
	if !strings.HasPrefix(text, want) || to-from < 3600 || to-from > 3600+120 {
		t.Errorf("over %d s it says\n%s\nwant\n%s", to-from, text, want)
	}
	names = nil
	text = s.Run(0, "metrics", "mail", "mail", "--env", "dev", "--over", "1d")
	if strings.Contains(text, "books") || strings.Contains(text, "shop") || !strings.Contains(text, "mail      40") || to-from < 86400 || to-from > 86400+120 || slices.Contains(names, "shop-dev") {
		t.Errorf("over %d s, of %q it says\n%s", to-from, names, text)
	}
	var report struct {
		Environment  string
		Since, Until time.Time
		Functions    []map[string]any
		APIs         []map[string]any `json:"apis"`
	}
	printed := s.Run(0, "metrics", "--env", "dev", "--json")
	if err := json.Unmarshal([]byte(printed), &report); err != nil {
		t.Fatal(err)
	}
	functions := []map[string]any{
		{"function": "books", "calls": 40.0, "errors": 4.0, "throttled": 2.0, "p50": 12.0, "p95": 24.0, "timeout": 25000.0},
		{"function": "mail", "calls": 40.0, "errors": 4.0, "throttled": 2.0, "p50": 12.0, "p95": 24.0, "timeout": 25000.0},
	}
	apis := []map[string]any{{"api": "shop", "requests": 50.0, "refused": 5.0, "failed": 1.0, "p95": 40.0}}
	if diff := cmp.Diff(functions, report.Functions) + cmp.Diff(apis, report.APIs); diff != "" || report.Environment != "dev" || report.Until.Sub(report.Since) != time.Hour {
		t.Errorf("as JSON it is %s\n%s", printed, diff)
	}
	if text := s.Run(1, "metrics", "book", "--env", "dev"); !strings.Contains(text, "did you mean books?") {
		t.Errorf("of an unknown function: %s", text)
	}
	if text := s.Run(2, "metrics", "--env", "dev", "--over", "10s"); !strings.Contains(text, "calls are counted by the minute") {
		t.Errorf("over seconds: %s", text)
	}
}

// TestARequestToAWSIsSignedAsWhoeverIsNamed is not parallel: the fake is in the variables of the process.
func TestARequestToAWSIsSignedAsWhoeverIsNamed(t *testing.T) {
	cloud := cloudcalltest.New(t)
	var environ []string
	for _, one := range os.Environ() {
		if strings.HasPrefix(one, "AWS_") {
			environ = append(environ, one)
		}
	}
	s := inAWS(t, environ...)
	if text := s.Run(1, "call", "GET", "/books", "--env", "dev"); !strings.Contains(text, "credentials") {
		t.Errorf("before the first push, without credentials: %s", text)
	}
	p, err := project.Open(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	cloudcalltest.Push(t, p, "dev", cloudcalltest.URL("dev"))
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	cloud.API = func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "DELETE" {
			w.WriteHeader(http.StatusTeapot)
		}
		_, _ = w.Write([]byte("got " + r.URL.RequestURI()))
	}
	for _, row := range []struct {
		code int
		args []string
		want string
		sign string
	}{
		{0, []string{"GET", "/books?limit=1"}, "got /dev/books?limit=1", ""},
		{0, []string{"GET", "/books", "--as", "guest"}, "got /dev/books", "ASIAGUEST1/"},
		{4, []string{"DELETE", "/books"}, "got /dev/books", ""},
		{0, []string{"GET", "/books", "-i"}, "HTTP/1.1 200 OK", ""},
		{1, []string{"GET", "/books", "--as", "group:Readers"}, "Readers", ""},
		{1, []string{"GET", "/books", "--as", "me"}, "credentials", ""},
		{2, []string{"GET", "/books", "--as", "ann"}, "the password of ann is needed; run it in a terminal, which asks for it, set GATEWRIGHT_PASSWORD, or give --password-stdin", ""},
		{2, []string{"GET", "/books", "--as", "guest", "--password-stdin"}, "--password-stdin is for --as USER", ""},
	} {
		before := len(cloud.Got)
		text := s.Run(row.code, append([]string{"call", "--env", "dev"}, row.args...)...)
		if !strings.Contains(text, row.want) {
			t.Errorf("%q prints\n%s", row.args, text)
		}
		switch sent := cloud.Got[before:]; {
		case (len(sent) == 1) != (row.code == 0 || row.code == 4):
			t.Errorf("%q sends %d requests", row.args, len(sent))
		case len(sent) == 1:
			if header := sent[0].Header.Get("Authorization"); (header == "") != (row.sign == "") || !strings.Contains(header, row.sign) {
				t.Errorf("%q is signed %q", row.args, header)
			}
		}
	}
	s.Run(0, "update", "env", "dev", "--guarded")
	before := len(cloud.Got)
	if text := s.Run(2, "call", "POST", "/books", "--env", "dev", "--data", "{}"); !strings.Contains(text, "to send a POST request to it give --confirm dev") || len(cloud.Got) != before {
		t.Errorf("a guarded environment: %s", text)
	}
	s.Run(0, "call", "POST", "/books", "--env", "dev", "--data", "{}", "--confirm", "dev")
	if len(cloud.Got) != before+1 || cloud.Got[before].Method != "POST" {
		t.Error("the request that was confirmed is not sent")
	}
}
