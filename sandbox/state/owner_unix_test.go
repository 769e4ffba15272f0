//go:build unix

package state

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestAPipeInTheStateIsRefusedAndNotWaitedFor(t *testing.T) {
	t.Parallel()
	for _, name := range []string{RunFile, KeysFile, lockFile, DataFolder, DataFolder + "/" + TableFile, DataFolder + "/logs"} {
		state := t.TempDir()
		if strings.HasPrefix(name, DataFolder+"/") {
			_, err := MakeData(state)
			check(t, err)
		}
		check(t, syscall.Mkfifo(filepath.Join(state, filepath.FromSlash(name)), 0o600))
		if _, err := Own(state); err == nil || !strings.Contains(err.Error(), "pipe") {
			t.Errorf("%s: owning the state gives %v", name, err)
		}
		if _, err := ReadRun(state); name == RunFile && (err == nil || !strings.Contains(err.Error(), "pipe")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
