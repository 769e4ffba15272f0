package facility

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"gatewright/test/await"
	"gatewright/test/depth"
)

// detaching is a function that starts processes which leave its group, its session and its
// environment, and whose parents end. Each writes its number into a file of the folder.
const detaching = `
	const { spawn } = require("child_process");
	exports.handler = async () => {
		const own = { detached: true, stdio: "ignore", cwd: "/", env: { PATH: process.env.PATH } };
		const stay = (name) => "echo $$ > FOLDER/" + name + ".new; mv FOLDER/" + name + ".new FOLDER/" + name + "; exec sleep 600";
		spawn("sh", ["-c", stay("child")], own).unref();
		spawn("sh", ["-c", "(setsid sh -c '" + stay("twice") + "' &) &"], own).unref();
		spawn("setsid", ["sh", "-c", "trap '' TERM HUP INT; (setsid nohup sh -c '" + stay("deaf") + "' &) &"], own).unref();
		return { statusCode: 200, body: "detached" };
	};`

func TestWhatAFunctionDetachesEndsWithTheSandbox(t *testing.T) {
	t.Parallel()
	for name, stop := range map[string]struct {
		signal os.Signal
		code   int
	}{"stopped": {os.Interrupt, 0}, "killed": {syscall.SIGKILL, -1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "stopped" {
				depth.Gate(t)
			}
			f := newFacility(t)
			f.run(0, "add", "api", "shop", "--path", "/items", "--function", "items", "--new-function", "plain", "--open")
			folder := t.TempDir()
			f.replace("backend/function/items/src/index.js", strings.ReplaceAll(detaching, "FOLDER", folder))
			f.serve()
			f.waitFor("/items", "detached")
			var pids []int
			for _, file := range []string{"child", "twice", "deaf"} {
				pids = append(pids, numberIn(t, filepath.Join(folder, file)))
			}
			f.stop(stop.signal, stop.code)
			await.Until(t, "the end of what the function detached", func() bool { return len(living(pids)) == 0 })
		})
	}
}

// replace writes a file of the project.
func (f *facility) replace(name, text string) {
	f.t.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, filepath.FromSlash(name)), []byte(text), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

// numberIn waits for a file and returns the number in it.
func numberIn(t *testing.T, file string) int {
	t.Helper()
	var text []byte
	await.Until(t, file, func() (done bool) {
		var err error
		text, err = os.ReadFile(file)
		return err == nil
	})
	number, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return number
}

func living(pids []int) (found []int) {
	for _, pid := range pids {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if _, after, _ := strings.Cut(string(stat), ") "); err == nil && !strings.HasPrefix(after, "Z") {
			found = append(found, pid)
		}
	}
	return found
}

const hungry = `
	exports.handler = async () => {
		const all = [];
		for (let n = 0; n < 50; n++) all.push(Buffer.alloc(10 << 20, 1));
		return { statusCode: 200, body: "used " + all.length };
	};`

func TestAFunctionOverItsMemory(t *testing.T) {
	t.Parallel()
	depth.Gate(t)
	f := newFacility(t)
	f.run(0, "add", "api", "shop", "--path", "/items", "--function", "items", "--new-function", "plain", "--open")
	f.replace("backend/function/items/src/index.js", hungry)
	f.serve()
	f.waitFor("/items", "used 50")
	log := f.run(0, "logs", "items")
	for _, part := range []string{"MB more than the 128 MB that it has: the cloud ends a function there; use less, or give it more: gatewright update function items --memory 576", "Memory Size: 128 MB\tMax Memory Used: 5"} {
		if !strings.Contains(log, part) {
			t.Errorf("the log lacks %q:\n%s", part, log)
		}
	}
	f.stop(os.Interrupt, 0)

	f.serve("--strict-memory")
	status, body, header := f.request("GET", "/items", "")
	if status != 502 || !strings.Contains(strings.ToLower(body), "internal server error") {
		t.Errorf("it is answered %d %s", status, body)
	}
	id := header.Get("X-Amzn-RequestId")
	log = f.run(0, "logs", "items", "--last", "20")
	for _, part := range []string{"Error: Runtime exited with error: signal: killed", "Runtime.ExitError", "Memory Size: 128 MB\tMax Memory Used: 128 MB"} {
		if !strings.Contains(log, part) {
			t.Errorf("the log of %s lacks %q:\n%s", id, part, log)
		}
	}
	f.run(0, "update", "function", "items", "--memory", "1024")
	f.waitFor("/items", "used 50")
	f.stop(os.Interrupt, 0)
}
