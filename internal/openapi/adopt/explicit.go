package adopt

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// explicit is a path of the API that the document names, as gatewright writes it.
type explicit struct {
	name, function string
	access         access.Access
	operations     []*operation
	// number is its position in the document.
	number int
}

// need returns who may send an operation of the path: the security of the document says
// whether credentials are needed, and the entry of the path who has them. An entry that says
// that everybody may does not open what the security closes, and neither does one for guests, if
// other credentials are asked for than a signature.
func (x *explicit) need(o *openapi.Operation, schemes map[string]*openapi.Scheme) need {
	switch {
	case o.Public:
		return need{public: true}
	case x.access.Setting == access.Open:
		return need{}
	}
	return need{access: &x.access, unsigned: !signed(o, schemes)}
}

// signed reports whether a signature is enough for an operation: guests have one too.
func signed(o *openapi.Operation, schemes map[string]*openapi.Scheme) bool {
	return slices.ContainsFunc(o.Security, func(r openapi.Requirement) bool {
		return !slices.ContainsFunc(r.Schemes,
			func(name string) bool { return schemes[name] == nil || !schemes[name].Signed() })
	})
}

// readExplicit finds the paths that the document names, and puts them into the tree first, so
// that their variables keep their names.
func (a *adoption) readExplicit() {
	for _, item := range a.document.Items {
		name := a.text(item, openapi.ExtensionPath)
		rules := a.document.Extension(item, openapi.ExtensionAccess)
		if name == "" || rules == nil || a.explicit[name] != nil {
			continue
		}
		segments, err := access.ParsePath(name)
		if err != nil && name != access.ProxyPath {
			a.lose(Extension, item.Place, "", "%s is ignored: %s", openapi.ExtensionPath, err)
			continue
		}
		x := &explicit{name: name, number: len(a.explicit) - len(a.document.Items)}
		if function := a.text(item, openapi.ExtensionFunction); model.CheckName(model.KindFunction, function) == nil {
			x.function = function
		} else if function != "" {
			a.lose(Extension, item.Place, "", "%s is ignored: %s is not a name for a function", openapi.ExtensionFunction,
				phrase.Quote(function))
		}
		var ok bool
		if x.access, ok = readAccess(rules); !ok {
			a.lose(Extension, item.Place, "", "%s of %s is ignored: it is not what permissions of a path are",
				openapi.ExtensionAccess, phrase.Quote(item.Name))
			continue
		}
		n := a.root.at(segments)
		if n.explicit != nil || n.name() != name && name != access.ProxyPath {
			a.lose(Extension, item.Place, "", "%s is ignored: the API has %s there already", openapi.ExtensionPath,
				phrase.Quote(n.name()))
			continue
		}
		n.explicit, a.explicit[name] = x, x
	}
}

// text returns the text of an extension of a path item.
func (a *adoption) text(item *openapi.Item, key string) string {
	if n := a.document.Extension(item, key); n != nil && n.Kind == cfn.String {
		return n.Text
	}
	return ""
}

// explicitOf returns the named path that an item belongs to; nil for none.
func (a *adoption) explicitOf(item *openapi.Item, p place) *explicit {
	name := a.text(item, openapi.ExtensionPath)
	x := a.explicit[name]
	if x == nil {
		return nil
	}
	above := strings.TrimSuffix(placeOf(name).exact, "/{proxy+}")
	if above = strings.TrimSuffix(above, "/"); p.exact != above && !strings.HasPrefix(p.exact, above+"/") {
		a.lose(Extension, item.Place, "", "%s is ignored: %s is not below %s", openapi.ExtensionPath, phrase.Quote(item.Name),
			phrase.Quote(name))
		return nil
	}
	return x
}

// readAccess reads `permissions` of cli-inputs.json. ok is false if anything in them is not
// known.
func readAccess(n *cfn.Node) (rules access.Access, ok bool) {
	if n.Kind != cfn.Map {
		return rules, false
	}
	ok = true
	grant := func(to access.Principal, list *cfn.Node) {
		var actions access.Actions
		ok = ok && list.Kind == cfn.List
		for _, item := range list.Items {
			action, known := access.ParseAction(item.Text)
			ok = ok && known
			actions |= access.Actions(action)
		}
		rules.Grants = append(rules.Grants, access.Grant{To: to, Actions: actions})
	}
	for _, m := range n.Members {
		switch m.Name {
		case "setting":
			rules.Setting = access.Setting(m.Value.Text)
		case "auth":
			grant(access.Principal{Kind: access.Authenticated}, m.Value)
		case "guest":
			grant(access.Principal{Kind: access.Guest}, m.Value)
		case "groups":
			for _, g := range m.Value.Members {
				grant(access.Principal{Kind: access.Group, Group: g.Name}, g.Value)
			}
		default:
			return rules, false
		}
	}
	switch rules.Setting {
	case access.Open, access.Private, access.Protected:
		return rules, ok
	}
	return rules, false
}
