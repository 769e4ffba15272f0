package model_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/check"
	"gatewright/model/modeltest"
)

func TestEveryWarningAboutAPathHasARuleWithASentence(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := modeltest.Draw(t)
		b.APIs = append(b.APIs, accesstest.API(t))
		if rapid.Bool().Draw(t, "kept") {
			b.Layout = modeltest.Kept
		}
		for _, p := range check.Backend(b) {
			if p.Of.Kind != model.KindPath || p.Level == model.Error {
				continue
			}
			if text, fix := access.RuleSentence(p.Rule, p.Of.API, []string{p.Of.Name, "/x"}); !strings.HasPrefix(text, "2 paths ") || fix == "" {
				t.Fatalf("%s has the rule %q, which says %q", p, p.Rule, text)
			}
		}
	})
}
