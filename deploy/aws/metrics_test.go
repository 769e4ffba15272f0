package aws_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/aws"
	"gatewright/deploy/awstest"
	"gatewright/deploy/deploytest"
	"gatewright/deploy/remote"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/test/depth"
)

// metricsAsked is a call of GetMetricData.
type metricsAsked struct {
	MetricDataQueries []struct {
		ID         string `json:"Id"`
		MetricStat struct {
			Metric struct {
				Namespace, MetricName string
				Dimensions            []struct{ Name, Value string }
			}
			Period int64
			Stat   string
		}
	}
	StartTime, EndTime int64
	NextToken          string
}

type metricsAnswer struct {
	ID         string `json:"Id"`
	StatusCode string
	Timestamps []int64
	Values     []float64
}

// reachedShop is the deployed shop, pushed.
func reachedShop(t *testing.T, b *model.Backend) (*cloudRoom, *aws.Reached) {
	t.Helper()
	r := roomInCloud(t, b, archives(t), awstest.Options{})
	deploytest.Must(t, r.push(pushOptions{}).err)
	p := r.open()
	reached, err := r.aws.Reach(t.Context(), p, p.Backend.Environment("dev"))
	deploytest.Must(t, err)
	return r, reached
}

func TestTheMetricsOfFunctionsAreCountedAndPercentilesAreOfTheWholeTime(t *testing.T) {
	t.Parallel()
	b := cloudShop(t)
	deploytest.Must(t, edit.AddFunction(b, deploytest.Function("idle")))
	r, reached := reachedShop(t, b)
	var asked []metricsAsked
	values := map[string][]float64{
		"AWS/Lambda/Invocations/Sum/items-dev": {3, 4}, "AWS/Lambda/Errors/Sum/items-dev": {1}, "AWS/Lambda/Throttles/Sum/items-dev": {2},
		"AWS/Lambda/Duration/p50/items-dev": {12.5}, "AWS/Lambda/Duration/p95/items-dev": {250},
		"AWS/ApiGateway/Count/SampleCount/shop-dev/dev": {9}, "AWS/ApiGateway/4XXError/Sum/shop-dev/dev": {2},
		"AWS/ApiGateway/5XXError/Sum/shop-dev/dev": {1}, "AWS/ApiGateway/Latency/p95/shop-dev/dev": {300},
	}
	r.fake.Serve("monitoring", func(call awstest.Request) (any, error) {
		var in metricsAsked
		if err := call.Read(&in); err != nil {
			return nil, err
		}
		asked = append(asked, in)
		results := []metricsAnswer{}
		for _, q := range in.MetricDataQueries {
			of := q.MetricStat
			key := of.Metric.Namespace + "/" + of.Metric.MetricName + "/" + of.Stat
			for _, d := range of.Metric.Dimensions {
				key += "/" + d.Value
			}
			results = append(results, metricsAnswer{ID: q.ID, StatusCode: "Complete", Values: values[key]})
		}
		// The second page has what is left of a metric.
		if in.NextToken == "" {
			for i := range results {
				if len(results[i].Values) > 1 {
					results[i].Values, results[i].StatusCode = results[i].Values[:1], "PartialData"
				}
			}
			return map[string]any{"MetricDataResults": results, "NextToken": "more"}, nil
		}
		var rest []metricsAnswer
		for _, one := range results {
			if len(one.Values) > 1 {
				rest = append(rest, metricsAnswer{ID: one.ID, StatusCode: "Complete", Values: one.Values[1:]})
			}
		}
		return map[string]any{"MetricDataResults": rest}, nil
	})
	until := time.Now()
	since := until.Add(-time.Hour)
	functions, err := remote.MetricsOfFunctions(t.Context(), reached, since, until)
	deploytest.Must(t, err)
	want := []remote.FunctionMetrics{
		{Function: "idle", Timeout: 25 * time.Second},
		{Function: "items", Calls: 7, Errors: 1, Throttled: 2, P50: 12500 * time.Microsecond, P95: 250 * time.Millisecond, Timeout: 25 * time.Second},
	}
	if diff := cmp.Diff(want, functions); diff != "" {
		t.Error(diff)
	}
	if len(asked) != 2 {
		t.Errorf("%d calls were made for two functions and two pages", len(asked))
	}
	for _, q := range asked[0].MetricDataQueries {
		from, to, period := asked[0].StartTime, asked[0].EndTime, q.MetricStat.Period
		if from > since.Unix() || to < until.Unix() || from < since.Unix()-60 || to > until.Unix()+60 {
			t.Fatalf("asked is %d to %d for %d to %d", from, to, since.Unix(), until.Unix())
		}
		if whole := q.MetricStat.Stat[0] == 'p'; whole && (period < to-from || from/period != (to-1)/period) {
			t.Errorf("a percentile has the period %d for %d to %d, which may give two values", period, from, to)
		}
		if period%60 != 0 {
			t.Errorf("the period is %d", period)
		}
	}
	apis, err := remote.MetricsOfAPIs(t.Context(), reached, since, until)
	deploytest.Must(t, err)
	if diff := cmp.Diff([]remote.APIMetrics{{API: "shop", Requests: 9, Refused: 2, Failed: 1, P95: 300 * time.Millisecond}}, apis); diff != "" {
		t.Error(diff)
	}
}

func TestManyFunctionsAreAskedAboutInFewCalls(t *testing.T) {
	t.Parallel()
	depth.Gate(t)
	depth.WithoutRace(t)
	b := cloudShop(t)
	for n := range 119 {
		deploytest.Must(t, edit.AddFunction(b, deploytest.Function(fmt.Sprintf("f%d", n))))
	}
	r, reached := reachedShop(t, b)
	calls := 0
	r.fake.Serve("monitoring", func(call awstest.Request) (any, error) {
		calls++
		var in metricsAsked
		if err := call.Read(&in); err != nil {
			return nil, err
		}
		if len(in.MetricDataQueries) > 500 {
			return nil, &awstest.Refusal{Code: "ValidationError", Message: "too many queries"}
		}
		return map[string]any{"MetricDataResults": []metricsAnswer{}}, nil
	})
	all, err := remote.MetricsOfFunctions(t.Context(), reached, time.Now().Add(-24*time.Hour), time.Now())
	deploytest.Must(t, err)
	if len(all) != 120 || calls != 2 {
		t.Errorf("%d functions took %d calls", len(all), calls)
	}
}
