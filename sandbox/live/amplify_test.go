package live_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/sandbox"
	workers "gatewright/sandbox/function"
	"gatewright/sandbox/live"
)

// amplifyShop returns the sample project of the Amplify CLI. The template of its function
// books has these environment variables.
func amplifyShop(t *testing.T, variables string) string {
	t.Helper()
	dir := t.TempDir()
	deploytest.Must(t, os.CopyFS(dir, os.DirFS("../../testdata/amplify")))
	amplifyVariables(t, dir, variables)
	return dir
}

func amplifyVariables(t *testing.T, dir, variables string) {
	t.Helper()
	template := `{"Resources": {"LambdaFunction": {"Properties": {"Handler": "index.handler", "Runtime": "nodejs22.x", "Environment": {"Variables": ` + variables + `}}}}}`
	deploytest.Must(t, os.WriteFile(filepath.Join(dir, "amplify/backend/function/books/books-cloudformation-template.json"), []byte(template), 0o644))
}

func TestAFunctionOfTheAmplifyCLIFindsItsOwnVariables(t *testing.T) {
	t.Parallel()
	p := deploytest.Opened(t, amplifyShop(t, `{"ENV": {"Ref": "env"}, "REGION": {"Ref": "AWS::Region"}, "LOG": "info", "TABLE": {"Ref": "table"}, "QUEUE": {"Ref": "queue"}}`))
	spec, _, warnings, err := live.FunctionOf(p, p.Backend.Environment("dev"), "books", live.Near{})
	deploytest.Must(t, err)
	if v := spec.Variables; v["LOG"] != "info" || v["ENV"] != "dev" || v["REGION"] != "eu-west-1" {
		t.Errorf("the variables are %q", v)
	}
	if _, there := spec.Variables["TABLE"]; there {
		t.Error("TABLE has a value, which only a deployment can know")
	}
	want := []string{`runs without the variables TABLE, QUEUE (Ref of "table", which is neither a parameter nor a resource here); write it into .gatewright/secrets/dev.json as {"TABLE": "value"}, or give --set TABLE=VALUE`}
	if !slices.Equal(warnings, want) {
		t.Errorf("warnings are %q", warnings)
	}
}

func TestChangedVariablesOfATemplateAreServed(t *testing.T) {
	t.Parallel()
	dir := amplifyShop(t, `{"LOG": "info", "TABLE": {"Ref": "table"}}`)
	code := `exports.handler = async () => ({ statusCode: 200, body: process.env.LOG + " " + process.env.TABLE });`
	deploytest.Must(t, os.WriteFile(filepath.Join(dir, "amplify/backend/function/books/src/index.js"), []byte(code), 0o644))
	l := serve(t, dir, live.Options{Environment: "dev"})
	l.until(live.API, "API shop ")
	if got := l.answers("dev shop", "/book/1"); got != "200 info undefined" {
		t.Errorf("the function answers %s", got)
	}
	amplifyVariables(t, dir, `{"LOG": "debug", "TABLE": {"Ref": "table"}}`)
	l.becomes("dev shop", "/book/1", "200 debug undefined")
	l.end()
	close(l.events)
	for e := range l.events {
		l.seen = append(l.seen, e.Kind+" "+e.Environment+" "+e.Function+" "+e.Text)
	}
	said := workers.EventWarning + " dev books runs without the variable TABLE"
	if n := strings.Count(strings.Join(l.seen, "\n"), said); n != 1 {
		t.Errorf("the missing variables are reported %d times:\n%s", n, strings.Join(l.seen, "\n"))
	}
}

func TestAHandlerOutsideTheSourceIsNotServed(t *testing.T) {
	t.Parallel()
	once := func(dir string) string {
		err := live.Run(t.Context(), live.Options{Dir: dir, Port: live.AnyPort, Environment: "dev", Once: true, Notify: func(sandbox.Event) {}})
		if err == nil {
			return ""
		}
		return err.Error()
	}
	const text = "function %s: the handler ../index.handler leads out of the function's folder"
	p := deploytest.Made(t, t.TempDir(), deploytest.Shop(t))
	deploytest.Must(t, os.WriteFile(filepath.Join(p.Root, "backend/function/items/index.js"), []byte(`exports.handler = 1`), 0o644))
	file := filepath.Join(p.Root, "backend/function/items/function.json")
	deploytest.Must(t, os.WriteFile(file, []byte(`{"version": 1, "runtime": "nodejs", "handler": "../index.handler"}`), 0o644))
	if got := once(p.Root); !strings.HasPrefix(got, "backend/function/items/function.json:1:37: "+fmt.Sprintf(text, "items")) {
		t.Errorf("in a native project: %q", got)
	}
	dir := amplifyShop(t, `{}`)
	// The sample also has functions without a source.
	for _, other := range []string{"backend-config.json", "function/sharedLayer"} {
		deploytest.Must(t, os.RemoveAll(filepath.Join(dir, "amplify/backend", other)))
	}
	deploytest.Must(t, os.WriteFile(filepath.Join(dir, "amplify/backend/function/books/index.js"), []byte(`exports.handler = 1`), 0o644))
	template := `{"Resources": {"LambdaFunction": {"Properties": {"Handler": "../index.handler", "Runtime": "nodejs22.x"}}}}`
	deploytest.Must(t, os.WriteFile(filepath.Join(dir, "amplify/backend/function/books/books-cloudformation-template.json"), []byte(template), 0o644))
	if got := once(dir); !strings.HasPrefix(got, fmt.Sprintf(text, "books")) {
		t.Errorf("in a project of the Amplify CLI: %q", got)
	}
}
