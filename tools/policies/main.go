// Policies holds the policies of random APIs, whose paths cross each other as much as they
// can, against the decisions of the model: every caller, method and short path. It exits 1 if
// a request is let through, or refused and not announced.
//
//	go run ./tools/policies -apis 20000
//	go run ./tools/policies -apis 100 -print | other-evaluator
//
// With -print it writes a line of JSON for each of some decisions: the patterns allowed and
// denied, the request, and what they come to. An evaluator that is not ours can be held
// against them.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"gatewright/internal/cfn"
	"gatewright/model/access"
	"gatewright/render/policy"
	"gatewright/render/policy/policytest"
)

// result is what the comparison of one API found.
type result struct {
	// refused are plain requests, odd those with an empty segment.
	decisions, refused, odd, wrong int
	first                          string
	printed                        []decision
}

// decision is one line of -print.
type decision struct {
	Allow   []string `json:"allow"`
	Deny    []string `json:"deny"`
	Request string   `json:"request"`
	Allowed bool     `json:"allowed"`
}

func main() {
	apis := flag.Int("apis", 20_000, "how many APIs")
	seed := flag.Uint64("seed", 1, "the seed of the random numbers")
	printing := flag.Bool("print", false, "print decisions for other evaluators")
	flag.Parse()
	start := time.Now()
	results := make([]result, *apis)
	var wait sync.WaitGroup
	for worker := range runtime.NumCPU() {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := worker; i < *apis; i += runtime.NumCPU() {
				results[i] = compare(rand.New(rand.NewPCG(*seed, uint64(i))), *printing)
			}
		}()
	}
	wait.Wait()
	var all result
	refusing := 0
	for _, r := range results {
		all.decisions += r.decisions
		all.refused += r.refused
		all.odd += r.odd
		all.wrong += r.wrong
		if r.refused > 0 {
			refusing++
		}
		if all.first == "" {
			all.first = r.first
		}
		for _, d := range r.printed {
			line, _ := json.Marshal(d)
			fmt.Println(string(line))
		}
	}
	fmt.Fprintf(os.Stderr,
		"%d APIs, %d decisions in %.0f s: %d wrong; %d requests refused and announced, in %d APIs; %d more have an empty "+
			"segment\n",
		*apis, all.decisions, time.Since(start).Seconds(), all.wrong, all.refused, refusing, all.odd)
	if all.wrong > 0 {
		fmt.Fprintln(os.Stderr, all.first)
		os.Exit(1)
	}
}

// group is the one group of the random APIs.
const group = "Admins"

// compare makes an API and holds its policies against the model's decisions.
func compare(random *rand.Rand, printing bool) result {
	api, terms := policytest.API(random, []string{group}), access.Terms{NoGuests: random.IntN(5) == 0}
	router := access.NewRouter(api, []string{group}, terms)
	made := policy.Of(api, []string{group}, terms)
	var r result
	for _, who := range []access.Principal{
		{Kind: access.Guest},
		{Kind: access.Authenticated},
		{Kind: access.Group, Group: group},
	} {
		caller := access.Caller{SignedIn: who.Kind != access.Guest}
		if who.Kind == access.Group {
			caller.Groups = []string{group}
		}
		var role policy.Role
		if i := slices.IndexFunc(made.Roles, func(r policy.Role) bool { return r.Who == who }); i >= 0 {
			role = made.Roles[i]
		}
		for _, method := range []string{"GET", "POST", "PUT", "DELETE"} {
			for _, raw := range paths {
				d := router.Decide(caller, method, raw)
				if d.Rule == access.NoRoute || d.Rule == access.OpenToAll {
					continue
				}
				r.decisions++
				matches := func(pattern string) bool { return cfn.MatchResource(pattern, method+raw) }
				allowed := slices.ContainsFunc(role.Allow, matches) && !slices.ContainsFunc(role.Deny, matches)
				if printing && random.IntN(200) == 0 {
					r.printed = append(r.printed, decision{role.Allow, role.Deny, method + raw, allowed})
				}
				switch {
				case allowed == d.Allowed:
				case allowed:
					r.wrong++
					r.first = fmt.Sprintf("%s %s %s is let through: %s", who, method, raw, describe(api))
				case announced(made, who, d, raw) && isOdd(raw):
					r.odd++
				case announced(made, who, d, raw):
					r.refused++
				default:
					r.wrong++
					r.first = fmt.Sprintf("%s %s %s is refused and not announced: %s", who, method, raw, describe(api))
				}
			}
		}
	}
	return r
}

// announced reports whether a refusal was said before. Requests that begin or end with an
// empty segment are never promised.
func announced(made *policy.Policies, who access.Principal, d access.Decision, raw string) bool {
	if strings.HasPrefix(raw, "//") || strings.HasSuffix(raw, "//") {
		return true
	}
	return slices.ContainsFunc(made.Refusals, func(r policy.Refusal) bool {
		return r.Who == who && r.Actions.Has(d.Action) && r.Resource == d.Route.Resource && (isOdd(raw) || !r.EmptySegment)
	})
}

func isOdd(raw string) bool {
	return strings.Contains(raw, "//") || len(raw) > 1 && strings.HasSuffix(raw, "/")
}

// paths are those that are asked about.
var paths = policytest.Paths(5, true)

func describe(api *access.API) string {
	var all []string
	for _, p := range api.Paths {
		all = append(all, fmt.Sprint(p.Name, " ", p.Access))
	}
	return strings.Join(all, "; ")
}
