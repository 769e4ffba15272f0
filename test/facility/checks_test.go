package facility

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"gatewright/test/await"
)

// checkFollowedLog follows the log of a function, and calls it meanwhile.
func (f *facility) checkFollowedLog() {
	f.t.Helper()
	following := f.command("logs", "items", "-f", "--last", "1")
	out, err := following.StdoutPipe()
	if err != nil {
		f.t.Fatal(err)
	}
	if err := following.Start(); err != nil {
		f.t.Fatal(err)
	}
	defer func() {
		_ = following.Process.Kill()
		_ = following.Wait()
	}()
	lines := make(chan string, 1000)
	go func() {
		for scanner := bufio.NewScanner(out); scanner.Scan(); {
			lines <- scanner.Text()
		}
		close(lines)
	}()
	<-lines // the last line of the log; new lines follow
	_, _, header := f.request("GET", "/items", "")
	id := header.Get("X-Amzn-RequestId")
	for !strings.Contains(await.Next(f.t, "the line of the request "+id+" in logs --follow", lines), "REPORT RequestId: "+id) {
	}
}

// checkCallCommand sends requests with `gatewright call`.
func (f *facility) checkCallCommand() {
	f.t.Helper()
	// What is refused before its API is looked for has no id by which its reason is found.
	if text := f.run(4, "call", "get", "/items?limit={1}"); !strings.Contains(text, "HTTP/1.1 400 Bad Request") || !strings.Contains(text, "GET /dev/items 400: the query has the character {") {
		f.t.Errorf("a call with a raw brace says\n%s", text)
	}
	if text := f.run(4, "call", "get", "/items", "--header", "X-Large: "+strings.Repeat("x", 10240)); !strings.Contains(text, "API Gateway accepts 10240; send fewer or shorter headers") {
		f.t.Errorf("a call with large headers says\n%s", text)
	}
	if text := f.run(0, "call", "get", "/items?limit=1", "--query", "x=a b", "-i"); !strings.Contains(text, "HTTP/1.1 200 OK") || !strings.Contains(text, `/items?limit=1&x=a%20b`) {
		f.t.Errorf("a call says\n%s", text)
	}
	if text := f.run(4, "call", "GET", "/own"); !strings.Contains(text, "note: GET /dev/own 403: guests may not read under /own ") {
		f.t.Errorf("a call that is refused says\n%s", text)
	}
	text := f.run(0, "call", "POST", "/own", "--data", `{"a": 1}`, "--test")
	for _, part := range []string{"status: 200 OK", "Starting execution for request: ", "Method completed with status: 200"} {
		if !strings.Contains(text, part) {
			f.t.Errorf("a test lacks %q:\n%s", part, text)
		}
	}
	if text := f.run(0, "call", "GET", "/items", "--env", "qa", "--json"); !strings.Contains(text, `"status": 200`) {
		f.t.Errorf("a call to another environment says\n%s", text)
	}
}

// checkListeners checks that the sandbox and its workers listen only on 127.0.0.1.
func (f *facility) checkListeners() {
	f.t.Helper()
	if runtime.GOOS != "linux" {
		return
	}
	pids := []string{fmt.Sprint(f.cmd.Process.Pid)}
	for _, worker := range f.workers() {
		_, pid, _ := strings.Cut(worker, " ")
		pids = append(pids, pid)
	}
	own := make(map[string]bool)
	for _, pid := range pids {
		opened, _ := filepath.Glob("/proc/" + pid + "/fd/*")
		for _, name := range opened {
			target, _ := os.Readlink(name)
			own[target] = true
		}
	}
	found := 0
	for _, table := range []string{"tcp", "tcp6"} {
		text, _ := os.ReadFile("/proc/net/" + table)
		for _, line := range strings.Split(string(text), "\n") {
			columns := strings.Fields(line)
			if len(columns) < 10 || columns[3] != "0A" || !own["socket:["+columns[9]+"]"] {
				continue
			}
			if found++; !strings.HasPrefix(columns[1], "0100007F:") {
				f.t.Errorf("a process listens on %s", columns[1])
			}
		}
	}
	if found < 2 {
		f.t.Errorf("only %d listeners are found", found)
	}
}

// checkTakenPort starts the sandbox on a port that this test listens on.
func (f *facility) checkTakenPort() {
	f.t.Helper()
	held, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		f.t.Fatal(err)
	}
	defer held.Close()
	_, port, _ := net.SplitHostPort(held.Addr().String())
	text := f.run(1, "sandbox", "--port", port)
	if !strings.HasPrefix(text, "gatewright: port "+port+" is taken by ") || !strings.Contains(text, "give a free one: --port ") || strings.Count(text, "\n") != 1 {
		f.t.Errorf("the error about a taken port is %s", text)
	}
	if runtime.GOOS == "linux" && !strings.Contains(text, fmt.Sprintf("(process %d)", os.Getpid())) {
		f.t.Errorf("the error does not name the process: %s", text)
	}
}
