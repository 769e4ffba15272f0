package assertion_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/assertion"
)

// claimed is a sentence with its meaning as the test of tests understands it, which asks about every
// short request.
type claimed struct {
	text string
	// against lists the requests that are decided against it.
	against func(each func(func(api *access.API, path *access.Path, raw string, may mayCall))) bool
}

// mayCall reports whether a caller may send a method of a request.
type mayCall func(method string, caller access.Caller) bool

var (
	guest    = access.Caller{}
	user     = access.Caller{SignedIn: true}
	inB, inA = member("B"), member("A")
	methods  = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}
)

func member(groups ...string) access.Caller { return access.Caller{SignedIn: true, Groups: groups} }

// eachRequest is a claim about every request.
func eachRequest(text string, fits func(api *access.API, path *access.Path, raw string, may mayCall) bool) claimed {
	return claimed{text, func(each func(func(*access.API, *access.Path, string, mayCall))) (broken bool) {
		each(func(api *access.API, path *access.Path, raw string, may mayCall) {
			broken = broken || !fits(api, path, raw, may)
		})
		return broken
	}}
}

// counting is a claim about how many paths are so for one of their requests.
func counting(text string, is func(path *access.Path, raw string, may mayCall) bool, fits func(n int) bool) claimed {
	return claimed{text, func(each func(func(*access.API, *access.Path, string, mayCall))) bool {
		paths := make(map[*access.Path]bool)
		each(func(_ *access.API, path *access.Path, raw string, may mayCall) {
			paths[path] = paths[path] || is(path, raw, may)
		})
		n := 0
		for _, is := range paths {
			if is {
				n++
			}
		}
		return !fits(n)
	}}
}

func all(may mayCall, caller access.Caller, methods ...string) bool {
	return !slices.ContainsFunc(methods, func(m string) bool { return !may(m, caller) })
}

func none(may mayCall, caller access.Caller, methods ...string) bool {
	return !slices.ContainsFunc(methods, func(m string) bool { return may(m, caller) })
}

func everywhere(fits func(may mayCall) bool) func(*access.API, *access.Path, string, mayCall) bool {
	return func(_ *access.API, _ *access.Path, _ string, may mayCall) bool { return fits(may) }
}

var claims = []claimed{
	eachRequest("members of both group:A and group:B never DELETE", everywhere(func(may mayCall) bool { return none(may, member("A", "B"), "DELETE") })),
	eachRequest("members of both group:B and group:A may read", everywhere(func(may mayCall) bool { return all(may, member("B", "A"), "GET") })),
	eachRequest("user alice in group:A never POST", everywhere(func(may mayCall) bool { return none(may, inA, "POST") })),
	eachRequest("user alice in both group:A and group:B may only GET", everywhere(func(may mayCall) bool { return none(may, member("A", "B"), "POST", "PUT", "PATCH", "DELETE") })),
	eachRequest("user alice never DELETE", everywhere(func(may mayCall) bool {
		return none(may, user, "DELETE") && none(may, inA, "DELETE") && none(may, inB, "DELETE") && none(may, member("C"), "DELETE")
	})),
	eachRequest("group:A may PATCH but not DELETE", everywhere(func(may mayCall) bool { return all(may, inA, "PATCH") && none(may, inA, "DELETE") })),
	eachRequest("guests may HEAD and GET but not POST, PUT", everywhere(func(may mayCall) bool { return all(may, guest, "HEAD", "GET") && none(may, guest, "POST", "PUT") })),
	eachRequest("group:A may no more than signed-in users", everywhere(func(may mayCall) bool {
		return !slices.ContainsFunc(methods, func(m string) bool { return may(m, inA) && !may(m, user) })
	})),
	eachRequest("guests may do no more than group:A and group:B DELETE, GET", everywhere(func(may mayCall) bool {
		return !slices.ContainsFunc([]string{"DELETE", "GET"}, func(m string) bool { return may(m, guest) && !(may(m, inA) && may(m, inB)) })
	})),
	eachRequest("every path needs sign-in", everywhere(func(may mayCall) bool { return none(may, guest, methods...) })),
	eachRequest("guests never GET of function f", func(_ *access.API, path *access.Path, _ string, may mayCall) bool {
		return path.Function != "f" || none(may, guest, "GET")
	}),
	counting("at most 1 path is open", func(path *access.Path, _ string, _ mayCall) bool { return path.Access.Setting == access.Open }, func(n int) bool { return n <= 1 }),
	counting("exactly 1 path lets guests GET", func(_ *access.Path, _ string, may mayCall) bool { return may("GET", guest) }, func(n int) bool { return n == 1 }),
	counting("at least 2 paths let group:A, group:B DELETE and POST", func(_ *access.Path, _ string, may mayCall) bool {
		return !none(may, inA, "DELETE", "POST") || !none(may, inB, "DELETE", "POST")
	}, func(n int) bool { return n >= 2 }),
}

