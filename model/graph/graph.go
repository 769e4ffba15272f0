// Package graph says what reaches what in a backend: callers their paths, paths their functions,
// functions what they use, and what calls a function next to its paths. It is made from the
// definitions alone. What they leave open is not known, and is never guessed.
package graph

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/rights"
)

// Kind is a kind of node.
type Kind uint8

// The kinds: a caller, a path of an API, a function, what a function uses, and what calls a function
// without a request: a schedule, the changes of a table, a moment of the user pool.
const (
	Caller Kind = iota + 1
	Path
	Function
	Resource
	Cause
)

// Node is a node of the graph; the zero value is none. Name is the name of a path, of a function, or of a
// group; of guests it is "guests" and of signed-in users "signed-in"; a resource is named as access names it,
// such as table/books; a cause has its own words.
type Node struct {
	Kind Kind
	// API is the label of the API of a path.
	API, Name string
}

// Use is what a function may do with a resource, or that it is called because of a cause.
type Use struct {
	Function, Resource string
	// Actions are what it may do. Certain says that no condition and nothing outside of the definitions changes that.
	Actions access.Actions
	Certain bool
}

// Called is a function with what calls it next to requests.
type Called struct {
	Cause    Node
	Function string
	// Table is the table of a stream; "" for other causes.
	Table string
}

// API is an API with its paths in the order in which requests are matched.
type API struct {
	Label string
	Paths []PathAccess
}

// PathAccess is a path with what each caller of the graph may do there.
type PathAccess struct {
	*access.Path
	// Allowed has an element for each caller.
	Allowed []access.Actions
}

// Graph is what reaches what in a backend in one environment.
type Graph struct {
	// Callers are guests, signed-in users, and the groups in the order of precedence.
	Callers []access.Principal
	APIs    []API
	// Functions are those of the project, and those that paths name and that do not exist.
	Functions []string
	// Resources are what functions use, and the tables that none does.
	Resources []string
	Uses      []Use
	Called    []Called
	// Missing are functions that something names and the project does not have. Elsewhere are those
	// whose rights are in a template that the definitions do not have.
	Missing, Elsewhere map[string]bool

	edges *edges
}

// Of makes the graph of a backend in an environment, which may be nil.
func Of(b *model.Backend, env *model.Environment) *Graph {
	b = b.For(env)
	g := &Graph{
		Callers: []access.Principal{{Kind: access.Guest}, {Kind: access.Authenticated}},
		Missing: make(map[string]bool), Elsewhere: make(map[string]bool),
	}
	for _, group := range b.Groups {
		g.Callers = append(g.Callers, access.Principal{Kind: access.Group, Group: group})
	}
	for _, api := range b.APIs {
		g.APIs = append(g.APIs, g.access(b, api))
	}
	slices.SortFunc(g.APIs, func(a, b API) int { return cmp.Compare(a.Label, b.Label) })
	things := usableIn(b)
	for _, f := range b.Functions {
		g.function(f.Name)
		if !b.Defines(model.KindFunction) {
			g.Elsewhere[f.Name] = true
			continue
		}
		g.uses(b, f, things)
	}
	g.causes(b)
	for _, name := range g.Functions {
		if b.Function(name) == nil {
			g.Missing[name] = true
		}
	}
	for _, t := range b.Tables {
		g.resource("table/" + t.Name)
	}
	g.edges = g.connect()
	return g
}

func (g *Graph) function(name string) {
	if name != "" && !slices.Contains(g.Functions, name) {
		g.Functions = append(g.Functions, name)
	}
}

func (g *Graph) resource(name string) {
	if !slices.Contains(g.Resources, name) {
		g.Resources = append(g.Resources, name)
	}
}

// access says for each path of an API what the callers may do there.
func (g *Graph) access(b *model.Backend, api *access.API) API {
	rules, made := b.Rules(api), API{Label: api.Label}
	paths := slices.SortedStableFunc(slices.Values(api.Paths),
		func(a, b *access.Path) int { return access.CompareResources(a.Name, b.Name) })
	for _, p := range paths {
		row := rules.Row(p, b.Groups)
		allowed := []access.Actions{row.Guest, row.Authenticated}
		for _, group := range row.Groups {
			allowed = append(allowed, group.Actions)
		}
		made.Paths = append(made.Paths, PathAccess{p, allowed})
		g.function(p.Function)
	}
	return made
}

// usable is what functions may use, with its ARN.
type usable struct {
	name string
	kind model.Kind
	arn  string
}

// usableIn lists what functions may use: tables, other functions, the user pool, mail, the bucket, and what
// the access of any of them names.
func usableIn(b *model.Backend) (all []usable) {
	region, account, value := placeOf(b)
	seen, bucket := make(map[string]bool), false
	add := func(name string) {
		kind, of, _ := model.ResourceOf(name)
		if bucket = bucket || kind == model.KindStorage; seen[name] {
			return
		}
		seen[name] = true
		u := usable{name, kind, value(name)}
		switch kind {
		case model.KindParameter:
			u.arn = model.ARN("ssm", region, account, "parameter/"+of)
		case model.KindSecret:
			u.arn = model.ARN("secretsmanager", region, account, "secret:"+of+"-??????")
		case model.KindMail:
			u.arn = "*"
		case model.KindStorage:
			u.arn += "/*"
		}
		all = append(all, u)
	}
	for _, t := range b.Tables {
		add("table/" + t.Name)
	}
	for _, f := range b.Functions {
		add("function/" + f.Name)
	}
	add(string(model.KindPool))
	add(string(model.KindMail))
	for _, f := range b.Functions {
		for _, a := range f.Access {
			add(a.Resource)
		}
	}
	if b.Storage != nil && b.Storage.BucketName != "" && !bucket {
		add(string(model.KindStorage) + "/" + b.Storage.BucketName)
	}
	return all
}

