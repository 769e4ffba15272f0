package template

import (
	"encoding/json"
	"errors"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/render"
)

// DefinitionID is the logical id of the resource whose metadata has the definition as
// deployed. It does nothing: the service keeps the metadata, changes it with the stack, and
// restores it in a rollback.
const DefinitionID = "Definition"

// definitionKey is the name in the metadata.
const definitionKey = "gatewright"

// definition adds the definition, as the files of a project with this environment alone. They
// are texts, because the service would take a member called Ref for a function.
func (r *renderer) definition() {
	files := cfn.MapNode()
	add := func(name string, content []byte) {
		if err := render.Failed(content); err != nil {
			r.problems = append(r.problems,
				&model.Problem{Field: name, Text: "cannot be written: " + err.Error(), Fix: "correct its values"})
		}
		files.WithText(name, escaped(content))
	}
	add("project.json", render.Project(r.all.Project, render.Part))
	add("environments/"+r.env.Name+".json", render.Environment(r.env, render.Part))
	for _, api := range r.b.APIs {
		add("api/"+api.Label+"/cli-inputs.json", render.API(api, render.Part))
		if api.Version() > 1 {
			add("api/"+api.Label+"/settings.json", render.Settings(api, render.Part))
		}
	}
	// The functions are without the environment's variables, which its own file has.
	for _, f := range r.all.Functions {
		add("function/"+f.Name+"/function.json", render.Function(f, render.Part))
	}
	for _, t := range r.all.Tables {
		add("table/"+t.Name+"/table.json", render.Table(t, render.Part))
	}
	if r.all.Auth != nil || len(r.all.Groups) > 0 {
		add("auth.json", render.Auth(r.all.Auth, r.all.Groups, r.all.Triggers, render.Part))
	}
	if r.all.Data != nil {
		add("data.json", render.Data(r.all.Data, render.Part))
	}
	if r.all.Storage != nil {
		add("storage.json", render.Storage(r.all.Storage, render.Part))
	}
	for _, o := range r.all.Outputs {
		add("outputs/"+o.Name+".json", render.Output(o, render.Part))
	}
	deployed := cfn.MapNode().WithText("environment", r.env.Name).With("files", files)
	if len(r.options.Sources) > 0 {
		// The hashes are texts, of strings alone, so this cannot fail.
		sources, _ := json.Marshal(r.options.Sources)
		deployed.WithText("sources", escaped(sources))
	}
	r.root.add(resource{
		id: DefinitionID, kind: "AWS::CloudFormation::WaitConditionHandle",
		of: model.Ref{Kind: model.KindEnvironment, Name: r.env.Name}, is: "the definition as deployed",
		metadata: cfn.MapNode().With(definitionKey, deployed),
	})
}

// escaped writes a JSON text so that the service finds no dynamic reference in it, which it
// would replace.
func escaped(content []byte) string {
	return strings.ReplaceAll(string(content), "{{resolve:", `\u007b{resolve:`)
}

// ErrNoDefinition is the error of ReadDefinition for metadata of something else.
var ErrNoDefinition = errors.New("the metadata has no definition; was the stack made by gatewright?")

// Definition is the definition of an environment as it was deployed.
type Definition struct {
	// Environment is the name of the environment.
	Environment string
	// Files are the files of a project by their names below its folder with the definition.
	Files map[string][]byte
	// Sources are Options.Sources of the deployment.
	Sources map[string]map[string]string
}

// ReadDefinition reads the metadata of the resource DefinitionID, as the service returns it.
// The error is ErrNoDefinition.
func ReadDefinition(metadata []byte) (Definition, error) {
	var read map[string]json.RawMessage
	var deployed struct {
		Environment string            `json:"environment"`
		Files       map[string]string `json:"files"`
		Sources     string            `json:"sources"`
	}
	if json.Unmarshal(metadata, &read) != nil || json.Unmarshal(read[definitionKey], &deployed) != nil ||
		len(deployed.Files) == 0 {
		return Definition{}, ErrNoDefinition
	}
	d := Definition{Environment: deployed.Environment, Files: make(map[string][]byte, len(deployed.Files))}
	for name, content := range deployed.Files {
		d.Files[name] = []byte(content)
	}
	if deployed.Sources != "" && json.Unmarshal([]byte(deployed.Sources), &d.Sources) != nil {
		return Definition{}, ErrNoDefinition
	}
	return d, nil
}
