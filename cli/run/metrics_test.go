package run

import (
	"strings"
	"testing"
	"time"

	"gatewright/cli/command"
	"gatewright/deploy/remote"
	"gatewright/model"
)

func TestMetricsSayWhatIsWorthALookAndWhatToDo(t *testing.T) {
	t.Parallel()
	const second = time.Second
	m := metricsReport{
		streams: command.Streams{Zone: time.FixedZone("CET", 3600)}, environment: "prod", account: "123456789012", region: "eu-central-1", over: span{"1h", time.Hour},
		since: time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC), until: time.Date(2026, 11, 26, 13, 0, 0, 0, time.UTC),
		serving: map[string]bool{"books": true, "slow": true},
		functions: []remote.FunctionMetrics{
			{Function: "books", Calls: 120, Errors: 3, P50: 10 * time.Millisecond, P95: 22 * second, Timeout: 25 * second},
			{Function: "idle", Timeout: 25 * second},
			{Function: "mail", Calls: 7, Throttled: 4, P95: 41 * second, Timeout: 50 * second},
			{Function: "slow", Calls: 2000, Errors: 1, P95: 28 * second, Timeout: 29 * second},
			{Function: "well", Calls: 9, P95: 12 * time.Millisecond, Timeout: 25 * second},
		},
		apis: []remote.APIMetrics{{API: "shop", Requests: 130, Refused: 13, P95: 40 * time.Millisecond}, {API: "quiet"}},
	}
	const want = `environment prod, account 123456789012, eu-central-1: from 2026-11-26 13:00:00 CET to 2026-11-26 14:00:00 CET
function  calls     errors      throttled  p95
books     120       3 (2.5 %)   0          22.0 s
idle      no calls  -           -          -
mail      7         0           4          41.0 s
slow      2000      1 (<0.1 %)  0          28.0 s
well      9         0           0          12 ms

API    requests  4xx        5xx  p95
shop   130       13 (10 %)  0    40 ms
quiet  no calls  -          -    -

books: 3 of 120 calls failed (2.5 %); see why with: gatewright logs books --env prod --since 1h
books: p95 is 22.0 s, and a call is ended after 25.0 s; raise that with: gatewright update function books --timeout 29, then: gatewright push --env prod
mail: p95 is 41.0 s, and a call is ended after 50.0 s; raise that with: gatewright update function mail --timeout 100, then: gatewright push --env prod
mail: 4 calls were refused because too many ran at the same time, and the callers got an error; have the account's quota "Concurrent executions" of Lambda raised in Service Quotas, or the function's reserved concurrency
slow: 1 of 2000 calls failed (<0.1 %); see why with: gatewright logs slow --env prod --since 1h
slow: p95 is 28.0 s, and a call is ended after 29.0 s; API Gateway waits 29 s at most, so make it faster, or give it more memory and with it more of a processor: gatewright update function slow --memory MEGABYTES
`
	if got := m.text(0); got != want {
		t.Errorf("it says\n%s\nwant\n%s", got, want)
	}
	report := m.asJSON()
	if books, idle := report.Functions[0], report.Functions[1]; *books.P95 != 22000 || *books.Throttled != 0 || idle.P95 != nil || report.APIs[1].P95 != nil {
		t.Errorf("as JSON it is %+v", report)
	}
}

func TestMetricsOfTheSandboxClaimNothingThatItDoesNotCount(t *testing.T) {
	t.Parallel()
	m := metricsReport{environment: "dev", over: span{"1h", time.Hour}, functions: []remote.FunctionMetrics{
		{Function: "books", Calls: 2, Errors: 1, P95: time.Second, Timeout: model.DefaultTimeout * time.Second},
	}}
	text := m.text(0)
	for _, want := range []string{"in the sandbox", "2      1 (50 %)  -", "gatewright logs books --since 1h"} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
	if report := m.asJSON(); report.Functions[0].Throttled != nil || report.APIs == nil {
		t.Errorf("as JSON it is %+v", report)
	}
}
