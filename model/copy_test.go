package model

import (
	"encoding/json"
	"reflect"
	"testing"

	"gatewright/model/access"

	"github.com/google/go-cmp/cmp"
)

// TestACopySharesNothingWithWhatItIsACopyOf empties everything that a value leads to; its copy stays.
func TestACopySharesNothingWithWhatItIsACopyOf(t *testing.T) {
	t.Parallel()
	whole := func() *Backend {
		yes, n := true, 9
		return &Backend{
			Environments: []*Environment{{
				Name: "dev", APIs: []string{}, Parameters: []Variable{{"A", "1"}},
				Variables: []FunctionVariables{{"f", []Variable{{"B", "2"}}}},
				Data:      &Data{ModelIntrospection: json.RawMessage("{}")},
			}},
			APIs: []*access.API{{
				Label: "shop", BinaryMediaTypes: []string{"image/png"},
				Paths: []*access.Path{{Name: "/a", Access: access.Access{Grants: []access.Grant{{Actions: access.EveryAction}}}}},
			}},
			Functions: []*Function{{
				Name: "f", Layers: []string{"a"},
				Access: []ResourceAccess{{"table/t", access.EveryAction}},
			}},
			Tables: []*Table{{Name: "t", Indexes: []Index{{Name: "i"}}, Triggers: []StreamTrigger{{Function: "f"}}}},
			Auth: &Auth{
				PasswordPolicy: &PasswordPolicy{MinLength: &n, RequireNumbers: &yes},
				OAuth:          &OAuth{Scopes: []string{"email"}}, MFAMethods: []string{"SMS"},
			},
			Outputs: []*Output{{
				Name:   "o",
				Values: Outputs{"custom": map[string]any{"a": []any{"b", json.Number("1"), nil, map[string]any{"c": true}}}},
			}},
		}
	}
	original := whole()
	next := Copied(original)
	clear(original.Outputs[0].Values["custom"].(map[string]any)["a"].([]any)[3].(map[string]any))
	emptied(reflect.ValueOf(original))
	if diff := cmp.Diff(whole(), next); diff != "" {
		t.Error(diff)
	}
	if Copied[*Auth](nil) != nil || Copied[any](nil) != nil || Copied([]string(nil)) != nil || Copied([]string{}) == nil {
		t.Error("what is nil does not stay nil, or what is empty does")
	}
}

// emptied empties all that a value leads to.
func emptied(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			emptied(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			emptied(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			emptied(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			emptied(v.MapIndex(key))
			v.SetMapIndex(key, reflect.Value{})
		}
	}
	if v.CanSet() {
		v.SetZero()
	}
}
