//go:build unix

package archive

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"gatewright/test/depth"
)

func TestTheUmaskDoesNotCount(t *testing.T) {
	depth.WithoutRace(t)
	depth.Gate(t)
	depth.Needs(t, "node", "npm")
	needsPip(t)
	before := syscall.Umask(0o022)
	t.Cleanup(func() { syscall.Umask(before) })
	for _, s := range []Source{
		nodeSource(write(t, map[string]string{"index.js": "", "package.json": `{"dependencies":{"right":"3.0.0"}}`})),
		python(write(t, map[string]string{"index.py": "", "requirements.txt": "machine==2.0\n"})),
	} {
		var sums []string
		for _, mask := range []int{0o022, 0o077} {
			syscall.Umask(mask)
			sums = append(sums, pack(t, builder(t), s).SHA256)
		}
		if sums[0] != sums[1] {
			t.Errorf("%s: two masks make two archives", s.Runtime)
		}
	}
}

func TestAPipeInASourceIsRefused(t *testing.T) {
	t.Parallel()
	folder := write(t, map[string]string{"index.js": "", "lib/a.js": ""})
	must(t, syscall.Mkfifo(filepath.Join(folder, "lib", "pipe"), 0o600))
	_, err := builder(t).Build(t.Context(), nodeSource(folder), nil)
	if err == nil || !strings.Contains(err.Error(), "function items: lib/pipe is neither a file nor a folder, so no archive can hold it; remove it") {
		t.Errorf("the error is %v", err)
	}
}
