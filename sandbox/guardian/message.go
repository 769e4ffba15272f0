//go:build linux

package guardian

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// order is a message to the guardian: to start a process, or to kill one.
type order struct {
	// ID names the process in both directions.
	ID   int  `json:"id"`
	Kill bool `json:"kill,omitempty"`

	Path     string   `json:"path,omitempty"`
	Args     []string `json:"args,omitempty"`
	Env      []string `json:"env,omitempty"`
	Dir      string   `json:"dir,omitempty"`
	ReadOnly []string `json:"readOnly,omitempty"`
}

// reply is a message from the guardian.
type reply struct {
	ID int `json:"id"`
	// Ready is set in the first message; CanProtect says that folders can be read-only.
	Ready      bool `json:"ready,omitempty"`
	CanProtect bool `json:"canProtect,omitempty"`
	// PID is that of a started process. Failure is why none was started, Writable why a
	// folder is not read-only for it.
	PID      int    `json:"pid,omitempty"`
	Failure  string `json:"failure,omitempty"`
	Writable string `json:"writable,omitempty"`
	// Ended is set when the process has ended; Status is the system's status of that.
	Ended  bool `json:"ended,omitempty"`
	Status int  `json:"status,omitempty"`
	// Peak is the most memory that it or one of its children had, in KB.
	Peak int `json:"peak,omitempty"`
}

const (
	lengthSize = 4
	// longest is more than the system allows for arguments and variables.
	longest = 16 << 20
	// mostFiles is how many files may come with an order.
	mostFiles = 16
)

var errTooLong = errors.New("the message is too long")

// wire is one end of the connection. A message is its length and its JSON; files come with
// the length.
type wire struct {
	socket *net.UnixConn
	write  sync.Mutex
}

func newWire(f *os.File) (*wire, error) {
	c, err := net.FileConn(f)
	_ = f.Close()
	if err != nil {
		return nil, fmt.Errorf("using the connection: %w", err)
	}
	socket, ok := c.(*net.UnixConn)
	if !ok {
		_ = c.Close()
		return nil, errors.New("the connection is not local")
	}
	return &wire{socket: socket}, nil
}

// send writes a message, with the open files that the other side gets.
func (w *wire) send(message any, files ...*os.File) error {
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	if len(text) > longest {
		return errTooLong
	}
	var rights []byte
	if len(files) > 0 {
		numbers := make([]int, len(files))
		for n, f := range files {
			numbers[n] = int(f.Fd())
		}
		rights = unix.UnixRights(numbers...)
	}
	w.write.Lock()
	defer w.write.Unlock()
	head := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	if _, _, err := w.socket.WriteMsgUnix(head, rights, nil); err != nil {
		return err
	}
	_, err = w.socket.Write(text)
	return err
}

// receive reads a message into a struct, and returns the numbers of the files that came
// with it, which the caller closes.
func (w *wire) receive(message any) (files []int, err error) {
	head := make([]byte, lengthSize)
	rights := make([]byte, unix.CmsgSpace(mostFiles*lengthSize))
	n, m, _, _, err := w.socket.ReadMsgUnix(head, rights)
	if err != nil {
		return nil, err
	}
	if files, err = filesIn(rights[:m]); err != nil {
		return nil, err
	}
	// Without an error, 0 bytes are the end of the connection.
	if n == 0 {
		return files, io.EOF
	}
	if _, err := io.ReadFull(w.socket, head[n:]); err != nil {
		return files, err
	}
	length := binary.LittleEndian.Uint32(head)
	if length > longest {
		return files, errTooLong
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(w.socket, text); err != nil {
		return files, err
	}
	return files, json.Unmarshal(text, message)
}

func filesIn(rights []byte) (files []int, err error) {
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil {
		return nil, fmt.Errorf("reading the files of a message: %w", err)
	}
	for i := range messages {
		numbers, err := unix.ParseUnixRights(&messages[i])
		if err != nil {
			return files, fmt.Errorf("reading the files of a message: %w", err)
		}
		files = append(files, numbers...)
	}
	return files, nil
}
