package model_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
)

// everyCaller lists a guest and the members of up to three groups; no project knows E.
func everyCaller() []model.Caller {
	groups := []string{"A", "B", "C", "D", "E"}
	all := []model.Caller{{}, {SignedIn: true}}
	for i, first := range groups {
		all = append(all, model.Caller{SignedIn: true, Groups: []string{first}})
		for j, second := range groups[i+1:] {
			all = append(all, model.Caller{SignedIn: true, Groups: []string{second, first}})
			for _, third := range groups[i+j+2:] {
				all = append(all, model.Caller{SignedIn: true, Groups: []string{third, first, second}})
			}
		}
	}
	return all
}

// drawSides draws two backends that often share paths and accesses.
func drawSides(t *rapid.T) (was, now *model.Backend) {
	side := func() *model.Backend {
		b := &model.Backend{Groups: rapid.SampledFrom([][]string{
			nil, {"A"}, {"B", "A"}, {"A", "B", "C"}, {"C", "B", "A"}, {"D", "C", "A"}, {"A", "D", "B", "C"},
		}).Draw(t, "groups")}
		if rapid.Bool().Draw(t, "auth") {
			guests := rapid.Bool().Draw(t, "guests have an identity")
			b.Auth = &model.Auth{UnauthenticatedIdentitiesEnabled: &guests}
		}
		return b
	}
	accesses := rapid.SliceOfN(rapid.Custom(drawAccess), 1, 3).Draw(t, "accesses")
	segment := rapid.SampledFrom([]string{"a", "b", "1", "{x}"})
	names := rapid.SliceOfN(rapid.SliceOfN(segment, 0, 4), 1, 9).Draw(t, "paths")
	was, now = side(), side()
	for _, label := range []string{"one", "two"} {
		for _, b := range []*model.Backend{was, now} {
			if rapid.IntRange(0, 4).Draw(t, "left out") == 0 {
				continue
			}
			api := &model.API{Label: label}
			for _, segments := range names {
				if rapid.IntRange(0, 3).Draw(t, "lacks") == 0 {
					continue
				}
				path := &model.Path{Name: "/" + strings.Join(segments, "/"), Access: rapid.SampledFrom(accesses).Draw(t, "access")}
				if len(segments) == 0 && rapid.Bool().Draw(t, "reserved") {
					path.Name = model.ProxyPath
				}
				api.Paths = append(api.Paths, path)
			}
			b.APIs = append(b.APIs, api)
		}
	}
	if rapid.IntRange(0, 9).Draw(t, "same order") > 3 {
		now.Groups = was.Groups
	}
	return was, now
}

// rawPaths are all raw paths of up to three segments, and some longer ones.
func rawPaths() []string {
	words := []string{"a", "b", "1", "z", ""}
	all, last := []string{"/"}, []string{""}
	for range 4 {
		var next []string
		for _, raw := range last {
			for _, word := range words {
				next = append(next, raw+"/"+word)
			}
		}
		all, last = append(all, next...), next
	}
	return append(all, "/a/a/a/a/a", "/a/b/z/z/z/z", "/z/z/z/z/z/z", "/1/a/b/1/a")
}

func decide(b *model.Backend, api string, caller model.Caller, method, raw string) model.Decision {
	router := b.Router(api)
	if router == nil {
		return model.Decision{}
	}
	return router.Decide(caller, method, raw)
}

// within reports whether a difference is about a raw path. A request with an empty segment
// gets the answer of the segments before it.
func within(d model.AccessDifference, raw string) bool {
	request := strings.Split(strings.Trim(raw, "/"), "/")
	if empty := slices.Index(request, ""); empty >= 0 {
		request = request[:empty]
	}
	resource, below := strings.CutSuffix(d.Path, model.ProxyPath)
	segments := model.ReadSegments(resource)
	if len(request) < len(segments) {
		return false
	}
	for i, s := range segments {
		if !s.Variable && request[i] != s.Text {
			return false
		}
	}
	if len(request) == len(segments) {
		return !below
	}
	return below || d.Below
}

// concerns reports whether a difference is about a caller. As a member of a group without
// an entry, the caller is a signed-in user like any other (like says so).
func concerns(d model.AccessDifference, caller model.Caller, like bool) bool {
	switch {
	case d.Who.Kind == model.Guest:
		return !caller.SignedIn
	case d.Who.Kind == model.Authenticated:
		return caller.SignedIn && (len(caller.Groups) == 0 || like)
	}
	return slices.Contains(caller.Groups, d.Who.Group) && (d.AlsoIn == "" || slices.Contains(caller.Groups, d.AlsoIn))
}

func TestCompareFindsEveryDecisionThatDiffers(t *testing.T) {
	callers, raws := everyCaller(), rawPaths()
	rapid.Check(t, func(t *rapid.T) {
		was, now := drawSides(t)
		found := differences(was, now)
		for _, label := range []string{"one", "two"} {
			routers := [2]*model.Router{was.Router(label), now.Router(label)}
			ask := func(side int, caller model.Caller, method, raw string) bool {
				return routers[side] != nil && routers[side].Decide(caller, method, raw).Allowed
			}
			here := slices.DeleteFunc(slices.Clone(found), func(d model.AccessDifference) bool { return d.API != label })
			for _, raw := range raws {
				near := slices.DeleteFunc(slices.Clone(here), func(d model.AccessDifference) bool { return !within(d, raw) })
				for _, method := range []string{"GET", "POST", "PATCH", "DELETE"} {
					action, _ := model.ActionOf(method)
					user := model.Caller{SignedIn: true}
					had, has := ask(0, user, method, raw), ask(1, user, method, raw)
					for _, caller := range callers {
						could, can := ask(0, caller, method, raw), ask(1, caller, method, raw)
						if could == can {
							continue
						}
						like := could == had && can == has
						if !slices.ContainsFunc(near, func(d model.AccessDifference) bool {
							return d.Gained == can && d.Actions.Has(action) && concerns(d, caller, like)
						}) {
							t.Fatalf("%s: %+v %s %s is %v, then %v; Compare says\n%s", label, caller, method, raw, could, can, differenceLines(found))
						}
					}
				}
			}
		}
	})
}

func TestEachDifferenceHasAnExampleThatDiffers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		was, now := drawSides(t)
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
			if d.Actions == 0 || !within(d, d.Raw) {
				t.Fatalf("the example of %+v is not about it", d)
			}
			for _, method := range d.Methods {
				could, can := decide(was, d.API, d.Caller(), method, d.Raw), decide(now, d.API, d.Caller(), method, d.Raw)
				if action, _ := model.ActionOf(method); !d.Actions.Has(action) || could.Allowed == can.Allowed || can.Allowed != d.Gained {
					t.Fatalf("%s: %s is %v, then %v", d, method, could.Allowed, can.Allowed)
				}
			}
		}
	})
}

func TestTheReverseOfWhatIsGainedIsLost(t *testing.T) {
	key := func(d model.AccessDifference, gained bool) string {
		pair := []string{d.Who.Group, d.AlsoIn}
		slices.Sort(pair)
		return fmt.Sprint(d.API, d.Who.Kind, pair, gained, d.Actions)
	}
	rapid.Check(t, func(t *rapid.T) {
		was, now := drawSides(t)
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

func differenceLines(found []model.AccessDifference) string {
	var all []string
	for _, d := range found {
		all = append(all, fmt.Sprintf("%s %v %v", d, d.Methods, d.Raw))
	}
	return strings.Join(all, "\n")
}
