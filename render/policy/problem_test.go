package policy_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gatewright/model/access"
	"gatewright/render/policy"
)

// TestARefusalIsToldOnceForAllItsCallers has paths that no policy can tell apart, one that a policy cannot say, and one with a
// segment more than a policy can have, below one that has just as many.
func TestARefusalIsToldOnceForAllItsCallers(t *testing.T) {
	t.Parallel()
	groups := []string{"A", "B", "C", "D"}
	path := func(name string, users, groupA, all access.Actions) *access.Path {
		a := access.Access{Setting: access.Private}.With(access.Principal{Kind: access.Authenticated}, users)
		for i, g := range groups {
			if i == 0 {
				a = a.With(access.Principal{Kind: access.Group, Group: g}, groupA|all)
			} else {
				a = a.With(access.Principal{Kind: access.Group, Group: g}, all)
			}
		}
		return &access.Path{Name: name, Access: a}
	}
	read := access.Actions(access.Read)
	api := &access.API{Label: "shop", Paths: []*access.Path{
		path("/{shop}/parts/{id}", access.EveryAction, 0, access.Actions(access.Create)), path("/{shop}/{kind}/old", read, 0, 0),
		path("/odd*", read, read, 0), path("/most"+strings.Repeat("/x", 60), read, read, 0), path("/more"+strings.Repeat("/x", 61), read, read, 0),
	}}
	made := policy.Of(api, groups, access.Terms{})
	if four := policy.Words(policy.Of(api, groups[:3], access.Terms{}).Refusals, "/{shop}/{kind}/old"); len(four) != 1 ||
		!strings.HasPrefix(four[0], "AWS refuses signed-in users, members of A, members of B and members of C requests such as POST ") {
		t.Errorf("of four callers is told %q", four)
	}
	var told []string
	for _, p := range policy.Problems("shop", made.Refusals) {
		pointer, _, _ := strings.Cut(p.Pointer, "~1x")
		told = append(told, fmt.Sprintf("%s %s %s: %v", p.Level, p.Rule, pointer, p))
	}
	for _, p := range api.Paths {
		told = append(told, policy.Words(made.Refusals, p.Name)...)
	}
	cut := "/more" + strings.Repeat("/x", 37) + "/..."
	for i, line := range told {
		told[i] = strings.ReplaceAll(line, cut, "MORE")
	}
	alike := "AWS refuses signed-in users, members of A, members of B and 2 other callers requests such as POST /most/parts/parts/parts: " +
		"a policy cannot tell /{shop}/parts/{id} from /{shop}/{kind}/old; give both the same rule"
	want := []string{
		"warning refused-by-aws /paths/~1{shop}~1parts~1{id}: path /{shop}/parts/{id} of the API shop: is refused in part by AWS: " +
			"signed-in users, members of A, members of B and 2 other callers are refused requests such as POST /most/parts/parts/parts, " +
			"which a policy cannot tell from those of /{shop}/{kind}/old; give both paths the same rule, or move one of them below another first segment",
		"warning refused-by-aws /paths/~1odd*: path /odd* of the API shop: is refused in part by AWS: " +
			"members of A are refused GET /odd*, which has too many or unusual segments for a policy; use a shorter path with plain segments",
		"warning refused-by-aws /paths/~1more: path MORE of the API shop: is refused in part by AWS: " +
			"members of A are refused GET MORE, which has too many or unusual segments for a policy; use a shorter path with plain segments",
		alike, alike,
		"AWS refuses members of A requests such as GET /odd*: the path has too many or unusual segments for a policy",
		"AWS refuses members of A requests such as GET MORE: the path has too many or unusual segments for a policy",
	}
	if !slices.Equal(told, want) {
		t.Errorf("told:\n%s\nwant:\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
}

// TestAnExampleHasATextThatIsInNoPath has paths that end with what an example would have.
func TestAnExampleHasATextThatIsInNoPath(t *testing.T) {
	t.Parallel()
	users := access.Principal{Kind: access.Authenticated}
	api := &access.API{Paths: []*access.Path{
		{Name: "/1", Access: access.Access{Setting: access.Private}.With(users, access.EveryAction)},
		{Name: "/1/{v}", Access: access.Access{Setting: access.Private}.With(users, access.Actions(access.Read))},
		{Name: "/11", Access: access.Access{Setting: access.Open}},
	}}
	made := policy.Of(api, nil, access.Terms{NoGuests: true}).Refusals
	if len(made) == 0 || made[len(made)-1].Example != "/1//111" || made[len(made)-1].Resource != "/1/{proxy+}" || !made[len(made)-1].EmptySegment {
		t.Errorf("refused is %+v", made)
	}
	if problems, words := policy.Problems("", made), policy.Words(made, "/1"); len(problems)+len(words) > 0 {
		t.Errorf("of empty segments alone is told %v, %v", problems, words)
	}
}

func TestAScreenDoesNotWaitForManyPolicies(t *testing.T) {
	t.Parallel()
	few := shop(4)
	for _, n := range []int{64, 65} {
		order := make([]string, n)
		for i := range order {
			order[i] = fmt.Sprint("G", i)
		}
		if refusals, ok := policy.Soon(few, order, access.Terms{}); ok != (n == 64) || ok && !reflect.DeepEqual(refusals, policy.Of(few, order, access.Terms{}).Refusals) {
			t.Errorf("with %d groups: %v, %v", n, refusals, ok)
		}
	}
	for _, n := range []int{150, 151} {
		api := &access.API{}
		for i := range n {
			api.Paths = append(api.Paths, &access.Path{Name: fmt.Sprint("/p", i), Access: access.Access{Setting: access.Open}})
		}
		if _, ok := policy.Soon(api, nil, access.Terms{}); ok != (n == 150) {
			t.Errorf("with %d paths: %v", n, ok)
		}
	}
	if refusals, ok := policy.Soon(entangled(40), nil, access.Terms{}); ok || refusals != nil {
		t.Errorf("with entangled paths: %v, %v", refusals, ok)
	}
}
