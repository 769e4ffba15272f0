package cloudlog_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gatewright/deploy/account"
	"gatewright/deploy/awstest"
	"gatewright/deploy/cloudlog"
	"gatewright/sandbox/logs"
)

// shelf stands for CloudWatch Logs: it has the events of groups and answers them in pages.
type shelf struct {
	*awstest.Server
	mu     sync.Mutex
	groups map[string][]map[string]any
	// page is how many events a page has; every second page is empty.
	page  int
	asked []asked
	// before is called with the number of each call, before it is answered.
	before func(n int)
	ids    int
}

type asked struct {
	Group   string   `json:"logGroupName"`
	Streams []string `json:"logStreamNames"`
	Since   int64    `json:"startTime"`
	Until   int64    `json:"endTime"`
	Pattern string   `json:"filterPattern"`
	Token   string   `json:"nextToken"`
	at      time.Time
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	s := &shelf{Server: awstest.New(t, awstest.Options{}), groups: make(map[string][]map[string]any), page: 1000, before: func(int) {}}
	s.Serve("logs", s.answer)
	return s
}

// put adds an event that is ago old.
func (s *shelf) put(group string, ago time.Duration, text string) {
	s.putIn(group, "stream", ago, text)
}

func (s *shelf) putIn(group, stream string, ago time.Duration, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(group, stream, time.Now().Add(-ago), text)
}

// add is putIn for what holds the lock, at a time.
func (s *shelf) add(group, stream string, at time.Time, text string) {
	s.ids++
	s.groups[group] = append(s.groups[group], map[string]any{
		"eventId": fmt.Sprint(s.ids), "logStreamName": stream, "timestamp": at.UnixMilli(), "ingestionTime": at.UnixMilli() + int64(s.ids), "message": text + "\n",
	})
}

func (s *shelf) answer(r awstest.Request) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var in asked
	if err := r.Read(&in); err != nil {
		return nil, err
	}
	in.at = time.Now()
	s.asked = append(s.asked, in)
	s.before(len(s.asked))
	all, ok := s.groups[in.Group]
	if !ok {
		return nil, &awstest.Refusal{Code: "ResourceNotFoundException", Message: "The specified log group does not exist."}
	}
	events := []map[string]any{}
	for _, e := range all {
		at := e["timestamp"].(int64)
		if at < in.Since || in.Until > 0 && at > in.Until || in.Streams != nil && !slices.Contains(in.Streams, e["logStreamName"].(string)) ||
			!strings.Contains(e["message"].(string), strings.Trim(in.Pattern, `"`)) {
			continue
		}
		events = append(events, e)
	}
	slices.SortStableFunc(events, func(a, b map[string]any) int { return int(a["timestamp"].(int64) - b["timestamp"].(int64)) })
	from, empty := 0, false
	if in.Token != "" {
		_, _ = fmt.Sscanf(in.Token, "%d-%t", &from, &empty)
	}
	if empty {
		return map[string]any{"events": []any{}, "nextToken": fmt.Sprintf("%d-false", from)}, nil
	}
	answer := map[string]any{"events": events[from:min(len(events), from+s.page)]}
	if from+s.page < len(events) {
		answer["nextToken"] = fmt.Sprintf("%d-true", from+s.page)
	}
	return answer, nil
}

// reader reads functions, whose groups have their names.
func (s *shelf) reader(t *testing.T, functions ...string) *cloudlog.Reader {
	t.Helper()
	a, err := account.Open(t.Context(), account.Options{Environment: "prod", Region: "eu-central-1", Retry: account.Retry{Attempts: 3, Backoff: time.Nanosecond}, Getenv: s.Getenv})
	if err != nil {
		t.Fatal(err)
	}
	const soon = time.Nanosecond
	r := &cloudlog.Reader{Account: a, Environment: "prod", Pace: cloudlog.Pace{Poll: soon, Gap: soon, Hold: soon, Patience: soon}}
	for _, f := range functions {
		r.Groups = append(r.Groups, cloudlog.Group{Function: f, Name: f})
	}
	return r
}

// hourAgo begins an hour before now.
func hourAgo(r *cloudlog.Reader) cloudlog.Query {
	return cloudlog.Query{Since: r.Account.Now().Add(-time.Hour)}
}

func read(t *testing.T, r *cloudlog.Reader, q cloudlog.Query) string {
	t.Helper()
	var texts []string
	if err := r.Read(t.Context(), q, func(l logs.Line) error {
		texts = append(texts, l.Function+" "+l.Text)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return strings.Join(texts, "; ")
}
