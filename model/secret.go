package model

import "strings"

// Redacted is shown in the place of a value that nobody must read who looks at a
// report.
const Redacted = "<redacted>"

// WithoutSecrets is the value at a JSON pointer of a file as a report may show
// it: each key in it is Redacted. A member holds a key when its name ends in
// "api key", in any spelling (api_key, graphqlApiKey, X-Api-Key), and so does all
// that stands below it. APIKeyPlaceholder is no key. The value itself is left as
// it is.
func WithoutSecrets(pointer string, value any) any {
	for token := range strings.SplitSeq(pointer, "/") {
		if namesKey(token) {
			return redacted(value)
		}
	}
	switch v := value.(type) {
	case Outputs:
		return WithoutSecrets("", map[string]any(v))
	case map[string]any:
		next := make(map[string]any, len(v))
		for name, member := range v {
			next[name] = WithoutSecrets(PointerToken(name), member)
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

func namesKey(name string) bool {
	return strings.HasSuffix(strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name)), "apikey")
}
