package assertion_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/assertion"
	_ "gatewright/test/depth" // says how often a property is tried
)

// drawn is a random test, with its meaning as the test of tests understands it.
type drawn struct {
	claim   string
	groups  []string
	guests  bool
	users   bool
	methods []string
	where   []string
	except  []string
}

func (d drawn) text() string {
	who := slices.Clone(d.groups)
	for i := range who {
		who[i] = "group:" + who[i]
	}
	if d.guests {
		who = append(who, "guests")
	}
	if d.users {
		who = append(who, "signed-in users")
	}
	text := strings.Join(who, " and ") + " " + d.claim
	if d.claim == "nobody but" {
		text = "nobody but " + strings.Join(who, ", ") + " may"
	}
	text += " " + strings.Join(d.methods, ", ")
	if d.where != nil {
		text += " " + strings.Join(d.where, " and ")
	}
	if d.except != nil {
		text += " except " + strings.Join(d.except, ", ")
	}
	return text
}

func draw(t *rapid.T) drawn {
	d := drawn{
		claim:   rapid.SampledFrom([]string{"may", "never", "may only", "nobody but"}).Draw(t, "claim"),
		groups:  rapid.SliceOfDistinct(rapid.SampledFrom([]string{"A", "B", "C"}), rapid.ID[string]).Draw(t, "groups"),
		guests:  rapid.Bool().Draw(t, "guests"),
		users:   rapid.IntRange(0, 3).Draw(t, "users") == 0,
		methods: rapid.SliceOfDistinct(rapid.SampledFrom([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}), rapid.ID[string]).Draw(t, "methods"),
	}
	if len(d.groups) == 0 && !d.users {
		d.guests = true
	}
	place := rapid.Custom(func(t *rapid.T) string {
		segments := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "1", "{y}"}), 0, 3).Draw(t, "segments")
		path := "/" + strings.Join(segments, "/")
		switch rapid.IntRange(0, 3).Draw(t, "reach") {
		case 0:
			return "under " + path
		case 1:
			return "below " + path
		case 2:
			return "at " + strings.TrimSuffix(path, "/") + "/*"
		}
		return "at " + path
	})
	if rapid.Bool().Draw(t, "somewhere") {
		d.where = rapid.SliceOfN(place, 1, 3).Draw(t, "where")
	}
	if rapid.IntRange(0, 2).Draw(t, "but") == 0 {
		d.except = rapid.SliceOfN(place, 1, 2).Draw(t, "except")
	}
	return d
}

// means reports whether places have a request.
func means(places []string, raw string) bool {
	have := strings.FieldsFunc(raw, func(r rune) bool { return r == '/' })
	if strings.Contains(strings.Trim(raw, "/"), "//") {
		have = strings.Split(strings.Trim(raw, "/"), "/")
	}
	for _, place := range places {
		reach, path, _ := strings.Cut(place, " ")
		if below, star := strings.CutSuffix(path, "/*"); star {
			reach, path = "below", below
		}
		want := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
		if len(have) < len(want) || reach == "at" && len(have) > len(want) || reach == "below" && len(have) == len(want) {
			continue
		}
		fits := true
		for i, segment := range want {
			fits = fits && (segment == have[i] || strings.HasPrefix(segment, "{") && have[i] != "")
		}
		if fits {
			return true
		}
	}
	return false
}

