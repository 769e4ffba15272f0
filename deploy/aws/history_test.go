package aws_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"gatewright/deploy/account"
	"gatewright/deploy/aws"
	"gatewright/deploy/awstest"
	"gatewright/deploy/contract"
	"gatewright/deploy/deploytest"
	"gatewright/test/depth"
)

// disturbance is what happens during a push.
type disturbance struct {
	name string
	// script prepares the fake; first is the number of the push's first call.
	script func(r *cloudRoom, first int)
	with   func(r *cloudRoom) pushOptions
	// passes says that the push must succeed all the same, fails that it must not; with
	// neither it may do both.
	passes, fails bool
	// is is the cause of the error, says what it says.
	is   error
	says []string
	// others says that somebody else pushes, too.
	others bool
	// calm, if it is not nil, brings the cloud to rest instead of what usually does.
	calm func(r *cloudRoom)
}

// run runs a history: a push from a start with a disturbance, and then one without.
func (d disturbance) run(t *testing.T, s start, cache string, o awstest.Options) {
	r := begin(t, s, cache, o)
	before := r.now()
	d.script(r, before.calls+1)
	options := pushOptions{}
	if d.with != nil {
		options = d.with(r)
	}
	options.allow = s.allow
	first := r.push(options)
	d.judge(r, first)
	if first.prepared != nil && !d.others && !errors.Is(first.err, aws.ErrDetached) {
		r.mustHaveBeenTold(first, before, first.err == nil)
	}
	if first.err == nil {
		before = r.now()
	}
	if d.calm != nil {
		d.calm(r)
	} else {
		r.calm()
	}
	if first.err != nil && !errors.Is(first.err, aws.ErrDetached) {
		now := r.now()
		if now.executed == before.executed && !strings.Contains(first.err.Error(), "could not be restored") {
			r.mustBeAsBefore(before)
		}
	}
	again := r.push(pushOptions{allow: s.allow})
	if again.err != nil {
		t.Fatalf("after %v the next push fails: %v", first.err, again.err)
	}
	r.mustBeAtRest(again)
	r.mustKeepData(before, s.allow)
	third := r.push(pushOptions{allow: s.allow})
	if third.err != nil || third.prepared.Changed() {
		t.Errorf("another push is not up to date: %v", third.err)
	}
	if t.Failed() {
		for _, c := range r.fake.Calls()[before.calls:] {
			t.Log(c.Number, c.Action, c.Code, c.Parameters["Key"], c.Parameters["ChangeSetName"])
		}
		t.Logf("the first push: %v %q", first.err, first.texts)
	}
}

// judge checks the error of the push that was disturbed.
func (d disturbance) judge(r *cloudRoom, o *outcome) {
	r.t.Helper()
	oneLine(r.t, o.err)
	switch {
	case d.passes && o.err != nil:
		r.t.Errorf("the push fails: %v", o.err)
	case d.fails && o.err == nil:
		r.t.Error("the push succeeds")
	case o.err == nil:
		return
	case d.is != nil && !errors.Is(o.err, d.is):
		r.t.Errorf("the error does not match %q: %v", d.is, o.err)
	}
	for _, text := range d.says {
		if o.err != nil && !strings.Contains(o.err.Error(), text) {
			r.t.Errorf("the error does not say %q: %v", text, o.err)
		}
	}
}

// histories runs histories with all of some starts and disturbances, in less depth with fewer.
func histories(t *testing.T, cache string, names []string, all []disturbance) {
	for place, name := range names {
		for i := range some(len(all), everyHistory, place) {
			history(t, cache, name, all[i])
		}
	}
}

// history runs a history beside others.
func history(t *testing.T, cache, name string, d disturbance) {
	t.Run(name+"/"+d.name, func(t *testing.T) {
		t.Parallel()
		d.run(t, startOf(t, name), cache, awstest.Options{})
	})
}

