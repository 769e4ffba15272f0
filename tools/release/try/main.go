//go:build linux

// Command try installs a release in a fresh Debian, in each way that runs there, and does
// with each what a new user does: make a project, add an API, push it, run it, call it.
//
//	.ci/release --snapshot
//	go run ./tools/release/try dist
//
// It lays the Debian in a temporary folder, with debootstrap, and removes it afterwards. It
// prints what it tried and what was answered, and exits 1 if anything failed. It needs root.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

// options are what the flags say.
type options struct {
	suite   string
	base    string
	lintian bool
	figures string
	dist    string
}

func main() {
	var o options
	flag.StringVar(&o.suite, "suite", "trixie", "the `release` of Debian")
	flag.StringVar(&o.base, "base", "", "copy this `folder`, in which debootstrap laid a Debian, in place of laying one")
	flag.BoolVar(&o.lintian, "lintian", false, "also have lintian read the package for Debian")
	flag.StringVar(&o.figures, "figures", "", "write the summary to this `file` too")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: go run ./tools/release/try [flags] DIST")
		os.Exit(2)
	}
	o.dist = flag.Arg(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "try:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	if os.Geteuid() != 0 {
		return errors.New("only root can lay a Debian and enter it: run this as root")
	}
	for _, tool := range []string{"debootstrap", "unshare", "chroot", "cp", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("%s is missing: install it (on Debian, the packages debootstrap, mount, coreutils and npm)", tool)
		}
	}
	r, err := readRelease(o.dist)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "gatewright-try-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	m := &machine{root: filepath.Join(work, "root"), out: os.Stdout}
	start := time.Now()
	if err := m.lay(ctx, o, r, work); err != nil {
		return err
	}
	var summary strings.Builder
	fmt.Fprintf(&summary, "gatewright %s in a fresh Debian %s, %s, %s\n", r.version, o.suite, r.arch,
		time.Now().UTC().Format(time.DateOnly))
	fmt.Fprintf(&summary, "checksums          %d files as checksums.txt says\n", r.files)
	how := "laying the Debian"
	if o.base != "" {
		how = "copying a Debian"
	}
	fmt.Fprintf(&summary, "%-18s %5.0f s\n\n", how, time.Since(start).Seconds())
	failed := 0
	for _, w := range ways(r, o) {
		start := time.Now()
		fmt.Printf("\n== %s\n", w.name)
		answer, err := m.try(ctx, w, r)
		if ctx.Err() != nil {
			return errors.New("interrupted")
		}
		if err != nil {
			failed++
			answer = "FAILED: " + err.Error()
			fmt.Println(answer)
		}
		fmt.Fprintf(&summary, "%-18s %5.0f s  %s\n", w.name, time.Since(start).Seconds(), answer)
	}
	fmt.Printf("\n%s", summary.String())
	if o.figures != "" {
		if err := os.WriteFile(o.figures, []byte(summary.String()), 0o644); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d ways failed", failed)
	}
	return nil
}
