package sandbox

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gatewright/internal/network"
	"gatewright/internal/text/phrase"
)

// loopback is the only address that the sandbox listens on.
const loopback = "127.0.0.1"

// firstOpen is the lowest port that every user may listen on.
const firstOpen = 1024

// listen listens on a port of the loopback address; 0 is any free port. The error is a
// *PortError if the port is in use.
func listen(port int) (net.Listener, error) {
	l, err := net.Listen("tcp4", net.JoinHostPort(loopback, strconv.Itoa(port)))
	switch {
	case err == nil:
		return l, nil
	case network.InUse(err):
		return nil, &PortError{Port: port, Holder: holderOf(port), Free: freeNear(port)}
	case network.Forbidden(err) && port >= firstOpen:
		return nil, fmt.Errorf("the system keeps port %d for itself; give another one with --port", port)
	case network.Forbidden(err):
		return nil, fmt.Errorf("this user may not listen on port %d; give a port from %d up with --port", port, firstOpen)
	}
	return nil, fmt.Errorf("listening on port %d: %w", port, err)
}

// freeNear is a free port a little above another port, or 0.
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

// processes is the folder in which Linux lists processes and sockets. Other systems do not
// have it.
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
			return fmt.Sprintf("%s (process %s)", phrase.Quote(strings.TrimSpace(string(program))), filepath.Base(process))
		}
	}
	return ""
}

// listeners adds the sockets that listen on a port, as /proc/PID/fd names them, from a
// table such as /proc/net/tcp.
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
