package remote

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"gatewright/deploy/account"
	"gatewright/deploy/aws"
	"gatewright/model"
	"gatewright/render/template"
)

// FunctionMetrics are the calls of a function over a span of time.
type FunctionMetrics struct {
	// Function is its resource name.
	Function string
	// Calls are those that the function took, Errors those of them that failed: an exception, a
	// timeout, the end of the process. An answer with a status of 500 that the function gave
	// itself is none.
	Calls, Errors int
	// Throttled are the calls that were refused because too many ran at the same time. They are
	// not in Calls.
	Throttled int
	// P50 and P95 are what half and 95 % of the calls took at most. They say nothing if there
	// were no calls.
	P50, P95 time.Duration
	// Timeout is after how long a call is ended, by the definition.
	Timeout time.Duration
}

// APIMetrics are the requests to an API over a span of time.
type APIMetrics struct {
	// API is its label.
	API string
	// Requests are all; Refused were answered with a status of 4xx, Failed with one of 5xx.
	Requests, Refused, Failed int
	// P95 is what 95 % of the requests took at most, from the request to its answer. It says
	// nothing if there were none.
	P95 time.Duration
}

// The metrics of Lambda are named in
// https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html, those of API
// Gateway with their dimensions in
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-metrics-and-dimensions.html
const (
	ofLambda     = "AWS/Lambda"
	ofAPIGateway = "AWS/ApiGateway"
)

// MetricsOfFunctions asks CloudWatch for the metrics of the deployed functions from since until until,
// both to the minute, in the order of the definition. What happened in the last minutes may
// not be counted yet. The error is a *model.Problem or that of ctx.
func MetricsOfFunctions(ctx context.Context, r *aws.Reached, since, until time.Time) ([]FunctionMetrics, error) {
	q := newMetricQuery(since, until)
	all := []FunctionMetrics{}
	var calls, failed, throttled, p50, p95 []int
	for _, f := range r.Backend().Functions {
		name, err := r.Function(f.Name)
		if errors.Is(err, aws.ErrNotDeployed) {
			continue
		}
		if err != nil {
			return nil, err
		}
		of := []dimension{{"FunctionName", name}}
		calls = append(calls, q.add(ofLambda, "Invocations", "Sum", of))
		failed = append(failed, q.add(ofLambda, "Errors", "Sum", of))
		throttled = append(throttled, q.add(ofLambda, "Throttles", "Sum", of))
		p50 = append(p50, q.add(ofLambda, "Duration", "p50", of))
		p95 = append(p95, q.add(ofLambda, "Duration", "p95", of))
		all = append(all, FunctionMetrics{Function: f.Name, Timeout: TimeoutOf(f)})
	}
	if err := q.ask(ctx, r.Account); err != nil {
		return nil, err
	}
	for i := range all {
		m := &all[i]
		m.Calls, m.Errors, m.Throttled = q.count(calls[i]), q.count(failed[i]), q.count(throttled[i])
		m.P50, m.P95 = q.duration(p50[i]), q.duration(p95[i])
	}
	return all, nil
}

// TimeoutOf returns after how long a call of a function is ended.
func TimeoutOf(f *model.Function) time.Duration {
	return time.Duration(cmp.Or(f.Timeout, model.DefaultTimeout)) * time.Second
}

// MetricsOfAPIs asks CloudWatch for the metrics of the deployed APIs; see MetricsOfFunctions.
func MetricsOfAPIs(ctx context.Context, r *aws.Reached, since, until time.Time) ([]APIMetrics, error) {
	q := newMetricQuery(since, until)
	all := []APIMetrics{}
	var requests, refused, failed, p95 []int
	for _, api := range r.Backend().APIs {
		if _, err := r.API(api.Label); err != nil {
			continue
		}
		env := r.Deployment.Environment
		of := []dimension{{"ApiName", template.APIName(api.Label, env)}, {"Stage", env}}
		requests = append(requests, q.add(ofAPIGateway, "Count", "SampleCount", of))
		refused = append(refused, q.add(ofAPIGateway, "4XXError", "Sum", of))
		failed = append(failed, q.add(ofAPIGateway, "5XXError", "Sum", of))
		p95 = append(p95, q.add(ofAPIGateway, "Latency", "p95", of))
		all = append(all, APIMetrics{API: api.Label})
	}
	if err := q.ask(ctx, r.Account); err != nil {
		return nil, err
	}
	for i := range all {
		m := &all[i]
		m.Requests, m.Refused, m.Failed, m.P95 = q.count(requests[i]), q.count(refused[i]), q.count(failed[i]),
			q.duration(p95[i])
	}
	return all, nil
}

