// Command wine runs the sessions of testdata/script with the Windows program, under Wine, and
// fails if a session fails. It keeps a folder with Debian 13, its Wine and the Node.js of
// Windows, which takes 1.5 GB and some minutes the first time. It runs on Linux, as root, and
// needs debootstrap, npm, and unshare of util-linux.
//
//	go run ./tools/wine                # run all sessions, compare with figures.txt
//	go run ./tools/wine -update        # write figures.txt
//	go run ./tools/wine -run 'run_.*'  # run the sessions with these names, print what failed
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
)

// figures is the file that records which sessions run.
const figures = "tools/wine/figures.txt"

func main() {
	cache, _ := os.UserCacheDir()
	folder := flag.String("folder", filepath.Join(cache, "gatewright-wine"), "where Debian, Wine and Node.js are kept")
	only := flag.String("run", "", "run only the sessions whose names match this regular expression")
	parallel := flag.Int("parallel", runtime.NumCPU(), "how many sessions run at a time")
	update := flag.Bool("update", false, "write the figures")
	flag.Parse()
	log.SetFlags(0)
	// What runs under Wine ends with this program.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *folder, *only, *parallel, *update); err != nil {
		log.Fatal("wine: ", err)
	}
}

func run(ctx context.Context, folder, only string, parallel int, update bool) error {
	if err := checkMachine(folder); err != nil {
		return err
	}
	if update && only != "" {
		return errors.New("-update needs all sessions; leave out -run")
	}
	base, err := lay(ctx, folder)
	if err != nil {
		return err
	}
	results, err := base.runSessions(ctx, only, parallel)
	if err != nil {
		return err
	}
	return report(results, only == "", update)
}

// checkMachine says in one line what is missing.
func checkMachine(folder string) error {
	if _, err := os.Stat(filepath.Dir(figures)); err != nil {
		return errors.New("this is not the folder of the project; start it there with: go run ./tools/wine")
	}
	if !filepath.IsAbs(folder) {
		return fmt.Errorf("%q is not absolute; give -folder an absolute path", folder)
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return errors.New("this runs on Linux with an amd64 processor; on Windows the same sessions run with: go test " +
			"./test/sessions")
	}
	if os.Geteuid() != 0 {
		return errors.New("debootstrap and chroot need root; run it as root")
	}
	for _, program := range []string{"debootstrap", "npm", "unshare", "go"} {
		if _, err := exec.LookPath(program); err != nil {
			return fmt.Errorf("%s is not installed, and is needed; install it", program)
		}
	}
	return nil
}
