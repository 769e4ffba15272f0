package handler

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/test/await"
	"gatewright/test/depth"
)

func TestTheGoHandlerIsBuiltAsItIsAndAnswersLikeTheOthers(t *testing.T) {
	t.Parallel()
	depth.Whole(t)
	depth.Needs(t, "go")
	s := Spec{Function: "items", Runtime: model.Go, Template: model.Plain}
	binary := build(t, render(t, s))
	list := append([]exchange{{
		"its own event", string(Event(s)), 200,
		`{"success":"post call succeed!","url":"/items?limit=10","body":{"msg":"Hello from the event.json body"}}`,
	}}, exchanges...)
	verify(t, list, invoke(t, binary, events(list)))
}

// build builds a generated module, whose go.mod and go.sum must need no change.
func build(t *testing.T, files []File) (binary string) {
	t.Helper()
	folder := t.TempDir()
	if err := writeFiles(folder, files); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "GOFLAGS=-mod=readonly", "GOWORK=off", "CGO_ENABLED=0")
	run := func(arguments ...string) (string, error) {
		command := exec.Command("go", arguments...)
		command.Dir = filepath.Join(folder, "src")
		command.Env = env
		out, err := command.CombinedOutput()
		return string(out), err
	}
	if out, err := run("mod", "download", "github.com/aws/aws-lambda-go"); err != nil {
		depth.Lacks(t, "Go's module proxy", out)
	}
	binary = filepath.Join(folder, model.Go.Handler())
	if out, err := run("build", "-o", binary, "."); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return binary
}

// invoke runs a program with a Runtime API that gives it one event after another
// (https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html), and returns its answers.
func invoke(t *testing.T, binary string, events []json.RawMessage) []result {
	t.Helper()
	const prefix = "/2018-06-01/runtime/invocation/"
	answers := make(chan []byte)
	next := make(chan json.RawMessage, len(events))
	for _, e := range events {
		next <- e
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+prefix+"next", func(w http.ResponseWriter, r *http.Request) {
		select {
		case event := <-next:
			w.Header().Set("Lambda-Runtime-Aws-Request-Id", "1")
			w.Header().Set("Lambda-Runtime-Deadline-Ms", "4102444800000")
			w.Write(event)
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("POST "+prefix+"1/{outcome}", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.PathValue("outcome") != "response" {
			t.Errorf("the program posts %s: %v %s", r.PathValue("outcome"), err, body)
		}
		w.WriteHeader(http.StatusAccepted)
		answers <- body
	})
	server := httptest.NewServer(mux)
	defer server.Close()

	ctx, cancel := context.WithTimeout(t.Context(), await.Limit(t))
	defer cancel()
	program := exec.CommandContext(ctx, binary)
	program.Env = append(os.Environ(), "AWS_LAMBDA_RUNTIME_API="+strings.TrimPrefix(server.URL, "http://"))
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		cancel()
		program.Wait()
	}()
	results := make([]result, len(events))
	for i := range events {
		select {
		case body := <-answers:
			results[i] = readResult(t, body)
		case <-ctx.Done():
			t.Fatalf("no answer to event %d: %.300s", i, events[i])
		}
	}
	return results
}
