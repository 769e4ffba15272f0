package assertion_test

import (
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/assertion"
)

// cliLayout is a layout whose roles decide.
type cliLayout struct{}

func (cliLayout) Defines(model.Kind) bool { return false }
func (cliLayout) HasMediaTypes() bool     { return false }
func (cliLayout) Terms() access.Terms {
	return access.Terms{GroupAlone: true, GetAlone: true, Below: true}
}

func TestWhatAPatternLetsInBesideItsPathCounts(t *testing.T) {
	t.Parallel()
	b := &model.Backend{Layout: cliLayout{}, APIs: []*access.API{accesstest.Shop(
		accesstest.Open("/a", "f"),
		accesstest.Restricted("/a/{id}/b", "f", accesstest.ToUsers(access.Create, access.Update)),
		accesstest.Restricted("/a/b/{id}", "f", accesstest.ToUsers(access.Delete)),
	)}}
	for text, against := range map[string]string{
		"signed-in users may PUT under /a/b":                   "PUT /a/b/1",
		"signed-in users never PUT under /a/b/1":               "PUT /a/b/1/b",
		"signed-in users may PUT under /a/{id}/b":              "",
		"signed-in users may DELETE under /a/b/1":              "",
		"at most 1 path lets signed-in users PUT under /a/b/1": "",
	} {
		o := assertion.NewChecker(b).Check(text)
		got := ""
		if len(o.Broken) > 0 {
			got = o.Broken[0].Method + " " + o.Broken[0].Raw
		}
		if o.Err != nil || got != against {
			t.Errorf("against %q is %q, want %q, %v", text, got, against, o.Err)
		}
	}
}
