package model_test

import (
	"strings"
	"testing"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/check"
	"gatewright/model/modeltest"
)

func TestAFixIsAccepted(t *testing.T) {
	t.Parallel()
	if _, err := access.ParsePath(" /x"); err == nil || !strings.HasSuffix(err.Error(), "write /x") {
		t.Errorf("a path with a space before it: %v", err)
	}
	b := &model.Backend{APIs: []*access.API{{Label: "shop", Paths: []*access.Path{accesstest.Open("/u/{id}", "f"), accesstest.Open("/u/{proxy+}", "f")}}}}
	got := strings.Join(modeltest.Texts(check.Backend(b), model.Error), "\n")
	if !strings.Contains(got, "remove the path with {proxy+}: every path has it already") || strings.Contains(got, "in both") {
		t.Errorf("problems are\n%s", got)
	}
}

func TestPathsThatShareAFunctionAreNamedWithTheirAPI(t *testing.T) {
	t.Parallel()
	only := accesstest.Restricted("/one", "f", accesstest.ToGroup("Admins", access.Read))
	b := &model.Backend{Groups: []string{"Admins"}, APIs: []*access.API{
		{Label: "shop", Paths: []*access.Path{only}},
		{Label: "other", Paths: []*access.Path{accesstest.Open("/two", "f"), accesstest.Open("/three", "f")}},
	}}
	got := strings.Join(modeltest.Texts(check.Backend(b), model.Warning), "\n")
	if want := "its function f serves path /two of the API other and 1 other path too"; !strings.Contains(got, want) {
		t.Errorf("warnings are\n%s", got)
	}
}

func TestAListNamesTheFirstOfManyNames(t *testing.T) {
	t.Parallel()
	names := []string{"a", "b c", "d", "e", "f", "g", "h", "i"}
	for n, want := range map[int]string{0: "", 1: "a", 2: `a, "b c"`, 7: `a, "b c", d, e, f, g, h`, 8: `a, "b c", d, e, f, g and 2 more`} {
		if got := phrase.QuoteList(names[:n]); got != want {
			t.Errorf("%d names are %s, want %s", n, got, want)
		}
	}
}
