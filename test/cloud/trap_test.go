//go:build unix

package cloud

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"gatewright/test/await"
	"gatewright/test/depth"
	"gatewright/test/program"
	"gatewright/test/standin"
)

// TestTheTrapCatchesCallsOfAnotherHost runs the program without an endpoint, so that it calls
// the cloud: the other tests count on the trap.
func TestTheTrapCatchesCallsOfAnotherHost(t *testing.T) {
	depth.Gate(t)
	trap, home := standin.SetTrap(t), t.TempDir()
	cmd := exec.Command(program.Built(t), "generate", "outputs", "--stack", "shop", "--region", "eu-central-1", "--stdout")
	cmd.Dir = t.TempDir()
	cmd.Env = append(trap.Environment(), "PATH="+os.Getenv("PATH"), "HOME="+home, "GATEWRIGHT_STATE="+home,
		"AWS_ACCESS_KEY_ID="+standin.Account, "AWS_SECRET_ACCESS_KEY=x", "AWS_CONFIG_FILE="+filepath.Join(home, "none"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	defer func() {
		_ = cmd.Process.Kill()
		<-ended
	}()
	await.Until(t, "a call that falls into the trap", func() bool {
		select {
		case <-ended:
			if trap.Count() == 0 {
				t.Fatal("a call of the cloud did not fall into the trap")
			}
		default:
		}
		return trap.Count() > 0
	})
}
