package run

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"gatewright/cli/command"
	"gatewright/deploy/remote"
	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// metricsJSON are the metrics as JSON. Durations are in milliseconds.
type metricsJSON struct {
	Environment string            `json:"environment"`
	Since       time.Time         `json:"since"`
	Until       time.Time         `json:"until"`
	Functions   []functionMetrics `json:"functions"`
	APIs        []apiMetrics      `json:"apis"`
}

type functionMetrics struct {
	Function string `json:"function"`
	Calls    int    `json:"calls"`
	Errors   int    `json:"errors"`
	// Throttled is null in the sandbox, which refuses no call for this reason.
	Throttled *int     `json:"throttled"`
	P50       *float64 `json:"p50"`
	P95       *float64 `json:"p95"`
	Timeout   float64  `json:"timeout"`
}

type apiMetrics struct {
	API      string   `json:"api"`
	Requests int      `json:"requests"`
	Refused  int      `json:"refused"`
	Failed   int      `json:"failed"`
	P95      *float64 `json:"p95"`
}

// milliseconds is a duration as JSON has it, null if there were no calls.
func milliseconds(d time.Duration, calls int) *float64 {
	if calls == 0 {
		return nil
	}
	n := float64(d) / float64(time.Millisecond)
	return &n
}

func (m *metricsReport) asJSON() metricsJSON {
	report := metricsJSON{
		Environment: m.environment, Since: m.since.UTC(), Until: m.until.UTC(),
		Functions: []functionMetrics{}, APIs: []apiMetrics{},
	}
	for _, f := range m.functions {
		one := functionMetrics{
			Function: f.Function, Calls: f.Calls, Errors: f.Errors, P50: milliseconds(f.P50, f.Calls),
			P95: milliseconds(f.P95, f.Calls), Timeout: float64(f.Timeout.Milliseconds()),
		}
		if m.account != "" {
			one.Throttled = &f.Throttled
		}
		report.Functions = append(report.Functions, one)
	}
	for _, a := range m.apis {
		report.APIs = append(report.APIs,
			apiMetrics{
				API: a.API, Requests: a.Requests, Refused: a.Refused, Failed: a.Failed,
				P95: milliseconds(a.P95, a.Requests),
			})
	}
	return report
}

// text are the metrics in tables, and below them what is worth a look.
func (m *metricsReport) text(width int) string {
	var b strings.Builder
	head := "environment " + phrase.Quote(m.environment) + ", in the sandbox"
	if m.account != "" {
		head = "environment " + phrase.Quote(m.environment) + ", account " + m.account + ", " + m.region
	}
	b.WriteString(command.Folded("",
		head+": from "+m.streams.Clock().Moment(m.since)+" to "+m.streams.Clock().Moment(m.until), width))
	if len(m.functions) == 0 {
		b.WriteString("it has no function\n")
	} else {
		m.writeFunctions(&b, width)
	}
	if len(m.apis) > 0 {
		rows := [][]string{{"API", "requests", "4xx", "5xx", "p95"}}
		for _, a := range m.apis {
			rows = append(rows,
				[]string{
					phrase.Quote(a.API), counted(a.Requests), share(a.Refused, a.Requests), share(a.Failed, a.Requests),
					lasted(a.P95, a.Requests),
				})
		}
		b.WriteString("\n")
		command.WriteTable(&b, "", width, rows)
	}
	var advice []string
	for _, f := range m.functions {
		advice = append(advice, m.advice(f)...)
	}
	if len(advice) > 0 {
		b.WriteString("\n")
	}
	for _, line := range advice {
		b.WriteString(command.Folded("", line, width))
	}
	return b.String()
}

