package stack_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"gatewright/deploy/account"
	"gatewright/deploy/awstest"
	"gatewright/deploy/stack"
	"gatewright/test/depth"
)

// room is a client with a fake of the service.
type room struct {
	*testing.T
	fake   *awstest.Server
	client *stack.Client
	sets   int
}

func newRoom(t *testing.T, o awstest.Options) *room {
	fake := awstest.New(t, o)
	config := configOf(fake)
	return &room{T: t, fake: fake, client: &stack.Client{API: cloudformation.NewFromConfig(config), Pace: stack.Pace{Poll: time.Nanosecond}}}
}

func configOf(fake *awstest.Server) aws.Config {
	return aws.Config{
		HTTPClient: account.HTTPClient(awshttp.NewBuildableClient()),
		Region:     "eu-central-1", Credentials: credentials.NewStaticCredentialsProvider("123456789012", awstest.SecretKey, ""), BaseEndpoint: aws.String(fake.URL),
		Retryer: func() aws.Retryer {
			return retry.NewStandard(func(o *retry.StandardOptions) {
				o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
			})
		},
	}
}

func (r *room) must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

// topics is a template with as many topics, whose display name is a text.
func topics(n int, text string) string {
	resources := make(map[string]any)
	for i := range n {
		resources[fmt.Sprintf("Topic%02d", i)] = map[string]any{"Type": "AWS::SNS::Topic", "Properties": map[string]any{"DisplayName": text}}
	}
	body, _ := json.Marshal(map[string]any{"Resources": resources, "Outputs": map[string]any{"Text": map[string]any{"Value": text}}})
	return string(body)
}

func (r *room) change(body string, create bool) *stack.ChangeSet {
	r.Helper()
	r.sets++
	set, err := r.client.Change(r.Context(), stack.Input{Stack: "shop", Create: create, Body: body, Token: fmt.Sprintf("t%d", r.sets), Tags: map[string]string{"b": "2", "a": "1"}})
	r.must(err)
	return set
}

// begin begins to make the stack or to change it.
func (r *room) begin(body, token string, create bool) *stack.ChangeSet {
	r.Helper()
	set := r.change(body, create)
	r.must(r.client.Execute(r.Context(), set, token))
	return set
}

// end follows an operation to its end, and returns its events.
func (r *room) end(f *stack.Follower) (s *stack.Stack, events []string) {
	r.Helper()
	s, err := f.Wait(r.Context(), func(e stack.Event) { events = append(events, e.Logical+" "+string(e.Status)) }, nil)
	r.must(err)
	return s, events
}

func (r *room) operation() stack.Operation {
	r.Helper()
	o, err := r.client.Operation(r.Context(), "shop")
	r.must(err)
	return o
}

