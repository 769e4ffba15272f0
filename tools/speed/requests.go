//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gatewright/tools/measure"
)

// The figures of calls; call.of returns them in this order.
var (
	oneAtATime = []figure{{"p50", "µs", false}, {"processor time", "µs", false}}
	manyAtOnce = []figure{{}, {}, {"rate", "1/s", true}}
)

// requests compares warm calls.
func requests(b *bench) {
	w := b.servers()
	for _, r := range requestRows(b.quick) {
		b.calls(r.name, r.call, r.connections, w.of(r.path)...)
	}
	w.counted(b)
}

// calls are the rows of a call: its time on one connection, its rate on several.
func (b *bench) calls(name string, c call, connections []int, servers ...*server) {
	for _, n := range connections {
		row, figures := name+", 1 connection", oneAtATime
		if n > 1 {
			row, figures = fmt.Sprintf("%s, %d connections", name, n), manyAtOnce
		}
		var subjects []subject
		for _, s := range servers {
			subjects = append(subjects, c.of(s, n, b.span))
		}
		b.row(row, figures, subjects...)
	}
}

// requestRow is a kind of calls.
type requestRow struct {
	name        string
	connections []int
	call
}

func requestRows(quick bool) []requestRow {
	var (
		some, many = []int{1, 16}, []int{1, 16, 64}
		get        = call{method: "GET", path: "/items?limit=3", has: succeed}
		post       = call{method: "POST", path: "/items", headers: "Content-Type: application/json\r\n", has: succeed}
		all        = []requestRow{{"small", many, get}}
	)
	for i, name := range []string{"8 KB", "64 KB", "1 MB"} {
		size := 8 << 10 << (3 * i)
		if i == 2 {
			size = 1 << 20
		}
		get.path, get.size, post.size = fmt.Sprint("/items/sized/", size), size, size
		post.body = `{"items":[` + strings.Repeat(item+",", size/len(item)) + item + "]}"
		all = append(all, requestRow{name + " JSON answer", some, get})
		if !quick {
			all = append(all, requestRow{name + " JSON body echoed", some, post})
		}
	}
	if quick {
		return all
	}
	get = all[0].call
	get.headers = "Cookie: " + strings.Repeat("name="+strings.Repeat("v", 90)+"; ", 80) + "last=1\r\n"
	post.path, post.has = "/items/binary", "\xff\x00\r\n\x89PNG\xff"
	post.headers = "Content-Type: image/png\r\nAccept: image/png\r\n"
	post.size = 64 << 10
	post.body = strings.Repeat("\x89PNG\xff\x00\r\n", post.size/8)
	return append(all, requestRow{"headers of 8 KB", some, get}, requestRow{"64 KB binary body echoed", some, post},
		requestRow{"plain handler, small", many, call{method: "GET", path: "/plain?limit=3", has: succeed}})
}

// succeed is in every answer of the templates.
const succeed = "call succeed!"

const item = `{"id":"b1946ac9","title":"The \"Title\" of a book","price":12.5,"tags":["new","in stock"],"sold":false}`

// sized are routes for answers of a size and for bodies of bytes, which the template lacks.
const (
	expressApp = "const app = express();\n"
	sized      = expressApp + `const item = ` + item + `;
app.get("/items/sized/:bytes", (req, res) => {
  res.json({ success: "get call succeed!", items: Array(Math.ceil(req.params.bytes / JSON.stringify(item).length)).fill(item) });
});
app.post("/items/binary", express.raw({ type: () => true, limit: "6mb" }), (req, res) => {
  res.type("image/png").send(req.body);
});
`
	// expressListen serves the template's app with Express alone, plainListen its handler with Node.js.
	expressListen = `const s = require("./app").listen(0, "127.0.0.1", () => console.log("listening on http://127.0.0.1:" + s.address().port))`
	plainListen   = `const { handler } = require("./index");
const s = require("http").createServer(async (req, res) => {
  const at = new URL(req.url, "http://a");
  const r = await handler({ httpMethod: req.method, path: at.pathname, queryStringParameters: Object.fromEntries(at.searchParams), headers: req.headers });
  res.writeHead(r.statusCode, r.headers).end(r.body);
}).listen(0, "127.0.0.1", () => console.log("listening on http://127.0.0.1:" + s.address().port));`
)

// trio are the servers of the requests, with one project.
type trio struct {
	project *measure.Project
	// sandbox and peer serve all functions; the floor has a server for each kind of them.
	sandbox, express, plain, peer *server
}