func nothing(*cloudRoom, int) {}

func TestHistoriesWithoutDisturbance(t *testing.T) {
	t.Parallel()
	cache := archives(t)
	for place, s := range starts {
		for i := range some(4, min(4, everyHistory), place) {
			pages := []int{100, 3, 2, 1}[i]
			t.Run(fmt.Sprintf("%s/pages of %d", s.name, pages), func(t *testing.T) {
				t.Parallel()
				disturbance{name: "none", passes: true, script: nothing}.run(t, s, cache, awstest.Options{EventsPerPage: pages, StacksPerPage: pages, ChangesPerPage: pages})
			})
		}
	}
}

func TestHistoriesOfThrottles(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	depth.WithoutRace(t)
	cache := archives(t)
	var few, many []disturbance
	for _, action := range []string{
		"ExecuteChangeSet", "DescribeStackEvents", "GetCallerIdentity", "DescribeStacks", "HeadBucket", "HeadObject", "PutObject", "DescribeChangeSet",
		"DeleteChangeSet", "CreateChangeSet", "GetTemplate", "DescribeStackResource", "ListStackResources", "ListChangeSets", "s3:*",
	} {
		few = append(few, disturbance{name: "few of " + action, passes: true, script: func(r *cloudRoom, _ int) { r.fake.Throttle(action, 2) }})
		many = append(many, disturbance{name: "many of " + action, script: func(r *cloudRoom, _ int) { r.fake.Throttle(action, 1000) }})
	}
	histories(t, cache, []string{"nothing", "a path less"}, few)
	histories(t, cache, []string{"a path less", "nothing"}, many)
}

func TestHistoriesOfExpiredTokens(t *testing.T) {
	t.Parallel()
	cache := archives(t)
	for place, name := range []string{"nothing", "another access", "a path less"} {
		for _, k := range every(callsOf(t, startOf(t, name), cache), place) {
			history(t, cache, name, disturbance{
				name: fmt.Sprintf("after %d calls", k), is: aws.ErrCredentials, says: []string{"expired"},
				script: func(r *cloudRoom, _ int) { r.fake.ExpireTokensAfter(k) },
			})
		}
	}
}

func TestHistoriesOfOneCut(t *testing.T) {
	t.Parallel()
	cache := archives(t)
	for place, name := range []string{"nothing", "a path less"} {
		actions := callsOf(t, startOf(t, name), cache)
		for i, when := range []string{"before", "after"} {
			how := []awstest.Moment{awstest.BeforeHandling, awstest.AfterHandling}[i]
			for _, k := range every(actions, 2*i+place) {
				history(t, cache, name, disturbance{
					name: fmt.Sprintf("%s call %d", when, k+1), passes: true, script: func(r *cloudRoom, first int) { r.fake.CutAt(first+k, how) },
				})
			}
		}
	}
}

func TestHistoriesOfALostNetwork(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	cache := archives(t)
	for place, name := range []string{"nothing", "another access", "a path less"} {
		for _, k := range every(callsOf(t, startOf(t, name), cache), place+1) {
			history(t, cache, name, disturbance{
				name: fmt.Sprintf("from call %d", k+1), script: func(r *cloudRoom, first int) { r.fake.CutFrom(first + k) },
			})
		}
	}
}

