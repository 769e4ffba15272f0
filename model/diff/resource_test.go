package diff_test

import (
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/diff"
)

func TestDiffExplainsAChangedFunction(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 200)
	for what, tt := range map[string]struct {
		was, now model.Function
		want     []string
	}{
		"timeout":          {model.Function{}, model.Function{Timeout: 30}, []string{"timeout 25 s -> 30 s"}},
		"usual timeout":    {model.Function{}, model.Function{Timeout: 25}, nil},
		"memory":           {model.Function{Memory: 256}, model.Function{}, []string{"memory 256 MB -> 128 MB"}},
		"usual memory":     {model.Function{Memory: 128}, model.Function{}, nil},
		"function name":    {model.Function{}, model.Function{FunctionName: "shop-f"}, []string{"function name f -> shop-f"}},
		"the same name":    {model.Function{}, model.Function{FunctionName: "f"}, nil},
		"runtime":          {model.Function{Runtime: model.NodeJS}, model.Function{Runtime: model.Python}, []string{"runtime nodejs -> python"}},
		"handler":          {model.Function{Handler: "a.b"}, model.Function{}, []string{"handler a.b -> index.handler"}},
		"the usual one":    {model.Function{Runtime: model.Go}, model.Function{Runtime: model.Go, Handler: "bootstrap"}, nil},
		"template":         {model.Function{Template: model.Express}, model.Function{Template: model.Plain}, nil},
		"table":            {model.Function{}, model.Function{Table: "items"}, []string{"table items is new"}},
		"another schedule": {model.Function{Schedule: "rate(1 hour)"}, model.Function{Schedule: "rate(1 day)"}, []string{`schedule "rate(1 hour)" -> "rate(1 day)"`}},
		"no schedule":      {model.Function{Schedule: "rate(1 hour)"}, model.Function{}, []string{`schedule "rate(1 hour)" is gone`}},
		"variables": {
			model.Function{Environment: []model.Variable{{Name: "A", Value: "1"}, {Name: "LOG", Value: "info"}, {Name: "OLD"}}},
			model.Function{Environment: []model.Variable{{Name: "NEW", Value: "\x1b"}, {Name: "LOG", Value: "debug"}, {Name: "A", Value: "1"}}},
			[]string{"variable NEW is new", "variable LOG info -> debug", "variable OLD is gone"},
		},
		"an emptied variable": {
			model.Function{Environment: []model.Variable{{Name: "A", Value: "1\n"}}},
			model.Function{Environment: []model.Variable{{Name: "A"}}},
			[]string{`variable A "1\n" -> ""`},
		},
		"a long variable": {
			model.Function{Environment: []model.Variable{{Name: "A", Value: long + "1"}}},
			model.Function{Environment: []model.Variable{{Name: "A", Value: long + "2"}}},
			[]string{"variable A changed its value"},
		},
		"secrets":           {model.Function{Secrets: []string{"A", "B"}}, model.Function{Secrets: []string{"C", "B"}}, []string{"secret C is new", "secret A is gone"}},
		"order of secrets":  {model.Function{Secrets: []string{"A", "B"}}, model.Function{Secrets: []string{"B", "A"}}, nil},
		"layers":            {model.Function{Layers: []string{"a"}}, model.Function{Layers: []string{"b", "a"}}, []string{"layer b is new"}},
		"order of layers":   {model.Function{Layers: []string{"a", "b"}}, model.Function{Layers: []string{"b", "a"}}, []string{"layers are in another order: b, a"}},
		"access":            {uses("table/items", access.Read), uses("table/items", access.Update), []string{"may update table items now", "may no longer read table items"}},
		"access to another": {uses("table/items", access.Read), uses("api/shop", access.Read), []string{"may read API shop now", "may no longer read table items"}},
		"access in two entries": {
			uses("table/items", access.Read, access.Update),
			model.Function{Access: append(uses("table/items", access.Update).Access, uses("table/items", access.Read).Access...)},
			nil,
		},
	} {
		was, now := tt.was, tt.now
		was.Name, now.Name = "f", "f"
		same(t, what, reasons(t, &model.Backend{Functions: []*model.Function{&was}}, &model.Backend{Functions: []*model.Function{&now}}), tt.want)
	}
}

