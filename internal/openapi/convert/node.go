package convert

import (
	"net/url"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
)

// copied copies members of a map under their names.
func copied(to, from *cfn.Node, names ...string) {
	for _, name := range names {
		if v := from.Get(name); v != nil {
			to.With(name, v)
		}
	}
}

// extensions copies the members that begin with x-, and returns to.
func extensions(to, from *cfn.Node) *cfn.Node {
	for _, m := range openapi.MembersOf(from) {
		if strings.HasPrefix(m.Name, "x-") && m.Name != "x-nullable" && to.Get(m.Name) == nil {
			to.With(m.Name, m.Value)
		}
	}
	return to
}

// decoded is a token of a pointer in the fragment of a URL (RFC 6901).
func decoded(token string) string {
	if plain, err := url.PathUnescape(token); err == nil {
		token = plain
	}
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
}