func TestHistoriesOfFailures(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	cache := archives(t)
	failing := func(kind string, fails bool) disturbance {
		d := disturbance{name: "of " + kind, says: []string{"for a reason"}, is: aws.ErrPushFailed, fails: fails, script: func(r *cloudRoom, _ int) { r.fake.FailResource(kind, "It failed for a reason") }}
		return d
	}
	var creations []disturbance
	for _, kind := range []string{
		"AWS::DynamoDB::Table", "AWS::Cognito::UserPool", "AWS::Cognito::IdentityPool", "AWS::IAM::Role", "AWS::Lambda::Function", "AWS::Logs::LogGroup",
		"AWS::ApiGateway::RestApi", "AWS::ApiGateway::Method", "AWS::ApiGateway::Deployment", "AWS::ApiGateway::Stage", "AWS::Lambda::Permission",
		"AWS::CloudFormation::WaitConditionHandle", "AWS::IAM::Policy",
	} {
		creations = append(creations, failing(kind, true))
	}
	histories(t, cache, []string{"nothing"}, creations)
	histories(t, cache, []string{"other code"}, []disturbance{failing("AWS::Lambda::Function", true)})
	histories(t, cache, []string{"another access", "a path more"}, []disturbance{failing("AWS::ApiGateway::Deployment", true), failing("AWS::ApiGateway::Stage", true), failing("AWS::ApiGateway::Method", true)})
	// In the first of two updates, methods are only removed, and what cannot be removed is no failure.
	histories(t, cache, []string{"a path less", "a renamed variable"}, []disturbance{failing("AWS::ApiGateway::Deployment", true), failing("AWS::ApiGateway::Stage", true), failing("AWS::CloudFormation::WaitConditionHandle", true)})
	histories(t, cache, []string{"two indexes more"}, []disturbance{failing("AWS::DynamoDB::Table", true), {
		name: "in the second update", fails: true, is: aws.ErrPushFailed, says: []string{"as it was before"}, script: nothing,
		with: func(r *cloudRoom) pushOptions {
			return pushOptions{listen: func(p contract.Progress) {
				if strings.HasPrefix(p.Text, "update 2 of 2") {
					r.fake.FailResource("AWS::DynamoDB::Table", "It failed")
				}
			}}
		},
	}})
	histories(t, cache, []string{"another access", "other code"}, []disturbance{{
		name: "of a rollback", fails: true, is: aws.ErrPushFailed, says: []string{"could not roll back"},
		script: func(r *cloudRoom, _ int) {
			r.fake.FailResource("AWS::ApiGateway::Stage", "It failed for a reason")
			r.fake.FailResource("AWS::Lambda::Function", "It failed for a reason")
			r.fake.FailRollback("AWS::CloudFormation::WaitConditionHandle", "It cannot go back")
			r.fake.FailRollback("AWS::Lambda::Function", "It cannot go back")
		},
		calm: func(r *cloudRoom) {
			r.fake.Clear()
			s, _ := r.fake.Stack(r.stackName("dev"))
			if s.Status != "UPDATE_ROLLBACK_FAILED" {
				r.t.Fatalf("the stack is %s", s.Status)
			}
			denied := r.push(pushOptions{deny: true})
			if !errors.Is(denied.err, errDenied) || len(denied.asked) != 1 || !strings.Contains(denied.asked[0], "roll back") {
				r.t.Errorf("the push asks %q and ends with %v", denied.asked, denied.err)
			}
		},
	}})
}

