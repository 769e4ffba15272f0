package model

import "strings"

// Redacted is shown instead of a secret value.
const Redacted = "<redacted>"

// WithoutSecrets returns a copy of the value at a JSON pointer of a file with every key replaced by Redacted. Keys
// are the members whose names end in "api key", in any spelling (api_key, graphqlApiKey, X-Api-Key), and everything
// below them. APIKeyPlaceholder is no key.
func WithoutSecrets(pointer string, value any) any {
	for name := range strings.SplitSeq(pointer, "/") {
		if NamesKey(name) {
			return redacted(value)
		}
	}
	switch v := value.(type) {
	case Outputs:
		return WithoutSecrets("", map[string]any(v))
	case map[string]any:
		next := make(map[string]any, len(v))
		for name, member := range v {
			next[name] = WithoutSecrets(PointerSegment(name), member)
		}
		return next
	case []any:
		next := make([]any, len(v))
		for i, item := range v {
			next[i] = WithoutSecrets("", item)
		}
		return next
	}
	return value
}

func redacted(value any) any {
	switch value {
	case nil, "", APIKeyPlaceholder:
		return value
	}
	return Redacted
}

// NamesKey reports whether the name of a value says that it is a key or a password.
func NamesKey(name string) bool {
	return strings.HasSuffix(strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name)), "apikey")
}
