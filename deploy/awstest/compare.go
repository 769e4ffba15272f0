package awstest

import (
	"maps"
	"slices"
	"strings"

	"gatewright/internal/cfn"
)

// change is an entry of a change set.
type change struct {
	action                    string
	id, kind, physical        string
	replacement, policyAction string
	scope                     []string
	details                   []detail
}

type detail struct {
	attribute, name, recreation, evaluation, source, cause string
}

// recreating has the properties whose change replaces a resource, by type, as "Update requires: Replacement" in
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-template-resource-type-ref.html "*" is
// every property.
var recreating = map[string][]string{
	"AWS::DynamoDB::Table":                     {"TableName", "KeySchema", "LocalSecondaryIndexes"},
	"AWS::Cognito::UserPool":                   {"UsernameAttributes", "AliasAttributes", "UsernameConfiguration"},
	"AWS::Cognito::UserPoolClient":             {"UserPoolId", "GenerateSecret"},
	"AWS::Cognito::UserPoolGroup":              {"UserPoolId", "GroupName"},
	"AWS::Cognito::IdentityPoolRoleAttachment": {"IdentityPoolId"},
	"AWS::ApiGateway::Resource":                {"RestApiId", "ParentId", "PathPart"},
	"AWS::ApiGateway::Method":                  {"RestApiId", "ResourceId", "HttpMethod"},
	"AWS::ApiGateway::Stage":                   {"RestApiId", "StageName"},
	"AWS::ApiGateway::Deployment":              {"RestApiId"},
	"AWS::ApiGateway::GatewayResponse":         {"RestApiId", "ResponseType"},
	"AWS::ApiGateway::Authorizer":              {"RestApiId"},
	"AWS::Lambda::Function":                    {"FunctionName", "PackageType"},
	"AWS::Lambda::Permission":                  {"*"},
	"AWS::Lambda::LayerVersion":                {"*"},
	"AWS::IAM::Role":                           {"RoleName", "Path"},
	"AWS::IAM::ManagedPolicy":                  {"ManagedPolicyName", "Path"},
	"AWS::Logs::LogGroup":                      {"LogGroupName"},
	"AWS::S3::Bucket":                          {"BucketName"},
	"AWS::Events::Rule":                        {"Name"},
	"AWS::SSM::Parameter":                      {"Name"},
}

func recreates(kind, property string) bool {
	all := recreating[kind]
	return slices.Contains(all, property) || slices.Contains(all, "*")
}

// compare finds the changes from the deployed revision of a stack to another one, in the
// order in which they run: what is made and changed, and then what is removed.
func (s *Server) compare(st *stack, to revision) []change {
	from := make(map[string]cfn.Resource)
	for _, r := range st.existing(st.deployed) {
		from[r.ID] = r
	}
	ordered := st.ordered(to)
	after := make(map[string]map[string]string)
	changes := make(map[string]*change)
	for _, r := range ordered {
		after[r.ID] = properties(st.marked(to), to, &r)
		old, was := from[r.ID]
		if !was {
			changes[r.ID] = s.added(st, to, &r, after[r.ID])
			continue
		}
		if c := s.static(st, to, &old, &r, after[r.ID]); c != nil {
			changes[r.ID] = c
		}
	}
	st.spread(ordered, after, changes)
	var all []change
	for _, r := range ordered {
		if c := changes[r.ID]; c != nil {
			all = append(all, *c)
		}
		delete(from, r.ID)
	}
	for _, made := range slices.Backward(st.resources) {
		if old, removed := from[made.id]; removed {
			c := change{action: "Remove", id: made.id, kind: made.kind, physical: made.physical, policyAction: "Delete"}
			if textOf(old.Node.Get("DeletionPolicy")) == "Retain" ||
				textOf(old.Node.Get("DeletionPolicy")) == "RetainExceptOnCreate" {
				c.policyAction = "Retain"
			}
			all = append(all, c)
		}
	}
	return all
}

func (s *Server) added(st *stack, to revision, r *cfn.Resource, properties map[string]string) *change {
	c := &change{action: "Add", id: r.ID, kind: r.Type}
	if name := properties[names[r.Type]]; to.adopt && unique(r.Type) && s.owner(st, r.Type, name) == "kept" {
		c.action, c.physical = "Import", name
	}
	return c
}

