package openapi

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
)

// mostReferences is how many references lead to a value at most, one after another: a
// circle ends there.
const mostReferences = 100

// Resolve follows the references ($ref) that a node stands for to the value itself, which is
// never nil without an error. The error says in a few words why there is none: it is in
// another document, it does not exist, or the references lead in a circle.
func (d *Document) Resolve(n *cfn.Node) (*cfn.Node, error) {
	for range mostReferences {
		to := TextOf(n.Get("$ref"))
		if to == "" {
			return n, nil
		}
		next, err := d.Find(to)
		if err != nil {
			return nil, err
		}
		n = next
	}
	return nil, fmt.Errorf("%s leads in a circle", phrase.Quote(TextOf(n.Get("$ref"))))
}

// Find returns what the text of a reference names, such as #/components/schemas/Book: the
// value there, which may be a reference again. The errors are those of Resolve.
func (d *Document) Find(to string) (*cfn.Node, error) {
	if n := d.resolved[to]; n != nil {
		return n, nil
	}
	if !strings.HasPrefix(to, "#") {
		return nil, fmt.Errorf("%s is in another document, which is not read", phrase.Quote(to))
	}
	pointer, err := url.PathUnescape(to[1:])
	if err != nil {
		pointer = to[1:]
	}
	n := d.Root
	for token := range jsontext.Pointer(pointer).Tokens() {
		if n = child(n, token); n == nil {
			return nil, fmt.Errorf("%s does not exist", phrase.Quote(to))
		}
	}
	d.resolved[to] = n
	return n, nil
}

// child returns what a token of a pointer names in a node; nil for nothing.
func child(n *cfn.Node, token string) *cfn.Node {
	if n.Kind != cfn.List {
		return n.Get(token)
	}
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || i >= len(n.Items) {
		return nil
	}
	return n.Items[i]
}
