package stack_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/deploy/awstest"
	"gatewright/deploy/stack"
)

// stands is a room with a stack of topics.
func stands(t *testing.T, o awstest.Options) *room {
	r := newRoom(t, o)
	r.begin(topics(5, "a"), "t", true)
	r.fake.Settle("shop")
	return r
}

func TestWhatWasChangedByHandIsFoundOnAllPages(t *testing.T) {
	t.Parallel()
	r := stands(t, awstest.Options{StacksPerPage: 2})
	r.fake.Drift("Topic03", "/DisplayName", "b")
	r.fake.Drift("Topic01", "/Policy", "new")
	r.fake.Vanish("Topic04")
	found, err := r.client.Compare(t.Context(), "shop")
	r.must(err)
	if found.Compared != 5 || len(found.Skipped) > 0 {
		t.Errorf("compared are %d, and not %v", found.Compared, found.Skipped)
	}
	var got []string
	for _, d := range found.Drifted {
		text := d.Logical
		if d.Deleted {
			text += " gone"
		}
		for _, one := range d.Differences {
			text += " " + one.String()
			if one.Added {
				text += " added"
			}
		}
		got = append(got, text)
	}
	if want := []string{`Topic01 /Policy "null" -> "new" added`, `Topic03 /DisplayName "a" -> "b"`, "Topic04 gone"}; !slices.Equal(got, want) {
		t.Errorf("different are %q, and should be %q", got, want)
	}
}

func TestAComparisonThatDoesNotEndIsGivenUp(t *testing.T) {
	t.Parallel()
	r := stands(t, awstest.Options{})
	r.fake.Speed(0)
	r.client.Pace.Comparison = time.Millisecond
	if _, err := r.client.Compare(t.Context(), "shop"); !errors.Is(err, stack.ErrSlow) {
		t.Errorf("it ends with %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.client.Compare(ctx, "shop"); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted, it ends with %v", err)
	}
}

func TestAComparisonOfSomebodyElseIsWaitedFor(t *testing.T) {
	t.Parallel()
	r := stands(t, awstest.Options{})
	r.fake.Fail("DetectStackDrift", "ValidationError", "Drift detection is already in progress for stack shop", 1)
	found, err := r.client.Compare(t.Context(), "shop")
	r.must(err)
	if found.Compared != 5 || r.fake.Count("DetectStackDrift") != 2 {
		t.Errorf("compared are %d after %d tries", found.Compared, r.fake.Count("DetectStackDrift"))
	}
}

func TestAComparisonThatFailsHasItsReasonAndTheOtherResults(t *testing.T) {
	t.Parallel()
	const reason = "User: ann is not authorized to perform: sns:GetTopicAttributes"
	for name, tt := range map[string]struct {
		of       []string
		compared int
	}{"for one resource": {[]string{"Topic02"}, 4}, "for all": {nil, 0}} {
		t.Run(name, func(t *testing.T) {
			r := stands(t, awstest.Options{})
			r.fake.FailComparisons(reason, tt.of...)
			found, err := r.client.Compare(t.Context(), "shop")
			r.must(err)
			if found.Compared != tt.compared || len(found.Skipped) != 5-tt.compared || len(found.Failed) != 1 {
				t.Fatalf("it has %+v", found)
			}
			if one := found.Failed[0]; one.Stack != "shop" || !strings.HasSuffix(one.Reason, reason) {
				t.Errorf("it fails with %+v", one)
			}
		})
	}
}
