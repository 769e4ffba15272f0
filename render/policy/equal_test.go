package policy_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gatewright/internal/cfn"
	"gatewright/model/access"
	"gatewright/render/policy"
	"gatewright/render/policy/policytest"
)

// counts of decisions that were compared.
type counts struct{ decisions, refused, oddlyRefused int }

// compare holds the policies of an API against every decision about the paths given. It
// fails for a request that is let through, and for one that is refused and not announced.
func compare(t *testing.T, api *access.API, order []string, guests bool, paths []string) counts {
	t.Helper()
	router := access.NewRouter(api, order, access.Terms{NoGuests: !guests})
	made := policy.Of(api, order, access.Terms{NoGuests: !guests})
	var n counts
	principals := []access.Principal{{Kind: access.Guest}, {Kind: access.Authenticated}}
	for _, g := range order {
		principals = append(principals, access.Principal{Kind: access.Group, Group: g})
	}
	for _, who := range principals {
		caller := access.Caller{SignedIn: who.Kind != access.Guest}
		if who.Kind == access.Group {
			caller.Groups = []string{who.Group}
		}
		i := slices.IndexFunc(made.Roles, func(r policy.Role) bool { return r.Who == who })
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} {
			for _, raw := range paths {
				d := router.Decide(caller, method, raw)
				if d.Rule == access.NoRoute || d.Rule == access.OpenToAll {
					continue
				}
				n.decisions++
				may := i >= 0 && evaluate(made.Roles[i], method+raw)
				switch {
				case may && !d.Allowed:
					t.Fatalf("%s %s %s is let through; paths %s\nallow %v\ndeny %v", who, method, raw, describe(api), made.Roles[i].Allow, made.Roles[i].Deny)
				case !may && d.Allowed:
					odd := strings.Contains(raw, "//") || strings.HasSuffix(raw, "/")
					atAnEnd := strings.HasPrefix(raw, "//") || strings.HasSuffix(raw, "//")
					if !announced(made.Refusals, who, d, odd) && !atAnEnd {
						t.Fatalf("%s %s %s is refused and not announced; paths %s\nroles %v\nrefusals %v", who, method, raw, describe(api), made.Roles, made.Refusals)
					}
					if odd {
						n.oddlyRefused++
					} else {
						n.refused++
					}
				}
			}
		}
	}
	return n
}

func announced(all []policy.Refusal, who access.Principal, d access.Decision, odd bool) bool {
	return slices.ContainsFunc(all, func(r policy.Refusal) bool {
		return r.Who == who && r.Actions.Has(d.Action) && r.Resource == d.Route.Resource && (odd || !r.EmptySegment)
	})
}

func evaluate(r policy.Role, request string) bool {
	matches := func(p string) bool { return cfn.MatchResource(p, request) }
	return slices.ContainsFunc(r.Allow, matches) && !slices.ContainsFunc(r.Deny, matches)
}

func describe(api *access.API) string {
	var b strings.Builder
	for _, p := range api.Paths {
		b.WriteString("\n" + p.Name + " " + string(p.Access.Setting))
		for _, g := range p.Access.Grants {
			b.WriteString(" [" + g.To.String() + ": " + g.Actions.String() + "]")
		}
	}
	return b.String()
}

// TestPoliciesNeverLetMoreThroughAndAnnounceWhatTheyRefuse also holds what the policies are. Others change the stacks of
// everybody who pushes, so that a change is one on purpose: fewer decisions refused, or fewer patterns.
func TestPoliciesNeverLetMoreThroughAndAnnounceWhatTheyRefuse(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	paths := policytest.Paths(5, true)
	groups := []string{"Admins"}
	var all counts
	refusing, allow, deny := 0, 0, 0
	text := fnv.New32a()
	add := func(p *policy.Policies) {
		for _, r := range p.Roles {
			allow, deny = allow+len(r.Allow), deny+len(r.Deny)
			_, _ = fmt.Fprintln(text, r)
		}
		for _, r := range p.Refusals {
			_, _ = fmt.Fprintln(text, r.Who, r.Actions, r.Path.Name, r.Resource, r.Example, r.EmptySegment, r.Because.Name)
		}
	}
	const apis = 60
	for range apis {
		api, guests := policytest.API(random, groups), random.IntN(4) > 0
		n := compare(t, api, groups, guests, paths)
		all.decisions += n.decisions
		all.refused += n.refused
		all.oddlyRefused += n.oddlyRefused
		if n.refused > 0 {
			refusing++
		}
		add(policy.Of(api, groups, access.Terms{NoGuests: !guests}))
	}
	got := fmt.Sprintf("%d decisions, %d refused, %d more with an empty segment; %d of %d APIs refuse something; %d patterns allow, %d deny; %08x",
		all.decisions, all.refused, all.oddlyRefused, refusing, apis, allow, deny, text.Sum32())
	if want := "718722 decisions, 11302 refused, 68358 more with an empty segment; 19 of 60 APIs refuse something; 948 patterns allow, 732 deny; 205fb1dd"; got != want {
		t.Errorf("the policies are others:\n%s\n%s", got, want)
	}
}
