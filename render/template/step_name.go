package template

import (
	"slices"

	"gatewright/internal/cfn"
)

// names removes what is made anew under a name that only one resource can have: a table with another key, and the
// domain of a user pool, which has one of its kind
// (https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpooldomain.html).
// A table that stays in the account after its removal keeps its name, so that taking it away would help nothing.
func (r removal) names(old Deployed, next *Template) {
	for _, m := range members(old.Root.Get("Resources")) {
		want := next.Root.Get("Resources", m.Name)
		if want == nil {
			continue
		}
		switch typeOf(m.Value) {
		case tableType:
			if KeysDiffer(m.Value, want) && m.Value.Get("DeletionPolicy") == nil {
				r.take("", m.Name)
			}
		case domainType:
			if differ(m.Value, want, "Domain") || r.poolMadeAnew(old, next) {
				r.take("", m.Name)
			}
		}
	}
}

const domainType = "AWS::Cognito::UserPoolDomain"

func (r removal) poolMadeAnew(old Deployed, next *Template) bool {
	was, is := old.Root.Get("Resources", userPoolID), next.Root.Get("Resources", userPoolID)
	return differ(was, is, "UsernameAttributes") || differ(was, is, "AliasAttributes") ||
		differ(was, is, "UsernameConfiguration")
}

// differ reports whether a property of two resources differs.
func differ(a, b *cfn.Node, property string) bool {
	return minified(a.Get("Properties", property)) != minified(b.Get("Properties", property))
}

func minified(n *cfn.Node) string {
	if n == nil {
		return ""
	}
	return string(n.Minified())
}

// KeysDiffer reports whether the key of a table changes, its attributes or their types: then the service makes a new
// table (https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-table.html).
func KeysDiffer(old, next *cfn.Node) bool {
	if differ(old, next, "KeySchema") {
		return true
	}
	was, is := typesOf(old), typesOf(next)
	return slices.ContainsFunc(keysOf(old.Get("Properties", "KeySchema")),
		func(name string) bool { return was[name] != is[name] })
}

// keysOf are the names of the attributes of a key.
func keysOf(schema *cfn.Node) []string {
	var names []string
	if schema != nil {
		for _, key := range schema.Items {
			names = append(names, key.Get("AttributeName").Text)
		}
	}
	return names
}

// typesOf are the types of the attributes that a table defines.
func typesOf(table *cfn.Node) map[string]string {
	types := make(map[string]string)
	if list := table.Get("Properties", "AttributeDefinitions"); list != nil {
		for _, d := range list.Items {
			types[d.Get("AttributeName").Text] = d.Get("AttributeType").Text
		}
	}
	return types
}

// policies removes policies that go, if their roles could not have them next to the new ones,
// as when an API with many paths gets another name.
func (r removal) policies(old Deployed, made *Template) {
	type load struct{ inline, managed int }
	next, loads := made.deployed(), make(map[string]load)
	each := func(d Deployed, do func(stack, id, role string, has load)) {
		for _, stack := range append(d.inOrder(), "") {
			for _, m := range members(d.in(stack).Get("Resources")) {
				roles := m.Value.Get("Properties", "Roles")
				if roles == nil || len(roles.Items) == 0 || roles.Items[0].Get("Ref") == nil {
					continue
				}
				// Its references are a little longer than what they stand for.
				has := load{inline: len(minified(m.Value.Get("Properties", "PolicyDocument")))}
				if typeOf(m.Value) == managedType {
					has = load{managed: 1}
				}
				do(stack, m.Name, roles.Items[0].Get("Ref").Text, has)
			}
		}
	}
	plus := func(_, _, role string, has load) {
		loads[role] = load{loads[role].inline + has.inline, loads[role].managed + has.managed}
	}
	each(next, plus)
	goes := func(stack, id string) bool { return next.in(stack).Get("Resources", id) == nil }
	each(old, func(stack, id, role string, has load) {
		if goes(stack, id) {
			plus(stack, id, role, has)
		}
	})
	each(old, func(stack, id, role string, has load) {
		all := loads[role]
		if goes(stack, id) && !r[""][stack] &&
			(has.managed > 0 && all.managed > mostAttached || has.inline > 0 && all.inline > mostInline) {
			r.take(stack, id)
		}
	})
}

const managedType = "AWS::IAM::ManagedPolicy"
