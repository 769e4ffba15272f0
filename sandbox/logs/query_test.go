package logs_test

import (
	"strings"
	"testing"
	"time"

	"gatewright/sandbox/logs"
)

func TestAQueryHasTheLinesThatItNames(t *testing.T) {
	t.Parallel()
	s, err := logs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	begun := time.Date(2026, 11, 29, 7, 0, 0, 0, time.UTC)
	for i, l := range []logs.Line{
		{Environment: "dev", Function: "f", Level: logs.Platform, Request: "r1", Text: "a START"},
		{Environment: "dev", Function: "f", Level: logs.Info, Request: "r1", Text: "b info"},
		{Environment: "dev", Function: "f", Level: logs.Error, Request: "r1", Text: "c error"},
		{Environment: "dev", Function: "f", Level: logs.Platform, Text: "REPORT d"},
		{Environment: "dev", Function: "f", Level: logs.Platform, Text: "e ended between calls"},
		{Environment: "dev", Function: "g", Level: logs.Fatal, Request: "r2", Text: "f fatal"},
		{Environment: "dev", Function: "g", Level: logs.Warn, Request: "r2", Text: "g warning"},
		{Environment: "dev", Function: logs.Gateway, Level: logs.Info, Request: "r1", Text: "h of the gateway"},
		{Function: logs.Gateway, Level: logs.Warn, Text: "i of nobody"},
		{Environment: "dev", Function: logs.Identity, Level: logs.Info, Text: "j of the pools"},
		{Environment: "qa", Function: "f", Level: logs.Error, Request: "r1", Text: "k in qa"},
	} {
		l.Time = begun.Add(time.Duration(i) * time.Minute)
		s.Append(l)
	}
	for name, row := range map[string]struct {
		q    logs.Query
		want string
	}{
		"all":                        {logs.Query{}, "abcdefghijk"},
		"an environment":             {logs.Query{Environment: "dev"}, "abcdefghj"},
		"a function":                 {logs.Query{Environment: "dev", Function: "f"}, "abcde"},
		"the function anywhere":      {logs.Query{Function: "f"}, "abcdek"},
		"functions":                  {logs.Query{Environment: "dev", Functions: []string{"g", logs.Identity}}, "fgj"},
		"a request":                  {logs.Query{Environment: "dev", Request: "r1"}, "abch"},
		"a request of a function":    {logs.Query{Environment: "dev", Function: "f", Request: "r1"}, "abc"},
		"the gateway":                {logs.Query{Environment: "dev", Function: logs.Gateway}, "hi"},
		"the gateway among them":     {logs.Query{Environment: "dev", Functions: []string{"g", logs.Gateway}}, "fghi"},
		"what is notable":            {logs.Query{Environment: "dev", Notable: true}, "cefhj"},
		"from its time on":           {logs.Query{Since: begun.Add(9 * time.Minute)}, "jk"},
		"behind its time":            {logs.Query{Since: begun.Add(9*time.Minute + 1)}, "k"},
		"the last of all":            {logs.Query{Last: 2}, "jk"},
		"the last that are notable":  {logs.Query{Environment: "dev", Notable: true, Last: 2}, "hj"},
		"as many as there are":       {logs.Query{Environment: "qa", Last: 1}, "k"},
		"an environment that is not": {logs.Query{Environment: "prod"}, ""},
	} {
		got := ""
		for _, l := range s.Read(row.q) {
			got += strings.TrimPrefix(l.Text, "REPORT ")[:1]
		}
		if got != row.want {
			t.Errorf("%s: %q, not %q", name, got, row.want)
		}
	}
}
