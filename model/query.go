package model

import (
	"iter"
	"net/url"
	"strings"
)

// QueryParts are the parts NAME=VALUE of a raw query, each with the character that divides it
// from the next one, "" after the last. API Gateway divides at semicolons as at ampersands
// (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html).
func QueryParts(query string) iter.Seq2[string, string] {
	return func(yield func(part, divider string) bool) {
		for {
			at := strings.IndexAny(query, "&;")
			if at < 0 {
				yield(query, "")
				return
			}
			if !yield(query[:at], query[at:at+1]) {
				return
			}
			query = query[at+1:]
		}
	}
}

// QueryName is the decoded name of a part NAME=VALUE of a query or a form; as it is written if it cannot be decoded.
func QueryName(part string) string {
	name, _, _ := strings.Cut(part, "=")
	if plain, err := url.QueryUnescape(name); err == nil {
		return plain
	}
	return name
}