// static are the changes of a resource that are in the template and the parameters.
func (s *Server) static(st *stack, to revision, old, r *cfn.Resource, after map[string]string) *change {
	made := st.resource(r.ID)
	if made == nil {
		return &change{action: "Add", id: r.ID, kind: r.Type}
	}
	c := &change{action: "Modify", id: r.ID, kind: r.Type, physical: made.physical, replacement: "False"}
	before := properties(st.marked(st.deployed), st.deployed, old)
	for _, name := range both(before, after) {
		if before[name] == after[name] {
			continue
		}
		d := detail{"Properties", name, "Never", "Static", "DirectModification", ""}
		if recreates(r.Type, name) {
			d.recreation, c.replacement = "Always", "True"
		}
		c.add(d)
	}
	if metadataOf(old) != metadataOf(r) {
		c.add(detail{"Metadata", "", "", "Static", "DirectModification", ""})
	}
	if !slices.Equal(st.deployed.tags, to.tags) && taggable(r.Type) {
		c.add(detail{"Tags", "", "Never", "Static", "DirectModification", ""})
	}
	if r.Type == "AWS::CloudFormation::Stack" && len(c.details) == 0 && !(to.nested && s.sameChild(st, made)) {
		// The template of a nested stack may always have changed, unless it is compared too.
		c.add(detail{"Properties", "", "", "Dynamic", "Automatic", ""})
	}
	if len(c.details) == 0 {
		return nil
	}
	return c
}

func (c *change) add(d detail) {
	c.details = append(c.details, d)
	if !slices.Contains(c.scope, d.attribute) {
		c.scope = append(c.scope, d.attribute)
	}
}

func both(a, b map[string]string) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}

// taggable reports whether the tags of a stack reach resources of a type.
func taggable(kind string) bool {
	switch kind {
	case "AWS::DynamoDB::Table", "AWS::Cognito::UserPool", "AWS::ApiGateway::RestApi", "AWS::ApiGateway::Stage",
		"AWS::Lambda::Function",
		"AWS::IAM::Role", "AWS::Logs::LogGroup", "AWS::S3::Bucket", "AWS::CloudFormation::Stack",
		"AWS::Cognito::IdentityPool":
		return true
	}
	return false
}

// spread adds the resources that may change because they refer to one that does: by Ref to
// what is replaced, by Fn::GetAtt to what is changed.
func (st *stack) spread(ordered []cfn.Resource, after map[string]map[string]string, changes map[string]*change) {
	for _, r := range ordered {
		made := st.resource(r.ID)
		if made == nil || changes[r.ID] != nil && changes[r.ID].action != "Modify" {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(after[r.ID])) {
			for _, ref := range references(after[r.ID][name]) {
				target := changes[ref.id]
				if target == nil || target.action != "Modify" || ref.attribute == "" && target.replacement == "False" ||
					ref.attribute != "" && !slices.Contains(target.scope, "Properties") {
					continue
				}
				d := detail{"Properties", name, "Never", "Dynamic", "ResourceReference", ref.id}
				if ref.attribute != "" {
					d.source, d.cause = "ResourceAttribute", ref.id+"."+ref.attribute
				}
				c := changes[r.ID]
				if c == nil {
					c = &change{action: "Modify", id: r.ID, kind: r.Type, physical: made.physical, replacement: "False"}
					changes[r.ID] = c
				}
				if recreates(r.Type, name) {
					d.recreation = "Always"
					if c.replacement == "False" {
						c.replacement = "Conditional"
					}
				}
				c.add(d)
			}
		}
	}
}

type reference struct{ id, attribute string }

// references are those in a marked value; see stack.marked.
func references(text string) []reference {
	var all []reference
	for {
		i := strings.IndexAny(text, "\x01\x03")
		if i < 0 {
			return all
		}
		end := strings.IndexByte(text[i:], '\x02')
		if end < 0 {
			return all
		}
		id, attribute, _ := strings.Cut(text[i+1:i+end], ".")
		all = append(all, reference{id, attribute})
		text = text[i+end:]
	}
}

// ordered are the resources of a revision, each after what it needs, else as in the template.
func (st *stack) ordered(rev revision) []cfn.Resource {
	all := st.existing(rev)
	needs := st.needs(rev)
	var ordered []cfn.Resource
	placed := make(map[string]bool)
	for len(ordered) < len(all) {
		before := len(ordered)
		for _, r := range all {
			if !placed[r.ID] && !slices.ContainsFunc(needs[r.ID], func(id string) bool { return !placed[id] }) {
				placed[r.ID] = true
				ordered = append(ordered, r)
			}
		}
		if len(ordered) == before {
			return ordered
		}
	}
	return ordered
}

// needs are the resources of a revision that each one waits for.
func (st *stack) needs(rev revision) map[string][]string {
	all := st.existing(rev)
	exists := make(map[string]bool)
	for _, r := range all {
		exists[r.ID] = true
	}
	needs := make(map[string][]string)
	for _, r := range all {
		ids := slices.Clone(r.DependsOn)
		for _, value := range properties(st.marked(rev), rev, &r) {
			for _, ref := range references(value) {
				ids = append(ids, ref.id)
			}
		}
		needs[r.ID] = slices.DeleteFunc(ids, func(id string) bool { return !exists[id] })
	}
	return needs
}
