package prove

import (
	"maps"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model/access"
)

// differ adds a difference, or what was announced.
func (c *comparison) differ(who caller, method string, e ending, direction Direction) {
	d := Difference{
		API: c.own.Label, Who: who.words, Direction: direction, Methods: []string{method}, Path: e.raw,
		caller: who.order, odd: e.odd,
	}
	if e.project != access.NoResource {
		p := c.own.Paths[e.project/2]
		if d.Resource = p.Name; e.project%2 == 1 {
			d.Resource = access.ProxyOf(p.Name)
		}
	}
	d.Why = c.why(who, method, e, direction)
	if who.by != "" {
		if d.Why = "by " + who.by; who.doubt != "" {
			d.Direction, d.Why = Unknown, d.Why+"; "+who.doubt
		}
		if direction == Less {
			return
		}
	}
	if direction == Less && c.options.Policies != nil && !who.unsigned && method != "OPTIONS" && !e.byPolicy[ours] &&
		c.restricted(e) {
		c.report.Refused = add(c.report.Refused, d)
		return
	}
	c.report.Differences = add(c.report.Differences, d)
}

func (c *comparison) why(who caller, method string, e ending, direction Direction) string {
	var asks Authorization
	has := false
	if e.deployed != access.NoResource {
		asks, has = c.api.Resources[e.deployed].authorization(method)
	}
	switch {
	case direction == Unknown && !has:
		return c.api.unread
	case direction == Unknown:
		if c.d.place != nil {
			return "a custom authorizer or a condition decides"
		}
		return "a custom authorizer, a condition or a value that the template does not have decides"
	case direction == More && e.project == access.NoResource:
		return c.mine() + " has no such path"
	case direction == More && who.unsigned && method != "OPTIONS":
		return "in " + c.mine() + " callers have to sign in or act as a guest"
	case direction == More:
		return c.mine() + " refuses it"
	case e.deployed == access.NoResource:
		return c.theirs() + " has no such path"
	case asks == Failing:
		return c.theirs() + " has no AWS::Lambda::Permission for API Gateway to call its function, and it returns 500"
	case method == "OPTIONS":
		return "the CORS preflight needs no grant"
	}
	if !has {
		return c.theirs() + " has no such method"
	}
	return c.mine() + " allows it"
}

// withoutImplied leaves out what others may because anyone unsigned may.
func (c *comparison) withoutImplied(all []Difference) []Difference {
	type key struct{ api, resource, path, method string }
	open := make(map[key]bool)
	for _, d := range all {
		if d.caller == 0 && d.Direction == More {
			for _, m := range d.Methods {
				open[key{d.API, d.Resource, d.Path, m}] = true
			}
		}
	}
	kept := []Difference{}
	for _, d := range all {
		if d.caller != 0 && d.Direction == More {
			d.Methods = slices.DeleteFunc(slices.Clone(d.Methods),
				func(m string) bool { return open[key{d.API, d.Resource, d.Path, m}] })
		}
		if len(d.Methods) > 0 {
			kept = append(kept, d)
		}
	}
	return kept
}

// integrations finds the methods that lead to something else than the function of the project. A
// function that only a deployment knows is taken as that.
func (c *comparison) integrations() {
	for _, at := range c.api.Resources {
		i := slices.IndexFunc(c.own.Paths, func(p *access.Path) bool {
			return p.Name == at.Path || access.ProxyOf(p.Name) == at.Path
		})
		for _, method := range slices.Sorted(maps.Keys(at.calls)) {
			to := at.calls[method]
			if i < 0 || to == "" {
				continue
			}
			if method == "OPTIONS" {
				c.preflight(c.own.Paths[i], at, c.d.functionIn(to))
				continue
			}
			wanted, f, words := c.own.Paths[i].Function, c.d.functionIn(to), phrase.Quote(to)
			_, arn, known := strings.Cut(to, ":function:")
			open := strings.Contains(to, "/functions/") && !known || strings.HasPrefix(to, "{") || strings.ContainsAny(arn, "{*")
			is := func(f *function) bool { return f.is(wanted) }
			switch {
			case f == nil && open, f != nil && is(f):
				continue
			case f != nil && !slices.ContainsFunc(c.d.functions, is):
				continue
			case f != nil:
				words = f.words()
			}
			c.report.Undecided = append(c.report.Undecided, method+" "+phrase.Quote(at.Path)+" leads to "+words+
				", and in "+c.mine()+" to the function "+phrase.Quote(wanted)+": what callers may do there is not read")
		}
	}
}

// preflight tells of one that calls a function, unless the project has it so.
func (c *comparison) preflight(p *access.Path, at Resource, f *function) {
	if c.own.CORS.Handler && f != nil && f.is(p.Function) {
		return
	}
	if f != nil && at.Methods["OPTIONS"] == Nothing && p.Access.Setting != access.Open {
		c.report.Undecided = append(c.report.Undecided, "OPTIONS "+phrase.Quote(at.Path)+" calls "+f.words()+
			" for anyone unsigned, and in "+c.mine()+" nothing: what it answers is not known")
	}
}

// is reports whether a function certainly is the one that a project calls so.
func (f *function) is(own string) bool {
	id := plainly(f.id[strings.LastIndexByte(f.id, '/')+1:])
	return f.name == own || strings.HasPrefix(f.name, own+"-") || strings.TrimSuffix(id, "function") == plainly(own)
}
