package call

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/logs"
)

// refusal is what the gateway told its log of a request that it answered itself.
func refusal(ctx context.Context, client *sandbox.Client, api sandbox.ServedAPI, a Answer) []string {
	if !refused(a) || a.RequestID == "" {
		return nil
	}
	var lines []string
	query := logs.Query{Environment: api.Environment, Function: logs.Gateway, Request: a.RequestID}
	err := client.Logs(ctx, query, false, func(l logs.Line) error {
		lines = append(lines, l.Text)
		return nil
	})
	if err != nil || len(lines) == 0 {
		return []string{"why: gatewright logs " + logs.Gateway + " --env " + model.Quote(api.Environment) + " --request " + model.Quote(a.RequestID)}
	}
	return lines
}

// refused reports whether the gateway answered in the place of a function.
func refused(a Answer) bool {
	for name, values := range a.Headers {
		if strings.EqualFold(name, "X-Amzn-ErrorType") && len(values) > 0 && values[0] != "" {
			return true
		}
	}
	return false
}

// patience is how long the end of a function's log is waited for, which comes after
// the answer.
const patience = time.Second

var errEnd = errors.New("the log of the request ends")

// written is what the function wrote while it served the request.
func written(ctx context.Context, client *sandbox.Client, api sandbox.ServedAPI, r Request, a Answer) []string {
	if r.Function == "" || a.RequestID == "" || r.Method == http.MethodOptions {
		return nil
	}
	if refused(a) && a.Status < http.StatusInternalServerError {
		// No function was called.
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var lines []string
	query := logs.Query{Environment: api.Environment, Function: r.Function, Request: a.RequestID}
	// What there is counts, whatever ends it.
	_ = client.Logs(ctx, query, true, func(l logs.Line) error {
		lines = append(lines, shown(l))
		if l.Level == logs.Platform && strings.HasPrefix(l.Text, "REPORT ") {
			return errEnd
		}
		return nil
	})
	return lines
}

// shown is a line of the log without what is the same in all of them: time of day,
// level and text.
func shown(l logs.Line) string {
	l.Request = ""
	fields := strings.SplitN(l.String(), "\t", 4)
	_, clock, _ := strings.Cut(fields[0], "T")
	return strings.TrimSuffix(clock, "Z") + "  " + fields[2] + "  " + fields[3]
}