func TestHistoriesOfStuckStacks(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	depth.WithoutRace(t)
	cache := archives(t)
	stuck := func(status string, is error, says ...string) disturbance {
		return disturbance{
			name: status, fails: is != nil || len(says) > 0, passes: is == nil && len(says) == 0, is: is, says: says,
			script: func(r *cloudRoom, _ int) { r.fake.SetStatus(r.stackName("dev"), status) },
			calm: func(r *cloudRoom) {
				r.fake.Clear()
				if s, _ := r.fake.Stack(r.stackName("dev")); is != nil || len(says) > 0 {
					r.fake.SetStatus(s.ID, "UPDATE_COMPLETE")
				}
			},
		}
	}
	histories(t, cache, []string{"the same", "another access", "a path less"}, []disturbance{
		stuck("UPDATE_ROLLBACK_FAILED", nil), stuck("UPDATE_ROLLBACK_COMPLETE", nil),
		stuck("DELETE_FAILED", nil, "could not be removed"), stuck("DELETE_IN_PROGRESS", aws.ErrStackBusy, "is being removed"),
		stuck("UPDATE_IN_PROGRESS", aws.ErrStackBusy, "since", "--watch"),
		stuck("UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", aws.ErrStackBusy, "since", "--watch"),
		stuck("UPDATE_ROLLBACK_IN_PROGRESS", aws.ErrStackBusy, "since", "rolling back"),
	})
	made := func(status string, is error) disturbance {
		return disturbance{
			name: status, fails: is != nil, passes: is == nil, is: is,
			script: func(r *cloudRoom, _ int) { r.fake.SetStatus(r.stackName("dev"), status) },
			calm:   func(r *cloudRoom) { r.fake.SetStatus(r.stackName("dev"), "DELETE_COMPLETE") },
		}
	}
	histories(t, cache, []string{"nothing"}, []disturbance{made("CREATE_COMPLETE", aws.ErrForeignStack), made("CREATE_IN_PROGRESS", aws.ErrForeignStack)})
	histories(t, cache, []string{"nothing"}, []disturbance{{name: "review", passes: true, script: func(r *cloudRoom, _ int) { r.fake.SetStatus(r.stackName("dev"), "REVIEW_IN_PROGRESS") }}})
}

func TestHistoriesOfOthers(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	depth.WithoutRace(t)
	cache := archives(t)
	since := time.Date(2026, 1, 2, 4, 0, 0, 0, time.UTC)
	busy := disturbance{
		name: "busy", fails: true, is: aws.ErrStackBusy, says: []string{"by mallory", "since 2026-01-02 04:00:00 UTC", "--watch"},
		script: func(r *cloudRoom, _ int) {
			r.fake.Busy(r.stackName("dev"), "gatewright-1-of-1-abcdefgh-mallory", since)
		},
		calm: func(r *cloudRoom) { r.fake.SetStatus(r.stackName("dev"), "UPDATE_COMPLETE") },
	}
	between := func(name string, is error, do func(r *cloudRoom)) disturbance {
		return disturbance{name: name, fails: true, is: is, script: nothing, calm: func(r *cloudRoom) {
			r.fake.Clear()
			if s, ok := r.fake.Stack(r.stackName("dev")); ok && s.Status == "UPDATE_IN_PROGRESS" {
				r.fake.SetStatus(s.ID, "UPDATE_COMPLETE")
			}
			r.settle()
		}, with: func(r *cloudRoom) pushOptions {
			return pushOptions{between: func(*aws.Push) { do(r) }}
		}}
	}
	changed := []string{"another access", "other code", "a path less"}
	histories(t, cache, changed, []disturbance{
		busy,
		between("busy after the preview", aws.ErrStackBusy, func(r *cloudRoom) { r.fake.Busy(r.stackName("dev"), "gatewright-1-of-1-abcdefgh-mallory", since) }),
	})
	histories(t, cache, []string{"nothing", "another access", "a path less"}, []disturbance{{
		name: "the same push twice", others: true, script: nothing, fails: true, is: aws.ErrStackBusy, says: []string{"push again"}, with: func(r *cloudRoom) pushOptions {
			return pushOptions{between: func(*aws.Push) {
				if err := r.push(pushOptions{}).err; err != nil {
					r.t.Errorf("the other push fails: %v", err)
				}
			}}
		},
	}})
}

func TestHistoriesOfDeletions(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	depth.WithoutRace(t)
	cache := archives(t)
	histories(t, cache, []string{"nothing", "the same", "a path less"}, []disturbance{
		{name: "change sets", script: func(r *cloudRoom, _ int) { r.fake.Fail("DeleteChangeSet", "InternalFailure", "It failed", 1000) }},
		{name: "stacks", script: func(r *cloudRoom, _ int) {
			r.fake.Fail("DeleteStack", "AccessDenied", "User: arn:aws:iam::123456789012:user/tester is not authorized to perform: cloudformation:DeleteStack", 1000)
		}},
	})
}

