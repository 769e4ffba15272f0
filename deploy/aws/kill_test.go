//go:build unix

package aws_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"

	"gatewright/deploy/awstest"
	"gatewright/deploy/deploytest"
	"gatewright/test/depth"
	"gatewright/test/program"
)

func TestMain(m *testing.M) {
	// Most of what the fake and the SDK make is small and soon gone.
	debug.SetGCPercent(400)
	program.Main(m)
}

// killer runs the program in front of the fake cloud of a room.
type killer struct {
	*cloudRoom
	built string
	env   []string
}

// command is the program with arguments. It asks nobody, and keeps nothing outside of the test.
func (k *killer) command(args ...string) (*exec.Cmd, *bytes.Buffer) {
	var out bytes.Buffer
	cmd := exec.Command(k.built, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = k.dir, &out, &out
	cmd.Env = slices.Concat(os.Environ(), k.fake.Env(), k.env)
	return cmd, &out
}

// hurry lets what goes on in the cloud end before each of the next calls is answered, so that
// the program has nothing to wait for.
func (k *killer) hurry(first, calls int) {
	for n := first; n < first+calls; n++ {
		k.fake.KillAt(n, awstest.AfterHandling, k.settle)
	}
}

// push pushes with the program. With a number of a call, the program is killed at that call.
func (k *killer) push(t *testing.T, at int, when awstest.Moment, flags ...string) (killed bool, text string) {
	t.Helper()
	first := len(k.fake.Calls()) + 1
	const most = 120
	k.hurry(first, most)
	cmd, out := k.command(append([]string{"push", "--env", "dev", "--yes"}, flags...)...)
	started := make(chan struct{})
	if at >= 0 {
		k.fake.KillAt(first+at, when, func() {
			<-started
			_ = cmd.Process.Signal(syscall.SIGKILL)
		})
		k.fake.CutAt(first+at, when)
	}
	deploytest.Must(t, cmd.Start())
	close(started)
	err := cmd.Wait()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return true, out.String()
	}
	if err != nil && at < 0 {
		t.Fatalf("the push fails: %v\n%s", err, out)
	}
	return false, out.String()
}

// TestAnAdoptionThatIsKilledIsDoneByTheNextOne kills the program at calls all over a push that takes
// over what a removal kept. The next push does the rest, and everything is there.
func TestAnAdoptionThatIsKilledIsDoneByTheNextOne(t *testing.T) {
	t.Parallel()
	depth.Gate(t)
	depth.WithoutRace(t)
	built, cache := program.BuiltWithoutRace(t), t.TempDir()
	between := depth.Rounds(33, 33, 5)
	for i, how := range []awstest.Moment{awstest.BeforeHandling, awstest.AfterHandling} {
		ended := false
		for at := i * between / 2; !ended; at += between {
			t.Run(fmt.Sprintf("%s call %d", []string{"before", "after"}[i], at+1), func(t *testing.T) {
				r := removed(t, awstest.Options{Speed: 1000})
				k := &killer{cloudRoom: r, built: built, env: []string{"GATEWRIGHT_STATE=" + cache, "GATEWRIGHT_CACHE=" + cache}}
				kept := r.fake.Data()
				killed, text := k.push(t, at, how, "--confirm", "dev", "--adopt")
				ended = !killed
				if strings.Contains(text, awstest.SecretKey) {
					t.Error("the program prints a secret")
				}
				k.calm()
				_, text = k.push(t, -1, 0, "--confirm", "dev", "--adopt")
				r.mustHold(kept, r.stackName("dev"))
				o := r.push(pushOptions{})
				if o.err != nil || o.prepared.Changed() {
					t.Fatalf("after the second push the environment is not up to date: %v\n%s", o.err, text)
				}
				o.prepared.Updates = 2
				r.mustBeAtRest(o)
			})
		}
	}
}

// TestAPushThatIsKilledIsDoneByTheNextOne kills the program at every call of a push, before it has
// its effect, and at some of them afterwards. The next push does the rest.
func TestAPushThatIsKilledIsDoneByTheNextOne(t *testing.T) {
	t.Parallel()
	depth.Gate(t)
	depth.WithoutRace(t)
	built, cache := program.BuiltWithoutRace(t), t.TempDir()
	between := depth.Rounds(11, 11, 1)
	for _, name := range []string{"nothing", "a path less"} {
		s := startOf(t, name)
		for at := 0; ; at += between {
			ended := false
			moments := map[string]awstest.Moment{"before": awstest.BeforeHandling}
			if at%5 == 0 {
				// The cloud is then as before the next call; only this machine may be behind.
				moments["after"] = awstest.AfterHandling
			}
			for when, how := range moments {
				t.Run(fmt.Sprintf("%s/%s call %d", name, when, at+1), func(t *testing.T) {
					r := begin(t, s, filepath.Join(cache, "archives"), awstest.Options{Speed: 1000})
					k := &killer{cloudRoom: r, built: built, env: []string{"GATEWRIGHT_STATE=" + cache, "GATEWRIGHT_CACHE=" + cache}}
					before := r.now()
					killed, text := k.push(t, at, how)
					ended = ended || !killed
					if strings.Contains(text, awstest.SecretKey) {
						t.Error("the program prints a secret")
					}
					k.calm()
					if now := r.now(); now.executed == before.executed {
						r.mustBeAsBefore(before)
					}
					_, text = k.push(t, -1, 0)
					o := r.push(pushOptions{})
					if o.err != nil || o.prepared.Changed() {
						t.Errorf("after the second push the environment is not up to date: %v\n%s", o.err, text)
						return
					}
					o.prepared.Updates = s.updates
					r.mustBeAtRest(o)
					r.mustKeepData(before, nil)
				})
			}
			if ended {
				break
			}
		}
	}
}
