package handler

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// install installs the dependencies of the templates, in their versions, and dynalite, which
// stands in for DynamoDB.
func install(root string) error {
	wanted := map[string]string{"dynalite": "^4.0.0"}
	for _, folder := range []string{"express", "crud"} {
		text, err := templates.ReadFile("templates/" + folder + "/package.json")
		if err != nil {
			return err
		}
		var manifest struct{ Dependencies map[string]string }
		if err := json.Unmarshal(text, &manifest); err != nil {
			return err
		}
		for name, version := range manifest.Dependencies {
			wanted[name] = version
		}
	}
	manifest := indented(map[string]any{"private": true, "dependencies": wanted})
	if err := os.WriteFile(filepath.Join(root, "package.json"), manifest, 0o600); err != nil {
		return err
	}
	npm := exec.Command("npm", "install", "--no-audit", "--no-fund", "--prefer-offline")
	npm.Dir = root
	if out, err := npm.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %w: %s", errNoPackages, err, out)
	}
	return nil
}

// startDynalite serves an empty store from the packages in root.
func startDynalite(root string) (port string, stop func(), err error) {
	script, err := filepath.Abs("testdata/dynalite.js")
	if err != nil {
		return "", nil, err
	}
	server := exec.Command("node", script)
	server.Dir = root
	server.Env = append(os.Environ(), "NODE_PATH="+filepath.Join(root, "node_modules"))
	in, err := server.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	out, err := server.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := server.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		in.Close()
		server.Wait()
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return "", nil, fmt.Errorf("dynalite did not start: %w", err)
	}
	return strings.TrimSpace(line), stop, nil
}