// TestEachSentenceIsDecidedAsEveryRequestIs holds sentences about random backends against a count of
// their own.
func TestEachSentenceIsDecidedAsEveryRequestIs(t *testing.T) {
	t.Parallel()
	held, broke := make([]int, len(claims)), make([]int, len(claims))
	rapid.Check(t, func(t *rapid.T) {
		b, _ := accesstest.Sides(t)
		b.Groups = append(b.Groups[:len(b.Groups):len(b.Groups)], slices.DeleteFunc([]string{"A", "B", "C"}, func(g string) bool { return slices.Contains(b.Groups, g) })...)
		b.Functions = append(b.Functions[:len(b.Functions):len(b.Functions)], &model.Function{Name: "f"})
		each := func(visit func(*access.API, *access.Path, string, mayCall)) {
			for _, api := range b.APIs {
				router := b.Router(api.Label)
				for _, raw := range raws {
					route, served := router.Match("GET", raw)
					if !served {
						continue
					}
					visit(api, route.Path, raw, func(method string, caller access.Caller) bool { return router.Decide(caller, method, raw).Allowed })
				}
			}
		}
		for i, claim := range claims {
			o := assertion.NewChecker(b).Check(claim.text)
			against := claim.against(each)
			if o.Err != nil && (against || strings.Contains(claim.text, " may ")) {
				continue
			}
			if o.Holds() == against {
				t.Fatalf("%s: holds %v, %v, %+v", claim.text, o.Holds(), o.Err, o.Broken)
			}
			for _, x := range o.Broken {
				if d := b.Router(x.API).Decide(x.Caller(), x.Method, x.Raw); d.Route.Path.Name != x.Path || d.Allowed != x.Decision.Allowed {
					t.Fatalf("%s: the counterexample %+v is none", claim.text, x)
				}
			}
			if against {
				broke[i]++
			} else {
				held[i]++
			}
		}
	})
	for i, claim := range claims {
		if held[i] == 0 && broke[i] == 0 {
			t.Errorf("%q is never decided", claim.text)
		}
	}
}

func TestASentenceIsAboutTheEnvironmentThatItNames(t *testing.T) {
	t.Parallel()
	b := &model.Backend{
		APIs:         []*access.API{accesstest.Shop(accesstest.Open("/x", "f"))},
		Environments: []*model.Environment{{Name: "dev"}, {Name: "prod", APIs: []string{}}},
	}
	for text, want := range map[string]string{
		"no path is open in environment prod":       "",
		"no path is open in environment dev":        "GET /x as a guest is allowed: /x is open to everybody",
		"no path is open":                           "GET /x as a guest is allowed: /x is open to everybody",
		"at most 0 paths are open":                  "there is 1 such path: /x",
		"at least 2 paths are open":                 "cannot be decided: the test cannot pass: it has 1 such path: /x; correct its number",
		"no path is open in environment prd":        "cannot be decided: environment prd: not found; did you mean prod?",
		"guests never GET of function g":            "cannot be decided: function g: not found",
		"everybody but members of both A and B may": "cannot be decided: excludes members of two groups, who act as the first of them; exclude the first group instead",
	} {
		o := assertion.NewChecker(b).Check(text)
		if got := o.Sentence(); !strings.HasPrefix(got, want) || (want == "") != (got == "") {
			t.Errorf("%s: %q", text, got)
		}
	}
}
