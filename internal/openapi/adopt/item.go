package adopt

import (
	"slices"
	"strings"

	"gatewright/internal/openapi"
	"gatewright/internal/text/phrase"
	"gatewright/model/access"
)

// place puts the operations of a path item into the tree.
func (a *adoption) place(item *openapi.Item) {
	p := placeOf(item.Name)
	x := a.explicitOf(item, p)
	if above, ok := strings.CutSuffix(item.Name, "/{proxy}"); ok && x != nil {
		// Documents for people have {proxy} where the gateway has {proxy+}.
		p = placeOf(above + access.ProxyPath)
	}
	operations := a.operationsOf(item)
	if len(operations) == 0 {
		return
	}
	n := a.root.at(p.segments)
	a.losePlace(item, p, n)
	if p.patterned || p.deep {
		a.patterns = append(a.patterns, pattern{p.parts, p.deep, operations})
	} else {
		a.addExact(p, operations)
	}
	if x != nil {
		for _, o := range operations {
			o.need = x.need(o.Operation, a.document.Schemes)
		}
		x.operations = append(x.operations, operations...)
		return
	}
	n.main = n.main || !p.greedy && !strings.HasPrefix(p.rest, "/")
	n.proxy = n.proxy || p.greedy
	for _, o := range operations {
		if n.function == "" {
			n.function = answerer(o.Operation)
		}
		a.loseIntegration(o, n)
	}
	n.operations = append(n.operations, operations...)
}

// operationsOf returns the operations of a path item that a path of an API serves, and notes
// what becomes of the others.
func (a *adoption) operationsOf(item *openapi.Item) []*operation {
	var operations []*operation
	add := func(o *openapi.Operation, actions access.Actions) {
		a.count++
		operations = append(operations,
			&operation{Operation: o, need: need{public: o.Public}, actions: actions, number: a.count})
	}
	if item.Unread != nil {
		a.lose(Unread, item.Place, "put all files into one, and read that",
			"the operations of %s are not known: %s; signed-in users may do everything there", phrase.Quote(item.Name),
			item.Unread)
		add(&openapi.Operation{Method: openapi.AnyMethod, Place: item.Place, Node: item.Node, Item: item}, access.EveryAction)
	}
	for _, o := range item.Operations {
		actions := actionsOf(o)
		switch {
		case o.Method == "OPTIONS":
			if o.Integration == nil || o.Integration.Type != "mock" {
				a.lose(Preflight, o.Place, "", "OPTIONS %s is answered by the gateway itself, for the CORS preflight",
					phrase.Quote(item.Name))
			}
			continue
		case actions == 0:
			a.lose(Method, o.Place, "", "%s %s is a method that no path serves", phrase.Quote(o.Method), phrase.Quote(item.Name))
			continue
		}
		if o.Unread != nil {
			a.lose(Unread, o.Place, "put all files into one, and read that",
				"not all of %s %s is known: %s; it is for signed-in users", o.Method, phrase.Quote(item.Name), o.Unread)
		}
		add(o, actions)
	}
	a.losePairs(item)
	return operations
}

// losePairs notes the methods that a path item does not have, and that are allowed with
// another one that it has.
func (a *adoption) losePairs(item *openapi.Item) {
	at := make(map[string]*openapi.Operation)
	for _, o := range item.Operations {
		at[o.Method] = o
	}
	if at[openapi.AnyMethod] != nil {
		return
	}
	for _, action := range []access.Action{access.Read, access.Update} {
		methods := a.options.Terms.Methods(action)
		if len(methods) < 2 {
			continue
		}
		for _, pair := range [][2]string{{methods[0], methods[1]}, {methods[1], methods[0]}} {
			if o := at[pair[0]]; o != nil && at[pair[1]] == nil {
				a.lose(Pair, o.Place, "", "anyone who may send %s %s may send %s too", pair[0], phrase.Quote(item.Name), pair[1])
			}
		}
	}
}

