package template

import (
	"fmt"

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
	// mostTogether is how many resources a stack and its nested stacks have together: an
	// operation changes no more.
	mostTogether = 2500
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

// count counts what an environment needs.
type count struct {
	*plan
	// shared is what belongs to no API, perAPI what each API has.
	shared int
	perAPI []int
	nested bool
}

func (p *plan) count() count {
	c := count{plan: p, shared: p.countShared()}
	flat := c.shared
	for _, a := range p.apis {
		n := a.needs
		if p.shares == nil {
			n += len(a.callers)
		}
		for _, s := range p.shares {
			if s.api == a {
				n += len(s.documents)
			}
		}
		c.perAPI = append(c.perAPI, n)
		flat += n
	}
	c.nested = flat > mostResources && len(p.apis) > 0
	return c
}

// countShared counts the resources outside of the APIs.
func (p *plan) countShared() int {
	n := 1 + len(p.b.Tables) + len(p.folderLayers())
	for _, t := range p.b.Tables {
		n += len(t.Triggers)
	}
	for _, f := range p.b.Functions {
		n += partsOfFunction
		if f.Schedule != "" {
			n += partsOfSchedule
		}
	}
	if p.pool {
		n += p.countPool()
	}
	return n
}

// problems are the limits that are broken.
func (c count) problems() []*model.Problem {
	var problems []*model.Problem
	root, all := c.shared, c.shared
	for i, a := range c.apis {
		const restAPIAndStack = 2
		inside := c.perAPI[i] - 1
		root, all = root+restAPIAndStack, all+restAPIAndStack+inside
		if c.nested && inside > mostResources {
			problems = append(problems, &model.Problem{
				Of: model.Ref{Kind: model.KindAPI, Name: a.api.Label},
				Text: fmt.Sprintf("with %s it would need %s, and a stack takes %d",
					phrase.Count(len(a.api.Paths), "path"), phrase.Count(inside, "resource"), mostResources),
				Fix: "split the API",
			})
		}
	}
	of := model.Ref{Kind: model.KindEnvironment, Name: c.env.Name}
	if !c.nested {
		root = 0
		all = 0
		if c.shared > mostResources {
			root = c.shared
		}
	}
	if root > mostResources {
		problems = append(problems, &model.Problem{
			Of: of, Text: fmt.Sprintf("with %s, %s, %s and %s it would need %d resources beside the paths, and a stack takes %d",
				phrase.Count(len(c.b.Functions), "function"), phrase.Count(len(c.b.Tables), "table"),
				phrase.Count(len(c.groups), "group"),
				phrase.Count(len(c.apis), "API"), root, mostResources),
			Fix: "divide the project",
		})
	}
	if all > mostTogether && len(problems) == 0 {
		problems = append(problems, &model.Problem{
			Of: of, Text: fmt.Sprintf("its %s would need %d resources, and a stack and its nested stacks take %d together",
				phrase.Count(len(c.apis), "API"), all, mostTogether),
			Fix: "divide the project, or give the environment fewer APIs",
		})
	}
	secrets := len(c.secretNames())
	if secrets > mostParameters {
		problems = append(problems, &model.Problem{
			Of: of, Text: fmt.Sprintf("its functions have %d secrets, which are parameters of the stack, and a stack takes %d",
				secrets, mostParameters),
			Fix: "divide the project",
		})
	}
	if outputs := outputsBesideAPIs + outputsPerAPI*len(c.apis); outputs > mostOutputs && len(problems) == 0 {
		problems = append(problems, &model.Problem{
			Of: of, Text: fmt.Sprintf("its %d APIs would need %d outputs, and a stack takes %d", len(c.apis), outputs,
				mostOutputs),
			Fix: "divide the project, or give the environment fewer APIs",
		})
	}
	return problems
}

// tooLarge finds the templates whose bodies are too large.
func (r *renderer) tooLarge() {
	say := func(of model.Ref, size int, fix string) {
		if size > mostBytes {
			r.problems = append(r.problems, &model.Problem{
				Of: of, Text: fmt.Sprintf("its template has %d bytes, and a template takes %d", size, mostBytes), Fix: fix,
			})
		}
	}
	say(model.Ref{Kind: model.KindEnvironment, Name: r.env.Name}, len(r.template.Body), "divide the project")
	for _, n := range r.template.Nested {
		say(model.Ref{Kind: model.KindAPI, Name: n.API}, len(n.Body), "split the API")
	}
}
