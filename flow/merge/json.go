package merge

import (
	"encoding/json"
	"maps"
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// JSON is Value for JSON: members of objects are values of their own.
func JSON(m *Merge, of string, was, now, mine any) any {
	wasIn, _ := was.(map[string]any)
	nowIn, isObject := now.(map[string]any)
	mineIn, bothAre := mine.(map[string]any)
	if !isObject || !bothAre {
		return Value(m, of, was, now, mine, model.SameValue, func(value any) string {
			if value == nil {
				return "nothing"
			}
			text, _ := json.Marshal(value)
			return string(text)
		})
	}
	merged := make(map[string]any)
	keys := maps.Clone(nowIn)
	maps.Copy(keys, mineIn)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if value := JSON(m, phrase.Quote(key)+" of "+of, wasIn[key], nowIn[key], mineIn[key]); value != nil {
			merged[key] = value
		}
	}
	return merged
}
