package project

import (
	"path"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/project/document"
)

// functionTemplate is the template of a function of an Amplify CLI project.
type functionTemplate struct {
	file *file
	// computed are the variables that it has no plain text for.
	computed []string
}

// functionProperties is where a template has what is read of it
// (research/rest-wizard.md 4).
const functionProperties = "/Resources/LambdaFunction/Properties"

// templateFields are the fields of a function, by their pointers, as templates
// name them.
var templateFields = map[string]string{"/handler": "/Handler", "/timeout": "/Timeout", "/memory": "/MemorySize", "/runtime": "/Runtime"}

// amplifyFunction reads what its template says of a function. Templates are the
// other tool's own; what cannot be read of them is left unsaid.
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

// amplifyVariables reads the environment variables of a function: those with a
// plain text, and the names of those that a deployment works out, from what the
// template refers to or from a store that a text names ("{{resolve:...}}").
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

// ComputedVariables are the names of the environment variables that only a
// deployment gives a function its values of: in the template of an Amplify CLI
// project they are references, and none of them is in the function's Environment.
// It is nil for every other function.
func (p *Project) ComputedVariables(function string) []string {
	if template := p.templates[function]; template != nil {
		return slices.Clone(template.computed)
	}
	return nil
}

// inTemplate gives a problem the place that it has in a function's template,
// where it is there.
func (p *Project) inTemplate(m *model.Problem, problem *Problem) *file {
	template, field := p.templates[m.Of.Name], templateFields[m.Pointer]
	if m.Of.Kind != model.KindFunction || template == nil || field == "" {
		return nil
	}
	problem.File, problem.Pointer = template.file.path, functionProperties+field
	return template.file
}
