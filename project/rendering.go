package project

import (
	"bytes"
	"encoding/json"

	"gatewright/model"
	"gatewright/model/clientfile"
	"gatewright/project/journal"
	"gatewright/project/read"
)

// LastClientFile has the rendering that the client configuration file was last
// written from.
var LastClientFile = journal.State[0]

// Rendering is what this program wrote into the client configuration file, in the
// neutral dialect: it may change and remove only that.
type Rendering struct {
	Environment string        `json:"environment,omitempty"`
	Dialect     model.Dialect `json:"dialect"`
	Values      model.Outputs `json:"values"`
	// Outputs are those of Values that only the sandbox of an environment knew that was never
	// pushed. They stay in the file until a sandbox or a push has others.
	Outputs model.Outputs `json:"outputs,omitempty"`
}

// LastRendering returns the rendering that the client configuration file was last
// written from. If that is not known, it is made from the project as read.
func (p *Project) LastRendering() Rendering {
	if text, err := read.Bytes(p.FS, LastClientFile); err == nil {
		var last Rendering
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		if decoder.Decode(&last) == nil && last.Values != nil {
			return last
		}
	}
	env := p.CurrentEnvironment()
	// A record that cannot be read counts as none.
	deployed, _ := p.DeployedOutputs(NameOf(env))
	content, err := clientfile.Of(p.Backend, env, deployed)
	if err != nil {
		content.Values = model.Outputs{"version": model.ClientFileVersion}
	}
	return Rendering{Environment: NameOf(env), Dialect: p.Backend.Project.Dialect, Values: content.Values}
}

// NameOf returns the name of an environment; "" for nil.
func NameOf(env *model.Environment) string {
	if env == nil {
		return ""
	}
	return env.Name
}
