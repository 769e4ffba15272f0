package worker

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"gatewright/internal/file/fingerprint"
	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare/preparetest"
)

// standForHandler is a program of a function, as one in Go is: it speaks the Runtime API by
// itself.
func standForHandler(address string) int {
	base := "http://" + address + apiPrefix + "invocation/"
	for {
		next, err := http.Get(base + "next")
		if err != nil {
			return 0
		}
		event, err := io.ReadAll(next.Body)
		id := next.Header.Get("Lambda-Runtime-Aws-Request-Id")
		var answer any
		if err == nil {
			answer, err = handle(event, id)
		}
		kind := "/response"
		if err != nil {
			kind, answer = "/error", errorObject{Type: "errorString", Message: err.Error()}
		}
		body, _ := json.Marshal(answer)
		if _, err := http.Post(base+id+kind, "application/json", bytes.NewReader(body)); err != nil {
			return 0
		}
	}
}

func decode(t testing.TB, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// handle does what an event says.
func handle(event []byte, id string) (any, error) {
	var e struct{ Do string }
	if err := json.Unmarshal(event, &e); err != nil {
		return nil, err
	}
	switch e.Do {
	case "fail":
		return nil, errors.New("refused")
	case "exit":
		os.Exit(5)
	case "write":
		return nil, os.WriteFile(filepath.Join(os.Getenv("LAMBDA_TASK_ROOT"), "made.txt"), nil, 0o600)
	case "inherits":
		return preparetest.Started, nil
	}
	fmt.Println("a line of the program's")
	return map[string]string{"id": id, "name": os.Getenv("AWS_LAMBDA_FUNCTION_NAME")}, nil
}

// serveProgram runs a function whose program is the test's: it was built before.
func (f *facility) serveProgram(t testing.TB, change func(*function.Spec)) function.Spec {
	t.Helper()
	s := function.Spec{
		Environment: "dev", Name: "items", DeployedName: "items-dev", Runtime: model.Go,
		Folder: t.TempDir(), Region: "eu-west-1", AccountID: "123456789012", Variables: map[string]string{preparetest.ProgramVariable: "handler"},
	}
	writeSource(t, s, map[string]string{"go.mod": "module items\n"})
	if change != nil {
		change(&s)
	}
	stamp, err := fingerprint.Contents(filepath.Join(s.Folder, "src"))
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(f.options.State, "go", stamp, "bootstrap")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	if err := os.MkdirAll(filepath.Dir(program), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(preparetest.TestProgram(), program); err != nil {
		t.Skipf("NOT TESTED: no link can be made: %v", err)
	}
	f.Apply([]function.Spec{s})
	return s
}
