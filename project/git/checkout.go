package git

import (
	"bufio"
	"errors"
	"io"
	"os/exec"
	"path"
	"strings"
	"sync"
)

// hashes is a process that says which id the content of a file of the working tree would have if
// it were committed, after all that git does to it then, such as to the ends of lines:
// `git hash-object --stdin-paths`, see https://git-scm.com/docs/git-hash-object.
type hashes struct {
	mu      sync.Mutex
	start   func() (*exec.Cmd, error)
	cmd     *exec.Cmd
	ask     io.WriteCloser
	answer  *bufio.Reader
	stopped bool
}

// of returns the id for a path from the top of the working tree. ok is false if git cannot say.
func (h *hashes) of(name string) (id string, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.cmd == nil && !h.stopped {
		h.stopped = h.open() != nil
	}
	if h.stopped {
		return "", false
	}
	_, err := io.WriteString(h.ask, quotedPath(name)+"\n")
	if err == nil {
		id, err = h.answer.ReadString('\n')
	}
	if err != nil {
		// It ends at the first file that it cannot read.
		_ = h.end()
		return "", false
	}
	return strings.TrimSpace(id), true
}

func (h *hashes) open() error {
	cmd, err := h.start()
	if err != nil {
		return err
	}
	in, errIn := cmd.StdinPipe()
	out, errOut := cmd.StdoutPipe()
	if err := errors.Join(errIn, errOut); err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	h.cmd, h.ask, h.answer = cmd, in, bufio.NewReader(out)
	return nil
}

// end ends the process; the next question starts it again.
func (h *hashes) end() error {
	cmd := h.cmd
	if cmd == nil {
		return nil
	}
	h.cmd = nil
	_ = h.ask.Close()
	return cmd.Wait()
}

func (h *hashes) close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stopped = true
	return h.end()
}

// quotedPath writes a path on one line, as git reads it:
// https://git-scm.com/docs/git-config#Documentation/git-config.txt-corequotePath.
func quotedPath(name string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(name) + `"`
}

// IsCheckedOut reports whether the file with this name in the working tree has what git would
// commit as the content of this file, such as one with other ends of lines
// (https://git-scm.com/docs/gitattributes#_end_of_line_conversion). False if git cannot say.
func (r readOnly) IsCheckedOut(name string) bool {
	committed, ok := r.ContentID(name)
	if !ok || r.files.hashes == nil {
		return false
	}
	id, ok := r.files.hashes.of(path.Join(r.files.at, path.Clean(name)))
	return ok && id == committed
}
