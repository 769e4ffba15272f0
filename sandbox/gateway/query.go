package gateway

import (
	"strings"

	"gatewright/sandbox/http1"
)

// parameter is one parameter of a query string with all its values.
type parameter struct {
	name   string
	values []string
}

// parseQuery groups the values of a query string by parameter, in the order in
// which the parameters first appear. A semicolon divides as an ampersand does
// (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html).
func parseQuery(query string) []parameter {
	query = strings.ReplaceAll(query, ";", "&")
	var parameters []parameter
	index := map[string]int{}
	for name, value := range http1.Parameters(query) {
		at, known := index[name]
		if !known {
			at = len(parameters)
			index[name] = at
			parameters = append(parameters, parameter{name: name})
		}
		parameters[at].values = append(parameters[at].values, value)
	}
	return parameters
}
