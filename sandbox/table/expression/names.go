package expression

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"gatewright/sandbox/table/attribute"
)

// Names is what the placeholders in a request's expressions stand for. Parsing an expression marks the
// placeholders that it uses; one Names serves all expressions of a request.
type Names struct {
	Names  map[string]string           // ExpressionAttributeNames: "#n" to a name
	Values map[string]*attribute.Value // ExpressionAttributeValues: ":v" to a value

	used map[string]bool
}

// present reports whether a parameter was given and is not null.
func present(raw jsontext.Value) bool { return len(raw) > 0 && raw.Kind() != 'n' }

// unmarshal reads the JSON of a parameter; a wrong type is a SerializationException.
func unmarshal(raw jsontext.Value, into any) error {
	if err := json.Unmarshal(raw, into); err != nil {
		return attribute.Unreadable("Unexpected field type")
	}
	return nil
}

func (n *Names) name(key string) (string, bool) {
	if n == nil {
		return "", false
	}
	name, ok := n.Names[key]
	n.use(key)
	return name, ok
}

func (n *Names) value(key string) (*attribute.Value, bool) {
	if n == nil {
		return nil, false
	}
	v, ok := n.Values[key]
	n.use(key)
	return v, ok
}

func (n *Names) use(key string) {
	if n.used == nil {
		n.used = map[string]bool{}
	}
	n.used[key] = true
}

// Unused is the ValidationException about placeholders that no expression used, nil if all
// are used. Call it after all expressions of the request are parsed.
func (n *Names) Unused() error {
	if n == nil {
		return nil
	}
	if keys := unused(n, n.Names); keys != "" {
		return attribute.Invalid("Value provided in ExpressionAttributeNames unused in expressions: keys: {%s}", keys)
	}
	if keys := unused(n, n.Values); keys != "" {
		return attribute.Invalid("Value provided in ExpressionAttributeValues unused in expressions: keys: {%s}", keys)
	}
	return nil
}

func unused[T any](n *Names, given map[string]T) string {
	var keys []string
	for key := range given {
		if !n.used[key] {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return strings.Join(keys, ", ")
}