// metricQuery collects what GetMetricData is asked
// (https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricData.html).
type metricQuery struct {
	since, until time.Time
	// fine and whole are periods in seconds: counts of fine ones can be added, while a
	// percentile of the whole cannot be made of those of its parts.
	fine, whole int
	queries     []metricDataQuery
	values      [][]float64
}

type dimension struct{ Name, Value string }

// metricDataQuery is a query as it is sent.
type metricDataQuery struct {
	ID   string `json:"Id"`
	Stat struct {
		Metric struct {
			Namespace, MetricName string
			Dimensions            []dimension
		}
		Period int
		Stat   string
	} `json:"MetricStat"`
}

// newMetricQuery begins a query for a span of time.
func newMetricQuery(since, until time.Time) *metricQuery {
	q := &metricQuery{fine: int(time.Minute / time.Second)}
	// What is older than 15 days is kept in steps of 5 minutes, older than 63 days in hours.
	const day = 24 * time.Hour
	switch age := time.Since(since); {
	case age > 62*day:
		q.fine = int(time.Hour / time.Second)
	case age > 14*day, until.Sub(since) > day:
		q.fine = int(5 * time.Minute / time.Second)
	}
	step := time.Duration(q.fine) * time.Second
	q.since, q.until = since.Truncate(step), until.Truncate(step)
	if q.until.Before(until) {
		q.until = q.until.Add(step)
	}
	q.whole = wholePeriod(q.since.Unix(), q.until.Unix(), int64(q.fine))
	return q
}

// wholePeriod is the shortest period in steps of fine seconds with one value for the whole
// span. Periods are counted from the beginning of the span; one that also holds the whole span
// if they are counted from 1970 gives one value either way.
func wholePeriod(since, until, fine int64) int {
	for period := until - since; ; period += fine {
		if period > 0 && since/period == (until-1)/period {
			return int(period)
		}
	}
}

// add adds a query, and returns its number.
func (q *metricQuery) add(namespace, metric, stat string, of []dimension) int {
	var one metricDataQuery
	n := len(q.queries)
	one.ID = "q" + strconv.Itoa(n)
	one.Stat.Metric.Namespace, one.Stat.Metric.MetricName, one.Stat.Metric.Dimensions = namespace, metric, of
	one.Stat.Stat, one.Stat.Period = stat, q.fine
	if stat[0] == 'p' {
		one.Stat.Period = q.whole
	}
	q.queries = append(q.queries, one)
	return n
}

// mostQueries is how many queries one call may have.
const mostQueries = 500

// ask asks CloudWatch, in as few calls as it allows. Of its protocols JSON is used, since all
// services that are asked by hand speak it.
func (q *metricQuery) ask(ctx context.Context, a *account.Account) error {
	q.values = make([][]float64, len(q.queries))
	for some := range slices.Chunk(q.queries, mostQueries) {
		in := map[string]any{"MetricDataQueries": some, "StartTime": q.since.Unix(), "EndTime": q.until.Unix()}
		for {
			var out struct {
				MetricDataResults []struct {
					ID     string `json:"Id"`
					Values []float64
				}
				NextToken string
			}
			if err := a.Ask(ctx, account.Metrics, "GetMetricData", in, &out); err != nil {
				return err
			}
			for _, result := range out.MetricDataResults {
				if n, err := strconv.Atoi(result.ID[min(1, len(result.ID)):]); err == nil && n >= 0 && n < len(q.values) {
					q.values[n] = append(q.values[n], result.Values...)
				}
			}
			if out.NextToken == "" {
				break
			}
			in["NextToken"] = out.NextToken
		}
	}
	return nil
}

// count is the sum of a query. Nothing is sent for a time without calls.
func (q *metricQuery) count(n int) int {
	sum := 0.0
	for _, value := range q.values[n] {
		sum += value
	}
	return int(sum + 0.5)
}

// duration is the value of a query in milliseconds; 0 for none. If there were two in spite of
// the period, the whole has at most the greater one.
func (q *metricQuery) duration(n int) time.Duration {
	most := 0.0
	for _, value := range q.values[n] {
		most = max(most, value)
	}
	return time.Duration(most * float64(time.Millisecond))
}
