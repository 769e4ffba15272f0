package sessions

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestTheFirstFiveMinutesAreAsTheReadmeTells runs the commands of the README's first project,
// the sandbox beside the others, and compares what each prints.
func TestTheFirstFiveMinutesAreAsTheReadmeTells(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("Node.js is missing: .ci/run installs it")
		}
		t.Skip("NOT TESTED: Node.js is not installed")
	}
	_, section, found := strings.Cut(readPage(t, "README.md"), "\n## Five minutes to an answered request\n")
	if !found {
		t.Fatal("the README has no such section")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	dir := filepath.Join(t.TempDir(), "bookshop")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	environment := append(os.Environ(), "GATEWRIGHT_STATE="+t.TempDir(), "TZ=UTC")
	// The README shows the usual port, which may be taken here.
	port := freePort(t)
	shown := func(text string) string { return strings.ReplaceAll(text, ":"+port, ":4280") }
	start := func(line string, out *lockedBuffer) *exec.Cmd {
		cmd := exec.Command("gatewright", strings.Fields(line)[1:]...)
		cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, environment, out, out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	commands := 0
	for _, example := range examples(section) {
		line, want, _ := strings.Cut(example, "\n")
		out := &lockedBuffer{}
		commands++
		if line == "gatewright sandbox" {
			settings := start("gatewright update project --sandbox-port "+port, out)
			if err := settings.Wait(); err != nil {
				t.Fatalf("%v %s", err, out)
			}
			out = &lockedBuffer{}
			sandbox := start(line, out)
			t.Cleanup(func() { _, _ = sandbox.Process.Kill(), sandbox.Wait() })
			until := time.Now().Add(time.Minute)
			for !matches(want, shown(out.String())) && time.Now().Before(until) {
				time.Sleep(20 * time.Millisecond)
			}
		} else {
			_ = start(line, out).Wait()
		}
		if !matches(want, shown(out.String())) {
			t.Errorf("%s prints\n%s\nwant\n%s", line, out, want)
		}
	}
	if commands < 6 {
		t.Errorf("only %d commands were found", commands)
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// lockedBuffer is a buffer that a process writes while a test reads.
type lockedBuffer struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (b *lockedBuffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all.Write(text)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all.String()
}
