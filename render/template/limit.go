package template

import (
	"fmt"
	"maps"
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// The limits of templates and stacks, see
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
const (
	// mostResources, mostOutputs and mostParameters are for one stack.
	mostResources  = 500
	mostOutputs    = 200
	mostParameters = 200
	// mostBytes is for the body of one template.
	mostBytes = 1_000_000
)

// The limits of the policies of a role, in characters without white space, see
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
const (
	// mostInline is for all inline policies of a role together.
	mostInline = 10_240
	// mostManaged is for one managed policy, mostAttached how many of them a role has.
	mostManaged  = 6_144
	mostAttached = 10
)

// mostVariables is how many bytes the variables of a function have together as JSON, see
// https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
const mostVariables = 4096

// layOut decides in which stack each resource is. What is deployed stays where it is, unless a stack
// could then not take what it gets.
func (p *plan) layOut(old Deployed) {
	at, stages := old.whereIs(), make(map[string]string)
	for _, a := range p.apis {
		if home, there := at[logicalID("Stage", a.api.Label)]; there {
			stages[logicalID("Stage", a.api.Label)] = home
		}
	}
	// A route moves rather than a stage: an API does not answer without its stage.
	_ = p.layOutBeside(at) || p.layOutBeside(stages) || p.layOutBeside(nil)
}

// layOutBeside lays out next to what is deployed, and reports whether each stack takes what it gets.
func (p *plan) layOutBeside(at map[string]string) bool {
	size := p.countShared()
	for _, a := range p.apis {
		a.nested, a.at, a.parts, a.overfull = false, nil, nil, false
		size += 1 + p.inHome(a)
	}
	for _, a := range p.apis {
		home, there := at[logicalID("Stage", a.api.Label)]
		a.nested = !there && size > mostResources || home != ""
	}
	root, fits := p.inRoot(), true
	for _, a := range p.apis {
		was, home := a.partsIn(at), root
		if a.nested {
			home = p.inHome(a)
		}
		divided := slices.ContainsFunc(slices.Collect(maps.Values(was)), func(part int) bool { return part > 0 })
		if divided || home > mostResources && (a.nested || len(at) > 0) {
			// Some places are left for the parts themselves.
			const partsThemselves = 50
			resources, methods := a.tree.Size()
			a.divide(was, mostResources-partsThemselves-(home-resources-methods))
		}
		fits = fits && !a.overfull && (!a.nested || p.inHome(a) <= mostResources)
	}
	return fits && p.inRoot() <= mostResources
}

// inHome counts what an API has in its home, without the RestApi.
func (p *plan) inHome(a *apiPlan) int {
	n := a.needs - 1 + len(a.parts)
	if p.shares == nil {
		n += len(a.callers)
	}
	for _, s := range p.sharesOf(a) {
		n += len(s.documents)
	}
	for _, part := range a.parts {
		n -= part
	}
	return n
}

// inRoot counts what the root stack has.
func (p *plan) inRoot() int {
	n := p.countShared()
	for _, a := range p.apis {
		n += 2
		if !a.nested {
			n += p.inHome(a) - 1
		}
	}
	return n
}

// countShared counts the resources outside of the APIs.
func (p *plan) countShared() int {
	n := 1 + len(p.b.Tables) + len(p.folderLayers())
	for _, t := range p.b.Tables {
		n += len(t.Triggers)
	}
	for _, f := range p.b.Functions {
		n += partsOfFunction
		if p.usesPool(f) {
			n++
		}
		if f.Schedule != "" {
			n += partsOfSchedule
		}
	}
	if p.pool {
		n += p.countPool()
	}
	return n
}

// tooMuch are the limits that are broken.
func (p *plan) tooMuch() []*model.Problem {
	var problems []*model.Problem
	for _, a := range p.apis {
		resources, _ := a.tree.Size()
		if resources++; resources > p.env.MostResources() {
			problems = append(problems, &model.Problem{
				Of: model.Ref{Kind: model.KindAPI, Name: a.api.Label},
				Text: fmt.Sprintf("with %s it has %s of API Gateway, but an API may have at most %d",
					phrase.Count(len(a.api.Paths), "path"), phrase.Count(resources, "resource"), p.env.MostResources()),
				Fix: "have AWS raise the account's quota Resources per API, then set it with: gatewright update env " +
					model.ShellWord(p.env.Name) + fmt.Sprintf(" --api-resources %d; or split the API", resources),
			})
		}
		if inside := p.inHome(a); a.nested && inside > mostResources {
			problems = append(problems, &model.Problem{
				Of: model.Ref{Kind: model.KindAPI, Name: a.api.Label},
				Text: fmt.Sprintf("with %s it would need %s, but a stack may have at most %d",
					phrase.Count(len(a.api.Paths), "path"), phrase.Count(inside, "resource"), mostResources),
				Fix: "split the API",
			})
		}
	}
	of := model.Ref{Kind: model.KindEnvironment, Name: p.env.Name}
	if root := p.inRoot(); root > mostResources {
		problems = append(problems, &model.Problem{
			Of: of, Text: fmt.Sprintf("with %s, %s, %s and %s it would need %d resources in addition to the paths, but a "+
				"stack may have at most %d",
				phrase.Count(len(p.b.Functions), "function"), phrase.Count(len(p.b.Tables), "table"),
				phrase.Count(len(p.groups), "group"),
				phrase.Count(len(p.apis), "API"), root, mostResources),
			Fix: "split the project",
		})
	}
	if secrets := len(p.secretNames()); secrets > mostParameters {
		problems = append(problems, &model.Problem{
			Of: of, Text: fmt.Sprintf("its functions have %d secrets, which are parameters of the stack, but a stack may have "+
				"at most %d",
				secrets, mostParameters),
			Fix: "split the project",
		})
	}
	outputs := outputsBesideAPIs + len(p.clients()) + outputsPerAPI*len(p.apis)
	if outputs > mostOutputs && len(problems) == 0 {
		problems = append(problems, &model.Problem{
			Of: of, Text: fmt.Sprintf("its %d APIs would need %d outputs, but a stack may have at most %d", len(p.apis), outputs,
				mostOutputs),
			Fix: "split the project, or give the environment fewer APIs",
		})
	}
	return problems
}

// tooLarge finds the templates whose bodies are too large.
func (r *renderer) tooLarge() {
	say := func(of model.Ref, size int, fix string) {
		if size > mostBytes {
			r.problems = append(r.problems, &model.Problem{
				Of: of, Text: fmt.Sprintf("its template has %d bytes, but a template may have at most "+
					"%d", size, mostBytes), Fix: fix,
			})
		}
	}
	say(model.Ref{Kind: model.KindEnvironment, Name: r.env.Name}, len(r.template.Body), "split the project")
	for _, n := range r.template.Nested {
		say(model.Ref{Kind: model.KindAPI, Name: n.API}, len(n.Body), "split the API")
	}
}
