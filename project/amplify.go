package project

import (
	"path"
	"slices"
	"strings"

	"gatewright/cfn"
	"gatewright/project/document"
)

// AmplifyTemplate returns the CloudFormation template of a resource of an Amplify CLI
// project; nil if it has none that can be read.
func (p *Project) AmplifyTemplate(category, resource string) *cfn.Template {
	if p.Layout != Amplify {
		return nil
	}
	key := category + "/" + resource
	if template, known := p.parsed[key]; known {
		return template
	}
	if p.parsed == nil {
		p.parsed = make(map[string]*cfn.Template)
	}
	p.parsed[key] = nil
	folder := path.Join(p.Layout.folder(), category, resource)
	for _, name := range []string{resource + "-cloudformation-template.json", "cloudformation-template.json", "template.json", resource + "-cloudformation-template.yml", "template.yaml"} {
		text, err := readFile(p.fsys, path.Join(folder, name))
		if err != nil {
			continue
		}
		if template, err := cfn.Parse(path.Join(folder, name), text); err == nil {
			p.parsed[key] = template
			return template
		}
	}
	return nil
}

// AmplifyResources returns the names of the resources of a category, such as auth, in
// an Amplify CLI project.
func (p *Project) AmplifyResources(category string) []string {
	if p.Layout != Amplify {
		return nil
	}
	return p.folders(path.Join(p.Layout.folder(), category))
}

// AmplifyLayers returns the names of the project's own Lambda layers.
func (p *Project) AmplifyLayers() []string {
	return slices.DeleteFunc(p.AmplifyResources("function"), func(name string) bool {
		folder := path.Join(p.Layout.folder(), "function", name)
		return !exists(p.fsys, path.Join(folder, "layer-configuration.json")) && !exists(p.fsys, path.Join(folder, "layer-parameters.json"))
	})
}

// Bucket is a bucket of an Amplify CLI project: its resource, and its name without the
// parts that a deployment adds.
type Bucket struct{ Resource, Name string }

// AmplifyBuckets returns the buckets of the category storage.
func (p *Project) AmplifyBuckets() []Bucket {
	var buckets []Bucket
	for _, resource := range p.AmplifyResources("storage") {
		for _, file := range []string{"cli-inputs.json", "parameters.json"} {
			f, err := readDocument(p.fsys, path.Join(p.Layout.folder(), "storage", resource, file))
			if err != nil {
				continue
			}
			if name, _ := f.doc.Root().Get("bucketName"); name.Text() != "" {
				buckets = append(buckets, Bucket{resource, name.Text()})
				break
			}
		}
	}
	return buckets
}

// AmplifyGraphQLAPIs returns the names of the APIs for GraphQL.
func (p *Project) AmplifyGraphQLAPIs() []string {
	return slices.DeleteFunc(p.AmplifyResources("api"), func(name string) bool {
		folder := path.Join(p.Layout.folder(), "api", name)
		return !exists(p.fsys, path.Join(folder, "schema.graphql")) && !exists(p.fsys, path.Join(folder, "schema"))
	})
}

// AmplifyParameters returns the parameters that a resource's template gets in an
// environment: those of its parameters.json, replaced by those of
// team-provider-info.json.
func (p *Project) AmplifyParameters(category, resource, environment string) map[string]string {
	values := make(map[string]string)
	add := func(node document.Node) {
		for name, value := range node.Members() {
			switch value.Kind() {
			case document.String:
				values[name] = value.Text()
			case document.Number, document.Bool:
				values[name] = strings.TrimSpace(string(value.Raw()))
			}
		}
	}
	if f, err := readDocument(p.fsys, path.Join(p.Layout.folder(), category, resource, "parameters.json")); err == nil {
		add(f.doc.Root())
	}
	if f, err := readDocument(p.fsys, environmentsFile); err == nil {
		env, _ := f.doc.Root().Get(environment)
		categories, _ := env.Get("categories")
		resources, _ := categories.Get(category)
		own, _ := resources.Get(resource)
		add(own)
	}
	return values
}

// AmplifyStack returns the name of the root stack of an environment in the cloud; "" if
// it is not known.
func (p *Project) AmplifyStack(environment string) string {
	f, err := readDocument(p.fsys, environmentsFile)
	if err != nil {
		return ""
	}
	env, _ := f.doc.Root().Get(environment)
	provider, _ := env.Get("awscloudformation")
	name, _ := provider.Get("StackName")
	return name.Text()
}

// AmplifyStackNumber returns the number in the name of the stack, which is part of the
// names of buckets; "" if it is not known.
func (p *Project) AmplifyStackNumber(environment string) string {
	parts := strings.Split(p.AmplifyStack(environment), "-")
	const number = 3
	if len(parts) <= number {
		return ""
	}
	return parts[number]
}

// AmplifyCustomPolicies returns the statements of a function's custom-policies.json.
func (p *Project) AmplifyCustomPolicies(function string) []cfn.Statement {
	f, err := readDocument(p.fsys, path.Join(p.Layout.folder(), "function", function, "custom-policies.json"))
	if err != nil {
		return nil
	}
	texts := func(node document.Node) []string {
		if node.Kind() == document.String {
			return []string{node.Text()}
		}
		var all []string
		for _, item := range node.Elements() {
			all = append(all, item.Text())
		}
		return all
	}
	var statements []cfn.Statement
	for _, entry := range f.doc.Root().Elements() {
		action, _ := entry.Get("Action")
		resource, _ := entry.Get("Resource")
		effect, _ := entry.Get("Effect")
		s := cfn.Statement{Effect: effect.Text(), Actions: texts(action), Resources: texts(resource)}
		if len(s.Actions) > 0 {
			statements = append(statements, s)
		}
	}
	return statements
}

// AmplifyScriptName returns the name of the script in the project's package.json that the
// Amplify CLI runs before it packs a function
// (https://docs.amplify.aws/gen1/javascript/tools/cli/function/build-options/).
func AmplifyScriptName(function string) string { return "amplify:" + function }

// AmplifyScript returns the command of that script; "" if there is none.
func (p *Project) AmplifyScript(function string) string {
	if p.Layout != Amplify {
		return ""
	}
	f, err := readDocument(p.fsys, "package.json")
	if err != nil {
		return ""
	}
	scripts, _ := f.doc.Root().Get("scripts")
	command, _ := scripts.Get(AmplifyScriptName(function))
	return command.Text()
}
