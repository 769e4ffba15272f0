package identity_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fileToWrite names the file of keys that this test program writes to until it is killed.
const fileToWrite = "GATEWRIGHT_TEST_KEYS_FILE"

func TestMain(m *testing.M) {
	if file := os.Getenv(fileToWrite); file != "" {
		signUntilKilled(file)
	}
	os.Exit(m.Run())
}

// signUntilKilled makes keys and prints a token of each.
func signUntilKilled(file string) {
	c := newClock()
	keys, err := openKeys(file, c)
	for n := 0; err == nil; n++ {
		poolID := fmt.Sprintf("eu-west-1_%d-%d", os.Getpid(), n)
		var signed string
		if signed, err = keys.Sign(poolID, claims(c, nil)); err == nil {
			fmt.Println(poolID, signed)
		}
	}
	fmt.Println("failed:", err)
	os.Exit(1)
}

func TestAKilledProcessLosesNoKeyThatSigned(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "keys.json")
	var lines []string
	for round := range 3 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), fileToWrite+"="+file)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		read := 0
		for scanner := bufio.NewScanner(out); scanner.Scan(); {
			lines = append(lines, scanner.Text())
			if read++; read == 2+round {
				_ = cmd.Process.Kill()
			}
		}
		_ = cmd.Wait()
		keys := reopen(t, file, newClock())
		for _, line := range lines {
			poolID, signed, _ := strings.Cut(line, " ")
			if _, err := keys.Verify(poolID, signed); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
	}
	if len(lines) < 9 {
		t.Fatalf("only %d tokens were signed", len(lines))
	}
}
