package project

import (
	"path"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/project/document"
)

// functionTemplate is the CloudFormation template of a function of an Amplify CLI
// project.
type functionTemplate struct {
	file *file
	// computed are the environment variables whose values are not plain text.
	computed []string
}

// functionProperties is the pointer of the function's properties in a template.
const functionProperties = "/Resources/LambdaFunction/Properties"

// templateFields maps the pointers of a function's fields to their pointers below
// functionProperties.
var templateFields = map[string]string{"/handler": "/Handler", "/timeout": "/Timeout", "/memory": "/MemorySize", "/runtime": "/Runtime"}

// amplifyFunction reads a function from its template. The Amplify CLI writes
// templates, so what cannot be read in one is no problem and stays empty.
func (p *Project) amplifyFunction(dir, name string) *model.Function {
	f := &model.Function{Name: name}
	file, err := readDocument(p.fsys, path.Join(dir, name+"-cloudformation-template.json"))
	if err != nil {
		return f
	}
	properties, ok := file.doc.Find(functionProperties)
	if !ok {
		return f
	}
	template := &functionTemplate{file: file}
	p.templates[name] = template
	quiet := &reader{file: file, problems: new([]*Problem)}
	f.Handler = quiet.text(properties, "", "Handler")
	f.Timeout, f.Memory = quiet.number(properties, "", "Timeout"), quiet.number(properties, "", "MemorySize")
	f.Environment, template.computed = amplifyVariables(properties)
	runtime := quiet.text(properties, "", "Runtime")
	switch {
	case strings.HasPrefix(runtime, "nodejs"):
		f.Runtime = model.NodeJS
	case strings.HasPrefix(runtime, "python"):
		f.Runtime = model.Python
	case strings.HasPrefix(runtime, "go1"), strings.HasPrefix(runtime, "provided"):
		f.Runtime = model.Go
	}
	return f
}

// amplifyVariables reads the environment variables of a function: those with plain
// text, and the names of those that a deployment computes from a reference or from
// a dynamic reference ("{{resolve:...}}").
func amplifyVariables(properties document.Node) (plain []model.Variable, computed []string) {
	environment, _ := properties.Get("Environment")
	variables, _ := environment.Get("Variables")
	for name, value := range variables.Members() {
		switch {
		case model.CheckVariableName(name) != nil:
		case value.Kind() == document.String && !strings.Contains(value.Text(), "{{resolve:"):
			plain = append(plain, model.Variable{Name: name, Value: value.Text()})
		default:
			computed = append(computed, name)
		}
	}
	return plain, computed
}

// ComputedVariables names the environment variables of a function whose values only
// a deployment knows: references in the template of an Amplify CLI project. They
// are not in the function's Environment. It is nil for every other function.
func (p *Project) ComputedVariables(function string) []string {
	if template := p.templates[function]; template != nil {
		return slices.Clone(template.computed)
	}
	return nil
}

// inTemplate sets the place of a problem in the function's template, which it
// returns; nil if the template has no such field.
func (p *Project) inTemplate(m *model.Problem, problem *Problem) *file {
	template, field := p.templates[m.Of.Name], templateFields[m.Pointer]
	if m.Of.Kind != model.KindFunction || template == nil || field == "" {
		return nil
	}
	problem.File, problem.Pointer = template.file.path, functionProperties+field
	return template.file
}