// uses finds what a function may do with each of these: its access and its policies say it together, as to the cloud.
func (g *Graph) uses(b *model.Backend, f *model.Function, things []usable) {
	region, account, value := placeOf(b)
	statements := rights.Anywhere(b, rights.Judged(b, f, value), region, account)
	for _, of := range things {
		if of.kind == model.KindAPI {
			g.named(f, of.name)
			continue
		}
		about, arns := of.about(statements)
		if len(about) == 0 {
			continue
		}
		use := Use{Function: f.Name, Resource: of.name, Certain: true}
		for _, action := range access.AllActions {
			if granted, certain := of.grants(about, arns, action); granted {
				use.Actions |= access.ActionSet(action)
				use.Certain = use.Certain && certain
			}
		}
		g.use(use)
	}
}

// grants reports whether statements grant an operation of an action on one of these ARNs, the first of which is
// that of the whole, and whether one of them is granted for certain.
func (u usable) grants(about []cfn.Statement, arns []string, action access.Action) (granted, certain bool) {
	for _, operation := range rights.Operations(u.kind, action) {
		on := arns
		if u.kind == model.KindTable && operation != "dynamodb:Query" && operation != "dynamodb:Scan" {
			on = arns[:1] // an index has no other operations
		}
		for _, arn := range on {
			p, sure := cfn.Judge(about, operation, arn)
			granted = granted || p == cfn.Granted
			certain = certain || p == cfn.Granted && sure
		}
	}
	return granted, certain
}

// about are the statements that are about a thing, and its ARN with those of its parts that they name, such as
// an index of a table or a folder of the bucket: what may be done with one alone is done with the thing too.
func (u usable) about(statements []cfn.Statement) (about []cfn.Statement, arns []string) {
	arns = []string{u.arn}
	whole := strings.TrimSuffix(u.arn, "/*")
	for _, s := range statements {
		is := false
		for _, pattern := range s.Resources {
			if rest, below := strings.CutPrefix(pattern, whole); below && rest != "" && strings.ContainsAny(rest[:1], "/:") {
				arns, is = append(arns, pattern), true
			}
			is = is || cfn.MatchResource(pattern, u.arn)
		}
		if is {
			about = append(about, s)
		}
	}
	return about, arns
}

// named adds what the access of a function names, without its policies.
func (g *Graph) named(f *model.Function, resource string) {
	for _, a := range f.Access {
		if a.Resource == resource {
			g.use(Use{f.Name, resource, a.Actions, true})
		}
	}
}

func (g *Graph) use(u Use) {
	if u.Actions == 0 {
		return
	}
	g.Uses = append(g.Uses, u)
	if name, is := strings.CutPrefix(u.Resource, "function/"); is {
		g.function(name)
		return
	}
	g.resource(u.Resource)
}

// placeOf is where the environment that the backend is for is deployed, and what references of statements
// stand for there.
func placeOf(b *model.Backend) (region, account string, value func(name string) string) {
	var env model.Environment
	if len(b.Environments) > 0 {
		env = *b.Environments[0]
	}
	region, account = b.Region(&env), cmp.Or(env.Account, model.NoAccount)
	value = func(name string) string {
		switch name {
		case "AWS::Partition":
			return "aws"
		case "AWS::Region":
			return region
		case "AWS::AccountId":
			return account
		case string(model.KindPool):
			return model.ARN("cognito-idp", region, account, "userpool/POOL")
		case model.EnvVariable:
			return env.Name
		}
		if known := rights.ARN(b, name); known != "" {
			return rights.Expand(known, value)
		}
		return model.Refer(name)
	}
	return region, account, value
}

// causes finds what calls functions without a request.
func (g *Graph) causes(b *model.Backend) {
	add := func(words, function, table string) {
		g.Called = append(g.Called, Called{Node{Kind: Cause, Name: words}, function, table})
		g.function(function)
	}
	for _, f := range b.Functions {
		if f.Schedule != "" {
			add(f.Schedule, f.Name, "")
		}
	}
	for _, t := range b.Tables {
		for _, trigger := range t.Triggers {
			add("changes of "+t.Name, trigger.Function, t.Name)
		}
	}
	for _, trigger := range b.Triggers {
		add(string(trigger.At), trigger.Function, "")
	}
}

// NameOf is the name of a caller as a node has it.
func NameOf(p access.Principal) string {
	switch p.Kind {
	case access.Guest:
		return "guests"
	case access.Group:
		return p.Group
	}
	return "signed-in"
}
