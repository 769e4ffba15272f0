package live

import (
	"strings"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/sandbox"
)

// TablesOf returns the tables of an environment, under their deployed names.
func TablesOf(b *model.Backend, env *model.Environment) []sandbox.Table {
	var tables []sandbox.Table
	for _, t := range b.Tables {
		tables = append(tables, sandbox.Table{Name: t.DeployedName(env.Name), Definition: t})
	}
	return tables
}

// grantsOf returns what a function may do with tables: everything with the table of its
// template, and the declared actions with others.
func grantsOf(b *model.Backend, f *model.Function, env string) []sandbox.Grant {
	var grants []sandbox.Grant
	if f.Table != "" {
		grants = append(grants, sandbox.Grant{Table: TableName(b, f.Table, env), Actions: access.EveryAction})
	}
	for _, a := range f.Access {
		if name, ok := strings.CutPrefix(a.Resource, string(model.KindTable)+"/"); ok {
			grants = append(grants, sandbox.Grant{Table: TableName(b, name, env), Actions: a.Actions})
		}
	}
	return grants
}

// UsesTables reports whether a function of a backend may use any table.
func UsesTables(b *model.Backend, name string) bool {
	f := b.Function(name)
	return f != nil && (!b.Defines(model.KindTable) && len(b.Tables) > 0 || len(grantsOf(b, f, "")) > 0)
}

// reachTables adds the endpoint of the tables to a function's variables, unless it has
// one of its own.
func (x *specMaker) reachTables(f *model.Function, variables map[string]string) {
	const endpoint, every, key = "AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID"
	if x.tableEndpoint == "" || variables[endpoint] != "" || variables[every] != "" {
		return
	}
	variables[endpoint] = x.tableEndpoint
	if !x.otherTables && variables[key] == "" {
		// The key identifies the function, so that its declared actions apply.
		variables[key] = sandbox.AccessKey(x.environment.Name, f.Name)
	}
}

// grants returns what a function may do with tables: what its definition says, or in an
// Amplify CLI project the policies of its template.
func (x *specMaker) grants(f *model.Function) []sandbox.Grant {
	if a := x.amplifyFunction(f); a != nil {
		return x.amplifyGrants(a)
	}
	return grantsOf(x.backend, f, x.environment.Name)
}
