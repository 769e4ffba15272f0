package worker

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"gatewright/model"
)

func TestAServerOfTheFunctionsOwnIsHarmless(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		runtime model.Runtime
		source  string
	}{
		{model.NodeJS, `
			const http = require("http");
			const servers = [s => s.listen(3000), s => s.listen({port: 3000, host: "0.0.0.0"}), s => s.listen("3000", "::"), s => s.listen(3000, () => console.log("up")), s => s.listen()]
				.map(f => f(http.createServer()));
			exports.handler = async () => {
				await new Promise(r => setTimeout(r, 300));
				return {pid: process.pid, addresses: servers.map(s => s.address().address), ports: servers.map(s => s.address().port)};
			}`},
		{model.Python, `
import os, socket, time
a = socket.socket(); a.bind(("0.0.0.0", 3000)); a.listen()
b = socket.create_server(("", 3000))
c = socket.socket(); c.listen()
d = socket.create_server(("", 0)); d.setblocking(False)
e = socket.socket(); e.settimeout(2); e.bind(("0.0.0.0", 0)); e.listen(); assert e.gettimeout() == 2
with socket.create_connection(e.getsockname()): e.accept()
def handler(event, context):
    time.sleep(0.3)
    return {"pid": os.getpid(), "addresses": [s.getsockname()[0] for s in (a, b, c, d, e)], "ports": [s.getsockname()[1] for s in (a, b, c, d, e)]}
`},
	} {
		t.Run(string(row.runtime), func(t *testing.T) {
			t.Parallel()
			f := newFacility(t, nil)
			f.serve(t, row.runtime, map[string]string{sourceName(row.runtime): row.source}, nil)
			var mu sync.Mutex
			pids := map[int]bool{}
			var all sync.WaitGroup
			for range 6 {
				all.Go(func() {
					a, err := f.call(`{}`)
					var got struct {
						PID       int
						Addresses []string
						Ports     []int
					}
					if err != nil || json.Unmarshal(a.Payload, &got) != nil {
						t.Errorf("the call: %v %s\n%s", err, a.Payload, f.log(""))
						return
					}
					for n, address := range got.Addresses {
						if address != "127.0.0.1" || got.Ports[n] == 3000 {
							t.Errorf("it listens on %s:%d", address, got.Ports[n])
						}
					}
					mu.Lock()
					defer mu.Unlock()
					pids[got.PID] = true
				})
			}
			all.Wait()
			if len(pids) != 2 {
				t.Errorf("%d workers served", len(pids))
			}
			for pid := range pids {
				for _, address := range listening(t, pid) {
					if !strings.HasPrefix(address, "127.0.0.1:") {
						t.Errorf("process %d listens on %s", pid, address)
					}
				}
			}
			for _, address := range listening(t, os.Getpid()) {
				if !strings.HasPrefix(address, "127.0.0.1:") {
					t.Errorf("the sandbox listens on %s", address)
				}
			}
		})
	}
}

// listening returns the addresses that a process listens on, from the system's tables.
func listening(t *testing.T, pid int) (addresses []string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return nil
	}
	sockets := map[string]bool{}
	links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	for _, link := range links {
		target, err := os.Readlink(link)
		if inode, ok := strings.CutPrefix(target, "socket:["); err == nil && ok {
			sockets[strings.TrimSuffix(inode, "]")] = true
		}
	}
	for _, table := range []string{"tcp", "tcp6"} {
		file, err := os.Open(fmt.Sprintf("/proc/%d/net/%s", pid, table))
		if err != nil {
			continue
		}
		defer file.Close()
		for lines := bufio.NewScanner(file); lines.Scan(); {
			fields := strings.Fields(lines.Text())
			const listen = "0A"
			if len(fields) < 10 || fields[3] != listen || !sockets[fields[9]] {
				continue
			}
			host, port, _ := strings.Cut(fields[1], ":")
			number, _ := strconv.ParseUint(port, 16, 16)
			if host == "0100007F" {
				host = "127.0.0.1"
			}
			addresses = append(addresses, fmt.Sprintf("%s:%d", host, number))
		}
	}
	return addresses
}
