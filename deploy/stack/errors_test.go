package stack_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/deploy/awstest"
	"gatewright/deploy/stack"
)

// TestEachRefusalOfTheServiceIsExplained has each call refused in turn.
func TestEachRefusalOfTheServiceIsExplained(t *testing.T) {
	t.Parallel()
	r := newRoom(t, awstest.Options{})
	set := r.begin(topics(2, "one"), "made", true)
	r.fake.Settle("shop")
	r.client.Explain = func(err error) error { return fmt.Errorf("in one line: %w", err) }
	type call = func(c *stack.Client, ctx context.Context) error
	for action, do := range map[string]call{
		"DescribeStacks": func(c *stack.Client, ctx context.Context) error { _, err := c.Describe(ctx, "shop"); return err },
		"DescribeStackResource": func(c *stack.Client, ctx context.Context) error {
			_, err := c.Metadata(ctx, "shop", "Topic00")
			return err
		},
		"GetTemplate":         func(c *stack.Client, ctx context.Context) error { _, err := c.Template(ctx, "shop"); return err },
		"ListStackResources":  func(c *stack.Client, ctx context.Context) error { _, err := c.Resources(ctx, "shop"); return err },
		"DescribeStackEvents": func(c *stack.Client, ctx context.Context) error { _, err := c.LastEvent(ctx, "shop"); return err },
		"DeleteStack":         func(c *stack.Client, ctx context.Context) error { return c.Delete(ctx, "shop", "gone") },
		"CancelUpdateStack":   func(c *stack.Client, ctx context.Context) error { return c.Cancel(ctx, "shop", "c") },
		"ContinueUpdateRollback": func(c *stack.Client, ctx context.Context) error {
			return c.ContinueRollback(ctx, "shop", "c")
		},
		"UpdateTerminationProtection": func(c *stack.Client, ctx context.Context) error { return c.Protect(ctx, "shop", true) },
		"SetStackPolicy":              func(c *stack.Client, ctx context.Context) error { return c.SetPolicy(ctx, "shop", "{}") },
		"ExecuteChangeSet":            func(c *stack.Client, ctx context.Context) error { return c.Execute(ctx, set, "again") },
		"CreateChangeSet": func(c *stack.Client, ctx context.Context) error {
			_, err := c.Change(ctx, stack.Input{Stack: "shop", Body: topics(1, "two"), Token: "x"})
			return err
		},
		"DeleteChangeSet": func(c *stack.Client, ctx context.Context) error { return c.Discard(ctx, set) },
		"ListChangeSets":  func(c *stack.Client, ctx context.Context) error { return c.DiscardLeft(ctx, "shop") },
		"DescribeStackResources": func(c *stack.Client, ctx context.Context) error {
			_, err := c.Owner(ctx, "AWS::SNS::Topic", "arn:aws:sns:x")
			return err
		},
		"DetectStackDrift": func(c *stack.Client, ctx context.Context) error { _, err := c.Compare(ctx, "shop"); return err },
	} {
		r.fake.Fail(action, "AccessDenied", "User: x is not authorized", 1)
		err := do(r.client, t.Context())
		if err == nil || !strings.HasPrefix(err.Error(), "in one line: ") || errors.Is(err, stack.ErrNoStack) || errors.Is(err, stack.ErrBusy) {
			t.Errorf("%s is refused with %v", action, err)
		}
		r.fake.Clear()
	}
}

func TestWhatComesInBetweenIsTold(t *testing.T) {
	t.Parallel()
	for code, message := range map[string]string{
		"InvalidChangeSetStatus": "ChangeSet cannot be executed in its current status", "ChangeSetNotFound": "ChangeSet does not exist",
		"OperationInProgressException": "Another Operation on StackSet is in progress", "ValidationError": "Stack:shop is in UPDATE_IN_PROGRESS state and can not be updated.",
	} {
		r := newRoom(t, awstest.Options{})
		r.begin(topics(2, "one"), "made", true)
		r.fake.Settle("shop")
		set := r.change(topics(3, "two"), false)
		r.fake.Fail("ExecuteChangeSet", code, message, 1)
		if err := r.client.Execute(t.Context(), set, "mine"); !errors.Is(err, stack.ErrBusy) || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: %v", code, err)
		}
		// If it is the own operation that goes on, its answer was lost.
		r.must(r.client.Execute(t.Context(), set, "mine"))
		r.fake.Settle("shop")
		r.fake.Fail("ExecuteChangeSet", code, message, 1)
		if err := r.client.Execute(t.Context(), set, "mine"); err != nil {
			t.Errorf("%s, after a lost answer: %v", code, err)
		}
	}
}

// TestAChangeSetThatAnotherPushDiscardedIsToldAsSuch has the change set go while it is made.
func TestAChangeSetThatAnotherPushDiscardedIsToldAsSuch(t *testing.T) {
	t.Parallel()
	r := newRoom(t, awstest.Options{})
	r.begin(topics(2, "one"), "made", true)
	r.fake.Settle("shop")
	r.fake.Fail("DescribeChangeSet", "ChangeSetNotFound", "ChangeSet [x] does not exist", 1)
	_, err := r.client.Change(t.Context(), stack.Input{Stack: "shop", Body: topics(3, "two"), Token: "mine"})
	if !errors.Is(err, stack.ErrBusy) || err.Error() != stack.ErrBusy.Error()+": another push discarded what this one prepared" {
		t.Errorf("it says %v", err)
	}
}

