//go:build linux

package guardian

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/test/await"
)

// Not every system lists the children of a process, so both ways are compared.
func TestTheChildrenOfAProcessAreFoundInTwoWays(t *testing.T) {
	t.Parallel()
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Skipf("NOT TESTED: %v", err)
	}
	// The name of a program may have what divides the fields of its state.
	named := filepath.Join(t.TempDir(), "a) S 1 (b")
	if err := os.Symlink(sleep, named); err != nil {
		t.Fatal(err)
	}
	parent := exec.Command("/bin/sh", "-c", `"$0" 600 & "$1" 600 & wait`, named, sleep)
	started, err := parent.StdoutPipe()
	if err == nil {
		err = parent.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	_ = started.Close()
	pid := parent.Process.Pid
	waitForChildren(t, pid, 2)
	listed, scanned := Children(pid), scanChildren(pid)
	slices.Sort(listed)
	slices.Sort(scanned)
	if len(listed) != 2 || !slices.Equal(listed, scanned) || len(Children(listed[0])) != 0 || len(scanChildren(listed[0])) != 0 {
		t.Errorf("listed are %v, scanned %v", listed, scanned)
	}
	killBelow(pid, nil)
	if err := parent.Wait(); err != nil && !strings.Contains(err.Error(), "exit status") {
		t.Errorf("the parent was killed itself: %v", err)
	}
	for _, child := range listed {
		if lives(child) {
			t.Errorf("the child %d lives", child)
		}
	}
	if len(Children(pid)) != 0 || len(scanChildren(pid)) != 0 {
		t.Error("a process that has ended has children")
	}
}

func TestAFolderBehindALinkIsReadOnlyToo(t *testing.T) {
	t.Parallel()
	g := start(t)
	if !g.CanProtect() {
		t.Skip("NOT TESTED: this system allows no view of the file system of its own")
	}
	folder, parent := t.TempDir(), t.TempDir()
	link := filepath.Join(parent, "link")
	if err := os.Symlink(folder, link); err != nil {
		t.Fatal(err)
	}
	// It stays so for later processes, which do not ask for it.
	for _, readOnly := range [][]string{{link}, nil} {
		for _, name := range []string{link, folder} {
			c, err := g.Run(shell("echo x 2>/dev/null >"+name+"/file && exit 7; exit 5", os.Stderr, readOnly))
			if err != nil {
				t.Fatal(err)
			}
			if <-c.Ended(); c.Status().ExitStatus() != 5 || c.Writable != "" {
				t.Errorf("through %s it ends with %v, writable %q", name, c.Status(), c.Writable)
			}
		}
	}
}

func TestAMessageThatIsTooLongIsRefusedAndTheNextIsNot(t *testing.T) {
	t.Parallel()
	g := start(t)
	command := shell("exit 4", os.Stderr, nil)
	command.Env = []string{"A=" + strings.Repeat("x", longest)}
	if _, err := g.Run(command); err == nil || !strings.Contains(err.Error(), errTooLong.Error()) {
		t.Errorf("the error is %v", err)
	}
	command.Env = nil
	c, err := g.Run(command)
	if err != nil {
		t.Fatal(err)
	}
	if <-c.Ended(); c.Status().ExitStatus() != 4 {
		t.Errorf("the next one ended with %v", c.Status())
	}
}

func waitForChildren(t *testing.T, pid, n int) {
	t.Helper()
	await.Until(t, "the children of the process", func() bool { return len(scanChildren(pid)) == n })
}