// losePlace notes what the path of an item cannot have in an API.
func (a *adoption) losePlace(item *openapi.Item, p place, n *node) {
	name := phrase.Quote(item.Name)
	if p.rest != "" {
		a.lose(Segment, item.Place, "", "%s goes to the path above it, because a path of an API cannot have %s", name,
			phrase.Quote(p.rest))
	}
	if p.slash {
		a.lose(Segment, item.Place, "", "%s is the same path as without the / at its end", name)
	}
	if p.greedyName != "" && p.greedyName != "proxy" {
		a.lose(Variable, item.Place, "", "functions get the variable %s of %s as proxy", phrase.Quote(p.greedyName), name)
	}
	at := n
	for i := len(p.segments) - 1; i >= 0; i, at = i-1, at.parent {
		wanted, has := p.segments[i].Text, at.segment.Text
		if j := slices.IndexFunc(p.renamed, func(r [2]string) bool { return r[1] == wanted }); j >= 0 &&
			p.segments[i].Variable {
			wanted = p.renamed[j][0]
		}
		if wanted != has {
			a.lose(Variable, item.Place, "", "functions get the variable %s of %s as %s", phrase.Quote(wanted), name,
				phrase.Quote(has))
		}
	}
}

// loseWhole notes what the API as a whole does not have.
func (a *adoption) loseWhole() {
	d := a.document
	a.loseSecurity()
	for _, url := range d.Servers {
		a.lose(Kept, a.placeOf("servers", "host", "basePath"), "",
			"the address %s is not the API's: clients find that in the client configuration file", phrase.Quote(url))
		break
	}
	if schemas := d.Root.Get("components", "schemas"); schemas != nil || d.Root.Get("definitions") != nil {
		a.lose(Kept, a.placeOf("components", "definitions"), "",
			"parameters, schemas and examples are kept in the copy of the document, and no request is refused because of them")
	}
	if d.Root.Get("webhooks") != nil {
		a.lose(Kept, a.placeOf("webhooks"), "", "webhooks are kept in the copy of the document only")
	}
	callbacks := 0
	var first openapi.Place
	for _, item := range d.Items {
		for _, o := range item.Operations {
			if o.Node.Get("callbacks") != nil {
				if callbacks++; callbacks == 1 {
					first = o.Place
				}
			}
		}
	}
	if callbacks > 0 {
		a.lose(Kept, first, "", "the callbacks of %s are kept in the copy of the document only",
			phrase.Count(callbacks, "operation"))
	}
}

// placeOf returns the place of the first of some keys that the document has at its root.
func (a *adoption) placeOf(keys ...string) openapi.Place {
	for _, m := range a.document.Root.Members {
		if slices.Contains(keys, m.Name) {
			return openapi.PlaceOf(m)
		}
	}
	return openapi.Place{Line: 1, Column: 1}
}

// loseSecurity notes what of the security of the document is not checked.
func (a *adoption) loseSecurity() {
	d := a.document
	open, secured := 0, 0
	uses, scoped := make(map[string]int), make(map[string]int)
	for _, item := range d.Items {
		for _, o := range item.Operations {
			if actionsOf(o) == 0 {
				continue
			}
			if o.Public {
				open++
			} else {
				secured++
			}
			for _, r := range o.Security {
				for i, name := range r.Schemes {
					uses[name]++
					scoped[name] += min(len(r.Scopes[i]), 1)
				}
			}
		}
	}
	if secured == 0 && open > 0 {
		a.lose(NoSecurity, a.placeOf("paths"), "restrict paths with: gatewright update path",
			"the document lets everybody send everything, so all paths are open to everybody in the world")
	}
	if m := d.Restriction; m != nil {
		a.lose(Restriction, openapi.PlaceOf(*m), "",
			"%s restricts the API, which no setting here does: its public operations are for signed-in users",
			phrase.Quote(m.Name))
	}
	names := make([]string, 0, len(uses))
	for name := range uses {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		s := d.Schemes[name]
		if s == nil {
			a.lose(Scheme, a.placeOf("paths"), "",
				"the security scheme %s is not in the document: what names it is for signed-in users, in %s", phrase.Quote(name),
				phrase.Count(uses[name], "operation"))
			continue
		}
		if !s.Signed() {
			a.lose(Scheme, s.Place, "", "the scheme %s (%s) is not checked: signed-in users sign their requests instead, in %s",
				phrase.Quote(name), s.Describe(), phrase.Count(uses[name], "operation"))
		}
		if scoped[name] > 0 {
			a.lose(Scopes, s.Place, "give the paths to a group", "scopes of %s are not checked, in %s", phrase.Quote(name),
				phrase.Count(scoped[name], "operation"))
		}
	}
}
