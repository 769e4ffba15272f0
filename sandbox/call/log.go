package call

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"gatewright/internal/text/phrase"
	"gatewright/sandbox"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/traffic"
)

// refusal reads the gateway's log lines of a request that it answered itself.
func refusal(ctx context.Context, client *sandbox.Client, api sandbox.ServedAPI, a Answer) []string {
	if !refused(a) || a.RequestID == "" {
		return nil
	}
	var lines []string
	query := logs.Query{Environment: api.Environment, Function: logs.Gateway, Request: a.RequestID}
	err := client.Logs(ctx, query, false, func(l logs.Line) error {
		if !strings.Contains(l.Text, traffic.BreaksContract) {
			lines = append(lines, l.Text)
		}
		return nil
	})
	if err != nil || len(lines) == 0 {
		return []string{"to see why, run: gatewright logs " + logs.Gateway + " --env " +
			phrase.Quote(api.Environment) +
			" --request " + phrase.Quote(a.RequestID)}
	}
	return lines
}

// earlyRefusal reads why a request was refused before the gateway looked for its API: such an
// answer has no id, so that the newest line about a request like this one is taken.
func earlyRefusal(ctx context.Context, client *sandbox.Client, api sandbox.ServedAPI, r Request, a Answer) []string {
	if a.Status < http.StatusBadRequest {
		return nil
	}
	const newest = 50
	begin := fmt.Sprintf("%s %s %d: ", phrase.Quote(r.Method), phrase.Quote("/"+api.Environment+r.Path), a.Status)
	lines := []string{"to see why, run: gatewright logs " + logs.Gateway + " --env " +
		phrase.Quote(api.Environment)}
	_ = client.Logs(ctx, logs.Query{Environment: api.Environment, Function: logs.Gateway, Last: newest}, false,
		func(l logs.Line) error {
			if strings.HasPrefix(l.Text, begin) {
				lines = []string{l.Text}
			}
			return nil
		})
	return lines
}

// breaches reads how a request and its answer break the contract of the API, if that is checked.
func breaches(ctx context.Context, client *sandbox.Client, api sandbox.ServedAPI, a Answer) (lines []string) {
	if a.RequestID == "" {
		return nil
	}
	// Others may have sent requests meanwhile.
	const newest = 50
	_ = client.Requests(ctx, traffic.Query{Environment: api.Environment, Last: newest}, false, func(c traffic.Call) error {
		if c.Request == a.RequestID {
			lines = c.Breaches
		}
		return nil
	})
	return lines
}

// refused reports whether the gateway answered instead of a function.
func refused(a Answer) bool {
	for name, values := range a.Headers {
		if strings.EqualFold(name, "X-Amzn-ErrorType") && len(values) > 0 && values[0] != "" {
			return true
		}
	}
	return false
}

// logTimeout is how long to wait for the end of a function's log, which is written after
// the answer.
const logTimeout = time.Second

// errEnd stops reading a log at the last line of the request.
var errEnd = errors.New("the log of the request ends")

// functionLog reads the function's log lines of a request.
func functionLog(ctx context.Context, client *sandbox.Client, api sandbox.ServedAPI, r Request, a Answer) []logs.Line {
	if r.Function == "" || a.RequestID == "" || r.Method == http.MethodOptions {
		return nil
	}
	if refused(a) && a.Status < http.StatusInternalServerError {
		// No function was called.
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, logTimeout)
	defer cancel()
	var lines []logs.Line
	query := logs.Query{Environment: api.Environment, Function: r.Function, Request: a.RequestID}
	// An error leaves the lines that were read.
	_ = client.Logs(ctx, query, true, func(l logs.Line) error {
		lines = append(lines, l)
		if l.Level == logs.Platform && strings.HasPrefix(l.Text, "REPORT ") {
			return errEnd
		}
		return nil
	})
	return lines
}
