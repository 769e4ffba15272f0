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
	switch {
	case path.Base(name) == "cli-inputs.json":
		return "cli-inputs"
	case name == AccessTestFile:
		return "access-test"
	}
	return p.Layout.Schema(name)
}
