// Command release writes everything that a release has to the folder dist: the programs in
// archives, packages for Linux and for npm, checksums and a bill of materials.
//
//	go run ./tools/release --snapshot
//	go run ./tools/release --snapshot --only linux/amd64
//	go run ./tools/release --version 1.2.3 --npm-scope @example --base-url https://example.com/1.2.3
//	go run ./tools/release --version 1.2.3 --verify
//
// The same commit gives the same bytes, with the same version of Go. With --verify it is built
// a second time, in another folder and with an empty cache, and compared; figures.txt beside
// this file has the last result. It needs Go and git; what else it needs comes by go run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"gatewright/tools/release/build"
	"gatewright/tools/release/formula"
)

// options are what the flags say.
type options struct {
	version  string
	snapshot bool
	only     string
	out      string
	baseURL  string
	npmScope string
	verify   bool
}

var errUsage = errors.New("say either --version VERSION or --snapshot")

func main() {
	var o options
	flag.StringVar(&o.version, "version", "", "build the release with this semantic `version`, such as 1.2.3")
	flag.BoolVar(&o.snapshot, "snapshot", false,
		"build what is in the folder, also if it is not committed; the version tells the commit")
	flag.StringVar(&o.only, "only", "", "build only these `targets`, such as linux/amd64,windows/amd64")
	flag.StringVar(&o.out, "out", "dist", "write to this `folder`")
	flag.StringVar(&o.baseURL, "base-url", "",
		"write a Homebrew formula and a Scoop manifest for files that will lie at this `address`")
	flag.StringVar(&o.npmScope, "npm-scope", "", "publish npm packages below this `scope`, such as @example")
	flag.BoolVar(&o.verify, "verify", false,
		"build twice, the second time in another folder with an empty cache, compare, and write figures.txt")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, o, flag.Args())
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		if errors.Is(err, errUsage) {
			os.Exit(2)
		}
		os.Exit(1)
	}
}

func run(ctx context.Context, o options, rest []string) error {
	if len(rest) > 0 {
		return fmt.Errorf("%w; %q is neither", errUsage, strings.Join(rest, " "))
	}
	if (o.version != "") == o.snapshot {
		return errUsage
	}
	if o.baseURL != "" {
		if err := formula.CheckBase(o.baseURL); err != nil {
			return err
		}
	}
	targets, err := build.ParseTargets(o.only)
	if err != nil {
		return err
	}
	folder, err := repository()
	if err != nil {
		return err
	}
	stamp, err := build.ReadStamp(ctx, folder, o.version)
	if err != nil {
		return err
	}
	here, pinned, err := build.Go(ctx, folder)
	if err != nil {
		return err
	}
	switch {
	case here == pinned:
	case o.snapshot:
		fmt.Printf("built with %s; a release is built with %s, the toolchain in go.mod\n", here, pinned)
	default:
		return fmt.Errorf("a release is built with %s, the toolchain in go.mod, and this is %s: set GOTOOLCHAIN=%s", pinned,
			here, pinned)
	}
	out, err := filepath.Abs(o.out)
	if err != nil {
		return err
	}
	if o.verify && stamp.Changed {
		return errors.New("--verify builds the commit a second time, and files differ from it: commit them first")
	}
	r := &release{options: o, Stamp: stamp, folder: folder, targets: targets, goVersion: here}
	if err := r.write(ctx, out); err != nil {
		return err
	}
	if o.verify {
		return r.verify(ctx, out)
	}
	return nil
}

// repository is the folder with go.mod, so that the command works in any folder below it.
func repository() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for at := dir; ; at = filepath.Dir(at) {
		if mod, err := os.ReadFile(filepath.Join(at, "go.mod")); err == nil &&
			strings.HasPrefix(string(mod), "module gatewright\n") {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("%s is not in a clone of gatewright: run this there", dir)
		}
	}
}
