package deploy

import (
	"strings"

	"gatewright/model"
	"gatewright/sandbox"
)

// TablesOf are the tables of an environment, under their deployed names.
func TablesOf(b *model.Backend, env *model.Environment) []sandbox.Table {
	var tables []sandbox.Table
	for _, t := range b.Tables {
		tables = append(tables, sandbox.Table{Name: TableName(t.Name, env.Name), Definition: t})
	}
	return tables
}

// grantsOf are what a function may do with tables: everything with that of its
// template, and what it declares with others.
func grantsOf(f *model.Function, env string) []sandbox.Grant {
	var grants []sandbox.Grant
	if f.Table != "" {
		grants = append(grants, sandbox.Grant{Table: TableName(f.Table, env), Actions: model.EveryAction})
	}
	for _, a := range f.Access {
		if name, ok := strings.CutPrefix(a.Resource, string(model.KindTable)+"/"); ok {
			grants = append(grants, sandbox.Grant{Table: TableName(name, env), Actions: a.Actions})
		}
	}
	return grants
}

// UsesTables reports whether a function may ask a table anything.
func UsesTables(f *model.Function) bool { return f != nil && len(grantsOf(f, "")) > 0 }

// reachTables lets a function find the tables, unless its own variables say where
// they are.
func (x *functionOf) reachTables(f *model.Function, variables map[string]string) {
	const endpoint, every, key = "AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID"
	if x.tableEndpoint == "" || variables[endpoint] != "" || variables[every] != "" {
		return
	}
	variables[endpoint] = x.tableEndpoint
	if !x.foreign && variables[key] == "" {
		// It says which function asks, so that what is declared counts.
		variables[key] = sandbox.AccessKey(x.environment.Name, f.Name)
	}
}
