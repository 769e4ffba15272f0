package aws

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gatewright/deploy/contract"
	"gatewright/deploy/stack"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/render/template"
)

// Push is the third phase of a push: it is prepared, and not carried out. A person is shown it, and agrees.
type Push struct {
	difference
	// Changes are the resources that are made, changed or removed, in words.
	Changes []Change
	// Losses are what would lose its data.
	Losses []Loss
	// Updates is how many updates it takes; 0 if there is nothing to do.
	Updates int

	// set is the change set that the push begins with; nil if it is made only then.
	set *stack.ChangeSet
}

// Change is what happens to a resource.
type Change struct {
	Kind contract.EventKind
	Of   model.Ref
	Name string
	// Replaced says that it is made anew; what it held is lost, unless it is kept.
	Replaced bool
}

// Changed reports whether there is anything to do. The code of functions takes no update.
func (x *Push) Changed() bool { return x.Updates > 0 || len(x.Changes) > 0 }

// Refusal is why the push must not be carried out: nil, or an error that matches ErrDestroys.
func (x *Push) Refusal() error {
	if all := RefusedLosses(x.Losses); len(all) > 0 {
		return all[0]
	}
	return nil
}

// Allowing returns the push with its losses allowed.
func (x *Push) Allowing() *Push {
	next := *x
	next.Losses = slices.Clone(x.Losses)
	for i := range next.Losses {
		next.Losses[i].Allowed = true
	}
	return &next
}

// Discard removes what Prepare left in the cloud, if the push is not carried out: the change
// set, and the empty stack of a first push.
func (x *Push) Discard(ctx context.Context) error { return x.newUpdater(nil).discard(ctx) }

// newUpdater begins with the change set of the push.
func (x *Push) newUpdater(tell func(contract.Progress)) *updater {
	return &updater{Place: x.Place, words: x.words, tell: tell, first: x.first, adopted: x.Adopted, set: x.set}
}

// prepare uploads archives and templates, and finds what would change: from the change set, or of a
// first push that is not carried out from the template.
func (d *difference) prepare(
	ctx context.Context, options PushOptions, tell func(contract.Progress),
) (*Push, error) {
	if err := d.upload(ctx, tell, options.DryRun); err != nil {
		return nil, err
	}
	x := &Push{difference: *d, Updates: len(d.steps)}
	adopts := len(d.Adopted) > 0
	if adopts || options.DryRun && d.first {
		x.Changes = d.anew()
		x.Updates++
	}
	if adopts {
		x.Updates++
	}
	if options.DryRun && (d.first || adopts) {
		return x, nil
	}
	if d.before != nil {
		if err := d.cloud.client.DiscardLeft(ctx, d.before.ARN); err != nil {
			return nil, err
		}
	}
	tell(contract.Progress{Text: "asking CloudFormation what would change"})
	u, in := x.newUpdater(tell), d.final("p-"+d.random)
	var later []string
	if i := slices.IndexFunc(d.steps, func(s template.Step) bool { return s.Grows }); i >= 0 {
		// No change set could have all of it.
		in, later = d.toward(d.steps[i], in.Token), d.steps[i].Later
	}
	if adopts {
		in = d.adoption("p-" + d.random)
	}
	if err := u.change(ctx, in); err != nil {
		return nil, err
	}
	if x.set = u.set; adopts {
		return x, nil
	}
	for _, c := range u.set.Changes {
		x.Changes = append(x.Changes, d.change(c))
	}
	for _, id := range later {
		x.Changes = append(x.Changes, Change{Kind: contract.Created, Of: d.words.of[id], Name: d.words.name(id, "")})
	}
	hot, err := d.findHot(ctx, u.set.Changes)
	if err != nil {
		// What is left behind in spite of this is removed by the next push.
		_ = u.discard(ctx)
		return nil, err
	}
	x.Changes = append(x.Changes, hot...)
	x.Losses = lossesOf(d.base.Root, d.made.Root, u.set.Changes, d.words, options.AllowDestroy)
	for _, name := range options.AllowDestroy {
		if !slices.ContainsFunc(x.Losses, func(l Loss) bool { return l.Name == name }) {
			x.note("--allow-destroy " + model.ShellWord(name) + " has no effect: the push loses no data of that name")
		}
	}
	if !u.set.Empty {
		x.Updates++
	}
	if u.set.Empty || len(d.steps) > 0 || options.DryRun {
		x.set = nil
		return x, u.discard(ctx)
	}
	return x, nil
}

