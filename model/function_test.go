package model_test

import (
	"errors"
	"slices"
	"testing"

	"gatewright/model"
	"gatewright/model/check"
	"gatewright/model/edit"
	"gatewright/model/modeltest"
)

func TestAHandlerIsAFileBelowTheSource(t *testing.T) {
	t.Parallel()
	for _, handler := range []string{
		"", "index.handler", "lib/index.handler", "./index.handler", `lib\index.handler`, "lib/..index.handler", "a..b.handler", "index.handler/", "bootstrap", "1:x",
	} {
		if err := model.CheckHandler(handler); err != nil {
			t.Errorf("%q: %v", handler, err)
		}
	}
	for _, handler := range []string{
		"..", "../index.handler", "lib/../../index.handler", "lib/..", `..\index.handler`, `lib\..\..\index.handler`, `lib/..\index.handler`,
		"/index.handler", "//host/index.handler", `\index.handler`, `\\host\index.handler`, `C:\index.handler`, "c:/index.handler", "c:index.handler",
	} {
		var problem *model.Problem
		if err := model.CheckHandler(handler); !errors.As(err, &problem) || problem.Field != "handler" {
			t.Errorf("%q: %v", handler, err)
		}
	}
}

func TestAHandlerOutsideTheSourceIsAWarningInAmplifyCLIProjects(t *testing.T) {
	t.Parallel()
	b := &model.Backend{Layout: modeltest.Kept, Functions: []*model.Function{{Name: "f", Runtime: model.NodeJS, Handler: "/opt/nodejs/wrap.handler"}}}
	want := []string{"function f: the handler /opt/nodejs/wrap.handler leads out of the function's folder; name a file below src, such as index.handler"}
	if got := modeltest.Texts(check.Backend(b), model.Warning); !slices.Equal(got, want) {
		t.Errorf("warnings are %q", got)
	}
	if got := modeltest.Texts(check.Backend(b), model.Error); len(got) > 0 {
		t.Errorf("errors are %q", got)
	}
	b.Layout = nil
	if got := modeltest.Texts(check.Backend(b), model.Error); !slices.Equal(got, want) {
		t.Errorf("in a gatewright project the errors are %q", got)
	}
}

func TestFunctionsHaveNamesOfTheirOwnWhereTheyAreDeployed(t *testing.T) {
	t.Parallel()
	named := func(name, deployed string) *model.Function {
		f := modeltest.Function(name)
		f.FunctionName = deployed
		return f
	}
	b := &model.Backend{}
	modeltest.Must(t, edit.AddFunction(b, named("items", "desk")))
	modeltest.Refused(t, "a function that asks for the name of another", edit.AddFunction(b, named("orders", "desk")), "function orders: is deployed as desk, and so is the function items; give it another name")
	modeltest.Refused(t, "a function with that name", edit.AddFunction(b, modeltest.Function("desk")), "function desk: is deployed as desk, and so is the function items; give it another name")
	modeltest.Must(t, edit.AddFunction(b, modeltest.Function("orders")))
	modeltest.Refused(t, "an update", edit.UpdateFunction(b, named("orders", "desk")), "function orders: is deployed as desk, and so is the function items; give it another name")
	modeltest.Refused(t, "an update of the first one", edit.UpdateFunction(b, named("items", "orders")), "function items: is deployed as orders, and so is the function orders; give it another name")
	modeltest.Refused(t, "a rename", edit.Rename(b, model.Ref{Kind: model.KindFunction, Name: "orders"}, "desk"), "function desk: is deployed as desk, and so is the function items; give it another name")
	// What is deployed under another name leaves its own to others.
	modeltest.Must(t, edit.AddFunction(b, named("desk", "desktop")))
	modeltest.Must(t, edit.Rename(b, model.Ref{Kind: model.KindFunction, Name: "items"}, "things"))
	modeltest.Must(t, edit.UpdateFunction(b, named("things", "items")))
	modeltest.Must(t, edit.UpdateFunction(b, named("orders", "orders")))
	if got := modeltest.Texts(check.Backend(b), model.Error); got != nil {
		t.Errorf("the errors are %q", got)
	}
}

func TestOneDeployedNameIsAnErrorAtTheFunctionThatAsksForIt(t *testing.T) {
	t.Parallel()
	named := func(name, deployed string) *model.Function {
		f := modeltest.Function(name)
		f.FunctionName = deployed
		return f
	}
	b := &model.Backend{Functions: []*model.Function{named("a", "z"), named("b", "y"), named("c", "y"), modeltest.Function("z"), modeltest.Function("d")}}
	want := []string{"function c: is deployed as y, and so is the function b; give it another name", "function a: is deployed as z, and so is the function z; give it another name"}
	if got := modeltest.Texts(check.Backend(b), model.Error); !slices.Equal(got, want) {
		t.Errorf("the errors are\n%q\nwant\n%q", got, want)
	}
	// They are mended one by one, and something else of them can change.
	slower := named("c", "y")
	slower.Timeout = 60
	modeltest.Must(t, edit.UpdateFunction(b, slower))
	modeltest.Must(t, edit.UpdateFunction(b, named("c", "")))
	modeltest.Must(t, edit.UpdateFunction(b, named("a", "")))
	if got := modeltest.Texts(check.Backend(b), model.Error); got != nil {
		t.Errorf("after the mends the errors are %q", got)
	}
}
