//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gatewright/tools/measure"
)

// The figures of calls; call.of returns them in this order.
var (
	oneAtATime = []figure{{"p50", "µs", false}, {"processor time", "µs", false}}
	manyAtOnce = []figure{{}, {}, {"rate", "1/s", true}}
)

// requests compares warm calls.
func requests(ctx context.Context, b *bench) error {
	w, err := b.trio(ctx)
	if err != nil {
		return err
	}
	compare := func(name string, c call, connections int, only ...figure) error {
		var subjects []subject
		for _, s := range w.servers(c) {
			subjects = append(subjects, c.of(s, connections, b.span))
		}
		_, err := b.row(ctx, fmt.Sprintf("%s, %d connections", name, connections), only, subjects...)
		return err
	}
	for _, r := range requestRows(b.quick) {
		figures := oneAtATime
		for _, connections := range r.connections {
			if connections > 1 {
				figures = manyAtOnce
			}
			if err := compare(r.name, r.call, connections, figures...); err != nil {
				return err
			}
		}
	}
	return w.counted(ctx)
}

// requestRow is a kind of calls.
type requestRow struct {
	name        string
	connections []int
	call
}

func requestRows(quick bool) []requestRow {
	const succeed = "call succeed!"
	all := []requestRow{{"small", []int{1, 16, 64}, call{method: "GET", path: "/items?limit=3", has: succeed}}}
	for _, size := range []struct {
		name        string
		bytes       int
		connections []int
	}{{"8 KB", 8 << 10, []int{1, 16}}, {"64 KB", 64 << 10, []int{1, 16}}, {"1 MB", 1 << 20, []int{1, 16}}} {
		body := `{"items":[` + strings.Repeat(item+",", size.bytes/len(item)) + item + "]}"
		all = append(all, requestRow{
			size.name + " JSON answer", size.connections,
			call{method: "GET", path: fmt.Sprintf("/items/sized/%d", size.bytes), size: size.bytes, has: succeed},
		}, requestRow{
			size.name + " JSON body echoed", size.connections,
			call{method: "POST", path: "/items", headers: "Content-Type: application/json\r\n", body: body, size: size.bytes, has: succeed},
		})
	}
	if quick {
		return all
	}
	cookie := "Cookie: "
	for i := range 80 {
		cookie += fmt.Sprintf("name%d=%s; ", i, strings.Repeat("v", 90))
	}
	const binary = 64 << 10
	return append(all,
		requestRow{"headers of 8 KB", []int{1, 16}, call{method: "GET", path: "/items", headers: cookie + "last=1\r\n", has: succeed}},
		requestRow{"64 KB binary body echoed", []int{1, 16}, call{
			method: "POST", path: "/items/binary", headers: "Content-Type: image/png\r\n",
			body: strings.Repeat("\x89PNG\xff\x00\r\n", binary/8), size: binary, has: "\xff\x00\r\n\x89PNG\xff",
		}},
		requestRow{"plain handler, small", []int{1, 16, 64}, call{method: "GET", path: "/plain?limit=3", has: succeed}},
	)
}

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
	// listen serves the template's app with Express alone, and the plain handler with Node.js alone.
	listen = `const say = (s) => () => console.log("listening on http://127.0.0.1:" + s.address().port);
const s = require("./app").listen(0, "127.0.0.1", () => say(s)());`
	plainListen = `const { handler } = require("./index");
const s = require("http").createServer(async (req, res) => {
  const at = new URL(req.url, "http://a");
  const r = await handler({ httpMethod: req.method, path: at.pathname, queryStringParameters: Object.fromEntries(at.searchParams), headers: req.headers });
  res.writeHead(r.statusCode, r.headers).end(r.body);
}).listen(0, "127.0.0.1", () => console.log("listening on http://127.0.0.1:" + s.address().port));`
)

// trio are the servers of the requests, with one project.
type trio struct {
	project *measure.Project
	// sandbox serves both functions; the floor and the peer have one server for each or for both.
	sandbox, express, plain, peer *server
}

// servers are those that answer a call: the program, its floor, its peer.
func (w *trio) servers(c call) []*server {
	floor := w.express
	if strings.HasPrefix(c.path, "/plain") {
		floor = w.plain
	}
	return []*server{w.sandbox, floor, w.peer}
}

// trio makes the project and starts the servers.
func (b *bench) trio(ctx context.Context) (*trio, error) {
	p, err := measure.New(ctx, b.work)
	if err != nil {
		return nil, err
	}
	w := &trio{project: p}
	if err := p.Gatewright(ctx, []string{"init", "--name", "speed", "--app-id", "speed"},
		[]string{"add", "api", "shop", "--path", "/items", "--function", "items", "--new-function", "express", "--open"},
		[]string{"update", "api", "shop", "--binary-media-types", "image/png"},
		[]string{"add", "path", "shop", "/plain", "--function", "plain", "--new-function", "plain", "--open"},
		[]string{"push"}); err != nil {
		return nil, err
	}
	functions := filepath.Join(p.Folder, "backend", "function")
	source, plain := filepath.Join(functions, "items", "src"), filepath.Join(functions, "plain", "src")
	app, err := os.ReadFile(filepath.Join(source, "app.js"))
	if err != nil || !bytes.Contains(app, []byte(expressApp)) {
		return nil, fmt.Errorf("the Express template lacks %q (%v)", expressApp, err)
	}
	app = bytes.Replace(app, []byte(expressApp), []byte(sized), 1)
	if err := os.WriteFile(filepath.Join(source, "app.js"), app, 0o600); err != nil {
		return nil, err
	}
	if _, err := p.Run(ctx, source, "npm", "install", "--no-audit", "--no-fund"); err != nil {
		return nil, err
	}
	if w.express, err = b.floor(ctx, p, source, listen); err != nil {
		return nil, err
	}
	if w.plain, err = b.floor(ctx, p, plain, plainListen); err != nil {
		return nil, err
	}
	prefix, err := endpoint(ctx, p)
	if err != nil {
		return nil, err
	}
	address, s, err := b.serve(p.Command(ctx, p.Folder, p.Program, "sandbox", "--port", "0"))
	if err != nil {
		return nil, err
	}
	w.sandbox = &server{address: address, prefix: prefix, pids: []int{s.PID()}}
	w.peer, err = b.offline(ctx, p, source, plain)
	return w, err
}

// counted fails if a request is missing in what the sandbox remembers.
func (w *trio) counted(ctx context.Context) error {
	n, err := lastNumber(ctx, w.project)
	if want := int(w.sandbox.calls.Load()); err == nil && n != want {
		err = fmt.Errorf("%d requests were sent, and %d counted", want, n)
	}
	return err
}

// lastNumber is the number of requests that the sandbox says it answered.
func lastNumber(ctx context.Context, p *measure.Project) (int, error) {
	out, err := p.Run(ctx, p.Folder, p.Program, "logs", "--requests", "--json", "--last", "1")
	if err != nil {
		return 0, err
	}
	var last struct{ Number int }
	if err := json.Unmarshal(bytes.TrimSpace(out), &last); err != nil {
		return 0, fmt.Errorf("reading the last request: %w", err)
	}
	return last.Number, nil
}
