package aws

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatewright/deploy/contract"
	"gatewright/deploy/stack"
	"gatewright/internal/cfn"
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
	// Stuck says that it cannot happen: the old table stays, with the name of the new one.
	Stuck bool
}

// ErrDestroys is the cause of the error of a push that would lose data.
var ErrDestroys = errors.New("data would be lost")

// Refusal is why the push must not be carried out: nil, or an error that matches ErrDestroys.
func (x *Push) Refusal() error {
	if all := RefusedLosses(x.Losses); len(all) > 0 {
		return all[0]
	}
	return nil
}

// RefusedLosses are the errors of losses that are not allowed, or cannot happen.
func RefusedLosses(losses []Loss) []error {
	var all []error
	for _, l := range losses {
		switch {
		case l.Stuck:
			all = append(all, &model.Problem{
				Of: l.Of, Text: "its key changes, and its environment is guarded, so that the old table stays, with the name " +
					"that the new one would have",
				Fix: "leave the key as it is, and add a table of another name", Cause: ErrDestroys,
			})
		case !l.Allowed:
			all = append(all, &model.Problem{
				Of: l.Of, Text: l.Text, Fix: "keep it as it is, or allow that with: --allow-destroy " + model.ShellWord(l.Name),
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
	x := &Push{
		Environment: env, old: template.Deployed{Root: old.Root}, made: made, set: &stack.ChangeSet{},
		words: wordsOf(made, old),
	}
	return x.losses()
}

// preview finds what would change: from the change set, or of a first push that is not carried
// out from the template.
func (x *Push) preview(ctx context.Context, options PushOptions, tell func(contract.Progress)) error {
	if options.DryRun && (x.first || len(x.imports) > 0) {
		x.previewAnew()
		return nil
	}
	if x.before != nil {
		if err := x.cloud.client.DiscardLeft(ctx, x.before.ARN); err != nil {
			return err
		}
	}
	tell(contract.Progress{Text: "asking CloudFormation what would change"})
	if len(x.imports) > 0 {
		x.previewAnew()
		return x.prepareAdoption(ctx)
	}
	set, err := x.cloud.client.Change(ctx, x.input(x.made.Key, "p-"+x.random))
	x.set = set
	if err != nil {
		return x.refused(ctx, err)
	}
	for _, c := range set.Changes {
		x.Changes = append(x.Changes, x.change(c))
	}
	if err := x.findHot(ctx); err != nil {
		// What is left behind in spite of this is removed by the next push.
		_ = x.Discard(ctx)
		return err
	}
	x.Losses = x.losses()
	for _, name := range x.allowed {
		if !slices.ContainsFunc(x.Losses, func(l Loss) bool { return l.Name == name }) {
			x.Notes = append(x.Notes,
				"--allow-destroy "+model.ShellWord(name)+" allows nothing: the push loses no data of that name")
		}
	}
	if !set.Empty {
		x.Updates = 1
	}
	x.Updates += len(x.steps)
	if set.Empty || len(x.steps) > 0 || options.DryRun {
		return x.Discard(ctx)
	}
	return nil
}

// previewAnew finds from the template what a push makes, and what it takes over.
func (x *Push) previewAnew() {
	adopted := make(map[string]bool)
	for _, i := range x.imports {
		adopted[i.Logical] = true
	}
	for _, id := range x.ids(x.made.Root) {
		kind := contract.Created
		switch {
		case adopted[id]:
			kind = contract.Adopted
		case x.old.Root.Get("Resources", id) != nil:
			kind = contract.Updated // an earlier push took it over
		}
		x.Changes = append(x.Changes, Change{Kind: kind, Of: x.words.of[id], Name: x.words.name(id, "")})
	}
	x.Updates = 1 + len(x.steps)
	if len(x.imports) > 0 {
		x.Updates++
	}
}

// refused discards a change set that could not be made, and makes one line of the reason.
func (x *Push) refused(ctx context.Context, err error) error {
	// What is left behind in spite of this is removed by the next push.
	_ = x.Discard(ctx)
	if errors.Is(err, stack.ErrBusy) {
		return x.overtaken(ctx, err)
	}
	if !errors.Is(err, stack.ErrRefused) {
		return err
	}
	text := err.Error()
	if _, owner, taken := strings.Cut(text, " already exists in stack "); taken {
		return x.ownedBy(text, owner, err)
	}
	for id, name := range x.words.names {
		if len(id) > len("Definition") {
			text = strings.ReplaceAll(text, id, name)
		}
	}
	return &model.Problem{
		Of:   model.Ref{Kind: model.KindEnvironment, Name: x.Environment.Name},
		Text: "AWS does not accept it: " + shortly(text), Fix: "correct it and push again; nothing has changed", Cause: err,
	}
}

// shortCall is how long a call may take that an interruption does not end.
const shortCall = time.Minute

// Discard removes what Prepare left in the cloud, if the push is not carried out: the change
// set, and the empty stack of a first push.
func (x *Push) Discard(ctx context.Context) error {
	if x.set == nil || x.set.ARN == "" {
		return nil
	}
	set := x.set
	x.set = nil
	// A push that was interrupted is cleaned up after, too.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shortCall)
	defer cancel()
	if err := x.cloud.client.Discard(ctx, set); err != nil {
		return err
	}
	if !x.first {
		return nil
	}
	s, err := x.cloud.client.Describe(ctx, set.StackARN)
	if errors.Is(err, stack.ErrNoStack) || err == nil && s.Status != stack.Review {
		return nil
	}
	if err != nil {
		return err
	}
	// Somebody else may be about to push, too.
	if others, err := x.cloud.client.HasChangeSets(ctx, s.ARN); err != nil || others {
		return err
	}
	if err := x.cloud.client.Delete(ctx, s.ARN, ""); err != nil {
		return err
	}
	// Until it is gone, the next push would find it.
	_, err = x.cloud.client.Follow(s.ARN, "").Wait(ctx, func(stack.Event) {}, nil)
	if errors.Is(err, stack.ErrNoStack) {
		return nil
	}
	return err
}

// change is a change of a resource in words.
func (x *Push) change(c stack.Change) Change {
	kind := map[stack.Action]contract.EventKind{
		stack.Add: contract.Created, stack.Modify: contract.Updated,
		stack.Remove: contract.Deleted, stack.Adopt: contract.Adopted,
	}[c.Action]
	return Change{Kind: kind, Of: x.words.of[c.Logical], Name: x.words.name(c.Logical, c.Type), Replaced: c.Replaced}
}

// ids lists the logical ids of a template.
func (x *Push) ids(root *cfn.Node) []string {
	var ids []string
	if resources := root.Get("Resources"); resources != nil {
		for _, m := range resources.Members {
			ids = append(ids, m.Name)
		}
	}
	return ids
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

// losses finds the tables and pools that would be replaced or removed. The template decides;
// the change set may know more.
func (x *Push) losses() []Loss {
	if x.old.Root == nil {
		return nil
	}
	var losses []Loss
	resources := x.old.Root.Get("Resources")
	if resources == nil {
		return nil
	}
	for _, m := range resources.Members {
		kind := m.Value.Get("Type")
		if kind == nil || stateful[kind.Text] == nil {
			continue
		}
		var set stack.Change
		for _, c := range x.set.Changes {
			if c.Logical == m.Name {
				set = c
			}
		}
		next := x.made.Root.Get("Resources", m.Name)
		gone := next == nil || set.Action == stack.Remove
		if !gone && !set.Replaced && !replaces(m.Value, next, stateful[kind.Text]) && !template.KeysDiffer(m.Value, next) {
			continue
		}
		l := x.loss(m, kind.Text, gone)
		l.Stuck = l.Kept && !gone && kind.Text == tableType && !replaces(m.Value, next, []string{"TableName"})
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

func (x *Push) loss(m cfn.Member, kind string, gone bool) Loss {
	l := Loss{Of: x.words.of[m.Name], Name: x.words.of[m.Name].Name}
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
	name := x.words.name(m.Name, kind)
	what := map[string]string{
		tableType: "all its items", userPoolType: "all its users",
		identityPoolType: "the identities of its users",
	}[kind]
	switch {
	case gone && l.Kept:
		l.Text = fmt.Sprintf("%s leaves the stack, and stays in the account with %s", name, what)
	case gone:
		l.Text = fmt.Sprintf("%s is removed: %s are lost", name, what)
	case l.Kept:
		l.Text = fmt.Sprintf("%s is replaced by a new one; the old one stays in the account with %s, outside of the stack",
			name, what)
	default:
		l.Text = fmt.Sprintf("%s is replaced by a new one: %s are lost", name, what)
	}
	l.Allowed = slices.Contains(x.allowed, l.Name)
	return l
}

// strictPolicy is the policy of the stack of a guarded environment: tables and pools are
// neither replaced nor removed, except those whose names are allowed, see
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/protect-stack-resources.html
func (x *Push) strictPolicy(except []Loss) string {
	allowed := make(map[string]bool)
	for _, l := range except {
		allowed[l.Name] = true
	}
	var protected []*cfn.Node
	all := []*cfn.Node{x.old.Root}
	if x.made != nil {
		all = append(all, x.made.Root)
	}
	if !x.Environment.Guarded {
		all = nil
	}
	for _, template := range all {
		if template == nil {
			continue
		}
		for _, m := range template.Get("Resources").Members {
			kind := m.Value.Get("Type")
			of := x.words.of[m.Name]
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

// secretsOf lists the names of the secrets that the push sends.
func (x *Push) secretsOf(all []template.Secret) (names []string) {
	for _, s := range all {
		if _, given := x.given[s.Parameter]; given {
			names = append(names, s.Name)
		}
	}
	return names
}

// SecretsSent lists the names of the secrets whose values are sent to AWS.
func (x *Push) SecretsSent() []string {
	if x.made == nil {
		return nil
	}
	return x.secretsOf(x.made.Secrets)
}
