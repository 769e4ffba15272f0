package worker

import (
	"embed"
	"errors"
	"os"
	"path/filepath"

	"gatewright/internal/file"
)

// The files of the embedded runtimes in the state folder.
const (
	nodeBootstrap   = "bootstrap.cjs"
	pythonBootstrap = "bootstrap.py"
)

//go:embed bootstrap.py
var pythonSource []byte

// nodeParts become one script, in this order: one file loads faster than many.
var nodeParts = []string{
	"main", "lookup", "log", "source", "error", "cloud", "listen", "api", "call", "stream", "end",
	"load",
}

//go:embed node/*.cjs
var nodeFiles embed.FS

// nodeSource joins the parts of the script.
func nodeSource() ([]byte, error) {
	var whole []byte
	for _, part := range nodeParts {
		text, err := nodeFiles.ReadFile("node/" + part + ".cjs")
		if err != nil {
			return nil, err
		}
		whole = append(append(whole, text...), '\n')
	}
	return whole, nil
}

func bootstrapFolder(state string) string { return filepath.Join(state, "runtime") }

// writeBootstraps writes the embedded runtimes below the state folder.
func writeBootstraps(state string) (string, error) {
	if state == "" {
		return "", errors.New("the runner has no state folder")
	}
	folder := bootstrapFolder(state)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	node, err := nodeSource()
	if err != nil {
		return "", err
	}
	for name, source := range map[string][]byte{nodeBootstrap: node, pythonBootstrap: pythonSource} {
		if err := file.Ensure(filepath.Join(folder, name), source); err != nil {
			return "", err
		}
	}
	return folder, nil
}
