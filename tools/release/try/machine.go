//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"gatewright/test/registry"
)

// machine is a Debian in a folder.
type machine struct {
	root string
	out  io.Writer
	// npm is the address of the registry that has the packages of the release.
	npm string
}

// npmVersion is the npm that Node.js 20 and 22 come with.
const npmVersion = "npm@10"

// lay lays a Debian with a user, the files of the release, and npm.
func (m *machine) lay(ctx context.Context, o options, r release, work string) error {
	how := []string{"debootstrap", "--variant=minbase", o.suite, m.root}
	if o.base != "" {
		how = []string{"cp", "-a", o.base, m.root}
	}
	fmt.Fprintf(m.out, "== %s\n", strings.Join(how, " "))
	if out, err := exec.CommandContext(ctx, how[0], how[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", how[0], err, last(string(out), 3))
	}
	if resolv, err := os.ReadFile("/etc/resolv.conf"); err == nil {
		if err := os.WriteFile(filepath.Join(m.root, "etc/resolv.conf"), resolv, 0o644); err != nil {
			return err
		}
	}
	if out, err := exec.CommandContext(ctx, "cp", "-a", r.dir,
		filepath.Join(m.root, "dist")).CombinedOutput(); err != nil {
		return fmt.Errorf("cp: %w: %s", err, out)
	}
	if err := os.WriteFile(filepath.Join(m.root, "session.sh"), []byte(session), 0o755); err != nil {
		return err
	}
	pack := exec.CommandContext(ctx, "npm", "pack", "--silent", npmVersion)
	pack.Dir = work
	name, err := pack.Output()
	if err != nil {
		return fmt.Errorf("npm pack %s: %w", npmVersion, err)
	}
	if err := os.Rename(filepath.Join(work, strings.TrimSpace(string(name))),
		filepath.Join(m.root, "npm.tgz")); err != nil {
		return err
	}
	if err := m.serve(ctx, r); err != nil {
		return err
	}
	_, err = m.run(ctx, "apt-get update -qq && useradd --create-home dev")
	return err
}

// serve runs a registry of the npm packages, which is reached from the Debian too.
func (m *machine) serve(ctx context.Context, r release) error {
	packed, err := registry.Folder(r.dir)
	if err != nil {
		return err
	}
	packages, err := registry.New(packed...)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	m.npm = "http://" + listener.Addr().String()
	server := &http.Server{Handler: packages, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }()
	context.AfterFunc(ctx, func() { _ = server.Close() })
	return nil
}

// run runs a script in the Debian as root. What it starts ends with it, since it has its own
// process numbers.
func (m *machine) run(ctx context.Context, script string) (string, error) {
	cmd := exec.CommandContext(ctx, "unshare", "--mount", "--pid", "--fork", "--kill-child",
		"--mount-proc="+filepath.Join(m.root, "proc"), "chroot", m.root, "sh", "-ec", script)
	cmd.Env = []string{
		"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LANG=C.UTF-8",
		"DEBIAN_FRONTEND=noninteractive", "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1",
	}
	for _, name := range []string{"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"} {
		if value, ok := os.LookupEnv(name); ok {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return string(out), fmt.Errorf("%w: %s", err, last(string(out), 6))
	}
	return string(out), nil
}

// last is the end of what a program wrote, in one line.
func last(out string, lines int) string {
	all := strings.Split(strings.TrimSpace(out), "\n")
	return strings.Join(all[max(0, len(all)-lines):], " / ")
}
