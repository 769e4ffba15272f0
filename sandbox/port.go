package sandbox

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"gatewright/model"
)

// loopback is the only address that is listened on.
const loopback = "127.0.0.1"

// listen listens on a port of this machine that nobody else reaches; 0 is any
// free one. The error is a *PortError where it is taken.
func listen(port int) (net.Listener, error) {
	l, err := net.Listen("tcp4", net.JoinHostPort(loopback, strconv.Itoa(port)))
	switch {
	case err == nil:
		return l, nil
	case isTaken(err):
		return nil, &PortError{Port: port, Holder: holderOf(port), Free: freeNear(port)}
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("port %d is not for this user to listen on; give one from 1024 up with --port", port)
	}
	return nil, fmt.Errorf("listening on port %d: %w", port, err)
}

// isTaken reports whether a port could not be had because somebody has it.
// Windows has a number of its own for that.
func isTaken(err error) bool {
	const windowsInUse = syscall.Errno(10048)
	return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, windowsInUse)
}

// freeNear is a free port a little above another one; 0 where there is none.
func freeNear(port int) int {
	const far, last = 100, 65535
	for near := port + 1; near <= min(port+far, last); near++ {
		if l, err := net.Listen("tcp4", net.JoinHostPort(loopback, strconv.Itoa(near))); err == nil {
			_ = l.Close()
			return near
		}
	}
	return 0
}

// processes is where Linux tells of processes and of who listens. Elsewhere
// there is nothing, and nothing is known.
const processes = "/proc"

// holderOf names the process that listens on a port: "node (process 4711)".
func holderOf(port int) string {
	sockets := make(map[string]bool)
	for _, table := range []string{"tcp", "tcp6"} {
		listeners(filepath.Join(processes, "net", table), port, sockets)
	}
	if len(sockets) == 0 {
		return ""
	}
	opened, _ := filepath.Glob(filepath.Join(processes, "[0-9]*", "fd", "*"))
	for _, name := range opened {
		if target, err := os.Readlink(name); err == nil && sockets[target] {
			process := filepath.Dir(filepath.Dir(name))
			program, _ := os.ReadFile(filepath.Join(process, "comm"))
			return fmt.Sprintf("%s (process %s)", model.Quote(strings.TrimSpace(string(program))), filepath.Base(process))
		}
	}
	return ""
}

// listeners adds the sockets that listen on a port, as links in a process's
// folder name them, from a table of the system: of each line the second column
// is the address, the fourth the state and the tenth the socket.
func listeners(table string, port int, sockets map[string]bool) {
	const (
		address, state, socket = 1, 3, 9
		listening              = "0A"
	)
	f, err := os.Open(table)
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		columns := strings.Fields(lines.Text())
		if len(columns) <= socket || columns[state] != listening {
			continue
		}
		_, text, _ := strings.Cut(columns[address], ":")
		if number, err := hex.DecodeString(text); err == nil && len(number) == 2 && int(number[0])<<8|int(number[1]) == port {
			sockets["socket:["+columns[socket]+"]"] = true
		}
	}
}
