package model_test

import (
	"errors"
	"slices"
	"testing"

	"gatewright/model"
)

func TestAHandlerIsAFileBelowTheSource(t *testing.T) {
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
	b := &model.Backend{AmplifyCLI: true, Functions: []*model.Function{{Name: "f", Runtime: model.NodeJS, Handler: "/opt/nodejs/wrap.handler"}}}
	want := []string{"function f: the handler /opt/nodejs/wrap.handler leads out of the function's folder; name a file below src, such as index.handler"}
	if got := texts(b.Check(), model.Warning); !slices.Equal(got, want) {
		t.Errorf("warnings are %q", got)
	}
	if got := texts(b.Check(), model.Error); len(got) > 0 {
		t.Errorf("errors are %q", got)
	}
	b.AmplifyCLI = false
	if got := texts(b.Check(), model.Error); !slices.Equal(got, want) {
		t.Errorf("in a gatewright project the errors are %q", got)
	}
}