func (m *metricsReport) writeFunctions(b *strings.Builder, width int) {
	rows := [][]string{{"function", "calls", "errors", "throttled", "p95"}}
	for _, f := range m.functions {
		throttled := strconv.Itoa(f.Throttled)
		if m.account == "" || f.Calls+f.Throttled == 0 {
			throttled = "-"
		}
		rows = append(rows,
			[]string{phrase.Quote(f.Function), counted(f.Calls), share(f.Errors, f.Calls), throttled, lasted(f.P95, f.Calls)})
	}
	command.WriteTable(b, "", width, rows)
}

// counted is a number of calls. Without any there is nothing else to say of them.
func counted(calls int) string {
	if calls == 0 {
		return "no calls"
	}
	return strconv.Itoa(calls)
}

// share is how many of some calls, also in percent.
func share(of, calls int) string {
	if calls == 0 {
		return "-"
	}
	if of == 0 {
		return "0"
	}
	return fmt.Sprintf("%d (%s)", of, percent(of, calls))
}

func percent(of, calls int) string {
	const hundred, least = 100, 0.1
	switch p := hundred * float64(of) / float64(calls); {
	case p < least:
		return "<0.1 %"
	case p < 10:
		return fmt.Sprintf("%.1f %%", p)
	default:
		return fmt.Sprintf("%.0f %%", p)
	}
}

func lasted(p95 time.Duration, calls int) string {
	if calls == 0 {
		return "-"
	}
	return clock.Took(p95)
}

// longestAnswer is how long API Gateway waits for a function, unless the account has another
// quota (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html).
const longestAnswer = 29 * time.Second

// advice says what is worth a look of a function, and what to do.
func (m *metricsReport) advice(f remote.FunctionMetrics) []string {
	var all []string
	name, word, env := phrase.Quote(f.Function), model.ShellWord(f.Function), ""
	if m.account != "" {
		env = " --env " + model.ShellWord(m.environment)
	}
	if f.Errors > 0 {
		all = append(all, fmt.Sprintf("%s: %d of %s failed (%s); see why with: gatewright logs %s%s --since %s",
			name, f.Errors, phrase.Count(f.Calls, "call"), percent(f.Errors, f.Calls), word, env, m.over.text))
	}
	const near = 80 // percent of the timeout
	if f.Calls > 0 && f.P95*100 >= f.Timeout*near {
		all = append(all,
			fmt.Sprintf("%s: p95 is %s, and a call is ended after %s; %s", name, clock.Took(f.P95), clock.Took(f.Timeout),
				m.moreTime(f, word, env)))
	}
	if f.Throttled > 0 {
		all = append(all,
			fmt.Sprintf("%s: %s refused because too many ran at the same time, and the callers got an error; have the "+
				"account's quota "+
				"\"Concurrent executions\" of Lambda raised in Service Quotas, or the function's reserved concurrency", name,
				was(f.Throttled)))
	}
	return all
}

func was(calls int) string {
	if calls == 1 {
		return "1 call was"
	}
	return strconv.Itoa(calls) + " calls were"
}

// setting is the command for a setting of a function, or where else it is.
func (m *metricsReport) setting(name, command string) string {
	if m.kept {
		return name + " in its template"
	}
	return command
}

// moreTime says how a function gets more time, or why that would not help.
func (m *metricsReport) moreTime(f remote.FunctionMetrics, word, env string) string {
	more := min(2*f.Timeout, model.MaxTimeout*time.Second)
	if m.serving[f.Function] {
		more = min(more, longestAnswer)
	}
	if more <= f.Timeout && m.serving[f.Function] {
		return "API Gateway waits 29 s at most, so make it faster, or give it more memory and with it more of a processor: " +
			m.setting("MemorySize", "gatewright update function "+word+" --memory MEGABYTES")
	}
	if more <= f.Timeout {
		return "that is the most that AWS allows, so split its work"
	}
	text := "raise that with: " + m.setting("Timeout",
		fmt.Sprintf("gatewright update function %s --timeout %d", word, int(more/time.Second)))
	if m.account != "" {
		text += ", then: gatewright push" + env
	}
	return text
}
