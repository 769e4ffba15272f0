package process

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/windows"
)

// roleVariable makes the test's program a process with a child, or the child.
const roleVariable = "GATEWRIGHT_TEST_ROLE"

func TestARoleOfAGroup(t *testing.T) {
	switch os.Getenv(roleVariable) {
	case "parent":
		child := exec.Command(os.Args[0], "-test.run=^TestARoleOfAGroup$")
		child.Env = append(os.Environ(), roleVariable+"=child")
		child.SysProcAttr = &windows.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		fmt.Println("child", child.Process.Pid)
		_ = child.Wait()
	case "child":
		select {}
	}
}

// startPair starts a group of a process and its detached child, and returns handles of both.
func startPair(t *testing.T) (g *Group, both []windows.Handle) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestARoleOfAGroup$")
	cmd.Env = append(os.Environ(), roleVariable+"=parent")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if g, err = StartGroup(cmd); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		g.Kill()
		_ = cmd.Wait()
	})
	lines, pid := bufio.NewScanner(out), 0
	for pid == 0 && lines.Scan() {
		_, _ = fmt.Sscanf(strings.TrimSpace(lines.Text()), "child %d", &pid)
	}
	for _, one := range []int{cmd.Process.Pid, pid} {
		handle, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(one))
		if err != nil {
			t.Fatalf("process %d: %v", one, err)
		}
		t.Cleanup(func() { _ = windows.CloseHandle(handle) })
		both = append(both, handle)
	}
	return g, both
}

func allEnd(t *testing.T, processes []windows.Handle) {
	t.Helper()
	for i, process := range processes {
		if event, err := windows.WaitForSingleObject(process, windows.INFINITE); event != windows.WAIT_OBJECT_0 {
			t.Errorf("process %d of the group: %v", i, err)
		}
	}
}

func TestAGroupEndsWithWhatItStarted(t *testing.T) {
	g, both := startPair(t)
	if g.PeakMemory() == 0 {
		t.Error("its memory is unknown")
	}
	g.Kill()
	allEnd(t, both)
}

// The system closes the handles of a sandbox that is killed.
func TestAGroupEndsWithTheLastHandleOfItsJob(t *testing.T) {
	g, both := startPair(t)
	g.mu.Lock()
	job := g.job
	g.job = 0
	g.mu.Unlock()
	if err := windows.CloseHandle(job); err != nil {
		t.Fatal(err)
	}
	allEnd(t, both)
}
