package function

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"gatewright/model"
	"gatewright/sandbox/logs"
)

// node installs a function's packages if they are missing. A function without
// packages needs no npm.
func (p *preparer) node(ctx context.Context, s *Spec, source string) (stamp string, err error) {
	wanted, err := readPackages(source)
	if err != nil || wanted == nil {
		return "", errorOf(s, err)
	}
	if len(wanted.manifest.needed()) == 0 || wanted.installed() {
		return wanted.stamp, nil
	}
	if err := p.once(ctx, s, "npm "+realPath(source), func(ctx context.Context) error { return p.install(ctx, s, source) }); err != nil {
		return "", err
	}
	// npm has written the lock.
	if wanted, err = readPackages(source); err != nil || wanted == nil {
		return "", errorOf(s, err)
	}
	return wanted.stamp, nil
}

// errorOf returns err as an error of the function.
func errorOf(s *Spec, err error) error {
	if u, ok := err.(*prepareError); ok {
		return u.forFunction(s)
	}
	return err
}

// install runs npm in a folder.
func (p *preparer) install(ctx context.Context, s *Spec, folder string) error {
	// Another call may have installed them meanwhile.
	wanted, err := readPackages(folder)
	if err != nil || wanted == nil || wanted.installed() {
		return err
	}
	byHand := "run npm install in " + model.Quote(folder)
	npm, err := exec.LookPath("npm")
	if err != nil {
		return &prepareError{NoRuntime, "its packages are not installed, and npm is not installed either", "install Node.js with npm"}
	}
	how := "install"
	if wanted.lock != nil && wanted.lockMatches() {
		how = "ci"
	}
	command := []string{
		npm, how, "--include=dev", "--no-audit", "--no-fund", "--no-update-notifier", "--no-progress", "--color=false", "--loglevel=http",
		"--fetch-retries=2", "--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=3000",
	}
	if wanted.hasOtherLock {
		command = append(command, "--no-package-lock")
	}
	began := time.Now()
	p.report(s, EventInstall, "installing packages (npm "+how+")")
	downloads, reported := 0, began
	run := tool{command: command, dir: folder, log: p.logFile("npm", folder), onLine: func(line string) {
		if strings.HasPrefix(line, "npm http fetch GET") {
			downloads++
		}
		if now := time.Now(); now.Sub(reported) >= 2*time.Second {
			reported = now
			p.report(s, EventInstall, fmt.Sprintf("installing packages: %d downloads in %s", downloads, took(began)))
		}
	}}
	lines, err := run.run(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return p.npmFailed(s, how, lines, err, byHand)
	}
	// A script of a package, or an edit, may have changed the files meanwhile.
	if wanted, err = readPackages(folder); err != nil || wanted == nil {
		return err
	}
	if err := os.WriteFile(wanted.stampFile(), []byte(wanted.stamp), 0o644); err != nil && !errors.Is(err, os.ErrNotExist) {
		p.report(s, EventWarning, "the list of installed packages cannot be written ("+reason(err)+"): the next start checks all packages again")
	}
	p.report(s, EventInstall, "packages are installed in "+took(began))
	return nil
}

// logFile returns the file for a program's whole output about a folder.
func (p *preparer) logFile(program, folder string) string {
	sum := sha256.Sum256([]byte(realPath(folder)))
	return filepath.Join(p.state, program, hex.EncodeToString(sum[:8])+".log")
}

// npmFailed returns the error of a failed npm, with the lines that npm marks as errors.
func (p *preparer) npmFailed(s *Spec, how string, lines []string, err error, byHand string) error {
	errorLines := npmErrors(lines)
	for _, line := range errorLines {
		p.log(s, logs.Error, "npm "+how+": "+line)
	}
	text := "npm " + how + " failed: " + howItEnded(err)
	if len(errorLines) > 0 {
		text = "npm " + how + " failed: " + strings.Join(errorLines[:min(len(errorLines), 3)], "; ")
	}
	if why := offline(errorLines); why != "" {
		return notPrepared(text+" (no package registry is reachable: "+why+")", "connect this machine to the network, or "+byHand+" on a machine with a network")
	}
	return notPrepared(text, "correct package.json, or "+byHand+" to see the whole output")
}

// npmErrors returns the texts of npm's error lines, without those that help nobody.
func npmErrors(lines []string) []string {
	var errorLines []string
	for _, line := range lines {
		text, marked := strings.CutPrefix(line, "npm error")
		if !marked {
			text, marked = strings.CutPrefix(line, "npm ERR!")
		}
		text = strings.TrimSpace(text)
		if !marked || text == "" || strings.HasPrefix(text, "A complete log of this run") || strings.HasPrefix(text, "errno ") || strings.HasPrefix(text, "syscall ") {
			continue
		}
		if len(errorLines) > 0 && strings.HasSuffix(text, "-debug-0.log") {
			continue
		}
		errorLines = append(errorLines, text)
	}
	return errorLines
}
