package request

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/test/symlink"
)

// A link stays a link, and what is not a regular file is never replaced.
func TestSavingABodyReplacesOnlyFilesAndOnlyWithAgreement(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, link := filepath.Join(dir, "a.json"), filepath.Join(dir, "link.json")
	must(t, os.WriteFile(file, []byte("old"), 0o640))
	symlink.Make(t, "a.json", link)
	symlink.Make(t, "nothing", filepath.Join(dir, "dangling"))
	socket, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		t.Skip(err)
	}
	defer func() { _ = socket.Close() }()
	symlink.Make(t, "socket", filepath.Join(dir, "to-socket"))
	for _, name := range []string{"a.json", "link.json"} {
		if _, err := SaveBody(dir, name, []byte("new"), false); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if saved, err := SaveBody(dir, "link.json", []byte("new"), true); err != nil || filepath.Base(saved) != "a.json" {
		t.Errorf("%s %v", saved, err)
	}
	info, err := os.Lstat(link)
	text, _ := os.ReadFile(file)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 || string(text) != "new" {
		t.Errorf("the link is %v, the file %q (%v)", info.Mode(), text, err)
	}
	for _, name := range []string{"dangling", "socket", "to-socket"} {
		if _, err := SaveBody(dir, name, []byte("new"), true); err == nil || !strings.Contains(err.Error(), "is not a regular file") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
