//go:build linux

package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// bareExpress serves the template's app with Express alone.
const bareExpress = `const s = require("./app").listen(0, "127.0.0.1", () => console.log("listening on http://127.0.0.1:" + s.address().port))`

// oneCall loads the handler, calls it and ends.
const oneCall = `require("./index").handler({httpMethod: "GET", path: "/items", queryStringParameters: {limit: "3"}, headers: {}, requestContext: {}}, {}).then((r) => { console.log(JSON.stringify(r)); process.exit(); })`

// start makes a project and starts the servers. Express alone is the first, with which the
// others are compared. stop ends all of them.
func start(work string, peers bool) (servers []*server, stop func(), err error) {
	var started []*exec.Cmd
	stop = func() {
		for _, cmd := range started {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
			_ = cmd.Wait()
		}
	}
	serve := func(name, path, dir string, command ...string) (string, error) {
		cmd, address, err := listening(dir, command...)
		if cmd != nil {
			started = append(started, cmd)
		}
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		servers = append(servers, &server{name: name, pid: cmd.Process.Pid, open: overHTTP(address, path+"?limit=3")})
		return address, nil
	}

	program, project := filepath.Join(work, "gatewright"), filepath.Join(work, "project")
	if err := os.Mkdir(project, 0o755); err != nil {
		return nil, stop, err
	}
	if err := command(".", "go", "build", "-o", program, "."); err != nil {
		return nil, stop, err
	}
	for _, args := range [][]string{
		{"init", "--name", "speed", "--app-id", "speed"},
		{"add", "api", "shop", "--path", "/items", "--function", "items", "--new-function", "express"},
		{"push"},
	} {
		if err := command(project, program, args...); err != nil {
			return nil, stop, err
		}
	}
	source := filepath.Join(project, "backend", "function", "items", "src")
	if err := command(source, "npm", "install", "--no-audit", "--no-fund"); err != nil {
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
	endpoint, err := endpoint(project)
	if err != nil {
		return nil, stop, err
	}
	if _, err := serve("the sandbox, Express template", endpoint+"/items", project, program, "sandbox", "--port",
		freePort()); err != nil {
		return nil, stop, err
	}
	servers = append(servers, &server{name: "a process for each call", open: processPerCall(source)})
	if peers {
		if err := offline(work, source, serve); err != nil {
			return nil, stop, err
		}
	}
	return servers, stop, nil
}

// offline installs serverless-offline and serves the function with it.
func offline(work, source string, serve func(name, path, dir string, command ...string) (string, error)) error {
	folder := filepath.Join(work, "offline")
	if err := os.CopyFS(folder, os.DirFS(source)); err != nil {
		return err
	}
	if err := command(folder, "npm", "install", "--no-audit", "--no-fund", "serverless@3.40.0",
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
func endpoint(project string) (string, error) {
	cmd := exec.Command(filepath.Join(filepath.Dir(project), "gatewright"), "generate", "outputs", "--stdout")
	cmd.Dir, cmd.Env = project, environment(project)
	out, err := cmd.Output()
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
func listening(dir string, command ...string) (*exec.Cmd, string, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Env = dir, environment(dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, in := io.Pipe()
	cmd.Stdout, cmd.Stderr = in, in
	if err := cmd.Start(); err != nil {
		return nil, "", err
	}
	address := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			// serverless-offline prints another address before its own.
			_, rest, found := strings.Cut(lines.Text(), "http://")
			if found && !strings.Contains(lines.Text(), "[http for lambda]") {
				rest, _, _ = strings.Cut(strings.Fields(rest)[0], "/")
				select {
				case address <- strings.Replace(rest, "localhost", "127.0.0.1", 1):
				default:
				}
			}
		}
	}()
	select {
	case at := <-address:
		return cmd, at, nil
	case <-time.After(time.Minute):
		return cmd, "", fmt.Errorf("it prints no address")
	}
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

func command(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, environment(dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w %s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

// environment keeps the project's state apart from the user's own.
func environment(dir string) []string {
	return append(os.Environ(), "GATEWRIGHT_STATE="+filepath.Join(dir, ".state"), "CI=", "SLS_TELEMETRY_DISABLED=1")
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
