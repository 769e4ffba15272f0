package awstest

import (
	"encoding/json"

	"gatewright/cfn"
)

// plain is a value as JSON has it.
func plain(v cfn.Value) any {
	switch v.Kind {
	case cfn.List:
		list := []any{}
		for _, item := range v.List {
			list = append(list, plain(item))
		}
		return list
	case cfn.Map:
		members := make(map[string]any)
		for _, m := range v.Members {
			members[m.Name] = plain(m.Value)
		}
		return members
	case cfn.Bool, cfn.Number:
		return json.RawMessage(v.Text)
	case cfn.Null:
		return nil
	}
	return v.Text
}
