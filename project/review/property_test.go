package review_test

import (
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/review"
)

// TestAReviewIsWhatEveryRequestSays compares reviews of random pairs of backends with the
// decisions about every request: none is missing, and each example is decided as it says. With
// -rapid.checks 10000 -timeout 1h it compares so many pairs, which takes a quarter of an hour.
func TestAReviewIsWhatEveryRequestSays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		was, now := accesstest.Sides(t)
		r := compare(t, was, now)
		if !r.Complete {
			t.Fatalf("the review is cut: %q", r.Why)
		}
		var listed []access.Difference
		for i, a := range r.Access {
			if i > 0 && a.Gained && !r.Access[i-1].Gained {
				t.Fatalf("%s is opened and comes after what is closed", a)
			}
			listed = append(listed, a.Difference)
			for _, method := range a.Methods {
				if could, can := allowed(was, a, method), allowed(now, a, method); could == can || can != a.Gained {
					t.Fatalf("%s: %s %s is %v, then %v", a, method, a.Raw, could, can)
				}
			}
			if a.Gained == (a.After() == review.Refused) || a.Gained != (a.Before() == review.Refused) {
				t.Fatalf("%s: the answers are %s, then %s", a, a.Before(), a.After())
			}
		}
		if unnamed := accesstest.Unnamed(accesstest.SomeRaws(t), was, now, listed, false); unnamed != "" {
			t.Fatal(unnamed)
		}
		guests := was.UsesUserPool() && now.UsesUserPool() && was.Terms().NoGuests && !now.Terms().NoGuests
		if opens := guests || len(listed) > 0 && listed[0].Gained; r.Widened() != opens {
			t.Fatalf("widened is %v, and the first difference is %v", r.Widened(), listed)
		}
	})
}

func allowed(b *model.Backend, a review.Access, method string) bool {
	router := b.Router(a.API)
	return router != nil && router.Decide(a.Caller(), method, a.Raw).Allowed
}

func compare(t interface{ Fatal(...any) }, was, now *model.Backend) *review.Review {
	r, err := review.Compare(stateOf("was", was), stateOf("now", now), "")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// stateOf is the state of a project that has a backend and no files.
func stateOf(name string, b *model.Backend) review.State {
	p := project.New(disk.Memory(), nil)
	p.Backend = b
	return review.StateOf(name, p)
}