func TestHistoriesOfDetaching(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	depth.WithoutRace(t)
	cache := archives(t)
	steps, ends := []int{1, 2, 5, 8}, []string{"wait", "follow", "cancel"}
	for place, name := range []string{"nothing", "another access", "a path less"} {
		for i := range some(len(steps)*len(ends), depth.Rounds(7, 3, 1), place) {
			at, then := steps[i/len(ends)], ends[i%len(ends)]
			seen := 0
			history(t, cache, name, disturbance{
				name: fmt.Sprintf("after step %d, then %s", at, then), script: nothing,
				with: func(r *cloudRoom) pushOptions {
					ctx, cancel := context.WithCancel(r.t.Context())
					return pushOptions{ctx: ctx, listen: func(p contract.Progress) {
						if p.Resource == nil {
							return
						}
						if seen++; seen == at {
							cancel()
						}
					}}
				},
				is: aws.ErrDetached, says: []string{"gatewright push --watch --env dev"},
				calm: func(r *cloudRoom) { r.afterDetaching(then) },
			})
		}
	}
}

// afterDetaching attaches to a push from this machine again, or waits for its end.
func (r *cloudRoom) afterDetaching(then string) {
	r.t.Helper()
	if then == "wait" {
		r.calm()
		return
	}
	p := r.open()
	w, err := r.aws.Attach(r.t.Context(), p, p.Backend.Environment("dev"))
	deploytest.Must(r.t, err)
	cancelled := false
	if then == "cancel" {
		err := w.Cancel(r.t.Context())
		cancelled = err == nil
		oneLine(r.t, err)
	}
	o := &outcome{}
	_, err = w.Follow(r.t.Context(), o.listen, nil)
	oneLine(r.t, err)
	s, _ := r.fake.Stack(r.stackName("dev"))
	switch {
	case cancelled && s.Status != "UPDATE_ROLLBACK_COMPLETE" && s.Status != "DELETE_COMPLETE":
		r.t.Errorf("after the cancellation the stack is %s", s.Status)
	case cancelled && s.Status == "UPDATE_ROLLBACK_COMPLETE" && !errors.Is(err, aws.ErrPushFailed):
		r.t.Errorf("the push that was cancelled ends with %v", err)
	case !cancelled && w.Steps == w.Step && err != nil:
		r.t.Errorf("following ends with %v", err)
	case !cancelled && w.Step < w.Steps && (err == nil || !strings.Contains(err.Error(), "update 1 of 2 is done")):
		r.t.Errorf("following the first of two updates ends with %v", err)
	}
}

func TestHistoriesOfForeignPlaces(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	depth.WithoutRace(t)
	cache := archives(t)
	histories(t, cache, []string{"nothing"}, []disturbance{{
		name: "a foreign bucket", fails: true, says: []string{"belongs to another account"},
		script: func(r *cloudRoom, _ int) { r.fake.AddBucket(awsBucket, "210987654321", awsRegion) },
		calm:   func(r *cloudRoom) { r.fake.AddBucket(awsBucket, awsAccount, awsRegion) },
	}})
	closed := httptest.NewServer(nil)
	closed.Close()
	histories(t, cache, []string{"nothing", "another access"}, []disturbance{{
		name: "a refused connection", fails: true, says: []string{"the connection is refused"},
		script: func(r *cloudRoom, _ int) { r.env["AWS_ENDPOINT_URL"] = closed.URL },
		calm:   func(r *cloudRoom) { clear(r.env) },
	}, {
		name: "no credentials", fails: true, is: account.ErrNone,
		script: func(r *cloudRoom, _ int) {
			r.env["AWS_ACCESS_KEY_ID"], r.env["AWS_SECRET_ACCESS_KEY"] = "", ""
		},
		calm: func(r *cloudRoom) { clear(r.env) },
	}})
}
