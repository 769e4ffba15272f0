//go:build linux

package guardian

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/test/await"
)

// ownerVariable makes the test's program the owner of a guardian, which runs its value.
const ownerVariable = "GATEWRIGHT_TEST_OWNER"

func TestMain(m *testing.M) {
	if script := os.Getenv(ownerVariable); script != "" {
		own(script)
	}
	os.Exit(m.Run())
}

// own runs a script through a guardian, says whether that can protect folders, and waits.
func own(script string) {
	g, err := Start()
	// Another process keeps the guardian from ending what a dead one left.
	for _, one := range []string{"sleep 600", script} {
		if err == nil {
			_, err = g.Run(shell(one, os.Stderr, nil))
		}
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("protects", g.CanProtect())
	select {}
}

func shell(script string, out *os.File, readOnly []string) Command {
	return Command{
		Path: "/bin/sh", Args: []string{"sh", "-c", script}, Env: []string{"PATH=" + os.Getenv("PATH")}, Dir: "/",
		Files: []*os.File{out, out}, ReadOnly: readOnly,
	}
}

// detaching are the ways of a shell to run `sh -c "$1"` so that the shell does not know it.
var detaching = map[string]string{
	"a child":         `sh -c "$1" & wait`,
	"setsid":          `setsid sh -c "$1" & wait`,
	"forked twice":    `(setsid sh -c "$1" &) & wait; sleep 600`,
	"without a name":  `(env -i "PATH=$PATH" setsid sh -c "$1" &) & wait; sleep 600`,
	"after its death": `(env -i "PATH=$PATH" setsid sh -c "$1" &) & exit`,
}

// detach returns a script that starts a process which writes its number into a file.
func detach(t *testing.T, way string) (script, file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "pid")
	return fmt.Sprintf(`set -- 'echo $$ > %s.new; mv %[1]s.new %[1]s; exec sleep 600'; %s`, file, way), file
}

func pidIn(t *testing.T, file string) (pid int) {
	t.Helper()
	await.Until(t, "the number of the process", func() bool {
		text, err := os.ReadFile(file)
		if err == nil {
			pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
		}
		return err == nil
	})
	return pid
}

// lives reports whether a process exists and has not ended.
func lives(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, after, _ := strings.Cut(string(stat), ") ")
	return err == nil && !strings.HasPrefix(after, "Z")
}

func start(t *testing.T) *Guardian {
	t.Helper()
	g, err := Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { <-g.Close() })
	return g
}

func TestNothingIsLeftAfterClose(t *testing.T) {
	t.Parallel()
	for name, way := range detaching {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := start(t)
			// Another process keeps the guardian from ending what a dead one left.
			if _, err := g.Run(shell("sleep 600", os.Stderr, nil)); err != nil {
				t.Fatal(err)
			}
			script, file := detach(t, way)
			if _, err := g.Run(shell(script, os.Stderr, nil)); err != nil {
				t.Fatal(err)
			}
			pid := pidIn(t, file)
			<-g.Close()
			if lives(pid) {
				t.Errorf("process %d lives after Close", pid)
			}
		})
	}
}

