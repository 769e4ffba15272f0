package cfn_test

import (
	"strings"
	"testing"

	"gatewright/internal/cfn"
)

// FuzzResolve reads any text and works out everything in it. Nothing may panic or hang,
// and each place must be one.
func FuzzResolve(f *testing.F) {
	f.Add([]byte(books))
	f.Add([]byte(sections))
	f.Add([]byte("A: &a {<<: *a}\nB: !Sub ['${x', {x: *a}]"))
	for _, tt := range functions {
		f.Add([]byte(sections + "Outputs:\n  Tested:\n    Value: " + tt.yaml))
		f.Add([]byte(`{"Outputs": {"Tested": {"Value": ` + tt.json + `}}}`))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		template, err := cfn.Parse("f", text)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\x1b") || !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("the error is %q", err)
			}
			return
		}
		r := template.With(given)
		v := r.Resolve(template.Root)
		if v.Kind > cfn.Map {
			t.Errorf("a value is %s", v.Kind)
		}
		for _, u := range v.Unknown {
			if u.Line < 1 || u.Column < 1 || u.What == "" || strings.ContainsAny(u.What, "\n\x1b") {
				t.Errorf("%+v", u)
			}
		}
		for _, m := range v.Members {
			cfn.Statements(m.Value)
		}
		if conditions := template.Root.Get("Conditions"); conditions != nil {
			for _, m := range conditions.Members {
				r.Condition(m.Name)
			}
		}
		for _, resource := range template.Resources() {
			r.Exists(&resource)
			r.Resolve(resource.Properties)
		}
		template.Outputs()
	})
}
