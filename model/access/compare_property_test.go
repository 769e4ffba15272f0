package access_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
)

func decide(b *model.Backend, api string, caller access.Caller, method, raw string) access.Decision {
	router := b.Router(api)
	if router == nil {
		return access.Decision{}
	}
	return router.Decide(caller, method, raw)
}

func TestCompareFindsEveryDecisionThatDiffers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		was, now := accesstest.Sides(t)
		found := differences(was, now)
		if unnamed := accesstest.Unnamed(accesstest.Raws(), was, now, found, false); unnamed != "" {
			t.Fatalf("%s; Compare says\n%s", unnamed, differenceLines(found))
		}
	})
}

func TestEachDifferenceHasAnExampleThatDiffers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		was, now := accesstest.Sides(t)
		found := differences(was, now)
		seen := make(map[string]bool)
		for i, d := range found {
			if i > 0 && d.Gained && !found[i-1].Gained {
				t.Fatalf("%s is gained and comes after what is lost", d)
			}
			if seen[d.String()] {
				t.Fatalf("%s is said twice", d)
			}
			seen[d.String()] = true
			if d.Actions == 0 || !accesstest.Within(d, d.Raw) {
				t.Fatalf("the example of %+v is not about it", d)
			}
			for _, method := range d.Methods {
				could, can := decide(was, d.API, d.Caller(), method, d.Raw), decide(now, d.API, d.Caller(), method, d.Raw)
				if action, _ := (access.Terms{}).ActionOf(method); !d.Actions.Has(action) || could.Allowed == can.Allowed || can.Allowed != d.Gained {
					t.Fatalf("%s: %s is %v, then %v", d, method, could.Allowed, can.Allowed)
				}
				serving := could
				if d.Gained {
					serving = can
				}
				if d.Function != serving.Route.Path.Function {
					t.Fatalf("%s: %s %s is served by %s, not by %s", d, method, d.Raw, serving.Route.Path.Function, d.Function)
				}
			}
		}
	})
}

func TestTheReverseOfWhatIsGainedIsLost(t *testing.T) {
	t.Parallel()
	key := func(d access.Difference, gained bool) string {
		pair := []string{d.Who.Group, d.AlsoIn}
		slices.Sort(pair)
		return fmt.Sprint(d.API, d.Who.Kind, pair, gained, d.Actions)
	}
	rapid.Check(t, func(t *rapid.T) {
		was, now := accesstest.Sides(t)
		for _, b := range []*model.Backend{was, now} {
			withoutOpen(b)
		}
		var there, back []string
		for _, d := range differences(was, now) {
			there = append(there, key(d, d.Gained))
		}
		for _, d := range differences(now, was) {
			back = append(back, key(d, !d.Gained))
		}
		slices.Sort(there)
		slices.Sort(back)
		if !slices.Equal(slices.Compact(there), slices.Compact(back)) {
			t.Fatalf("there\n%s\nback\n%s", differenceLines(differences(was, now)), differenceLines(differences(now, was)))
		}
	})
}

// withoutOpen restricts the open paths: what opening a path gains is said for everybody, and
// what closing it loses for each caller.
func withoutOpen(b *model.Backend) {
	for _, api := range b.APIs {
		for _, p := range api.Paths {
			if p.Access.Setting == access.Open {
				p.Access.Setting = access.Protected
			}
		}
	}
}

func differenceLines(found []access.Difference) string {
	var all []string
	for _, d := range found {
		all = append(all, fmt.Sprintf("%s %v %v", d, d.Methods, d.Raw))
	}
	return strings.Join(all, "\n")
}