// TestTheLastOperationIsFoundWithAllItsEvents: what FollowOperation tells after it has ended is
// what was told while it went on.
func TestTheLastOperationIsFoundWithAllItsEvents(t *testing.T) {
	t.Parallel()
	r := newRoom(t, awstest.Options{EventsPerPage: 3})
	check := func(what, token, first string, want stack.Status) {
		t.Helper()
		o := r.operation()
		s, live := r.end(r.client.FollowOperation(r.fake.Stacks()[0].ID, o))
		o = r.operation()
		_, after := r.end(r.client.FollowOperation(s.ARN, o))
		if s.Status != want || o.Token != token || len(live) == 0 || live[0] != first || !slices.Equal(live, after) {
			t.Errorf("%s: %s with the token %q, events %q and %q", what, s.Status, o.Token, live, after)
		}
	}
	set := r.begin(topics(5, "one"), "made", true)
	if set.StackARN == "" || len(set.Changes) != 5 || set.Changes[0].Action != stack.Add {
		t.Errorf("the change set is %+v", set)
	}
	check("the first creation", "made", "shop CREATE_IN_PROGRESS", stack.CreateComplete)
	r.begin(topics(4, "two"), "changed", false)
	check("an update", "changed", "shop UPDATE_IN_PROGRESS", stack.UpdateComplete)
	r.fake.FailResource("Topic02", "no more topics")
	r.begin(topics(4, "three"), "failed", false)
	check("an update that fails", "failed", "shop UPDATE_IN_PROGRESS", stack.UpdateRolledBack)
	r.begin(topics(4, "four"), "cancelled", false)
	r.must(r.client.Cancel(t.Context(), "shop", "cancel"))
	check("a cancellation", "cancelled", "shop UPDATE_IN_PROGRESS", stack.UpdateRolledBack)
	r.fake.FailResource("Topic02", "no more topics")
	r.fake.FailRollback("Topic00", "it is gone")
	r.begin(topics(4, "five"), "stuck", false)
	check("a rollback that fails", "stuck", "shop UPDATE_IN_PROGRESS", stack.UpdateRollbackFailed)
	r.must(r.client.ContinueRollback(t.Context(), "shop", "went-on"))
	check("its continuation", "went-on", "shop UPDATE_ROLLBACK_IN_PROGRESS", stack.UpdateRolledBack)
	arn := r.fake.Stacks()[0].ID
	r.must(r.client.Delete(t.Context(), arn, "removed"))
	o, err := r.client.Operation(t.Context(), arn)
	r.must(err)
	s, events := r.end(r.client.FollowOperation(arn, o))
	if s.Status != stack.DeleteComplete || o.Token != "removed" || events[0] != "shop DELETE_IN_PROGRESS" || len(events) != 2+2*4 {
		t.Errorf("the removal is %s with %q, events %q", s.Status, o.Token, events)
	}
	if _, err := r.client.Describe(t.Context(), "shop"); !errors.Is(err, stack.ErrNoStack) {
		t.Errorf("the removed stack: %v", err)
	}
}

func TestEventsAreToldOnceAndInTheirOrderOverPages(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 2, 7, 100} {
		r := newRoom(t, awstest.Options{EventsPerPage: size, Speed: 2})
		set := r.begin(topics(9, "one"), "made", true)
		s, told := r.end(r.client.Follow(set.StackARN, ""))
		all := r.fake.Stacks()[0].Events
		if !slices.Equal(told, all) || s.Outputs["Text"] != "one" || s.Tags["a"] != "1" {
			t.Errorf("pages of %d: told are\n%q, there were\n%q", size, told, all)
		}
	}
}

func TestWhatFailedByItselfIsToldApart(t *testing.T) {
	t.Parallel()
	r := newRoom(t, awstest.Options{Speed: 3})
	r.fake.FailResource("Topic01", "no more topics")
	set := r.begin(topics(6, "one"), "made", true)
	f := r.client.Follow(set.StackARN, "")
	s, _ := r.end(f)
	if !s.Status.Unmade() || len(f.Failures) != 1 || f.Failures[0].Logical != "Topic01" || f.Failures[0].Reason != "no more topics" {
		t.Errorf("the stack is %s, failures are %+v", s.Status, f.Failures)
	}
}

// nested makes the template of a stack with two nested ones, which are in a bucket.
func (r *room) nested(text string) string {
	r.Helper()
	objects := s3.NewFromConfig(configOf(r.fake), func(o *s3.Options) { o.UsePathStyle = true })
	if len(r.fake.Buckets()) == 0 {
		r.fake.AddBucket("assets", "123456789012", "eu-central-1")
	}
	resources := map[string]any{"Own": map[string]any{"Type": "AWS::SNS::Topic", "Properties": map[string]any{"DisplayName": text}}}
	for _, name := range []string{"One", "Two"} {
		key := name + text
		_, err := objects.PutObject(r.Context(), &s3.PutObjectInput{Bucket: aws.String("assets"), Key: &key, Body: strings.NewReader(topics(6, text))})
		r.must(err)
		resources[name] = map[string]any{"Type": "AWS::CloudFormation::Stack", "Properties": map[string]any{"TemplateURL": r.fake.URL + "/assets/" + key}}
	}
	body, err := json.Marshal(map[string]any{"Resources": resources})
	r.must(err)
	return string(body)
}

