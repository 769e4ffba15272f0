package gateway

import (
	"gatewright/model"
	"gatewright/sandbox/http1"
)

// parameter is one parameter of a query string with all its values.
type parameter struct {
	name   string
	values []string
}

// parseQuery groups the values of a query string by parameter, in the order in
// which the parameters first appear.
func parseQuery(query string) []parameter {
	var parameters []parameter
	index := map[string]int{}
	for part := range model.QueryParts(query) {
		for name, value := range http1.Parameters(part) {
			at, known := index[name]
			if !known {
				at = len(parameters)
				index[name] = at
				parameters = append(parameters, parameter{name: name})
			}
			parameters[at].values = append(parameters[at].values, value)
		}
	}
	return parameters
}
