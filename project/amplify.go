package project

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/project/document"
	"gatewright/project/read"
)

// AmplifyTemplate returns the CloudFormation template of a resource of an Amplify CLI
// project; nil if it has none that can be read.
func (p *Project) AmplifyTemplate(category, resource string) *cfn.Template {
	if p.Layout != Amplify {
		return nil
	}
	return p.template(category, resource).Template
}

// parsedTemplate is a template of a resource that was looked for: nil if there is none, and
// then err may say why it cannot be read.
type parsedTemplate struct {
	*cfn.Template
	err error
}

func (p *Project) template(category, resource string) parsedTemplate {
	key := category + "/" + resource
	found, known := p.parsed[key]
	if !known {
		if p.parsed == nil {
			p.parsed = make(map[string]parsedTemplate)
		}
		found.Template, found.err = p.readTemplate(path.Join(p.Layout.Folder(), category, resource), resource)
		p.parsed[key] = found
	}
	return found
}

// AmplifyTemplateNames lists the names that the template of a resource may have in its folder.
func AmplifyTemplateNames(resource string) []string {
	var names []string
	for _, base := range []string{resource + "-cloudformation-template", "cloudformation-template", "template"} {
		for _, end := range []string{".json", ".yml", ".yaml"} {
			names = append(names, base+end)
		}
	}
	return names
}

// readTemplate reads the template in the folder of a resource: the first that can be read. The
// error is a *Problem about the first that cannot, if there is no other.
func (p *Project) readTemplate(folder, resource string) (*cfn.Template, error) {
	var first error
	for _, name := range AmplifyTemplateNames(resource) {
		at := path.Join(folder, name)
		text, err := read.Bytes(p.FS, at)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var template *cfn.Template
		if err == nil {
			template, err = cfn.Parse(at, text)
		}
		if err == nil {
			return template, nil
		}
		if syntax := (*cfn.SyntaxError)(nil); errors.As(err, &syntax) {
			err = &read.Problem{File: at, Line: syntax.Line, Column: syntax.Column, Text: syntax.Text}
		}
		first = cmp.Or(first, err)
	}
	return nil, first
}

// noteTemplate adds a warning if the template of a function cannot be read, without which the
// function runs with other settings than in the cloud.
func (p *Project) noteTemplate(name string) {
	var problem *read.Problem
	if errors.As(p.template("function", name).err, &problem) {
		p.unreadable = append(p.unreadable, problem)
		told := *problem
		told.Level, told.Text = model.Warning,
			"the template cannot be read, so what it says of the function is unknown: "+problem.Text
		p.Problems = append(p.Problems, &told)
	}
}

// Unreadable are the problems of files that a project of the Amplify CLI runs without: the
// templates of functions, and the environments.
func (p *Project) Unreadable() []*read.Problem { return p.unreadable }

// AmplifyResources returns the names of the resources of a category, such as auth, in
// an Amplify CLI project.
func (p *Project) AmplifyResources(category string) []string {
	if p.Layout != Amplify {
		return nil
	}
	return p.folders(path.Join(p.Layout.Folder(), category))
}

// AmplifyLayers returns the names of the project's own Lambda layers.
func (p *Project) AmplifyLayers() []string {
	return slices.DeleteFunc(p.AmplifyResources("function"), func(name string) bool {
		folder := path.Join(p.Layout.Folder(), "function", name)
		return !Exists(p.FS, path.Join(folder, "layer-configuration.json")) &&
			!Exists(p.FS, path.Join(folder, "layer-parameters.json"))
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
			f, err := read.JSON(p.FS, path.Join(p.Layout.Folder(), "storage", resource, file))
			if err != nil {
				continue
			}
			if name, _ := f.Doc.Root().Get("bucketName"); name.Text() != "" {
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
		folder := path.Join(p.Layout.Folder(), "api", name)
		return !Exists(p.FS, path.Join(folder, "schema.graphql")) && !Exists(p.FS, path.Join(folder, "schema"))
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
	if f, err := read.JSON(p.FS, path.Join(p.Layout.Folder(), category, resource, "parameters.json")); err == nil {
		add(f.Doc.Root())
	}
	if f, err := read.JSON(p.FS, EnvironmentsFile); err == nil {
		env, _ := f.Doc.Root().Get(environment)
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
	f, err := read.JSON(p.FS, EnvironmentsFile)
	if err != nil {
		return ""
	}
	env, _ := f.Doc.Root().Get(environment)
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

// AmplifyCustomPolicies returns the list of a function's custom-policies.json; nil if there is
// none. The error says why it cannot be read.
func (p *Project) AmplifyCustomPolicies(function string) (*cfn.Node, error) {
	at := path.Join(p.Layout.Folder(), "function", function, "custom-policies.json")
	text, err := read.Bytes(p.FS, at)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return cfn.ParseJSON(at, bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))
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
	f, err := read.JSON(p.FS, "package.json")
	if err != nil {
		return ""
	}
	scripts, _ := f.Doc.Root().Get("scripts")
	command, _ := scripts.Get(AmplifyScriptName(function))
	return command.Text()
}
