package project

import (
	"path"

	"gatewright/model"
)

// ClientSchema names the schema of a client configuration file.
func ClientSchema(dialect model.Dialect) string {
	if dialect == model.Amplify {
		return "client-config-amplify"
	}
	return "client-config"
}

// SchemaOf names the schema of a file of the project, by its path; "" for a file
// whose format belongs to the Amplify CLI.
func (p *Project) SchemaOf(name string) string {
	base, dir := path.Base(name), path.Base(path.Dir(name))
	switch {
	case base == "cli-inputs.json":
		return "cli-inputs"
	case name == AccessTestFile:
		return "access-test"
	case p.Layout != Native:
		return ""
	case dir == "environments":
		return "environment"
	case dir == "outputs":
		return "output"
	case dir == "requests":
		return "request"
	case base == "project.json", base == "function.json", base == "table.json", base == "auth.json", base == "data.json",
		base == "storage.json":
		return base[:len(base)-len(".json")]
	}
	return ""
}
