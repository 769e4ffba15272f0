package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"gatewright/cli"
	"gatewright/cli/command"
)

// document is a document to judge.
type document struct {
	// kind is such as "docs 3.0", file is absolute.
	kind, file string
}

// kinds are the documents of each API. Some are YAML, so that both formats are read.
var kinds = []struct{ name, flags, ending string }{
	{"docs 3.0", "--openapi 3.0", "docs30.json"},
	{"docs 3.1", "--openapi 3.1 --format yaml", "docs31.yaml"},
	{"gateway", "--for gateway", "gateway.json"},
}

// export writes the documents of the sample and of the files in the folder real into a folder.
func export(work, real string) ([]document, error) {
	if err := os.Setenv("GATEWRIGHT_STATE", filepath.Join(work, "state")); err != nil {
		return nil, err
	}
	sample := filepath.Join(work, "sample")
	if err := os.CopyFS(sample, os.DirFS("testdata/amplify")); err != nil {
		return nil, err
	}
	var all []document
	for _, api := range []string{"shop", "old", "AdminQueries"} {
		documents, err := exportAPI(sample, api, "sample-"+api)
		if err != nil {
			return nil, err
		}
		all = append(all, documents...)
	}
	files, err := filepath.Glob(filepath.Join(real, "*.json"))
	if err != nil {
		return nil, err
	}
	for i, file := range files {
		if file, err = filepath.Abs(file); err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		dir := filepath.Join(work, fmt.Sprintf("real-%d", i))
		if err := os.Mkdir(dir, 0o755); err != nil {
			return nil, err
		}
		for _, line := range []string{
			"init --name real --app-id app1",
			"apply --name api --create-functions plain -f " + file,
		} {
			if err := gatewright(dir, strings.Fields(line)...); err != nil {
				return nil, err
			}
		}
		documents, err := exportAPI(dir, "api", name)
		if err != nil {
			return nil, err
		}
		all = append(all, documents...)
	}
	return all, nil
}

// exportAPI writes the documents of one API.
func exportAPI(dir, api, name string) ([]document, error) {
	var all []document
	for _, kind := range kinds {
		file := filepath.Join(dir, name+"."+kind.ending)
		args := append([]string{"generate", "openapi", api, "--out", file}, strings.Fields(kind.flags)...)
		if err := gatewright(dir, args...); err != nil {
			return nil, err
		}
		all = append(all, document{kind.name, file})
	}
	return all, nil
}

// gatewright runs a command of the program in a folder.
func gatewright(dir string, args ...string) error {
	var said bytes.Buffer
	if code := cli.Run(args,
		command.Streams{In: strings.NewReader(""), Out: io.Discard, Err: &said, Dir: dir}); code != 0 {
		return fmt.Errorf("gatewright %s: exit %d\n%s", strings.Join(args, " "), code, said.String())
	}
	return nil
}
