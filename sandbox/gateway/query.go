package gateway

import (
	"net/url"
	"strings"

	"gatewright/model"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/traffic"
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

// maskedEncoded is a query without the values of parameters that are secrets only once they
// are decoded: by their names, or since they hold one, as the address to return to may.
func maskedEncoded(query string) (masked string, names []string) {
	if !strings.Contains(query, "%") {
		return query, nil
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		encoded, value, found := strings.Cut(pair, "=")
		if !found || value == model.Redacted {
			continue
		}
		name, err := url.QueryUnescape(strings.TrimPrefix(encoded, "?"))
		if err != nil {
			continue
		}
		plain, err := url.QueryUnescape(value)
		if err != nil {
			continue
		}
		if _, inside := traffic.Masked(plain); isSecret(name) || len(inside) > 0 {
			pairs[i] = encoded + "=" + model.Redacted
			names = append(names, name)
		}
	}
	return strings.Join(pairs, "&"), names
}
