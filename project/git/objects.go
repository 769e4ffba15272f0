package git

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
)

// mostContent is the largest content of a file that is kept in memory, in bytes.
const mostContent = 256 << 20

var (
	errMissing  = errors.New("is not in the git repository")
	errTooLarge = fmt.Errorf("has more than %d bytes", mostContent)
	// errEnded is what git does at an object that a partial clone would have to fetch.
	errEnded = fmt.Errorf("git failed (%w): a partial clone (--filter) lacks some files of this commit; use a full "+
		"clone", io.EOF)
	errClosed = errors.New("the git repository is closed")
)

// objects is a process that reads git's objects: `git cat-file --batch`, see
// https://git-scm.com/docs/git-cat-file#_batch_output.
type objects struct {
	mu     sync.Mutex
	cmd    *exec.Cmd
	ask    io.WriteCloser
	answer *bufio.Reader
	broken error
	// last is the object that was read last: a file is looked at and then opened.
	last struct {
		name, id, kind string
		content        []byte
	}
	sizes map[string]int64
}

func startObjects(cmd *exec.Cmd) (*objects, error) {
	o := &objects{cmd: cmd, sizes: make(map[string]int64)}
	var err error
	if o.ask, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	o.answer = bufio.NewReaderSize(out, 64<<10)
	return o, cmd.Start()
}

func (o *objects) close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if errors.Is(o.broken, errClosed) {
		return nil
	}
	ended := errors.Is(o.broken, errEnded)
	o.broken = errClosed
	_ = o.ask.Close()
	if err := o.cmd.Wait(); !ended {
		return err
	}
	return nil
}

// read returns the id, the type and the content of an object. The error is errMissing if there
// is none, errTooLarge for a content that is wanted and larger than mostContent.
func (o *objects) read(name string, wanted bool) (id, kind string, content []byte, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.broken != nil {
		return "", "", nil, o.broken
	}
	if o.last.name == name {
		return o.last.id, o.last.kind, o.last.content, nil
	}
	id, kind, content, err = o.exchange(name, wanted)
	if err != nil && !errors.Is(err, errMissing) && !errors.Is(err, errTooLarge) {
		// What comes next in the stream is not known.
		o.broken = fmt.Errorf("reading the git repository: %w", err)
		if errors.Is(err, io.EOF) {
			o.broken = errEnded
		}
		err = o.broken
	}
	return id, kind, content, err
}

func (o *objects) exchange(name string, wanted bool) (id, kind string, content []byte, err error) {
	if _, err := io.WriteString(o.ask, name+"\n"); err != nil {
		return "", "", nil, err
	}
	line, err := o.answer.ReadString('\n')
	if err != nil {
		return "", "", nil, err
	}
	// The answer is the object's id, type and size, or its name and a word such as missing.
	line = strings.TrimSuffix(line, "\n")
	fields := strings.Fields(line)
	if line == name+" missing" || line == name+" ambiguous" || len(fields) != 3 {
		return "", "", nil, errMissing
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size < 0 {
		return "", "", nil, fmt.Errorf("git answered %q", line)
	}
	o.sizes[name] = size
	if size > mostContent {
		_, err := io.CopyN(io.Discard, o.answer, size+1)
		if err == nil && wanted {
			err = errTooLarge
		}
		return fields[0], fields[1], nil, err
	}
	content = make([]byte, size+1)
	if _, err := io.ReadFull(o.answer, content); err != nil {
		return "", "", nil, err
	}
	content = content[:size:size]
	o.last.name, o.last.id, o.last.kind, o.last.content = name, fields[0], fields[1], content
	return fields[0], fields[1], content, nil
}

// size returns the size of the content of an object, in bytes; 0 for one that cannot be read, which opening it says.
func (o *objects) size(id string) int64 {
	o.mu.Lock()
	size, known := o.sizes[id]
	o.mu.Unlock()
	if known {
		return size
	}
	_, _, _, _ = o.read(id, false)
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.sizes[id]
}
