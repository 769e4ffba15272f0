package project

import (
	"maps"
	"slices"

	"gatewright/model"
)

// ThreeWay merges the values that were last written into the client configuration file (was), those to be written
// (wanted) and those that it has (disk). It returns two renderings: applying their difference to the file gives it
// the wanted values, whatever it had, and keeps the values that others added. The version in the file stays.
func ThreeWay(was, wanted, disk model.Outputs) (before, after map[string]any) {
	before, after = reconcile(was, wanted, disk)
	if version, ok := disk["version"]; ok {
		before["version"], after["version"] = version, version
	}
	return before, after
}

func reconcile(was, wanted, disk map[string]any) (before, after map[string]any) {
	before, after = maps.Clone(was), maps.Clone(wanted)
	for key, old := range was {
		have, there := disk[key]
		next, stays := wanted[key]
		oldObject, isObject := old.(map[string]any)
		haveObject, hasObject := have.(map[string]any)
		nextObject, wantsObject := next.(map[string]any)
		switch {
		case !stays && isObject && hasObject:
			if others := foreignParts(oldObject, haveObject); others != nil {
				after[key] = others
			}
		case !stays:
		case isObject && wantsObject && (hasObject || !there):
			before[key], after[key] = reconcile(oldObject, nextObject, haveObject)
		case model.SameValue(old, next) && !model.SameValue(old, have):
			before[key] = ItemsPresent(next, have)
			if before[key] == nil {
				delete(before, key)
			}
		}
	}
	return before, after
}

// foreignParts returns the objects that must stay when an object is removed, since others
// added something to them; nil if there are none.
func foreignParts(ours, disk map[string]any) map[string]any {
	var frame map[string]any
	for key, have := range disk {
		old, known := ours[key]
		oldObject, isObject := old.(map[string]any)
		haveObject, hasObject := have.(map[string]any)
		var inner map[string]any
		if isObject && hasObject {
			inner = foreignParts(oldObject, haveObject)
		}
		if known && inner == nil {
			continue
		}
		if frame == nil {
			frame = make(map[string]any)
		}
		if inner != nil {
			frame[key] = inner
		}
	}
	return frame
}

// ItemsPresent returns the items of a wanted array that the file already has, so that only
// the others are added, and items that others added stay. It is nil for other values.
func ItemsPresent(wanted, have any) any {
	list, isArray := wanted.([]any)
	items, hasArray := have.([]any)
	if !isArray || !hasArray {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(list), func(item any) bool { return !contains(items, item) })
}

func contains(list []any, item any) bool {
	return slices.ContainsFunc(list, func(have any) bool { return model.SameValue(have, item) })
}

// KeepKey puts the API key in the file into values that have the placeholder: a
// person who knows the key wrote it there.
func KeepKey(disk map[string]any, values ...map[string]any) {
	key := keyOf(disk)
	for _, v := range values {
		if data, ok := v["data"].(map[string]any); ok && key != "" && keyOf(v) == model.APIKeyPlaceholder {
			data = maps.Clone(data)
			data["api_key"] = key
			v["data"] = data
		}
	}
}

func keyOf(values map[string]any) string {
	data, _ := values["data"].(map[string]any)
	key, _ := data["api_key"].(string)
	return key
}
