package expression

import (
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/sandbox/constraint"
	"gatewright/sandbox/table/attribute"
)

// FromAttributeUpdates is the update of the legacy parameter AttributeUpdates.
func FromAttributeUpdates(raw jsontext.Value) (*Update, error) {
	var updates map[string]*struct {
		Action *string        `json:"Action"`
		Value  jsontext.Value `json:"Value"`
	}
	if err := unmarshal(raw, &updates); err != nil {
		return nil, err
	}
	u := &Update{mismatch: "Type mismatch for attribute to update"}
	for _, name := range slices.Sorted(maps.Keys(updates)) {
		given := updates[name]
		if given == nil {
			return nil, attribute.Invalid("Supplied AttributeValueUpdate is empty, must contain one of the supported actions")
		}
		action := "PUT"
		if given.Action != nil {
			action = *given.Action
		}
		c, err := legacyChange(name, action, given.Value)
		if err != nil {
			return nil, err
		}
		u.changes = append(u.changes, c)
	}
	u.root = tree(u.Paths())
	return u, nil
}

func legacyChange(name, action string, raw jsontext.Value) (change, error) {
	c := change{target: &term{form: pathForm, path: Path{{name, -1}}}}
	switch action {
	case "PUT":
		c.verb = "SET"
	case "ADD", "DELETE":
		c.verb = action
	default:
		var broken constraint.Violations
		broken.Enum(&action, "attributeUpdates."+name+".member.action", "ADD", "DELETE", "PUT")
		return c, attribute.Broken(&broken)
	}
	if !present(raw) {
		if action != "DELETE" {
			return c, attribute.InvalidParameter("Only DELETE action is allowed when no attribute value is specified")
		}
		c.verb = "REMOVE"
		return c, nil
	}
	v, err := attribute.ParseValue(raw)
	if err != nil {
		return c, err
	}
	set := v.Kind == attribute.SS || v.Kind == attribute.NS || v.Kind == attribute.BS
	switch {
	case action == "DELETE" && !set:
		return c, attribute.InvalidParameter("DELETE action with value is not supported for the type %s", v.Kind)
	case action == "ADD" && !set && v.Kind != attribute.N && v.Kind != attribute.L:
		return c, attribute.InvalidParameter("ADD action is not supported for the type %s", v.Kind)
	}
	c.source = &term{form: valueForm, value: v}
	return c, nil
}
