package accesstest

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/access"
)

// Callers are a guest, a caller without valid credentials, and the members of up to three
// groups; no backend of Sides knows the group E.
func Callers() []access.Caller {
	groups := []string{"A", "B", "C", "D", "E"}
	all := []access.Caller{{}, {Stranger: true}, {SignedIn: true}}
	for i, first := range groups {
		all = append(all, access.Caller{SignedIn: true, Groups: []string{first}})
		for j, second := range groups[i+1:] {
			all = append(all, access.Caller{SignedIn: true, Groups: []string{second, first}})
			for _, third := range groups[i+j+2:] {
				all = append(all, access.Caller{SignedIn: true, Groups: []string{third, first, second}})
			}
		}
	}
	return all
}

// Raws are raw paths of up to four segments, and some longer ones.
func Raws() []string {
	words := []string{"a", "b", "1", "z", ""}
	all, last := []string{"/"}, []string{""}
	for depth := range 4 {
		if depth == 3 {
			// Enough of the many.
			words = []string{"a", "z"}
		}
		var next []string
		for _, raw := range last {
			for _, word := range words {
				next = append(next, raw+"/"+word)
			}
		}
		all, last = append(all, next...), next
	}
	return append(all, "/a/b/1/a", "/1/b/a/b", "/a/a/a/a/a", "/a/b/z/z/z/z", "/z/z/z/z/z/z", "/1/a/b/1/a")
}

// Within reports whether a difference is about a raw path. A request with an empty segment gets the
// response of the segments before it.
func Within(d access.Difference, raw string) bool {
	request := strings.Split(strings.Trim(raw, "/"), "/")
	if empty := slices.Index(request, ""); empty >= 0 {
		request = request[:empty]
	}
	resource, below := strings.CutSuffix(d.Path, access.ProxyPath)
	segments := access.ReadSegments(resource)
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

// Concerns reports whether a difference is about a caller. like says that the caller may do
// the same as any signed-in user, before and after.
func Concerns(d access.Difference, caller access.Caller, like bool) bool {
	switch {
	case d.Anybody:
		return d.Gained || caller.Stranger
	case d.Who.Kind == access.Guest:
		// Who has no credentials is no more than a guest, and loses what guests lose.
		return !caller.SignedIn && (!d.Gained || !caller.Stranger)
	case d.Who.Kind == access.Authenticated:
		return caller.SignedIn && (len(caller.Groups) == 0 || like)
	}
	return slices.Contains(caller.Groups, d.Who.Group) && (d.AlsoIn == "" || slices.Contains(caller.Groups, d.AlsoIn))
}

// SomeRaws are a fifth of Raws, which is drawn: a property is then tried with all before long.
func SomeRaws(t *rapid.T) (some []string) {
	const parts = 5
	part := rapid.IntRange(0, parts-1).Draw(t, "part")
	for i, raw := range Raws() {
		if i%parts == part {
			some = append(some, raw)
		}
	}
	return some
}

// Unnamed returns a request to one of the raw paths that is decided otherwise by the second backend
// and that none of the differences names; "" if all are named. With opened, it asks only for requests
// that are allowed now and were refused before.
func Unnamed(raws []string, was, now *model.Backend, named []access.Difference, opened bool) string {
	callers := Callers()
	methods := []string{"GET", "POST", "PATCH", "DELETE"}
	if was.Terms().GetAlone || now.Terms().GetAlone {
		methods = append(methods, "HEAD")
	}
	for _, label := range []string{"one", "two"} {
		routers := [2]*access.Router{was.Router(label), now.Router(label)}
		ask := func(side int, caller access.Caller, method, raw string) bool {
			return routers[side] != nil && routers[side].Decide(caller, method, raw).Allowed
		}
		here := slices.DeleteFunc(slices.Clone(named), func(d access.Difference) bool { return d.API != label })
		for _, raw := range raws {
			near := slices.DeleteFunc(slices.Clone(here), func(d access.Difference) bool { return !Within(d, raw) })
			for _, method := range methods {
				user := access.Caller{SignedIn: true}
				had, has := ask(0, user, method, raw), ask(1, user, method, raw)
				for _, caller := range callers {
					could, can := ask(0, caller, method, raw), ask(1, caller, method, raw)
					if could == can || opened && !can {
						continue
					}
					like := could == had && can == has
					if !slices.ContainsFunc(near, func(d access.Difference) bool {
						return d.Gained == can && slices.Contains(d.Methods, method) && Concerns(d, caller, like)
					}) {
						return fmt.Sprintf("API %s: %+v %s %s is %v, then %v", label, caller, method, raw, could, can)
					}
				}
			}
		}
	}
	return ""
}