// anew finds from the template what a push makes, and what it takes over.
func (d *difference) anew() (all []Change) {
	for _, m := range d.made.Root.Get("Resources").Members {
		kind := contract.Created
		switch {
		case slices.ContainsFunc(d.Adopted, func(f Found) bool { return f.imports.Logical == m.Name }):
			kind = contract.Adopted
		case d.base.Root.Get("Resources", m.Name) != nil:
			kind = contract.Updated // an earlier push took it over
		}
		all = append(all, Change{Kind: kind, Of: d.words.of[m.Name], Name: d.words.name(m.Name, "")})
	}
	return all
}

// change is a change of a resource in words.
func (d *difference) change(c stack.Change) Change {
	kind := map[stack.Action]contract.EventKind{
		stack.Add: contract.Created, stack.Modify: contract.Updated,
		stack.Remove: contract.Deleted, stack.Adopt: contract.Adopted,
	}[c.Action]
	return Change{Kind: kind, Of: d.words.of[c.Logical], Name: d.words.name(c.Logical, c.Type), Replaced: c.Replaced}
}

// final is the change set of the template of the push.
func (d *difference) final(token string) stack.Input {
	in := d.input(d.made.Key, token)
	in.Create, in.Parameters, in.Kept = d.first, d.given, d.kept
	return in
}

// toward is the change set of an update that comes before that of the push, and has its parameters.
func (d *difference) toward(step template.Step, token string) stack.Input {
	in := d.final(token)
	in.TemplateURL = d.cloud.bucket.URL(step.Key)
	return in
}

// adoption is the change set that takes over what is in the account.
func (d *difference) adoption(token string) stack.Input {
	in := d.input(bodyKey(d.base.Root.Minified()), token)
	for _, f := range d.Adopted {
		in.Imports = append(in.Imports, f.imports)
	}
	return in
}

// policy is that of the stack while and after the push changes it.
func (d *difference) policy(except []Loss) string {
	return strictPolicy(d.Environment, d.words, except, d.base.Root, d.made.Root)
}

// CountChanges counts the resources that are made, changed and removed, in one line.
func (x *Push) CountChanges() string {
	counts, replaced := make(map[contract.EventKind]int), 0
	for _, c := range x.Changes {
		counts[c.Kind]++
		if c.Replaced {
			replaced++
		}
	}
	text := "AWS: " + phrase.Count(counts[contract.Created], "resource")
	if n := counts[contract.Adopted]; n > 0 {
		text = fmt.Sprintf("AWS: %s to adopt, %d", phrase.Count(n, "resource"), counts[contract.Created])
	}
	text += fmt.Sprintf(" to create, %d to change, %d to remove", counts[contract.Updated], counts[contract.Deleted])
	if replaced > 0 {
		text += fmt.Sprintf(", %d of them replaced by new ones", replaced)
	}
	return text
}

// Remarks say in sentences what else a person should know before the push: that it takes
// several updates, and which secrets it sends.
func (x *Push) Remarks() []string {
	var remarks []string
	if x.Updates > 1 {
		why := make([]string, 0, x.Updates)
		if len(x.Adopted) > 0 {
			why = append(why, "update 1 adopts existing resources")
		}
		for _, step := range x.steps {
			why = append(why, fmt.Sprintf("update %d %s", len(why)+1, step.Why))
		}
		why = append(why, fmt.Sprintf("update %d creates the new resources", x.Updates))
		remarks = append(remarks, fmt.Sprintf("in %d updates, one after the other: %s", x.Updates, strings.Join(why, "; ")))
	}
	if slices.ContainsFunc(x.Adopted, func(f Found) bool { return f.Of.Kind == model.KindAuth }) {
		remarks = append(remarks,
			"the user pool gets a new client: apps need its id from the new client configuration file")
	}
	if names := x.secretsSent(); len(names) > 0 {
		remarks = append(remarks, fmt.Sprintf("the values of %s go to AWS as hidden parameters", phrase.QuoteList(names)))
	}
	return remarks
}