func TestNestedStacksAreFollowedWhileTheyChange(t *testing.T) {
	t.Parallel()
	r := newRoom(t, awstest.Options{Speed: 1, EventsPerPage: 4})
	arn := r.begin(r.nested("one"), "made", true).StackARN
	for i, text := range []string{"one", "two"} {
		after := ""
		if i > 0 {
			var err error
			after, err = r.client.LastEvent(t.Context(), arn)
			r.must(err)
			r.begin(r.nested(text), "changed", false)
		}
		seen := make(map[string]bool)
		ended := make(map[string]bool)
		topicsSeen := 0
		s, err := r.client.Follow(arn, after).Wait(t.Context(), func(e stack.Event) {
			if seen[e.ID] {
				t.Errorf("%s %s is told twice", e.Logical, e.Status)
			}
			seen[e.ID] = true
			if e.Nested && e.Type == "AWS::SNS::Topic" {
				topicsSeen++
				if ended[e.Stack] {
					t.Errorf("%s %s is told after its stack", e.Logical, e.Status)
				}
			}
			if !e.Nested && e.Type == "AWS::CloudFormation::Stack" && !e.Own() && strings.HasSuffix(string(e.Status), "_COMPLETE") {
				ended[e.Physical] = true
			}
		}, nil)
		r.must(err)
		if !s.Status.Succeeded() || topicsSeen != 2*6*(3-i) {
			t.Errorf("%s with %d events of topics", s.Status, topicsSeen)
		}
	}
}

// TestTheProgressOfNestedStacksIsToldBeforeTheirEnds: there are no events of the stack itself
// meanwhile.
func TestTheProgressOfNestedStacksIsToldBeforeTheirEnds(t *testing.T) {
	t.Parallel()
	r := newRoom(t, awstest.Options{Speed: 1})
	arn := r.begin(r.nested("one"), "made", true).StackARN
	looks := make(map[string]map[int]bool)
	_, err := r.client.Follow(arn, "").Wait(t.Context(), func(e stack.Event) {
		if e.Nested {
			if looks[e.Stack] == nil {
				looks[e.Stack] = make(map[int]bool)
			}
			looks[e.Stack][r.fake.Count("DescribeStacks")] = true
		}
	}, nil)
	r.must(err)
	for nested, at := range looks {
		if len(at) < 2 {
			t.Errorf("all events of %s are told at once", nested)
		}
	}
	if len(looks) != 2 {
		t.Errorf("events of %d nested stacks are told", len(looks))
	}
}

func TestAnErrorThatPassesLosesNoEvent(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	for cut := 1; cut < 40; cut++ {
		r := newRoom(t, awstest.Options{Speed: 2})
		arn := r.begin(r.nested("one"), "made", true).StackARN
		calls := len(r.fake.Calls())
		for again := range 3 {
			r.fake.CutAt(calls+cut+again, awstest.BeforeHandling)
		}
		waited := 0
		var events []string
		_, err := r.client.Follow(arn, "").Wait(t.Context(), func(e stack.Event) { events = append(events, e.ID) }, func(error) { waited++ })
		r.must(err)
		all := 0
		for _, s := range r.fake.Stacks() {
			all += len(s.Events)
		}
		slices.Sort(events)
		if n := len(slices.Compact(slices.Clone(events))); n != len(events) || n != all {
			t.Fatalf("with call %d cut, %d events of %d are told, %d of them once", cut, len(events), all, n)
		}
	}
}

