package aws

import (
	"context"

	"gatewright/deploy/archive"
	"gatewright/deploy/assets"
	"gatewright/deploy/contract"
	"gatewright/deploy/refuse"
	"gatewright/deploy/secretfile"
	"gatewright/internal/text/phrase"
	"gatewright/project/status"
	"gatewright/render/template"
)

// difference is the second phase of a push: what it brings, made on this machine and compared with
// what was looked at.
type difference struct {
	looked
	// Status is what differs from what is deployed.
	Status status.Status
	// Adopted is what is taken over from the account.
	Adopted []Found

	// base are the templates that the stack has before made: the old ones, with what is taken over.
	// steps are the updates from there that come before the one to made.
	base  template.Deployed
	made  *template.Template
	steps []template.Step
	words words
	// given are values of parameters, kept the parameters whose values stay.
	given map[string]string
	kept  []string
	// archives are the archives of functions and layers; keys are those of functions in the bucket.
	archives []assets.Asset
	keys     map[string]string
}

// compare compares with what is deployed, makes the archives, and renders the template.
func (l *looked) compare(
	ctx context.Context, push PushOptions, tell func(contract.Progress),
) (*difference, error) {
	d := &difference{looked: *l, base: l.old}
	var err error
	if d.Status, err = status.Against(l.project, l.Environment, l.deployment); err != nil {
		return nil, err
	}
	sources, err := l.project.Sources()
	if err != nil {
		return nil, err
	}
	// What is in the way is told before archives are made.
	if err := d.adopt(ctx, push, tell); err != nil {
		return nil, err
	}
	if !l.First() && push.Adopt {
		d.note("--adopt adopts nothing: environment " + phrase.Quote(l.Environment.Name) +
			" is deployed and already owns its resources")
	}
	options := template.Options{
		StackName: l.Stack, SourceMaps: l.project.CompiledFunctions(), Sources: sources, Deployed: l.old,
	}
	if err := d.archive(ctx, &options, tell); err != nil {
		return nil, err
	}
	if d.made, err = template.Render(l.project.Backend, l.Environment, options); err != nil {
		return nil, err
	}
	var was *template.Template
	if l.deployment != nil {
		// An old definition that this version cannot render has only fewer names.
		was = rendered(l.deployment)
	}
	d.words = wordsOf(d.made, was)
	d.steps = template.Steps(d.base, d.made)
	if err := d.secrets(); err != nil {
		return nil, err
	}
	for _, problem := range d.made.Announcements(l.project.Backend) {
		d.note(problem.Error())
	}
	for _, s := range d.steps {
		if len(s.Interrupts) > 0 {
			d.note("the API " + phrase.QuoteList(s.Interrupts) + " is not available during the push: it moves to another stack")
		}
	}
	return d, nil
}

// adopt looks for what stands in the way of an environment that is made anew, or was half taken
// over, and of new tables in one that is deployed. Without consent to take it over the push is refused.
func (d *difference) adopt(ctx context.Context, options PushOptions, tell func(contract.Progress)) error {
	made, err := template.Render(d.project.Backend, d.Environment, template.Options{})
	if err != nil {
		return err
	}
	if d.First() {
		tell(contract.Progress{Text: "looking for existing resources in the account"})
	}
	s := &survey{looked: &d.looked, ctx: ctx, options: options, made: made, words: wordsOf(made)}
	if err := s.all(); err != nil {
		return err
	}
	d.Notes = append(d.Notes, s.told...)
	if len(s.found) == 0 {
		if options.Adopt && d.First() && !d.half {
			d.note("--adopt adopts nothing: the account " + d.Account + ", " + d.Region +
				" has no resources of environment " + phrase.Quote(d.Environment.Name))
		}
		return nil
	}
	if e := d.inTheWay(s.found); !options.Adopt || !e.Adoptable() {
		return e
	}
	d.Adopted = s.found
	existing := make([]template.Existing, len(s.found))
	for i, f := range s.found {
		existing[i] = f.exists
	}
	d.base.Root = template.Adoption(d.old.Root, d.project.Backend.Project.ApplicationID, d.Environment.Name, existing)
	return nil
}

// archive makes the archives of functions and layers, and sets their keys in options.
func (d *difference) archive(ctx context.Context, options *template.Options, tell func(contract.Progress)) error {
	sources := refuse.Sources(contract.Target{Project: d.project, Environment: d.Environment})
	made, err := d.cloud.provider.build(ctx, sources, tell)
	if err != nil {
		return err
	}
	wrong := refuse.Weights(contract.Target{Project: d.project, Environment: d.Environment},
		func(i int, _ archive.Source) (int64, bool) { return made[i].Unpacked, true })
	if len(wrong) > 0 {
		return wrong[0]
	}
	options.Archives, options.Layers = archive.Keys(sources, made)
	d.keys = options.Archives
	for i, a := range made {
		d.archives = append(d.archives, assetOf(sources[i], a))
	}
	return nil
}

// secrets finds the values of the secrets: those on this machine, else those that the stack has stay.
func (d *difference) secrets() error {
	known := secretfile.Read(d.project.Root, d.Environment.Name)
	d.given = make(map[string]string)
	inStack := func(s template.Secret) bool {
		if d.before == nil {
			return false
		}
		_, there := d.before.Parameters[s.Parameter]
		return there
	}
	for _, s := range d.made.Secrets {
		if value, given := known.Values[s.Name]; given {
			d.given[s.Parameter] = value
		} else if inStack(s) {
			d.kept = append(d.kept, s.Parameter)
		}
	}
	target := contract.Target{Project: d.project, Environment: d.Environment}
	if wrong := refuse.Secrets(target, d.made.Secrets, known, inStack); len(wrong) > 0 {
		return refuse.Because(wrong, target)
	}
	return nil
}

// secretsSent lists the names of the secrets whose values are sent to AWS.
func (d *difference) secretsSent() (names []string) {
	for _, s := range d.made.Secrets {
		if _, given := d.given[s.Parameter]; given {
			names = append(names, s.Name)
		}
	}
	return names
}
