//go:build linux

package main

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"gatewright/tools/measure"
)

// peers are the packages that are installed to compare with.
var peers = []string{"serverless@3.40.0", "serverless-offline@13.10.1", "dynalite@4.0.0"}

// serveAs serves in a process of its own, whose processor time and memory can be measured.
func serveAs(role, argument string) error {
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	fmt.Println("listening on http://" + listener.Addr().String())
	switch role {
	case "tables":
		return serveTables(listener, argument)
	case "answers":
		return http.Serve(listener, http.HandlerFunc(answerAsTable))
	}
	const connections = 256
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: argument})
	proxy.Transport = &http.Transport{MaxIdleConns: connections, MaxIdleConnsPerHost: connections}
	return http.Serve(listener, proxy)
}

// self serves as a role.
func (b *bench) self(p *measure.Project, role, argument string) *server {
	self := must(os.Executable())
	return b.serve(p.Command(b.ctx, b.work, self, "-serve", role, argument))
}

// floor serves a folder's source with Node.js behind a reverse proxy.
func (b *bench) floor(p *measure.Project, folder, source string) *server {
	node := b.serve(p.Command(b.ctx, folder, "node", "-e", source))
	proxy := b.self(p, "proxy", node.address)
	proxy.pids = append(node.pids, proxy.pids...)
	return proxy
}

// sandbox serves a project, with a server for each API.
func (b *bench) sandbox(p *measure.Project) []*server {
	var all []*server
	s := must(measure.Serve(p.Command(b.ctx, p.Folder, p.Program, "sandbox", "--port", "0"), func(line string) bool {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "API" {
			if at, err := url.Parse(fields[2]); err == nil {
				all = append(all, &server{address: at.Host, prefix: at.Path})
			}
		}
		return strings.Contains(line, "is written, for environment")
	}))
	b.started = append(b.started, s)
	for _, one := range all {
		one.pids = []int{s.PID()}
	}
	return all
}

// offline installs serverless-offline and serves functions with it, each on a path of its name.
func (b *bench) offline(p *measure.Project, functions []string) *server {
	folder := filepath.Join(p.Folder, "..", "offline")
	config := `service: speed
frameworkVersion: "3"
provider: {name: aws, runtime: nodejs20.x, apiGateway: {binaryMediaTypes: ["image/png"]}}
plugins: [serverless-offline]
functions:
`
	for _, name := range functions {
		check(os.CopyFS(filepath.Join(folder, name), os.DirFS(source(p, name))))
		config += fmt.Sprintf("  %s: {handler: %s/index.handler, events: [{http: {path: /%s, method: any}}, "+
			"{http: {path: \"/%s/{proxy+}\", method: any}}]}\n", name, name, name, name)
	}
	b.install(p, folder, peers[:2]...)
	check(os.WriteFile(filepath.Join(folder, "serverless.yml"), []byte(config), 0o600))
	command := p.Command(b.ctx, folder, "node", "node_modules/.bin/serverless", "offline", "--host", "127.0.0.1",
		"--httpPort", must(measure.FreePort()), "--lambdaPort", must(measure.FreePort()))
	command.Env = append(command.Env, "SLS_TELEMETRY_DISABLED=1")
	s := b.serve(command)
	s.prefix = "/dev"
	return s
}

// install installs packages of npm in a folder, or those that it asks for.
func (b *bench) install(p *measure.Project, folder string, packages ...string) {
	check(os.MkdirAll(folder, 0o755))
	must(p.Run(b.ctx, folder, "npm", append([]string{"install", "--no-audit", "--no-fund"}, packages...)...))
}
