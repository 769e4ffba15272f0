//go:build linux

package main

import (
	"context"
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
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("listening on http://" + listener.Addr().String())
	const connections = 256
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: argument})
	proxy.Transport = &http.Transport{MaxIdleConns: connections, MaxIdleConnsPerHost: connections}
	return http.Serve(listener, proxy)
}

// floor serves a folder's source with Node.js behind a reverse proxy.
func (b *bench) floor(ctx context.Context, p *measure.Project, folder, source string) (*server, error) {
	behind, node, err := b.serve(p.Command(ctx, folder, "node", "-e", source))
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	address, s, err := b.serve(p.Command(ctx, b.work, self, "-serve", "proxy", behind))
	if err != nil {
		return nil, err
	}
	return &server{address: address, pids: []int{node.PID(), s.PID()}}, nil
}

// offline installs serverless-offline and serves the functions with it.
func (b *bench) offline(ctx context.Context, p *measure.Project, source, plain string) (*server, error) {
	folder := filepath.Join(b.work, "offline")
	if err := os.CopyFS(folder, os.DirFS(source)); err != nil {
		return nil, err
	}
	if err := os.CopyFS(filepath.Join(folder, "plain"), os.DirFS(plain)); err != nil {
		return nil, err
	}
	if _, err := p.Run(ctx, folder, "npm", append([]string{"install", "--no-audit", "--no-fund"}, peers[:2]...)...); err != nil {
		return nil, err
	}
	const config = `service: speed
frameworkVersion: "3"
provider: {name: aws, runtime: nodejs20.x, apiGateway: {binaryMediaTypes: ["image/png"]}}
plugins: [serverless-offline]
functions:
  items:
    handler: index.handler
    events:
      - http: {path: /items, method: any}
      - http: {path: "/items/{proxy+}", method: any}
  plain:
    handler: plain/index.handler
    events:
      - http: {path: /plain, method: any}
`
	if err := os.WriteFile(filepath.Join(folder, "serverless.yml"), []byte(config), 0o600); err != nil {
		return nil, err
	}
	command := p.Command(ctx, folder, "node", "node_modules/.bin/serverless", "offline", "--host", "127.0.0.1", "--httpPort",
		freePort(), "--lambdaPort", freePort())
	command.Env = append(command.Env, "SLS_TELEMETRY_DISABLED=1")
	address, s, err := b.serve(command)
	if err != nil {
		return nil, err
	}
	return &server{address: address, prefix: "/dev", pids: []int{s.PID()}}, nil
}

// endpoint is the path of the API's endpoint according to its deployment.
func endpoint(ctx context.Context, p *measure.Project) (string, error) {
	out, err := p.Run(ctx, p.Folder, p.Program, "generate", "outputs", "--stdout")
	if err != nil {
		return "", fmt.Errorf("finding the endpoint: %w", err)
	}
	_, rest, _ := strings.Cut(string(out), `"endpoint": "`)
	text, _, _ := strings.Cut(rest, `"`)
	at, err := url.Parse(text)
	if err != nil || at.Path == "" {
		return "", fmt.Errorf("no endpoint in %s", out)
	}
	return at.Path, nil
}

func freePort() string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "0"
	}
	defer func() { _ = listener.Close() }()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return port
}
