package template

import (
	"slices"
	"strings"
	"sync"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/render/openapi"
)

// variables returns the environment variables of a function, in this order; later ones replace earlier ones: the
// option for source maps, the environment's name and region, the resources that it may use, its own variables, its
// secrets. The sandbox gives it the same (package live).
func (r *renderer) variables(f *model.Function) []cfn.Member {
	var set variableSet
	if r.options.SourceMaps[f.Name] {
		set.put("NODE_OPTIONS", cfn.TextNode(SourceMapOption))
	}
	set.put(model.EnvVariable, cfn.TextNode(r.env.Name))
	set.put(model.RegionVariable, cfn.Ref("AWS::Region"))
	if f.Table != "" {
		set.put(model.TableNameVariable, r.tableName(f.Table))
		set.put(model.TableRegionVariable, cfn.Ref("AWS::Region"))
	}
	for _, a := range f.Access {
		r.describe(&set, a)
	}
	before := slices.Clone(set.members)
	given := sync.OnceValue(func() map[string]*cfn.Node { return r.given(f, before) })
	for _, v := range f.Environment {
		set.put(v.Name, valueOf(v.Value, given))
	}
	for _, name := range f.Secrets {
		set.put(name, cfn.Ref(r.secret(name)))
	}
	return set.members
}

// given are the nodes to which the values of a function's own variables may refer: some of its
// variables, and the ids of the pools.
func (r *renderer) given(f *model.Function, variables []cfn.Member) map[string]*cfn.Node {
	given := make(map[string]*cfn.Node)
	names := r.b.Given(f)
	for _, m := range variables {
		if _, may := names[m.Name]; may {
			given[m.Name] = m.Value
		}
	}
	for name, about := range names {
		if about == string(model.KindAuth) {
			given[name] = r.poolValue(name)
		}
	}
	return given
}

// poolValue is the value of a variable about the pools.
func (r *renderer) poolValue(name string) *cfn.Node {
	switch auth := r.auth(); {
	case name == model.UserPoolARNVariable && r.pool:
		return cfn.GetAtt(userPoolID, "Arn")
	case name == model.UserPoolARNVariable:
		return cfn.Join("", cfn.TextNode("arn:"), cfn.Ref("AWS::Partition"),
			cfn.TextNode(":cognito-idp:"+model.PoolRegion(auth.UserPoolID)+":"),
			cfn.Ref("AWS::AccountId"), cfn.TextNode(":userpool/"+auth.UserPoolID))
	case name == model.UserPoolIDVariable && r.pool:
		return cfn.Ref(userPoolID)
	case name == model.UserPoolIDVariable:
		return cfn.TextNode(auth.UserPoolID)
	case name == model.UserPoolClientVariable && r.pool:
		return cfn.Ref(clientID)
	case name == model.UserPoolClientVariable:
		return cfn.TextNode(auth.UserPoolClientID)
	case r.pool:
		return cfn.Ref(identityPoolID)
	default:
		return cfn.TextNode(auth.IdentityPoolID)
	}
}

// valueOf makes the value of a variable: a text, or what it refers to, or both joined. Texts
// never become a part of a Fn::Sub, which would obey them.
func valueOf(value string, given func() map[string]*cfn.Node) *cfn.Node {
	known := func(name string) bool { return given()[name] != nil }
	var nodes []*cfn.Node
	for _, part := range model.ValueParts(value, known) {
		next := cfn.TextNode(part.Text)
		if part.Name != "" {
			next = given()[part.Name]
		}
		if last := len(nodes) - 1; last >= 0 && next.Kind == cfn.String && nodes[last].Kind == cfn.String {
			nodes[last] = cfn.TextNode(nodes[last].Text + next.Text)
			continue
		}
		nodes = append(nodes, next)
	}
	switch len(nodes) {
	case 0:
		return cfn.TextNode("")
	case 1:
		return nodes[0]
	}
	return cfn.Join("", nodes...)
}

// variableSet are variables in the order in which their names were first put.
type variableSet struct {
	members []cfn.Member
	at      map[string]int
}

func (s *variableSet) put(name string, value *cfn.Node) {
	if s.at == nil {
		s.at = make(map[string]int)
	}
	if i, there := s.at[name]; there {
		s.members[i].Value = value
		return
	}
	s.at[name] = len(s.members)
	s.members = append(s.members, cfn.Member{Name: name, Value: value})
}

// describe puts the variables about a resource that a function may use: KIND_RESOURCE_WHAT.
func (r *renderer) describe(set *variableSet, a model.ResourceAccess) {
	kind, name, _ := strings.Cut(a.Resource, "/")
	prefix := model.ResourcePrefix(a.Resource)
	put := func(what string, value *cfn.Node) { set.put(prefix+what, value) }
	region := cfn.Ref("AWS::Region")
	switch model.Kind(kind) {
	case model.KindTable:
		put("NAME", r.tableName(name))
		put("ARN", r.pattern(model.Refer(a.Resource)))
		put("REGION", region)
	case model.KindFunction:
		put("NAME", cfn.TextNode(r.deployed(name)))
		put("ARN", cfn.Sub(openapi.FunctionARN(r.deployed(name))))
		put("REGION", region)
	case model.KindAPI:
		for _, api := range r.apis {
			if api.api.Label == name {
				put("NAME", cfn.TextNode(name))
				put("ID", cfn.Ref(api.id))
				put("URL", r.url(api))
				put("ARN", cfn.Sub(executeARN(api.id)+"/"+r.env.Name))
				put("REGION", region)
			}
		}
	case model.KindStorage:
		if s := r.b.Storage; s != nil && s.BucketName != "" {
			put("NAME", cfn.TextNode(s.BucketName))
			put("ARN", cfn.Sub("arn:${AWS::Partition}:s3:::"+s.BucketName))
			if s.Region != "" {
				put("REGION", cfn.TextNode(s.Region))
			}
		}
	}
}

// tableName is the name of a deployed table.
func (r *renderer) tableName(name string) *cfn.Node {
	if r.b.Table(name) == nil {
		return cfn.TextNode(r.suffixed(name))
	}
	return cfn.Ref(tableID(name))
}

// url is the address of an API.
func (r *renderer) url(a *apiPlan) *cfn.Node {
	return cfn.Sub("https://${" + a.id + "}.execute-api.${AWS::Region}.${AWS::URLSuffix}/" + r.env.Name)
}

// secret returns the parameter of a secret, which is made at its first use. Secrets of
// different functions with one name are one secret.
func (r *renderer) secret(name string) string {
	if parameter, made := r.secrets[name]; made {
		return parameter
	}
	parameter := logicalID("Secret", name)
	r.root.parameter(parameter, "The secret "+name, true)
	r.secrets[name] = parameter
	r.template.Secrets = append(r.template.Secrets, Secret{Name: name, Parameter: parameter})
	return parameter
}

// secretNames lists the secrets, each once.
func (p *plan) secretNames() []string {
	var names []string
	seen := make(map[string]bool)
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	if p.pool && p.b.Auth != nil && p.b.Auth.OAuth != nil {
		for _, name := range p.b.Auth.OAuth.IdentityProviders {
			for _, secret := range providers[name].secrets {
				add(secret.name)
			}
		}
	}
	for _, f := range p.b.Functions {
		for _, name := range f.Secrets {
			add(name)
		}
	}
	return names
}
