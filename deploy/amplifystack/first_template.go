package amplifystack

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
)

// authorization returns the types of authorization that the template of a data API has: the
// standard one, "" if it is not written there as a text, and the others.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-appsync-graphqlapi.html
func authorization(stack string, text []byte) (standard string, others []any, err error) {
	template, err := parseTemplate(stack, text)
	if err != nil {
		return "", nil, err
	}
	others = []any{}
	for _, resource := range template.Resources() {
		if resource.Type != "AWS::AppSync::GraphQLApi" {
			continue
		}
		standard = textOf(resource.Properties.Get("AuthenticationType"))
		if list := resource.Properties.Get("AdditionalAuthenticationProviders"); list != nil {
			for _, item := range list.Items {
				if word := textOf(item.Get("AuthenticationType")); word != "" {
					others = append(others, word)
				}
			}
		}
		return standard, union(nil, others), nil
	}
	return "", others, nil
}

func textOf(n *cfn.Node) string {
	if n == nil || n.Kind != cfn.String {
		return ""
	}
	return n.Text
}

// notAmplify is the error for a stack that has outputs of neither generation. It says what the stack seems to be.
func (r *reader) notAmplify(nested map[string]string) error {
	seems, fix := r.seems(nested)
	return r.fault(ErrNotAmplify, "has no outputs of an Amplify backend: it looks like "+seems, fix)
}

func (r *reader) seems(nested map[string]string) (what, fix string) {
	const root = "name the root stack of an Amplify backend"
	types := make(map[string]int)
	for _, resource := range r.template.Resources() {
		types[resource.Type]++
	}
	switch {
	case strings.HasPrefix(r.stack.Name, "amplify-") && len(nested) > 0, r.template.Resource("DeploymentBucket") != nil &&
		r.template.Resource("AuthRole") != nil:
		return "an Amplify backend without auth, data, storage or an API",
			"add one of them to the backend and deploy it again"
	case r.stack.Parent != "" || strings.Contains(textOf(r.template.Root.Get("Description")), `"stackType":"`):
		return "a part of an Amplify backend", root
	case r.template.Root.Get("Transform") != nil &&
		slices.Contains(texts(r.template.Root.Get("Transform")), "AWS::Serverless-2016-10-31"):
		return "a stack of AWS SAM", root
	case types["AWS::CDK::Metadata"] > 0:
		return "a stack of the AWS CDK", root
	case r.stack.Outputs["ServerlessDeploymentBucketName"] != "":
		return "a stack of the Serverless Framework", root
	case len(types) == 0:
		return "a stack without resources", root
	}
	most := ""
	for kind, count := range types {
		if c := cmp.Compare(count, types[most]); most == "" || c > 0 || c == 0 && kind < most {
			most = kind
		}
	}
	return "a stack of something else, with " + phrase.Quote(most), root
}

// texts returns the text or the texts of a node.
func texts(n *cfn.Node) []string {
	if n.Kind == cfn.String {
		return []string{n.Text}
	}
	var all []string
	for _, item := range n.Items {
		all = append(all, textOf(item))
	}
	return all
}