func TestAResourceBelongsToTheStackThatHasItNow(t *testing.T) {
	t.Parallel()
	r := newRoom(t, awstest.Options{})
	r.begin(topics(2, "one"), "made", true)
	r.fake.Settle("shop")
	s, _ := r.fake.Stack("shop")
	of := s.Resources[1]
	for _, q := range []struct{ kind, physical, want string }{
		{of.Type, of.PhysicalID, s.ID}, {"AWS::SQS::Queue", of.PhysicalID, ""}, {of.Type, of.PhysicalID + "x", ""},
	} {
		if got, err := r.client.Owner(t.Context(), q.kind, q.physical); err != nil || got != q.want {
			t.Errorf("%s %s belongs to %q, %v; want %q", q.kind, q.physical, got, err, q.want)
		}
	}
	r.must(r.client.Delete(t.Context(), "shop", "gone"))
	r.fake.Settle("shop")
	if got, err := r.client.Owner(t.Context(), of.Type, of.PhysicalID); err != nil || got != "" {
		t.Errorf("of a stack that is gone it belongs to %q, %v", got, err)
	}
}

// TestAnOperationBeginsAfterTheEndOfTheOneBefore finds where operations begin in the events of a stack
// with several of them, in pages of each size.
func TestAnOperationBeginsAfterTheEndOfTheOneBefore(t *testing.T) {
	t.Parallel()
	for pages := 1; pages < 9; pages++ {
		r := newRoom(t, awstest.Options{EventsPerPage: pages, Speed: 2})
		var began []time.Time
		note := func(token string) {
			o := r.operation()
			if o.Token != token || len(began) > 0 && !o.Began.After(began[len(began)-1]) {
				t.Errorf("in pages of %d the operation %s is %+v after %v", pages, token, o, began)
			}
			if again := r.operation(); !again.Began.Equal(o.Began) {
				t.Errorf("in pages of %d the operation %s began at %v and at %v", pages, token, o.Began, again.Began)
			}
			began = append(began, o.Began)
		}
		r.begin(topics(3, "one"), "made", true)
		note("made")
		r.fake.Settle("shop")
		first := r.operation()
		r.begin(topics(2, "two"), "changed", false)
		note("changed")
		r.fake.Settle("shop")
		if o := r.operation(); o.Token != "changed" || !o.Began.After(first.Began) {
			t.Errorf("in pages of %d the last operation is %+v", pages, o)
		}
		r.fake.FailResource("AWS::SNS::Topic", "It failed")
		r.begin(topics(3, "three"), "failed", false)
		note("failed")
		r.fake.Settle("shop")
		if o := r.operation(); o.Token != "failed" {
			t.Errorf("in pages of %d the operation that went back is %+v", pages, o)
		}
	}
}

func TestEachStatusIsReadAsTheServiceMeansIt(t *testing.T) {
	t.Parallel()
	const all = `REVIEW_IN_PROGRESS: waits for its first push
CREATE_IN_PROGRESS: is being pushed (busy, creating)
CREATE_COMPLETE: is pushed (settled, succeeded)
CREATE_FAILED: could not be made (unmade)
ROLLBACK_IN_PROGRESS: is rolling back (busy, back)
ROLLBACK_COMPLETE: could not be made (unmade)
ROLLBACK_FAILED: could not be made (unmade)
UPDATE_IN_PROGRESS: is being pushed (busy, cancellable)
UPDATE_COMPLETE_CLEANUP_IN_PROGRESS: is being pushed (busy)
UPDATE_COMPLETE: is pushed (settled, succeeded)
UPDATE_ROLLBACK_IN_PROGRESS: is rolling back (busy, back)
UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS: is rolling back (busy, back)
UPDATE_ROLLBACK_COMPLETE: is as it was before the last push, which failed (settled)
UPDATE_ROLLBACK_FAILED: could not roll back
IMPORT_IN_PROGRESS: is adopting existing resources (busy)
IMPORT_COMPLETE: has adopted existing resources, and waits for the rest of the push (settled, succeeded)
IMPORT_ROLLBACK_IN_PROGRESS: is rolling back (busy, back)
IMPORT_ROLLBACK_COMPLETE: could not adopt existing resources, which are unchanged (settled)
DELETE_IN_PROGRESS: is being removed (busy, deleting)
DELETE_FAILED: could not be removed
DELETE_COMPLETE: is removed (succeeded)`
	for want := range strings.SplitSeq(all, "\n") {
		name, _, _ := strings.Cut(want, ":")
		s := stack.Status(name)
		var is []string
		for _, one := range []struct {
			name string
			is   bool
		}{
			{"busy", s.Busy()},
			{"creating", s.Creating()},
			{"cancellable", s.Cancellable()},
			{"deleting", s.Deleting()},
			{"back", s.RollingBack()},
			{"unmade", s.Unmade()},
			{"settled", s.Settled()},
			{"succeeded", s.Succeeded()},
		} {
			if one.is {
				is = append(is, one.name)
			}
		}
		got := name + ": " + s.Words()
		if len(is) > 0 {
			got += " (" + strings.Join(is, ", ") + ")"
		}
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	for _, s := range []stack.Stack{{Created: time.Unix(1, 0)}, {Created: time.Unix(1, 0), Updated: time.Unix(2, 0)}} {
		if want := slices.MaxFunc([]time.Time{s.Created, s.Updated}, time.Time.Compare); !s.Since().Equal(want) {
			t.Errorf("since %v, want %v", s.Since(), want)
		}
	}
}
