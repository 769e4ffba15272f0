package aws

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gatewright/deploy/stack"
	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/render/template"
)

// Loss is data that a push would lose, or leave behind.
type Loss struct {
	// Name is what --allow-destroy takes: the name of a table, or "auth" for the user pool.
	Name string
	Of   model.Ref
	// Text says what happens, as one line.
	Text string
	// Kept says that the data stay in the account, outside of the stack.
	Kept bool
	// Allowed says that it may happen.
	Allowed bool
	// Cannot says why it cannot happen, also where it is allowed; nil if it can.
	Cannot *model.Problem
}

// ErrDestroys is the cause of the error of a push that would lose data.
var ErrDestroys = errors.New("data would be lost")

// RefusedLosses are the errors of losses that are not allowed, or cannot happen.
func RefusedLosses(losses []Loss) []error {
	var all []error
	for _, l := range losses {
		switch {
		case l.Cannot != nil:
			all = append(all, l.Cannot)
		case !l.Allowed:
			all = append(all, &model.Problem{
				Of: l.Of, Text: l.Text, Fix: "keep it, or allow the loss with: --allow-destroy " + model.ShellWord(l.Name),
				Cause: ErrDestroys,
			})
		}
	}
	return all
}

// LossesSince finds the losses of a push of an environment whose template is made, without
// asking AWS: was is the backend that is deployed.
func LossesSince(was *model.Backend, env *model.Environment, made *template.Template) []Loss {
	old, err := template.Render(was, was.Environment(env.Name), template.Options{})
	if err != nil {
		return nil // the push knows the template itself
	}
	return lossesOf(old.Root, made.Root, nil, wordsOf(made, old), nil)
}

// stateful are the kinds of resources that have data, with the properties whose change makes a
// new one; see the update requirements of
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-table.html and
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpool.html
var stateful = map[string][]string{
	tableType:        {"KeySchema", "TableName"},
	userPoolType:     {"UsernameAttributes", "AliasAttributes", "UsernameConfiguration"},
	identityPoolType: {},
}

// lossesOf finds the tables and pools that would be replaced or removed. The template decides;
// the change set may know more.
func lossesOf(old, made *cfn.Node, changes []stack.Change, w words, allowed []string) []Loss {
	var losses []Loss
	resources := old.Get("Resources")
	if resources == nil {
		return nil
	}
	for _, m := range resources.Members {
		kind := m.Value.Get("Type")
		if kind == nil || stateful[kind.Text] == nil {
			continue
		}
		var set stack.Change
		for _, c := range changes {
			if c.Logical == m.Name {
				set = c
			}
		}
		next := made.Get("Resources", m.Name)
		gone := next == nil || set.Action == stack.Remove
		expires := func(n *cfn.Node) string { return textAt(n, "Properties", "TimeToLiveSpecification", "AttributeName") }
		if was, is := expires(m.Value), expires(next); !gone && was != "" && is != "" && was != is {
			l := lossOf(m, kind.Text, false, w, allowed)
			l.Text = w.name(m.Name, kind.Text) + " expires its items by " + phrase.Quote(is) + " instead of " +
				phrase.Quote(was) + ": items that have expired by then are lost"
			l.Cannot = &model.Problem{
				Of: l.Of, Text: "its items expire by " + phrase.Quote(was) + ", and AWS takes another attribute only an hour " +
					"after that is turned off",
				Fix: "first push it without one, with gatewright update table " + model.ShellWord(l.Name) +
					" --ttl=, and the new one later", Cause: ErrDestroys,
			}
			losses = append(losses, l)
			continue
		}
		if !gone && !set.Replaced && !replaces(m.Value, next, stateful[kind.Text]) && !template.KeysDiffer(m.Value, next) {
			if kind.Text == userPoolType {
				losses = append(losses, changedAttributes(m.Value, next)...)
			}
			continue
		}
		l := lossOf(m, kind.Text, gone, w, allowed)
		if l.Kept && !gone && kind.Text == tableType && !replaces(m.Value, next, []string{"TableName"}) {
			l.Cannot = &model.Problem{
				Of: l.Of, Text: "its key changes, but the old table stays in the account under the name of the new one",
				Fix: "keep the key, and add a table with another name; or, unless its environment is guarded, delete the old " +
					"one: push it with its old key after gatewright update table " + model.ShellWord(l.Name) +
					" --deletion delete, then change the key",
				Cause: ErrDestroys,
			}
		}
		losses = append(losses, l)
	}
	return losses
}

// replaces reports whether one of the properties that make a new resource changes.
func replaces(old, next *cfn.Node, properties []string) bool {
	text := func(n *cfn.Node) string {
		if n == nil {
			return ""
		}
		return string(n.Minified())
	}
	return slices.ContainsFunc(properties, func(name string) bool {
		return text(old.Get("Properties", name)) != text(next.Get("Properties", name))
	})
}