func TestNothingIsLeftAfterTheOwnerIsKilled(t *testing.T) {
	t.Parallel()
	owners := map[string]*syscall.SysProcAttr{"as this user": {}}
	if os.Geteuid() == 0 {
		const nobody = 65534
		owners["as a user without rights"] = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	for who, attributes := range owners {
		for name, way := range detaching {
			t.Run(who+"/"+name, func(t *testing.T) {
				t.Parallel()
				script, file := detach(t, way)
				makeWritable(t, filepath.Dir(file))
				owner := exec.Command("/proc/self/exe")
				owner.Env = append(os.Environ(), ownerVariable+"="+script)
				owner.SysProcAttr, owner.Stderr = attributes, os.Stderr
				out, err := owner.StdoutPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := owner.Start(); err != nil {
					t.Fatal(err)
				}
				line, err := bufio.NewReader(out).ReadString('\n')
				if err != nil || !strings.HasPrefix(line, "protects") {
					t.Fatalf("the owner: %q %v", line, err)
				}
				t.Log(strings.TrimSpace(line))
				pid := pidIn(t, file)
				if err := owner.Process.Kill(); err != nil {
					t.Fatal(err)
				}
				_ = owner.Wait()
				await.Until(t, "the end of the detached process", func() bool { return !lives(pid) })
			})
		}
	}
}

// makeWritable lets every user write into a folder of the test.
func makeWritable(t *testing.T, folder string) {
	t.Helper()
	if err := os.Chmod(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(folder), 0o755); err != nil {
		t.Fatal(err)
	}
}

func TestKillEndsAProcessWithWhatItDetached(t *testing.T) {
	t.Parallel()
	g := start(t)
	if _, err := g.Run(shell("sleep 600", os.Stderr, nil)); err != nil {
		t.Fatal(err)
	}
	script, file := detach(t, detaching["setsid"])
	c, err := g.Run(shell(script, os.Stderr, nil))
	if err != nil {
		t.Fatal(err)
	}
	pid := pidIn(t, file)
	c.Kill()
	<-c.Ended()
	if s := c.Status(); !s.Signaled() || s.Signal() != syscall.SIGKILL {
		t.Errorf("it ended with %v", s)
	}
	await.Until(t, "the end of the detached process", func() bool { return !lives(pid) })
}

func TestWhatIsLeftEndsWithTheLastProcess(t *testing.T) {
	t.Parallel()
	g := start(t)
	script, file := detach(t, detaching["without a name"])
	c, err := g.Run(shell(script, os.Stderr, nil))
	if err != nil {
		t.Fatal(err)
	}
	pid := pidIn(t, file)
	c.Kill()
	await.Until(t, "the end of the detached process", func() bool { return !lives(pid) })
	if c, err = g.Run(shell("exit 3", os.Stderr, nil)); err != nil {
		t.Fatal(err)
	}
	if <-c.Ended(); c.Status().ExitStatus() != 3 {
		t.Errorf("the next process ended with %v", c.Status())
	}
}

func TestAProgramThatIsMissingIsNamed(t *testing.T) {
	t.Parallel()
	g := start(t)
	_, err := g.Run(Command{Path: "/nowhere/program", Args: []string{"program"}, Dir: "/"})
	if err == nil || err.Error() != "fork/exec /nowhere/program: no such file or directory" {
		t.Errorf("the error is %v", err)
	}
}

func TestTheChildrenOfAGuardianThatIsKilledEnd(t *testing.T) {
	t.Parallel()
	g := start(t)
	c, err := g.Run(shell("exec sleep 600", os.Stderr, nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(parentOf(t, c.PID), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-c.Ended()
	if !g.IsGone() {
		t.Error("the guardian is said to be there")
	}
	await.Until(t, "the end of the process", func() bool { return !lives(c.PID) })
	if _, err := g.Run(shell("true", os.Stderr, nil)); err == nil {
		t.Error("a guardian that was killed starts a process")
	}
}

// parentOf is the process that started another one.
func parentOf(t *testing.T, pid int) int {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	parent, err := strconv.Atoi(strings.Fields(after)[1])
	if err != nil {
		t.Fatal(err)
	}
	return parent
}

func TestNothingIsLeftOfAGuardianThatIsKilled(t *testing.T) {
	t.Parallel()
	for name, way := range detaching {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := start(t)
			if !g.CanProtect() {
				t.Skip("NOT TESTED: the system allows no view of its own, by which processes are found")
			}
			other := start(t)
			c, err := g.Run(shell("exec sleep 600", os.Stderr, nil))
			if err != nil {
				t.Fatal(err)
			}
			spared, err := other.Run(shell("exec sleep 600", os.Stderr, nil))
			if err != nil {
				t.Fatal(err)
			}
			script, file := detach(t, way)
			if _, err := g.Run(shell(script, os.Stderr, nil)); err != nil {
				t.Fatal(err)
			}
			pid := pidIn(t, file)
			if err := syscall.Kill(parentOf(t, c.PID), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			<-g.Close()
			if lives(pid) {
				t.Errorf("process %d lives after the guardian was killed", pid)
			}
			if !lives(spared.PID) {
				t.Error("a process of another guardian was killed")
			}
		})
	}
}

func TestAFolderIsReadOnlyForWhatTheGuardianStarts(t *testing.T) {
	t.Parallel()
	g := start(t)
	if !g.CanProtect() {
		t.Skip("NOT TESTED: this system allows no view of the file system of its own")
	}
	parent := t.TempDir()
	folder := filepath.Join(parent, "src")
	write := func(script string) string {
		out, err := os.Create(filepath.Join(t.TempDir(), "out"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = out.Close() }()
		c, err := g.Run(shell(script, out, []string{folder}))
		if err != nil || c.Writable != "" {
			t.Fatal(err, c.Writable)
		}
		<-c.Ended()
		text, err := os.ReadFile(out.Name())
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(c.Status().ExitStatus(), " ", string(text))
	}
	loop := filepath.Join(parent, "loop")
	if err := os.Symlink("loop", loop); err != nil {
		t.Fatal(err)
	}
	if c, err := g.Run(shell("true", os.Stderr, []string{loop})); err != nil || !strings.Contains(c.Writable, loop) {
		t.Errorf("of a folder that cannot be read-only is said %q, %v", c.Writable, err)
	}
	if got := write("echo x"); got != "0 x\n" {
		t.Errorf("without the folder: %s", got)
	}
	for range 2 {
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, script := range []string{"echo x > %s/file", "setsid -w sh -c 'echo x > %s/file'", "mkdir %s/folder", "touch %s"} {
			if got := write(fmt.Sprintf(script, folder)); !strings.Contains(got, "Read-only file system") || strings.HasPrefix(got, "0 ") {
				t.Errorf("%s: %s", script, got)
			}
		}
		if got := write("echo x > " + filepath.Join(parent, "beside") + "; echo $?"); got != "0 0\n" {
			t.Errorf("beside the folder: %s", got)
		}
		// Everybody else writes, replaces and removes.
		if err := os.WriteFile(filepath.Join(folder, "file"), nil, 0o600); err != nil {
			t.Error(err)
		}
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	}
}

func TestAProcessInheritsOnlyWhatItsCommandHas(t *testing.T) {
	t.Parallel()
	g := start(t)
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = out.Close() }()
	third, err := os.Create(filepath.Join(t.TempDir(), "third"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = third.Close() }()
	folder := t.TempDir()
	const script = `pwd; cat; for n in 0 1 2 3 4 5 6 7 8 9; do readlink /proc/$$/fd/$n; done
		tr '\0' '\n' </proc/$$/environ; tr '\0' ' ' </proc/$$/cmdline; grep -h "^Cap[AI]\|^SigBlk\|^SigIgn" /proc/self/status; cut -d ' ' -f 5 /proc/$$/stat; echo $$; cat /proc/$PPID/environ`
	c, err := g.Run(Command{
		Path: "/bin/sh", Args: []string{"the name", "-c", script, "zero", "one"}, Env: []string{"A=b", "PATH=" + os.Getenv("PATH")}, Dir: folder,
		Files: []*os.File{out, out, third},
	})
	if err != nil {
		t.Fatal(err)
	}
	<-c.Ended()
	text, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	none := strings.Repeat("0", 16)
	want := []string{
		folder, "/dev/null", out.Name(), out.Name(), third.Name(), "A=b", "PATH=" + os.Getenv("PATH"), "the name -c " + script + " zero one SigBlk:\t" + none,
		"SigIgn:\t" + none, "CapInh:\t" + none, "CapAmb:\t" + none, strconv.Itoa(c.PID), strconv.Itoa(c.PID),
	}
	if diff := cmp.Diff(strings.Join(want, "\n")+"\n", string(text)); diff != "" {
		t.Error(diff)
	}
	if c.Peak() <= 0 {
		t.Error("its memory is unknown")
	}
}

func TestAProcessMayHaveAsManyFilesAsTheConnectionTakes(t *testing.T) {
	t.Parallel()
	g := start(t)
	var files []*os.File
	for range mostFiles {
		files = append(files, os.Stderr)
	}
	c, err := g.Run(Command{Path: "/bin/sh", Args: []string{"sh", "-c", "readlink /proc/$$/fd/16"}, Dir: "/", Files: files})
	if err != nil {
		t.Fatal(err)
	}
	if <-c.Ended(); c.Status().ExitStatus() != 0 {
		t.Errorf("the last file is missing: %v", c.Status())
	}
}