func TestAFollowerThatIsNotAnsweredGivesUp(t *testing.T) {
	t.Parallel()
	r := newRoom(t, awstest.Options{})
	r.client.Pace.Patience = time.Nanosecond
	arn := r.begin(topics(3, "one"), "made", true).StackARN
	r.fake.CutFrom(len(r.fake.Calls()) + 1)
	told := 0
	if _, err := r.client.Follow(arn, "").Wait(t.Context(), nil, func(error) { told++ }); !errors.Is(err, stack.ErrLost) || told != 1 {
		t.Errorf("it says %v, after it told %d times", err, told)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.client.Follow(arn, "").Wait(ctx, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
	r.fake.CutFrom(0)
	r.fake.Fail("DescribeStacks", "AccessDenied", "not you", 5)
	if _, err := r.client.Follow(arn, "").Wait(t.Context(), nil, nil); err == nil || errors.Is(err, stack.ErrLost) {
		t.Errorf("a refusal: %v", err)
	}
}

func TestAnAnswerBeginsThePatienceWithSilenceAnew(t *testing.T) {
	t.Parallel()
	r := newRoom(t, awstest.Options{Speed: 1})
	r.client.Pace.Patience = time.Nanosecond
	arn := r.begin(topics(9, "one"), "made", true).StackARN
	calls := len(r.fake.Calls())
	// The SDK sends each call up to three times. Of every nine, one question is not answered.
	for cut := 1; cut < 60; cut += 9 {
		for again := range 3 {
			r.fake.CutAt(calls+cut+again, awstest.BeforeHandling)
		}
	}
	waited := 0
	s, err := r.client.Follow(arn, "").Wait(t.Context(), nil, func(error) { waited++ })
	r.must(err)
	if waited < 2 || !s.Status.Succeeded() {
		t.Errorf("it ends with %v, after %d waits", s.Status, waited)
	}
}

func TestAChangeSetWithoutChangesIsEmpty(t *testing.T) {
	t.Parallel()
	r := newRoom(t, awstest.Options{})
	r.fake.SlowChangeSets()
	arn := r.begin(topics(3, "one"), "made", true).StackARN
	r.end(r.client.Follow(arn, ""))
	set := r.change(topics(3, "one"), false)
	if !set.Empty || len(set.Changes) > 0 {
		t.Errorf("the change set is %+v", set)
	}
	r.must(r.client.Discard(t.Context(), set))
	r.must(r.client.Discard(t.Context(), set))
	r.change(topics(3, "two"), false)
	r.must(r.client.DiscardLeft(t.Context(), arn))
	if left := r.fake.ChangeSets("shop"); slices.ContainsFunc(left, func(name string) bool { return strings.HasPrefix(name, "gatewright-t3") }) {
		t.Errorf("left are %q", left)
	}
	if _, err := r.client.Change(t.Context(), stack.Input{Stack: "shop", Body: "{", Token: "bad"}); !errors.Is(err, stack.ErrRefused) || strings.Contains(err.Error(), "\n") {
		t.Errorf("a template that is none: %v", err)
	}
}

func TestTheChangesOfAllPagesAreRead(t *testing.T) {
	t.Parallel()
	r := newRoom(t, awstest.Options{ChangesPerPage: 4})
	if set := r.change(topics(11, "one"), true); len(set.Changes) != 11 {
		t.Errorf("%d changes", len(set.Changes))
	}
}

// TestALostAnswerIsNoFailure: the call had its effect, and is asked for again.
func TestALostAnswerIsNoFailure(t *testing.T) {
	t.Parallel()
	r := newRoom(t, awstest.Options{})
	r.fake.CutAt(1, awstest.AfterHandling)
	set := r.change(topics(3, "one"), true)
	if len(set.Changes) != 3 || set.ARN == "" || set.StackARN == "" {
		t.Errorf("the change set is %+v", set)
	}
	r.fake.CutAt(len(r.fake.Calls())+1, awstest.AfterHandling)
	r.must(r.client.Execute(t.Context(), set, "made"))
	// Asked for once more, by another process or after its end, it is done.
	r.must(r.client.Execute(t.Context(), set, "made"))
	if _, told := r.end(r.client.Follow(set.StackARN, "")); len(told) == 0 {
		t.Error("no event is told")
	}
	if n := r.fake.Executed("shop"); n != 1 {
		t.Errorf("it is carried out %d times", n)
	}
	r.must(r.client.Execute(t.Context(), set, "made"))
	if err := r.client.Execute(t.Context(), set, "another"); !errors.Is(err, stack.ErrBusy) {
		t.Errorf("with another token: %v", err)
	}
	// The service may answer that the name is taken, where it does not know the token.
	r.fake.Fail("CreateChangeSet", "AlreadyExistsException", "ChangeSet gatewright-t1 already exists", 1)
	r.sets = 0
	if again := r.change(topics(3, "one"), true); again.ARN != set.ARN {
		t.Errorf("the change set is %+v", again)
	}
}