// of are the servers that answer a path: the program, its floor, its peer.
func (w *trio) of(path string) []*server {
	if strings.HasPrefix(path, "/plain") {
		return []*server{w.sandbox, w.plain, w.peer}
	}
	return []*server{w.sandbox, w.express, w.peer}
}

// servers makes the project and starts the servers, once.
func (b *bench) servers() *trio {
	if b.trio != nil {
		return b.trio
	}
	p := b.project("requests")
	w := &trio{project: p}
	commands := [][]string{
		{"add", "api", "shop", "--path", "/items", "--function", "items", "--new-function", "express", "--open"},
		{"update", "api", "shop", "--binary-media-types", "image/png"},
		{"add", "path", "shop", "/plain", "--function", "plain", "--open"},
	}
	functions := []string{"items", "plain"}
	for i := range b.rounds {
		for _, kind := range coldKinds {
			name := fmt.Sprint(kind, i)
			functions = append(functions, name)
			commands = append(commands, []string{
				"add", "path", "shop", "/" + name, "--function", name, "--new-function", kind, "--open",
			})
		}
	}
	check(p.Gatewright(b.ctx, commands...))
	items := filepath.Join(source(p, "items"), "app.js")
	app := must(os.ReadFile(items))
	if !bytes.Contains(app, []byte(expressApp)) {
		check(fmt.Errorf("the Express template lacks %q", expressApp))
	}
	app = bytes.Replace(app, []byte(expressApp), []byte(sized), 1)
	check(os.WriteFile(items, app, 0o600))
	b.install(p, source(p, "items"))
	const modules = "node_modules"
	for _, name := range functions {
		if strings.HasPrefix(name, "express") {
			check(os.CopyFS(filepath.Join(source(p, name), modules), os.DirFS(filepath.Join(source(p, "items"), modules))))
		}
	}
	w.express = b.floor(p, source(p, "items"), expressListen)
	w.plain = b.floor(p, source(p, "plain"), plainListen)
	w.sandbox, w.peer = b.sandbox(p)[0], b.offline(p, functions)
	b.trio = w
	return w
}

// coldKinds are the templates of functions of which each is called once.
var coldKinds = []string{"plain", "express"}

// cold measures the first call of functions.
func cold(b *bench) {
	w := b.servers()
	for i, kind := range coldKinds {
		first := func(s *server) subject {
			n := -1
			return func() []float64 {
				n++
				began := time.Now()
				call{method: "GET", path: fmt.Sprintf("/%s%d", kind, n), has: succeed}.once(s)
				return []float64{milliseconds(time.Since(began))}
			}
		}
		listen, folder := []string{plainListen, expressListen}[i], source(w.project, []string{"plain", "items"}[i])
		node := func() []float64 {
			began := time.Now()
			s := b.serve(w.project.Command(b.ctx, folder, "node", "-e", listen))
			defer b.started[len(b.started)-1].Kill()
			call{method: "GET", path: "/items", has: succeed}.once(s)
			return []float64{milliseconds(time.Since(began))}
		}
		b.row(kind, []figure{{"first call", "ms", false}}, first(w.sandbox), node, first(w.peer))
	}
	w.counted(b)
}

// memory measures resident memory after load, again and again.
func memory(b *bench) {
	w := b.servers()
	var subjects []subject
	for _, s := range w.of("/items") {
		load := call{method: "GET", path: "/items/sized/8192", has: succeed}.of(s, 16, 5*b.span)
		subjects = append(subjects, func() []float64 {
			load()
			own := must(measure.Resident(s.pids[len(s.pids)-1]))
			var all int
			for _, p := range s.processes() {
				one, _ := measure.Resident(p.PID)
				all += one
			}
			return []float64{float64(own) / (1 << 20), float64(all) / (1 << 20)}
		})
	}
	b.row("after load", []figure{{"itself", "MB", false}, {"with its functions", "MB", false}}, subjects...)
	w.counted(b)
}

// counted fails if a request is missing in what the sandbox remembers.
func (w *trio) counted(b *bench) {
	b.compare(w.project, int(w.sandbox.calls.Load()))
}

// compare fails unless the sandbox remembers as many requests as were sent.
func (b *bench) compare(p *measure.Project, sent int) {
	var last struct{ Number int }
	out := must(p.Run(b.ctx, p.Folder, p.Program, "logs", "--requests", "--json", "--last", "1"))
	check(json.Unmarshal(bytes.TrimSpace(out), &last))
	if last.Number != sent {
		check(fmt.Errorf("%d requests were sent, and %d counted", sent, last.Number))
	}
}
