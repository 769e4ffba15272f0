//go:build unix

package items

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/cli/command"
)

func TestAPipeIsReadAsOftenAsAFile(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	const text = `{"id":"1"}`
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = out.Close() }()
	if _, err := in.WriteString(text); err != nil {
		t.Fatal(err)
	}
	_ = in.Close()
	x := &tableCommand{streams: command.Streams{In: strings.NewReader(text)}}
	for _, name := range []string{fmt.Sprintf("/dev/fd/%d", out.Fd()), "-"} {
		file, done, err := x.open(name)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if _, err := file.Seek(0, io.SeekStart); err != nil {
				t.Error(err)
			}
			if got, err := io.ReadAll(file); err != nil || string(got) != text {
				t.Errorf("%s has %q, %v", name, got, err)
			}
		}
		done()
	}
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "*")); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}
