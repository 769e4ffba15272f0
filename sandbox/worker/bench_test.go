package worker

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/function"
)

const benchEvent = `{"resource":"/items/{proxy+}","path":"/items/1","httpMethod":"GET","headers":{"Host":"x"},"body":null}`

// BenchmarkWarmCall measures a call of a function that does nothing, and for comparison
// a request to the same handler in Node.js's own server.
func BenchmarkWarmCall(b *testing.B) {
	const handler = `async (e) => ({statusCode: 200, body: JSON.stringify({success: "get call succeed!", url: e.path})})`
	b.Run("function", func(b *testing.B) {
		f := newFacility(b, nil)
		f.serve(b, model.NodeJS, map[string]string{"index.js": "exports.handler = " + handler}, nil)
		f.result(b, benchEvent)
		b.ResetTimer()
		for b.Loop() {
			f.result(b, benchEvent)
		}
	})
	b.Run("node http", func(b *testing.B) {
		address := bareNode(b, handler)
		b.ResetTimer()
		for b.Loop() {
			response, err := http.Post(address, "application/json", strings.NewReader(benchEvent))
			if err != nil {
				b.Fatal(err)
			}
			io.Copy(io.Discard, response.Body)
			response.Body.Close()
		}
	})
}

// BenchmarkConcurrentCalls is BenchmarkWarmCall with sixteen callers.
func BenchmarkConcurrentCalls(b *testing.B) {
	f := newFacility(b, nil)
	f.serve(b, model.NodeJS, map[string]string{"index.js": `exports.handler = async (e) => ({statusCode: 200, body: e.path})`}, nil)
	f.result(b, benchEvent)
	b.SetParallelism(8)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if a, err := f.call(benchEvent); err != nil || a.Failed {
				b.Errorf("the call: %v %s", err, a.Payload)
			}
		}
	})
}

// bareNode serves a handler with Node.js alone, and returns its address.
func bareNode(b *testing.B, handler string) string {
	b.Helper()
	needs(b, model.NodeJS)
	server := exec.Command("node", "-e", `
		const handler = `+handler+`;
		require("http").createServer((req, res) => {
			const parts = [];
			req.on("data", c => parts.push(c)).on("end", async () => {
				const r = await handler(JSON.parse(Buffer.concat(parts)));
				res.writeHead(r.statusCode, {"content-type": "application/json"});
				res.end(r.body);
			});
		}).listen(0, "127.0.0.1", function () { console.log(this.address().port) });`)
	out, err := server.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := server.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		server.Process.Kill()
		server.Wait()
	})
	var port int
	if _, err := fmt.Fscan(out, &port); err != nil {
		b.Fatal(err)
	}
	return fmt.Sprintf("http://127.0.0.1:%d/", port)
}

// BenchmarkFirstCall measures the first call of a function, and for comparison Node.js
// loading the same module. With GATEWRIGHT_EXPRESS, a folder with node_modules, it
// loads Express.
func BenchmarkFirstCall(b *testing.B) {
	needs(b, model.NodeJS)
	source := `const http = require("http"); exports.handler = async () => 1`
	modules := os.Getenv("GATEWRIGHT_EXPRESS")
	if modules != "" {
		source = `const app = require("express")(); exports.handler = require("serverless-http")(app)`
	}
	f := newFacility(b, nil)
	s := f.serve(b, model.NodeJS, map[string]string{"index.js": source}, nil)
	if modules != "" {
		if err := os.Symlink(modules, filepath.Join(s.Folder, "src", "node_modules")); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("function", func(b *testing.B) {
		for b.Loop() {
			f.Apply(nil)
			f.Apply([]function.Spec{s})
			f.answer(b, benchEvent)
		}
	})
	b.Run("node", func(b *testing.B) {
		for b.Loop() {
			load := exec.Command("node", "-e", `require("./index.js")`)
			load.Dir = filepath.Join(s.Folder, "src")
			if out, err := load.CombinedOutput(); err != nil {
				b.Fatalf("%v: %s", err, out)
			}
		}
	})
}

// BenchmarkEdit measures an edit and a call right after it.
func BenchmarkEdit(b *testing.B) {
	f := newFacility(b, nil)
	source := func(n int) map[string]string {
		return map[string]string{"index.js": fmt.Sprintf("exports.handler = async () => %d", n)}
	}
	s := f.serve(b, model.NodeJS, source(0), nil)
	f.result(b, benchEvent)
	for n := 1; b.Loop(); n++ {
		writeSource(b, s, source(n))
		for f.result(b, benchEvent) != fmt.Sprint(n) {
		}
	}
}

// BenchmarkRuntimeAPI measures the server's part of a call, and for comparison the same
// with net/http.
func BenchmarkRuntimeAPI(b *testing.B) {
	const post = "POST /2018-06-01/runtime/init/error HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{}"
	ask := func(b *testing.B, address string) {
		socket := dial(b, address)
		defer socket.Close()
		buffer := make([]byte, 4096)
		for b.Loop() {
			io.WriteString(socket, post)
			if n, err := socket.Read(buffer); err != nil || !bytes.HasPrefix(buffer[:n], []byte("HTTP/1.1 4")) {
				b.Fatalf("%v %s", err, buffer[:n])
			}
		}
	}
	b.Run("own", func(b *testing.B) {
		w := &worker{pool: &pool{}, state: busy}
		api, err := newAPI(w)
		if err != nil {
			b.Fatal(err)
		}
		defer api.listener.Close()
		api.address, api.secret = "127.0.0.1", ""
		go api.serve()
		ask(b, api.listener.Addr().String())
	})
	b.Run("net http", func(b *testing.B) {
		listener := listen(b)
		defer listener.Close()
		go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.ReadAll(r.Body)
			w.WriteHeader(403)
			io.WriteString(w, `{"errorType":"InvalidStateTransition"}`)
		}))
		ask(b, listener.Addr().String())
	})
}

func dial(b *testing.B, address string) net.Conn {
	b.Helper()
	socket, err := net.Dial("tcp", address)
	if err != nil {
		b.Fatal(err)
	}
	return socket
}

func listen(b *testing.B) net.Listener {
	b.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	return listener
}
