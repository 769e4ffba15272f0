package live

import (
	"slices"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/rights"
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

// UsesTables reports whether a function of a backend may use any table.
func UsesTables(b *model.Backend, name string) bool {
	f := b.Function(name)
	onTable := func(s model.Statement) bool {
		return slices.ContainsFunc(s.Action, func(a string) bool { return cfn.MatchAction("dynamodb:*", a) || a == "*" })
	}
	return f != nil && (!b.Defines(model.KindTable) && len(b.Tables) > 0 || slices.ContainsFunc(rights.Of(b, f), onTable))
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
