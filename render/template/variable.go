package template

import (
	"strings"

	"gatewright/cfn"
	"gatewright/model"
)

// variables returns the environment variables of a function, in this order; later ones
// replace earlier ones: the option for source maps, the environment's name and region, the resources that it may use, its
// own variables, its secrets. The sandbox gives it the same (package deploy).
func (r *renderer) variables(f *model.Function) []cfn.Member {
	var set variableSet
	if r.options.SourceMaps[f.Name] {
		set.put("NODE_OPTIONS", cfn.TextNode("--enable-source-maps"))
	}
	set.put("ENV", cfn.TextNode(r.env.Name))
	set.put("REGION", cfn.Ref("AWS::Region"))
	if f.Table != "" {
		set.put("TABLE_NAME", r.tableName(f.Table))
		set.put("TABLE_REGION", cfn.Ref("AWS::Region"))
	}
	for _, a := range f.Access {
		r.describe(&set, a)
	}
	for _, v := range f.Environment {
		set.put(v.Name, cfn.TextNode(v.Value))
	}
	for _, name := range f.Secrets {
		set.put(name, cfn.Ref(r.secret(name)))
	}
	return set.members
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
	prefix := variableName(kind) + "_" + variableName(name) + "_"
	put := func(what string, value *cfn.Node) { set.put(prefix+what, value) }
	region := cfn.Ref("AWS::Region")
	switch model.Kind(kind) {
	case model.KindTable:
		put("NAME", r.tableName(name))
		if r.b.Table(name) == nil {
			put("ARN", cfn.Sub(r.tableARN(name)))
		} else {
			put("ARN", cfn.GetAtt(tableID(name), "Arn"))
		}
		put("REGION", region)
	case model.KindFunction:
		put("NAME", cfn.TextNode(r.deployed(name)))
		put("ARN", cfn.Sub(lambdaARN(r.deployed(name))))
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

// variableName returns a name as a part of a variable's name: "my-items.old" becomes
// MY_ITEMS_OLD.
func variableName(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			return c
		}
		return '_'
	}, strings.ToUpper(name))
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