func uses(resource string, actions ...access.Action) model.Function {
	return model.Function{Access: []model.ResourceAccess{{Resource: resource, Actions: access.ActionSet(actions...)}}}
}

// reasons returns the reasons of the only resource in two backends.
func reasons(t *testing.T, was, now *model.Backend) []string {
	t.Helper()
	all := diff.Backends(was, now)
	if len(all) != 1 || (all[0].Operation == diff.ToUpdate) != (len(all[0].Reasons) > 0) || all[0].Operation > diff.ToUpdate || all[0].Operation == diff.ToCreate {
		t.Fatalf("the differences are %+v", all)
	}
	return all[0].Reasons
}

func TestDiffExplainsAChangedTable(t *testing.T) {
	t.Parallel()
	index := func(name, key string) model.Index {
		return model.Index{Name: name, PartitionKey: model.Key{Name: key, Type: model.StringKey}}
	}
	sorted := table("items")
	sorted.SortKey = model.Key{Name: "at", Type: model.NumberKey}
	other := table("items")
	other.PartitionKey = model.Key{Name: "s k u", Type: model.NumberKey}
	for what, tt := range map[string]struct {
		was, now *model.Table
		want     []string
	}{
		"indexes":         {table("items", index("by-a", "a"), index("by-b", "b")), table("items", index("by-c", "c"), index("by-b", "b")), []string{"index by-c is new", "index by-a is gone"}},
		"their order":     {table("items", index("by-a", "a"), index("by-b", "b")), table("items", index("by-b", "b"), index("by-a", "a")), nil},
		"key of an index": {table("items", index("by-a", "a")), table("items", index("by-a", "b")), []string{"index by-a: partition key a (string) -> b (string)"}},
		"sort key":        {table("items"), sorted, []string{"sort key at (number) is new"}},
		"partition key":   {table("items"), other, []string{`partition key id (string) -> "s k u" (number)`}},
	} {
		same(t, what, reasons(t, &model.Backend{Tables: []*model.Table{tt.was}}, &model.Backend{Tables: []*model.Table{tt.now}}), tt.want)
	}
}

func TestAnEnvironmentChangesIfItsDeploymentDoes(t *testing.T) {
	t.Parallel()
	for what, tt := range map[string]struct {
		was, now model.Environment
		project  string
		want     []string
	}{
		"region":            {model.Environment{Region: "eu-west-1"}, model.Environment{Region: "ap-south-1"}, "", []string{"region eu-west-1 -> ap-south-1"}},
		"the default said":  {model.Environment{}, model.Environment{Region: "us-east-1"}, "", nil},
		"the project's":     {model.Environment{}, model.Environment{}, "eu-west-1", []string{"region us-east-1 -> eu-west-1"}},
		"its own stays":     {model.Environment{Region: "eu-west-2"}, model.Environment{Region: "eu-west-2"}, "eu-west-1", nil},
		"provider":          {model.Environment{Provider: model.Local}, model.Environment{Provider: model.AWS}, "", []string{"provider local -> aws"}},
		"account":           {model.Environment{}, model.Environment{Account: "123456789012"}, "", []string{"account 123456789012 is new"}},
		"parameters":        {model.Environment{Parameters: []model.Variable{{Name: "a", Value: "1"}}}, model.Environment{Parameters: []model.Variable{{Name: "a", Value: "2"}}}, "", []string{"parameter a 1 -> 2"}},
		"branch":            {model.Environment{}, model.Environment{Branch: "main"}, "", []string{"branch dev -> main"}},
		"guarded":           {model.Environment{}, model.Environment{Guarded: true}, "", nil},
		"its list of APIs":  {model.Environment{}, model.Environment{APIs: []string{}}, "", nil},
		"what it overrides": {model.Environment{}, model.Environment{Variables: []model.FunctionVariables{{Function: "f"}}}, "", nil},
	} {
		was, now := tt.was, tt.now
		was.Name, now.Name = "dev", "dev"
		before, after := &model.Backend{}, &model.Backend{Project: model.Project{Region: tt.project}}
		same(t, what, reasons(t, before.For(&was), after.For(&now)), tt.want)
	}
}
