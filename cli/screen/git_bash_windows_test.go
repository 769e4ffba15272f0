package screen

import (
	"os"
	"testing"

	"golang.org/x/sys/windows"
)

func TestATerminalOfGitBashIsAPipeWithAName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"msys-1888ae32e00d56aa-pty0-from-master":   true,
		"cygwin-1888ae32e00d56aa-pty12-to-master":  true,
		"msys-1888ae32e00d56aa-4242-pipe-0x1":      false,
		"gatewright-test-msys-pty0-to-master":      false,
		"msys-1888ae32e00d56aa-pty0-to-master-old": false,
	} {
		path, err := windows.UTF16PtrFromString(`\\.\pipe\` + name)
		if err != nil {
			t.Fatal(err)
		}
		pipe, err := windows.CreateNamedPipe(path, windows.PIPE_ACCESS_DUPLEX, windows.PIPE_TYPE_BYTE, 1, 64, 64, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		file := os.NewFile(uintptr(pipe), name)
		if got := isGitBash(file); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		_ = file.Close()
	}
	if isGitBash(nil) {
		t.Error("no stream is a terminal")
	}
}
