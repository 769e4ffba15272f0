package worker

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/test/depth"
)

// goFunction is the module of a Go function. The versions are those of
// render/handler's template, so that one download serves both.
func goFunction(t *testing.T, main string) map[string]string {
	t.Helper()
	template := filepath.Join("..", "..", "render", "handler", "templates", "plain-go")
	files := map[string]string{"main.go": main}
	for name, from := range map[string]string{"go.mod": "go.mod.tmpl", "go.sum": "go.sum.tmpl"} {
		text, err := os.ReadFile(filepath.Join(template, from))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = strings.ReplaceAll(string(text), "__PACKAGE__", "items")
	}
	return files
}

func TestAGoFunctionOfTheOfficialLibraryRuns(t *testing.T) {
	depth.Whole(t)
	needs(t, model.Go)
	files := goFunction(t, `package main

import (
	"context"
	"errors"
	"log"
	"os"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"
)

type event struct{ Do string }

func main() {
	lambda.Start(func(ctx context.Context, e event) (map[string]any, error) {
		switch e.Do {
		case "fail":
			return nil, errors.New("refused")
		case "panic":
			panic("at the disco")
		case "exit":
			os.Exit(5)
		}
		log.Print("a line of the library's")
		c, _ := lambdacontext.FromContext(ctx)
		_, timed := ctx.Deadline()
		return map[string]any{"id": c.AwsRequestID, "name": lambdacontext.FunctionName, "timed": timed}, nil
	})
}
`)
	module := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(module, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	download := exec.Command("go", "mod", "download", "github.com/aws/aws-lambda-go")
	download.Dir = module
	if out, err := download.CombinedOutput(); err != nil {
		t.Fatalf("the module's dependency cannot be had: %s", out)
	}

	f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
	f.serve(t, model.Go, files, nil)
	for range 3 {
		a := f.answer(t, `{}`)
		if want := `{"id":"` + a.RequestID + `","name":"items-dev","timed":true}`; a.Failed || string(a.Payload) != want {
			t.Errorf("the answer is %s, want %s", a.Payload, want)
		}
		if !strings.Contains(f.log(a.RequestID), "a line of the library's") {
			t.Errorf("the log of the call is\n%s", f.log(a.RequestID))
		}
	}
	if o := readError(t, f.answer(t, `{"do":"fail"}`)); o.Type != "errorString" || o.Message != "refused" {
		t.Errorf("the error is %+v", o)
	}
	if a := f.answer(t, `{"do":"panic"}`); !a.Failed || !strings.Contains(string(a.Payload), `"errorMessage":"at the disco"`) {
		t.Errorf("the panic is %s", a.Payload)
	}
	f.answer(t, `{}`)
	if e := f.refused(t, `{"do":"exit"}`, function.Crashed); !strings.Contains(e.Text, "exit status 5") {
		t.Errorf("the error is %v", e)
	}
	f.answer(t, `{}`)
}

// TestAProgramAnswersAndFailsAsItsOwn has a program that speaks the Runtime API by itself.
func TestAProgramAnswersAndFailsAsItsOwn(t *testing.T) {
	t.Parallel()
	f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
	f.serveProgram(t, nil)
	for range 2 {
		a := f.answer(t, `{}`)
		if want := `{"id":"` + a.RequestID + `","name":"items-dev"}`; a.Failed || string(a.Payload) != want {
			t.Errorf("the answer is %s, want %s", a.Payload, want)
		}
		if lines := f.lines(a.RequestID); len(lines) != 1 || lines[0].Text != "a line of the program's" {
			t.Errorf("the log of the call is\n%s", f.log(a.RequestID))
		}
	}
	if o := readError(t, f.answer(t, `{"do":"fail"}`)); o.Type != "errorString" || o.Message != "refused" {
		t.Errorf("the error is %+v", o)
	}
	if e := f.refused(t, `{"do":"exit"}`, function.Crashed); !strings.Contains(e.Text, "exit status 5") {
		t.Errorf("the error is %v", e)
	}
	f.answer(t, `{}`)
	if n := len(f.eventTexts(function.EventStart)); n != 2 {
		t.Errorf("%d workers were started", n)
	}
}
