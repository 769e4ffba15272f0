package journal

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"
)

// ErrLocked is matched by the error of a call that found another one at work.
var ErrLocked = errors.New("the project is locked")

// LockedError says who is at work. It matches [ErrLocked].
type LockedError struct {
	PID   int
	Host  string
	Since time.Time
	// Lock is where the lock lies.
	Lock string
}

func (e *LockedError) Error() string {
	return fmt.Sprintf("%s: process %d on %s is writing it since %s; wait for it or, if it does not run any more, remove %s",
		ErrLocked, e.PID, e.Host, e.Since.Format(time.RFC3339), e.Lock)
}

// Is reports whether target is ErrLocked.
func (e *LockedError) Is(target error) bool { return target == ErrLocked }

// holder is what a lock file holds.
type holder struct {
	PID   int       `json:"pid"`
	Host  string    `json:"host"`
	Since time.Time `json:"since"`
	// Run tells this process from an earlier one of the same PID, which in a
	// container is the rule.
	Run string `json:"run"`
}

// thisRun is random text, the same for the life of the process.
var thisRun = sync.OnceValue(rand.Text)

func newHolder() holder {
	return holder{PID: os.Getpid(), Host: hostname(), Since: time.Now(), Run: thisRun()}
}

// hostname is empty where the system does not tell.
func hostname() string {
	name, err := os.Hostname()
	if err != nil {
		return ""
	}
	return name
}

func (h holder) encode() ([]byte, error) {
	data, err := json.Marshal(h)
	return append(data, '\n'), err
}

// decodeHolder returns the zero holder for what no process wrote to its end.
func decodeHolder(content []byte) holder {
	var h holder
	if json.Unmarshal(content, &h) != nil || h.PID < 0 {
		return holder{}
	}
	return h
}

// alive reports whether the process may still run: of another host that is
// never known.
func (h holder) alive() bool {
	switch {
	case h.PID == 0:
		return false
	case h.Host != hostname():
		return true
	case h.PID == os.Getpid():
		return h.Run == thisRun()
	}
	return running(h.PID)
}

func running(pid int) bool {
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer func() { _ = process.Release() }()
	err = process.Signal(syscall.Signal(0))
	return !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH)
}

func (h holder) locked(name string) error {
	return &LockedError{PID: h.PID, Host: h.Host, Since: h.Since, Lock: name}
}
