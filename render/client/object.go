package client

import (
	"slices"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
)

// object is the type of the objects that a schema describes.
func (t *clientTypes) object(n *cfn.Node, p typePlace) scriptType {
	members, rest := t.members(n, p, nil)
	combines := n.Get("allOf") != nil || n.Get("oneOf") != nil || n.Get("anyOf") != nil || t.siblings &&
		n.Get("$ref") != nil
	if len(members) == 0 && rest == "" {
		if combines {
			return unknownType
		}
		rest = "unknown"
	}
	return objectType(members, rest, p.level)
}

// members returns the members of an object's type, and the type of all others; "" if the schema does not say that
// there are others. What must be there but has no schema is not known, except in the schemas next to.
func (t *clientTypes) members(n *cfn.Node, p typePlace, beside *cfn.Node) (members []typeMember, rest string) {
	required := make(map[string]bool)
	for _, name := range openapi.ItemsOf(n.Get("required")) {
		required[name.Text] = true
	}
	if properties := n.Get("properties"); properties != nil && properties.Kind == cfn.Map {
		for _, m := range properties.Members {
			needed := required[m.Name]
			delete(required, m.Name)
			if t.hidden(m.Value, p.sent) {
				continue
			}
			members = append(members, typeMember{
				name: propertyName(m.Name), text: t.typeOf(m.Value, p.inner()).text, optional: !needed,
				readOnly: t.says(m.Value, "readOnly"), comment: aboutSchema(m.Value),
			})
		}
	}
	if beside == nil {
		beside = n
	}
	for _, name := range openapi.ItemsOf(n.Get("required")) {
		if required[name.Text] && !t.hiddenIn(beside, name.Text, p.sent, 0) {
			delete(required, name.Text)
			members = append(members, typeMember{name: propertyName(name.Text), text: "unknown"})
		}
	}
	return members, t.rest(n, len(members), p)
}

// rest is the type of the members of an object that have no name in its schema. Next to named
// members it is unknown, because in TypeScript it would have to be that of all members.
func (t *clientTypes) rest(n *cfn.Node, named int, p typePlace) string {
	more := n.Get("additionalProperties")
	switch {
	case n.Get("patternProperties") != nil:
		return "unknown"
	case more == nil:
		return ""
	case more.Kind == cfn.Bool && more.Text == "false":
		if named == 0 && n.Get("properties") == nil {
			return "never"
		}
		return ""
	case named > 0:
		return "unknown"
	}
	return t.typeOf(more, p.inner()).text
}

// says reports whether a schema, or the one that it refers to, has a key that is true.
func (t *clientTypes) says(n *cfn.Node, key string) bool {
	if openapi.IsTrue(n.Get(key)) {
		return true
	}
	to, err := t.Resolve(n)
	return err == nil && openapi.IsTrue(to.Get(key))
}

// hidden reports whether a member with a schema is left out.
func (t *clientTypes) hidden(n *cfn.Node, sent bool) bool {
	if sent {
		return t.says(n, "readOnly")
	}
	return t.says(n, "writeOnly")
}

// hiddenIn reports whether a schema, or one that it combines or refers to, has a member that is left out.
func (t *clientTypes) hiddenIn(n *cfn.Node, name string, sent bool, depth int) bool {
	const deepest = 8
	to, err := t.Resolve(n)
	if err != nil || depth > deepest {
		return false
	}
	if m := to.Get("properties", name); m != nil {
		return t.hidden(m, sent)
	}
	return slices.ContainsFunc(openapi.ItemsOf(to.Get("allOf")),
		func(part *cfn.Node) bool { return t.hiddenIn(part, name, sent, depth+1) })
}

// isRequirement reports whether a schema only says which members an object must have, as a part of another.
func isRequirement(n *cfn.Node) bool {
	return n.Kind == cfn.Map && n.Get("required") != nil && n.Get("properties") == nil && n.Get("$ref") == nil
}

// required is the type of an object that has the members which a part of a schema requires.
func (t *clientTypes) required(part, whole *cfn.Node, p typePlace) scriptType {
	members, _ := t.members(part, p, whole)
	if len(members) == 0 {
		return unknownType
	}
	return objectType(members, "", p.level)
}
