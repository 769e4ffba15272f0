package amplify

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

// Template returns the CloudFormation template of a resource of an Amplify CLI
// project; nil if it has none that can be read.
func (p *Project) Template(category, resource string) *cfn.Template {
	if p == nil {
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
		found.Template, found.err = p.readTemplate(path.Join(p.Layout.String(), category, resource), resource)
		p.parsed[key] = found
	}
	return found
}

// TemplateNames lists the names that the template of a resource may have in its folder.
func TemplateNames(resource string) []string {
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
	for _, name := range TemplateNames(resource) {
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
func (p *Project) Unreadable() []*read.Problem {
	if p == nil {
		return nil
	}
	return p.unreadable
}

// Resources returns the names of the resources of a category, such as auth, in an Amplify CLI project.
func (p *Project) Resources(category string) []string {
	if p == nil {
		return nil
	}
	return p.FoldersIn(path.Join(p.Layout.String(), category))
}

// Layers returns the names of the project's own Lambda layers.
func (p *Project) Layers() []string {
	return slices.DeleteFunc(p.Resources("function"), func(name string) bool {
		folder := path.Join(p.Layout.String(), "function", name)
		return !read.Exists(p.FS, path.Join(folder, "layer-configuration.json")) &&
			!read.Exists(p.FS, path.Join(folder, "layer-parameters.json"))
	})
}

// Bucket is a bucket of an Amplify CLI project: its resource, and its name without the parts that a deployment adds.
type Bucket struct{ Resource, Name string }

// Buckets returns the buckets of the category storage.
func (p *Project) Buckets() []Bucket {
	var buckets []Bucket
	for _, resource := range p.Resources("storage") {
		for _, file := range []string{"cli-inputs.json", "parameters.json"} {
			f, err := read.JSON(p.FS, path.Join(p.Layout.String(), "storage", resource, file))
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

// GraphQLAPIs returns the names of the APIs for GraphQL.
func (p *Project) GraphQLAPIs() []string {
	return slices.DeleteFunc(p.Resources("api"), func(name string) bool {
		folder := path.Join(p.Layout.String(), "api", name)
		return !read.Exists(p.FS, path.Join(folder, "schema.graphql")) && !read.Exists(p.FS, path.Join(folder, "schema"))
	})
}

// Parameters returns the parameters that a resource's template gets in an environment: those of its parameters.json,
// replaced by those of team-provider-info.json.
func (p *Project) Parameters(category, resource, environment string) map[string]string {
	if p == nil {
		return nil
	}
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
	if f, err := read.JSON(p.FS, path.Join(p.Layout.String(), category, resource, "parameters.json")); err == nil {
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

// Stack returns the name of the root stack of an environment in the cloud; "" if it is not known.
func (p *Project) Stack(environment string) string { return p.deployment(environment, "StackName") }

// Account returns the id of the account that an environment is deployed to; "" if it is not known.
func (p *Project) Account(environment string) string {
	return part(p.deployment(environment, "StackId"), ":", 4)
}

// deployment returns what the file of environments says of the deployment of one.
func (p *Project) deployment(environment, member string) string {
	if p == nil {
		return ""
	}
	f, err := read.JSON(p.FS, EnvironmentsFile)
	if err != nil {
		return ""
	}
	env, _ := f.Doc.Root().Get(environment)
	provider, _ := env.Get("awscloudformation")
	text, _ := provider.Get(member)
	return text.Text()
}

// StackNumber returns the number in the name of the stack, which is part of the
// names of buckets; "" if it is not known.
func (p *Project) StackNumber(environment string) string { return part(p.Stack(environment), "-", 3) }

// part returns a part of a text, counted from 0; "" if it has fewer.
func part(text, separator string, i int) string {
	parts := strings.Split(text, separator)
	if i >= len(parts) {
		return ""
	}
	return parts[i]
}

// CustomPolicies returns the list of a function's custom-policies.json; nil if there is
// none. The error says why it cannot be read.
func (p *Project) CustomPolicies(function string) (*cfn.Node, error) {
	if p == nil {
		return nil, nil
	}
	at := path.Join(p.Layout.String(), "function", function, "custom-policies.json")
	text, err := read.Bytes(p.FS, at)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return cfn.ParseJSON(at, bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))
}

// ScriptName returns the name of the script in the project's package.json that the Amplify CLI runs before it packs a
// function (https://docs.amplify.aws/gen1/javascript/tools/cli/function/build-options/).
func ScriptName(function string) string { return "amplify:" + function }

// Script returns the command of that script; "" if there is none.
func (p *Project) Script(function string) string {
	if p == nil {
		return ""
	}
	f, err := read.JSON(p.FS, "package.json")
	if err != nil {
		return ""
	}
	scripts, _ := f.Doc.Root().Get("scripts")
	command, _ := scripts.Get(ScriptName(function))
	return command.Text()
}
