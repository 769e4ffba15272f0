package render_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/test/depth"
)

// failer has the methods of testing.T and rapid.T that the checks use.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// node is a Node.js process that loads modules, as testdata/modules.mjs says.
type node struct {
	folder  string
	modules int
	in      io.Writer
	out     *bufio.Reader
}

func startNode(t *testing.T) *node {
	t.Helper()
	depth.Needs(t, "node")
	process := exec.Command("node", filepath.Join("testdata", "modules.mjs"))
	var stderr bytes.Buffer
	process.Stderr = &stderr
	in, err := process.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := process.Wait(); err != nil {
			t.Errorf("Node.js ended: %v\n%s", err, &stderr)
		}
	})
	return &node{folder: t.TempDir(), in: in, out: bufio.NewReader(out)}
}

// holds checks that a JavaScript module exports the value of a JSON text.
func (n *node) holds(t failer, code, text []byte) {
	t.Helper()
	n.modules++
	file := filepath.Join(n.folder, fmt.Sprintf("%d.mjs", n.modules))
	if err := os.WriteFile(file, code, 0o600); err != nil {
		t.Fatalf("write a module: %v", err)
	}
	n.fileHolds(t, file, text)
}

// fileHolds is like holds, for a module file that exists already.
func (n *node) fileHolds(t failer, file string, text []byte) {
	t.Helper()
	line, err := json.Marshal(map[string]string{"module": file, "json": string(text)})
	if err != nil {
		t.Fatalf("write a line: %v", err)
	}
	if _, err := n.in.Write(append(line, '\n')); err != nil {
		t.Fatalf("ask Node.js: %v", err)
	}
	answer, err := n.out.ReadString('\n')
	if err != nil {
		t.Fatalf("Node.js ended: %v", err)
	}
	if answer = strings.TrimSuffix(answer, "\n"); answer != "same" {
		t.Errorf("the module and the JSON %s\n%.2000s", answer, text)
	}
}
