package template

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/rights"
)

func functionRoleID(name string) string { return logicalID("Role", "function "+name) }

// functionRole makes the role of a function: it writes its own log, and does what the definition says. What is about
// the user pool is a policy of its own: the pool may call the function, so it is made after its role.
func (r *renderer) functionRole(f *model.Function) {
	own := []*cfn.Node{
		statement("Allow", []string{"logs:CreateLogStream", "logs:PutLogEvents"}, cfn.GetAtt(r.logGroupID(f.Name), "Arn")),
	}
	var onPool []*cfn.Node
	for _, s := range rights.Of(r.b, f) {
		if node := r.statement(s); r.pool && rights.Refers(s, "pool") {
			onPool = append(onPool, node)
		} else {
			own = append(own, node)
		}
	}
	r.grantsTooLarge(f, policyDocument(slices.Concat(own, onPool)...))
	of := model.Ref{Kind: model.KindFunction, Name: f.Name}
	r.root.add(resource{
		id: functionRoleID(f.Name), kind: "AWS::IAM::Role", of: of,
		is: "the role of the function " + f.Name,
		properties: cfn.MapNode().
			With("AssumeRolePolicyDocument", trustService("lambda.amazonaws.com")).
			With("Policies", cfn.ListNode(cfn.MapNode().
				WithText("PolicyName", "function").With("PolicyDocument", policyDocument(own...)))),
	})
	if len(onPool) > 0 {
		r.root.add(resource{
			id: logicalID("PoolPolicy", f.Name), kind: "AWS::IAM::Policy", of: of,
			is: "what the function " + f.Name + " may do with the user pool",
			properties: cfn.MapNode().WithText("PolicyName", "pool").With("PolicyDocument", policyDocument(onPool...)).
				With("Roles", cfn.ListNode(cfn.Ref(functionRoleID(f.Name)))),
		})
	}
}

// usesPool reports whether a function has a policy of its own about the user pool that a push makes.
func (p *plan) usesPool(f *model.Function) bool {
	onPool := func(s model.Statement) bool { return rights.Refers(s, "pool") }
	return p.pool && slices.ContainsFunc(rights.Of(p.b, f), onPool)
}

// statement makes a statement of a role.
func (r *renderer) statement(s model.Statement) *cfn.Node {
	resources := make([]*cfn.Node, len(s.Resource))
	for i, resource := range s.Resource {
		resources[i] = r.pattern(resource)
	}
	node := statement(s.Effect, s.Action, resources...)
	if s.Sid != "" {
		node.Members = slices.Insert(node.Members, 0, cfn.Member{Name: "Sid", Value: cfn.TextNode(s.Sid)})
	}
	if s.Condition != "" {
		if condition, err := cfn.ParseJSON("condition", []byte(s.Condition)); err == nil {
			node.With("Condition", condition)
		}
	}
	return node
}

// pattern makes a resource of a statement: a text, an attribute that it refers to, or a text with references.
func (r *renderer) pattern(resource string) *cfn.Node {
	parts := rights.Parts(resource)
	if len(parts) == 1 && parts[0].Name != "" {
		id, attribute, is := strings.Cut(strings.Trim(r.arnOf(parts[0].Name), "${}"), ".")
		if is && !strings.Contains(id, ":") {
			return cfn.GetAtt(id, attribute)
		}
	}
	var text strings.Builder
	plain := true
	for _, part := range parts {
		if part.Name == "" {
			// Here ${ is a text: no reference closes it.
			text.WriteString(strings.ReplaceAll(part.Text, "${", "${!"))
			continue
		}
		arn := r.arnOf(part.Name)
		plain = plain && !strings.Contains(arn, "${")
		text.WriteString(arn)
	}
	if plain {
		return cfn.TextNode(text.String())
	}
	return cfn.Sub(text.String())
}

// arnOf is what a reference of a statement stands for, as a text of Fn::Sub.
func (r *renderer) arnOf(name string) string {
	kind, of, _ := strings.Cut(name, "/")
	switch kind {
	case model.EnvVariable:
		return r.env.Name
	case "table":
		if r.b.Table(of) != nil {
			return "${" + tableID(of) + ".Arn}"
		}
	case "stream":
		return "${" + tableID(of) + ".StreamArn}"
	case "api":
		for _, a := range r.apis {
			if a.api.Label == of {
				return executeARN(a.id)
			}
		}
	case "pool":
		if r.pool {
			return "${" + userPoolID + ".Arn}"
		}
		if id := r.auth().UserPoolID; id != "" {
			return "arn:${AWS::Partition}:cognito-idp:" + model.PoolRegion(id) + ":${AWS::AccountId}:userpool/" + id
		}
	case "AWS::Region", "AWS::AccountId", "AWS::Partition":
		return "${" + kind + "}"
	}
	// Functions that call each other cannot refer to each other.
	return cmp.Or(rights.ARN(r.b, name), "arn:${AWS::Partition}:none:::"+of)
}
