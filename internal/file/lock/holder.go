package lock

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"gatewright/internal/clock"
	"gatewright/internal/text/prose"
)

// ErrHeld is matched by every [HeldError].
var ErrHeld = errors.New("locked by another process")

// HeldError says which process holds a lock. It matches [ErrHeld].
type HeldError struct {
	PID   int       `json:"pid"` // 0 if the file does not say
	Host  string    `json:"host"`
	Since time.Time `json:"since"`
	// Command is the first words of its command line, "" if the file does not say.
	Command string `json:"command,omitempty"`
	// File is the locked file.
	File string `json:"-"`
}

func (e *HeldError) Error() string {
	return e.File + " is locked by " + e.Holder() + "; wait until it ends"
}

// Holder describes the process: "process 7 on laptop since 2026-11-21T10:15:03Z".
func (e *HeldError) Holder() string {
	if e.PID == 0 {
		return "another process"
	}
	return fmt.Sprintf("process %d on %s since %s", e.PID, prose.Printable(e.Host), clock.Moment(e.Since))
}

// Is reports whether target is ErrHeld.
func (e *HeldError) Is(target error) bool { return target == ErrHeld }

// inFolder names the file of a HeldError as the caller did.
func inFolder(err error, name string) error {
	if held, ok := errors.AsType[*HeldError](err); ok {
		held.File = name
	}
	return err
}

// holderAt is the offset of the holder in the file: on Windows no other process can
// read the first byte, which is the locked one.
const holderAt = 1

// thisProcess describes this process as a holder.
func thisProcess() *HeldError {
	host, _ := os.Hostname()
	return &HeldError{PID: os.Getpid(), Host: host, Since: time.Now(), Command: commandOf(os.Args)}
}

// commandOf returns the first words of a command line that name a command, at most two.
func commandOf(args []string) string {
	var words []string
	for _, word := range args[min(1, len(args)):] {
		if len(words) == 2 || word == "" || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" {
			break
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// writeHolder writes this process into a file that it has locked. If that fails, errors
// name it "another process".
func writeHolder(root *os.Root, name string) {
	text, err := json.Marshal(thisProcess())
	if err != nil {
		return
	}
	if f, err := root.OpenFile(name, os.O_WRONLY, 0); err == nil {
		_, _ = f.WriteAt(append(text, '\n'), holderAt)
		_ = f.Close()
	}
}

// readHolder reads the holder of a lock from its file, if it is written there.
func readHolder(root *os.Root, name string) error {
	const enough = 4096
	held := &HeldError{}
	if f, err := root.Open(name); err == nil {
		// The rest of an earlier holder may follow the first value.
		err = json.NewDecoder(io.NewSectionReader(f, holderAt, enough)).Decode(held)
		_ = f.Close()
		if err != nil || held.PID < 0 {
			held = &HeldError{}
		}
	}
	held.File = name
	return held
}
