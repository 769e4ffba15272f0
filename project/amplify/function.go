package amplify

import (
	"path"
	"strings"

	"gatewright/model"
	"gatewright/model/check"
	"gatewright/project/document"
	"gatewright/project/read"
)

// functionTemplate is the CloudFormation template of a function of an Amplify CLI project.
type functionTemplate struct{ file *read.File }

// functionProperties is the pointer of the function's properties in a template.
const functionProperties = "/Resources/LambdaFunction/Properties"

// templateFields maps the pointers of a function's fields to their pointers below functionProperties.
var templateFields = map[string]string{
	"/handler": "/Handler", "/timeout": "/Timeout", "/memory": "/MemorySize",
	"/runtime": "/Runtime",
}

// amplifyFunction reads a function from the template that the Amplify CLI writes. What is not a
// text or a number there stays empty.
func (p *Project) amplifyFunction(dir, name string) *model.Function {
	f := &model.Function{Name: name}
	file, err := read.JSON(p.FS, path.Join(dir, name+"-cloudformation-template.json"))
	if err != nil {
		return f
	}
	properties, ok := file.Doc.Find(functionProperties)
	if !ok {
		return f
	}
	p.templates[name] = &functionTemplate{file: file}
	quiet := &read.Reader{File: file, Problems: new([]*read.Problem)}
	f.Handler = quiet.Text(properties, "", "Handler")
	f.Timeout, f.Memory = quiet.Number(properties, "", "Timeout"), quiet.Number(properties, "", "MemorySize")
	f.Environment = amplifyVariables(properties)
	if runtime := model.Runtime(quiet.Text(properties, "", "Runtime")); runtime.Language() != "" {
		f.Runtime = runtime
	}
	return f
}

// RuntimeOfSource tells the runtime of a source by its files, for a definition without one; ""
// if they do not show it. has reports whether src has a file.
func RuntimeOfSource(has func(name string) bool) model.Runtime {
	for _, known := range []struct {
		file    string
		runtime model.Runtime
	}{
		{"index.py", model.Python},
		{"lambda_function.py", model.Python},
		{"main.go", model.Go},
		{"index.js", model.NodeJS},
		{"index.mjs", model.NodeJS},
		{"index.ts", model.NodeJS},
	} {
		if has(known.file) {
			return known.runtime
		}
	}
	return ""
}

// amplifyVariables reads the environment variables of a function with plain text. Those
// that a deployment works out are not part of the definition.
func amplifyVariables(properties document.Node) (plain []model.Variable) {
	environment, _ := properties.Get("Environment")
	variables, _ := environment.Get("Variables")
	for name, value := range variables.Members() {
		if model.CheckVariableName(name) == nil && value.Kind() == document.String &&
			!check.HasDynamicReference(value.Text()) {
			plain = append(plain, model.Variable{Name: name, Value: value.Text()})
		}
	}
	return plain
}

// InTemplate sets the place of a problem in the function's template, which it
// returns; nil if the template has no such field.
func (p *Project) InTemplate(m *model.Problem, problem *read.Problem) *read.File {
	if p == nil {
		return nil
	}
	template, field := p.templates[m.Of.Name], templateFields[m.Pointer]
	if variable, is := strings.CutPrefix(m.Pointer, "/environment"); is {
		field = "/Environment/Variables" + variable
	}
	if m.Of.Kind != model.KindFunction || template == nil || field == "" {
		return nil
	}
	problem.File, problem.Pointer = template.file.Path, functionProperties+field
	return template.file
}
