package template

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/check"
	"gatewright/render/policy"
)

// plan is what a template will have, found before anything of it is made: a template that
// would break a limit is refused without the work.
type plan struct {
	// all is the whole backend, b the backend as the environment has it.
	all, b *model.Backend
	env    *model.Environment
	// function are the functions by resource name.
	function map[string]*model.Function
	// pool says that the template makes a user pool.
	pool bool
	// groups are the groups in order of precedence.
	groups []string
	apis   []*apiPlan
	// shares are the policies of the roles of callers.
	shares []share
	// refusals are what the policies refuse although the definition allows it.
	refusals map[string][]policy.Refusal
}

// apiPlan is an API with the tree of its resources.
type apiPlan struct {
	api  *access.API
	tree *access.Resource
	// needs counts its resources, with the RestApi and without policies.
	needs int
	// callers are the principals that may call restricted paths, as far as known before there are policies.
	callers []access.Principal
	// id is the logical id of the RestApi.
	id string
	// nested says that the API's home, which has its deployment, is a nested stack, and not the root.
	nested bool
	// at are the parts of its routes, by logical id, and parts counts what each part has. Without
	// parts all is in the home. overfull says that a part takes more than a stack does.
	at       map[string]int
	parts    map[int]int
	overfull bool
}

func planOf(b *model.Backend, env *model.Environment) (*plan, []*model.Problem) {
	p := &plan{
		all: b, b: b.For(env), env: env,
		function: make(map[string]*model.Function, len(b.Functions)), refusals: make(map[string][]policy.Refusal),
	}
	for _, f := range p.b.Functions {
		p.function[f.Name] = f
	}
	p.groups = p.b.RoleOrder()
	var problems []*model.Problem
	if bad, ok := errors.AsType[*model.Problem](b.CheckRegionOf(env)); ok {
		problems = append(problems, bad)
	}
	problems = append(problems, check.DynamicReferences(b, env)...)
	problems = append(problems, p.findPool()...)
	for _, api := range p.b.APIs {
		tree, problem := model.ResourcesOf(api)
		if problem != nil {
			problems = append(problems, problem)
			continue
		}
		problems = append(problems, p.withoutFunction(api)...)
		a := &apiPlan{api: api, tree: tree, id: logicalID("Api", api.Label), callers: p.callersOf(api)}
		resources, methods := tree.Size()
		a.needs = resources + methods + len(api.Functions()) + partsOfAPI
		p.apis = append(p.apis, a)
	}
	return p, append(problems, p.functionProblems()...)
}

// partsOfAPI is what each API has once: the RestApi, two gateway responses, the deployment and the stage.
const partsOfAPI = 5

// callersOf lists the principals that a path of an API grants anything.
func (p *plan) callersOf(api *access.API) []access.Principal {
	if len(p.groups) > mostResources {
		return nil // there will be no template
	}
	principals := []access.Principal{{Kind: access.Authenticated}}
	if p.b.Auth.GuestsEnabled() {
		principals = slices.Insert(principals, 0, access.Principal{Kind: access.Guest})
	}
	for _, g := range p.groups {
		principals = append(principals, access.Principal{Kind: access.Group, Group: g})
	}
	var callers []access.Principal
	rules := p.b.Rules(api)
	for _, who := range principals {
		grants := func(path *access.Path) bool {
			return path.Access.Setting != access.Open && rules.Allowed(path, who) != 0
		}
		if slices.ContainsFunc(api.Paths, grants) {
			callers = append(callers, who)
		}
	}
	return callers
}

// findPool decides whether the template makes a user pool.
func (p *plan) findPool() []*model.Problem {
	auth := p.b.Auth
	needed := len(p.groups) > 0 || slices.ContainsFunc(p.b.APIs, func(api *access.API) bool {
		return slices.ContainsFunc(api.Paths, func(path *access.Path) bool { return path.Access.Setting != access.Open })
	})
	if auth == nil {
		p.pool = needed || len(p.b.Triggers) > 0
		return nil
	}
	exists := auth.PoolExists()
	p.pool = !exists
	say := func(pointer, text, fix string) []*model.Problem {
		return []*model.Problem{{Of: model.Ref{Kind: model.KindAuth}, Pointer: pointer, Text: text, Fix: fix}}
	}
	switch {
	case exists && needed:
		return say("/user_pool_id",
			"names an existing user pool, whose groups and roles a push does not change, but paths are restricted",
			"remove user_pool_id, user_pool_client_id and identity_pool_id, so that a push creates a pool")
	case exists:
		return nil
	case auth.Region != "" && auth.Region != p.b.Region(p.env):
		return say("/cloud_region",
			"has the region "+phrase.Quote(auth.Region)+", and the environment "+phrase.Quote(p.env.Name)+
				" is deployed in "+phrase.Quote(p.b.Region(p.env)), "leave out cloud_region")
	case auth.OAuth != nil && domainPrefix(auth.OAuth.Domain, p.b.Region(p.env)) == "":
		return say("/oauth/domain", phrase.Quote(auth.OAuth.Domain)+" is a custom domain, which needs a certificate",
			"use PREFIX.auth."+p.b.Region(p.env)+".amazoncognito.com")
	}
	if auth.OAuth != nil {
		for i, word := range auth.OAuth.IdentityProviders {
			if _, known := providers[word]; !known {
				return say("/oauth/identity_providers/"+strconv.Itoa(i), phrase.Quote(word)+" is not an identity provider",
					"use one of "+phrase.List(model.IdentityProviders))
			}
		}
	}
	return nil
}

func (p *plan) withoutFunction(api *access.API) []*model.Problem {
	var problems []*model.Problem
	for _, path := range api.Paths {
		if p.function[path.Function] == nil {
			problems = append(problems, &model.Problem{
				Of:      model.Ref{Kind: model.KindPath, API: api.Label, Name: path.Name},
				Pointer: "/paths/" + model.PointerSegment(path.Name) + "/lambdaFunction",
				Text:    "the function " + phrase.Quote(path.Function) + " is not in the project",
				Fix:     "add it, or name another one",
			})
		}
	}
	return problems
}

// functionProblems are about functions that the cloud cannot run.
func (p *plan) functionProblems() []*model.Problem {
	problems := check.DeployedNames(p.b)
	for _, f := range p.b.Functions {
		if !slices.Contains(model.Runtimes, f.Runtime.InCloud()) {
			problems = append(problems, &model.Problem{
				Of: model.Ref{Kind: model.KindFunction, Name: f.Name}, Pointer: "/runtime",
				Text: "the runtime " + phrase.Quote(string(f.Runtime)) + " is not deployed",
				Fix:  "use nodejs24.x, python3.14 or provided.al2023",
			})
		}
	}
	return problems
}

// decide decides what is in which stack, and makes the policies. The problems are about limits.
func (p *plan) decide(old Deployed) []*model.Problem {
	p.layOut(old)
	if problems := p.tooMuch(); len(problems) > 0 {
		return problems
	}
	policies := make([]*policy.Policies, len(p.apis))
	for i, a := range p.apis {
		policies[i] = policy.Of(a.api, p.groups, p.b.Terms())
		if refusals := policies[i].Refusals; len(refusals) > 0 {
			p.refusals[a.api.Label] = refusals
		}
	}
	var problems []*model.Problem
	p.shares, problems = p.share(policies)
	if len(problems) > 0 {
		return problems
	}
	p.layOut(old)
	return p.tooMuch()
}

func isARN(layer string) bool { return strings.HasPrefix(layer, "arn:") }