// lossOf says what is lost of a resource that is replaced, or gone.
func lossOf(m cfn.Member, kind string, gone bool, w words, allowed []string) Loss {
	l := Loss{Of: w.of[m.Name], Name: w.of[m.Name].Name}
	if l.Of.Kind == model.KindAuth || l.Name == "" {
		l.Name = string(model.KindAuth)
	}
	policy := "UpdateReplacePolicy"
	if gone {
		policy = "DeletionPolicy"
	}
	if kept := m.Value.Get(policy); kept != nil {
		l.Kept = strings.HasPrefix(kept.Text, "Retain")
	}
	name := w.name(m.Name, kind)
	what := map[string]string{
		tableType: "all its items", userPoolType: "all its users",
		identityPoolType: "the identities of its users",
	}[kind]
	switch {
	case gone && l.Kept:
		l.Text = fmt.Sprintf("%s leaves the stack, but stays in the account with %s", name, what)
	case gone:
		l.Text = fmt.Sprintf("%s is removed: %s are lost", name, what)
	case l.Kept:
		l.Text = fmt.Sprintf("%s is replaced by a new one; the old one stays in the account with %s, outside the stack",
			name, what)
	default:
		l.Text = fmt.Sprintf("%s is replaced by a new one: %s are lost", name, what)
	}
	l.Allowed = slices.Contains(allowed, l.Name)
	return l
}

// changedAttributes finds what a push would change of the attributes of a pool, which takes new custom ones and
// keeps all others as they are, see
// https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-settings-attributes.html
func changedAttributes(old, next *cfn.Node) (refused []Loss) {
	was, now := schemaOf(old), schemaOf(next)
	find := func(in []model.SchemaAttribute, name string) int {
		return slices.IndexFunc(in, func(a model.SchemaAttribute) bool { return a.Name == name })
	}
	say := func(name, what, fix string) {
		of := model.Ref{Kind: model.KindAuth}
		text := "the attribute " + phrase.Quote(name) + " " + what +
			", but a user pool in AWS cannot change its attributes"
		refused = append(refused, Loss{
			Of: of, Name: string(model.KindAuth), Kept: true, Text: text,
			Cannot: &model.Problem{Of: of, Text: text, Fix: fix, Cause: ErrDestroys},
		})
	}
	for _, a := range was {
		switch i := find(now, a.Name); {
		case i < 0:
			say(a.Name, "would go", "restore it; for a pool with fewer attributes use another environment")
		case now[i] != a:
			say(a.Name, fmt.Sprintf("would change from %s to %s", a.Custom(), now[i].Custom()),
				"keep it, or add one with another name")
		}
	}
	for _, a := range now {
		if a.Required && find(was, a.Name) < 0 {
			say(a.Name, "would become required", "leave it out of standard_required_attributes")
		}
	}
	return refused
}

// strictPolicy is the policy of the stack of a guarded environment: tables and pools are
// neither replaced nor removed, except those whose names are allowed, see
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/protect-stack-resources.html
func strictPolicy(env *model.Environment, w words, except []Loss, templates ...*cfn.Node) string {
	allowed := make(map[string]bool)
	for _, l := range except {
		allowed[l.Name] = true
	}
	var protected []*cfn.Node
	if !env.Guarded {
		templates = nil
	}
	for _, template := range templates {
		if template == nil {
			continue
		}
		for _, m := range template.Get("Resources").Members {
			kind := m.Value.Get("Type")
			of := w.of[m.Name]
			name := of.Name
			if of.Kind == model.KindAuth {
				name = string(model.KindAuth)
			}
			if kind == nil || stateful[kind.Text] == nil || allowed[name] {
				continue
			}
			id := "LogicalResourceId/" + m.Name
			if !slices.ContainsFunc(protected, func(n *cfn.Node) bool { return n.Text == id }) {
				protected = append(protected, cfn.TextNode(id))
			}
		}
	}
	statement := func(effect, resource string, actions ...string) *cfn.Node {
		return cfn.MapNode().WithText("Effect", effect).WithText("Principal", "*").WithTexts("Action",
			actions...).WithText("Resource", resource)
	}
	statements := []*cfn.Node{statement("Allow", "*", "Update:*")}
	if len(protected) > 0 {
		deny := cfn.MapNode().WithText("Effect", "Deny").WithText("Principal", "*").WithTexts("Action", "Update:Replace",
			"Update:Delete").With("Resource", cfn.ListNode(protected...))
		statements = append(statements, deny)
	}
	return string(cfn.MapNode().With("Statement", cfn.ListNode(statements...)).Minified())
}