// wanted is what a drawn test wants of a request: true, false, or nil for anything.
func (d drawn) wanted(caller access.Caller, method, raw string) *bool {
	meant := slices.Contains(d.methods, method) || len(d.methods) == 0
	for _, one := range d.methods {
		a, _ := access.Terms{}.ActionOf(one)
		b, _ := access.Terms{}.ActionOf(method)
		// GET stands for HEAD, and both of an action for each other where not only some are allowed.
		meant = meant || a == b && (d.claim != "may only" || one == "GET")
	}
	placed := (d.where == nil || means(d.where, raw)) && !means(d.except, raw)
	named := d.guests && !caller.SignedIn || d.users && caller.SignedIn
	for _, group := range caller.Groups {
		named = named || slices.Contains(d.groups, group)
	}
	yes, no := true, false
	switch d.claim {
	case "may":
		if named && placed && meant {
			return &yes
		}
	case "never":
		if named && placed && meant {
			return &no
		}
	case "may only":
		if named && !(placed && meant) {
			return &no
		}
	case "nobody but":
		if !named && placed && meant {
			return &no
		}
	}
	return nil
}

// raws are all raw paths of up to four segments that random paths and places tell apart, and some of
// five, which are below every path.
var raws = func() []string {
	all, last := []string{"/"}, []string{""}
	for depth := range 5 {
		words := []string{"a", "b", "1", "z", ""}
		if depth == 4 {
			words = []string{"z"}
		}
		var next []string
		for _, raw := range last {
			for _, word := range words {
				if depth > 0 || word != "" {
					next = append(next, raw+"/"+word)
				}
			}
		}
		for _, raw := range next {
			if !strings.HasSuffix(raw, "/") {
				all = append(all, raw)
			}
		}
		last = next
	}
	return all
}()

// broken finds a request of an API that is decided against a drawn test, among many.
func (d drawn) broken(b *model.Backend) string {
	for _, api := range b.APIs {
		router := b.Router(api.Label)
		callers := []access.Caller{{}, {SignedIn: true}}
		for _, group := range b.RoleOrder() {
			callers = append(callers, access.Caller{SignedIn: true, Groups: []string{group}})
		}
		for _, raw := range raws {
			for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
				for _, caller := range callers {
					decision := router.Decide(caller, method, raw)
					if want := d.wanted(caller, method, raw); decision.Rule != access.NoRoute && want != nil && *want != decision.Allowed {
						return fmt.Sprintf("%s %s of %s by %+v", method, raw, api.Label, caller)
					}
				}
			}
		}
	}
	return ""
}

// TestOutcomesAreThoseOfEveryRequest holds the outcomes of random tests of random backends against
// the decisions about every short request, and each counterexample against the decision about it.
func TestOutcomesAreThoseOfEveryRequest(t *testing.T) {
	t.Parallel()
	held, broke := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		b, _ := accesstest.Sides(t)
		b.Groups = append(b.Groups[:len(b.Groups):len(b.Groups)], slices.DeleteFunc([]string{"A", "B", "C"}, func(g string) bool { return slices.Contains(b.Groups, g) })...)
		checker := assertion.NewChecker(b)
		for range 2 {
			d := draw(t)
			o := checker.Check(d.text())
			if o.Err != nil && !strings.Contains(o.Err.Error(), "no path serves") {
				t.Fatalf("%s: %v", d.text(), o.Err)
			}
			request := d.broken(b)
			if (request != "") != (len(o.Broken) > 0) {
				t.Fatalf("%s: %s; the outcome is %+v", d.text(), request, o.Broken)
			}
			for i, x := range o.Broken {
				decision := b.Router(x.API).Decide(x.Caller(), x.Method, x.Raw)
				if want := d.wanted(x.Caller(), x.Method, x.Raw); want == nil || *want == decision.Allowed || decision.Route.Path.Name != x.Path {
					t.Fatalf("%s: the counterexample %+v is none", d.text(), x)
				}
				if i > 0 && strings.Count(x.Raw, "/") < strings.Count(o.Broken[0].Raw, "/") {
					t.Fatalf("%s: %s is shorter than %s", d.text(), x.Raw, o.Broken[0].Raw)
				}
			}
			if request == "" {
				held++
			} else {
				broke++
			}
		}
	})
	if held == 0 || broke == 0 {
		t.Errorf("%d tests hold, %d are broken: the test tests nothing", held, broke)
	}
}
