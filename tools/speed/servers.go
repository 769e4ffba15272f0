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
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"gatewright/tools/measure"
)

// bareExpress serves the template's app with Express alone.
const bareExpress = `const s = require("./app").listen(0, "127.0.0.1", () => console.log("listening on http://127.0.0.1:" + s.address().port))`

// oneCall loads the handler, calls it and ends.
const oneCall = `require("./index").handler({httpMethod: "GET", path: "/items", queryStringParameters: {limit: "3"}, headers: {}, requestContext: {}}, {}).then((r) => { console.log(JSON.stringify(r)); process.exit(); })`

// start makes a project and starts the servers. Express alone is the first, with which the
// others are compared. stop ends all of them.
func start(work string, peers bool) (servers []*server, stop func(), err error) {
	var started []*measure.Server
	stop = func() {
		for _, s := range started {
			s.Kill()
		}
	}
	ctx := context.Background()
	p, err := measure.New(ctx, work)
	if err != nil {
		return nil, stop, err
	}
	serve := func(name, path, dir string, command ...string) (string, error) {
		s, address, err := listening(p.Command(ctx, dir, command[0], command[1:]...))
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		started = append(started, s)
		servers = append(servers, &server{name: name, pid: s.PID(), open: overHTTP(address, path+"?limit=3")})
		return address, nil
	}
	if err := p.Gatewright(ctx, []string{"init", "--name", "speed", "--app-id", "speed"},
		[]string{"add", "api", "shop", "--path", "/items", "--function", "items", "--new-function", "express"},
		[]string{"push"}); err != nil {
		return nil, stop, err
	}
	source := filepath.Join(p.Folder, "backend", "function", "items", "src")
	if _, err := p.Run(ctx, source, "npm", "install", "--no-audit", "--no-fund"); err != nil {
		return nil, stop, err
	}

	bare, err := serve("Express alone", "/items", source, "node", "-e", bareExpress)
	if err != nil {
		return nil, stop, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, stop, err
	}
	if _, err := serve("Express behind a reverse proxy", "/items", work, self, "-proxy", bare); err != nil {
		return nil, stop, err
	}
	endpoint, err := endpoint(ctx, p)
	if err != nil {
		return nil, stop, err
	}
	if _, err := serve("the sandbox, Express template", endpoint+"/items", p.Folder, p.Program, "sandbox", "--port",
		freePort()); err != nil {
		return nil, stop, err
	}
	servers = append(servers, &server{name: "a process for each call", open: processPerCall(source)})
	if peers {
		if err := offline(ctx, p, source, serve); err != nil {
			return nil, stop, err
		}
	}
	return servers, stop, nil
}

// offline installs serverless-offline and serves the function with it.
func offline(
	ctx context.Context, p *measure.Project, source string,
	serve func(name, path, dir string, command ...string) (string, error),
) error {
	folder := filepath.Join(filepath.Dir(p.Folder), "offline")
	if err := os.Setenv("SLS_TELEMETRY_DISABLED", "1"); err != nil {
		return err
	}
	if err := os.CopyFS(folder, os.DirFS(source)); err != nil {
		return err
	}
	if _, err := p.Run(ctx, folder, "npm", "install", "--no-audit", "--no-fund", "serverless@3.40.0",
		"serverless-offline@13.10.1"); err != nil {
		return err
	}
	port, lambda := freePort(), freePort()
	config := `service: speed
frameworkVersion: "3"
provider: {name: aws, runtime: nodejs20.x}
plugins: [serverless-offline]
functions:
  items:
    handler: index.handler
    events:
      - http: {path: /items, method: any}
      - http: {path: "/items/{proxy+}", method: any}
`
	if err := os.WriteFile(filepath.Join(folder, "serverless.yml"), []byte(config), 0o600); err != nil {
		return err
	}
	_, err := serve("serverless-offline", "/dev/items", folder, "node", "node_modules/.bin/serverless", "offline",
		"--host", "127.0.0.1", "--httpPort", port, "--lambdaPort", lambda)
	return err
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

// listening starts a server and waits until it prints its address.
func listening(command *exec.Cmd) (s *measure.Server, address string, err error) {
	s, err = measure.Serve(command, func(line string) bool {
		// serverless-offline prints another address before its own.
		_, rest, found := strings.Cut(line, "http://")
		if !found || strings.Contains(line, "[http for lambda]") {
			return false
		}
		rest, _, _ = strings.Cut(strings.Fields(rest)[0], "/")
		address = strings.Replace(rest, "localhost", "127.0.0.1", 1)
		return true
	})
	return s, address, err
}

// processPerCall makes each call with a new process.
func processPerCall(source string) func() (func() (time.Duration, error), func(), error) {
	call := func() (time.Duration, error) {
		cmd := exec.Command("node", "-e", oneCall)
		cmd.Dir = source
		out, err := cmd.CombinedOutput()
		if err == nil && !strings.Contains(string(out), "succeed") {
			err = fmt.Errorf("answers %s", out)
		}
		return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), err
	}
	return func() (func() (time.Duration, error), func(), error) { return call, func() {}, nil }
}

// serveProxy serves a reverse proxy in front of target.
func serveProxy(target string) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("listening on http://" + listener.Addr().String())
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: target})
	proxy.Transport = &http.Transport{MaxIdleConnsPerHost: 64}
	return http.Serve(listener, proxy)
}

func freePort() string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "0"
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return port
}
