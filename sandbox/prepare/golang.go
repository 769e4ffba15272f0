package prepare

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"gatewright/internal/file"
	"gatewright/internal/file/fingerprint"
	"gatewright/internal/text/lazyregexp"
	"gatewright/internal/text/phrase"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
)

// longestUnused is how long a program is kept after its last start.
const longestUnused = 14 * 24 * time.Hour

// golang builds a function's program unless there is one of the same source.
func (p *Preparer) golang(
	ctx context.Context, s *function.Spec, source string,
) (command []string, stamp string, err error) {
	stamp, err = p.contentStamp(source)
	if err != nil {
		return nil, "", notPrepared("src cannot be read: "+reason(err), "make it a folder that you can read").forFunction(s)
	}
	outside := hasSourceOutside(source)
	if outside {
		sum := sha256.Sum256([]byte(stamp + file.RealPath(source)))
		stamp = hex.EncodeToString(sum[:])
	}
	program := filepath.Join(p.state, "go", stamp, programName())
	if _, err := os.Stat(program); err == nil && !outside {
		now := time.Now()
		_ = os.Chtimes(filepath.Dir(program), now, now)
		return []string{program}, stamp, nil
	}
	err = p.once(ctx, s, "go "+stamp, func(ctx context.Context) error { return p.build(ctx, s, source, program) })
	if err != nil {
		return nil, "", err
	}
	return []string{program}, stamp, nil
}

// contentStamp has two fingerprints of a folder's files: of their sizes and times when they
// were read, and of their contents.
type contentStamp struct{ looks, contents string }

// contentStamp returns the fingerprint of what the files of a folder contain. Files that
// look as they did are not read again.
func (p *Preparer) contentStamp(folder string) (string, error) {
	looks, err := fingerprint.Attributes(folder)
	if err != nil {
		return "", err
	}
	p.mu.Lock()
	known := p.contents[folder]
	p.mu.Unlock()
	if known.looks == looks {
		return known.contents, nil
	}
	contents, err := fingerprint.Contents(folder)
	if err != nil {
		return "", err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.contents[folder] = contentStamp{looks, contents}
	return contents, nil
}

func programName() string {
	if runtime.GOOS == "windows" {
		return "bootstrap.exe"
	}
	return "bootstrap"
}

var replacedByFolder = lazyregexp.New(`(?m)=>\s*"?(\.{0,2}[/\\]|[A-Za-z]:[/\\])`)

// hasSourceOutside reports whether the module also needs other folders, which the
// fingerprint does not cover.
func hasSourceOutside(source string) bool {
	text, err := file.ReadRegular(filepath.Join(source, "go.mod"))
	return err == nil && replacedByFolder().Match(text)
}

// build runs the Go command.
func (p *Preparer) build(ctx context.Context, s *function.Spec, source, program string) (err error) {
	defer ofDisk(&err, filepath.Dir(program))
	p.prunedPrograms.Do(func() { prune(filepath.Join(p.state, "go"), longestUnused, "") })
	goCommand, err := exec.LookPath("go")
	if err != nil {
		return noGo()
	}
	if _, err := os.Stat(filepath.Join(source, "go.mod")); errors.Is(err, fs.ErrNotExist) {
		return notPrepared("src has no go.mod", "run go mod init and go mod tidy in "+phrase.QuotePath(source))
	}
	folder := filepath.Dir(program)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return notPrepared("no folder can be made for the program: "+reason(err), "make the state folder writable")
	}
	// The program gets its name when it is complete.
	unfinished := program + ".new"
	began := time.Now()
	p.report(s, function.EventBuild, "building the program (go build)")
	flags, machine := []string(nil), []string{"GOOS=" + runtime.GOOS, "GOARCH=" + runtime.GOARCH}
	if p.lambda {
		flags, machine = lambdaGo, lambdaGoEnv(s.Architecture)
	}
	lines, err := tool{
		command: slices.Concat([]string{goCommand, "build", "-trimpath", "-buildvcs=false"}, flags,
			[]string{"-o", unfinished, "."}),
		// The module's own go.mod counts, not a workspace around it.
		env: slices.Concat(inherited(isOf(forGo)),
			[]string{"CGO_ENABLED=0", "GOFLAGS=" + plainFlags(os.Getenv("GOFLAGS")), "GOWORK=off"}, machine),
		dir: source, log: p.logFile("go", source),
	}.run(ctx)
	if err == nil {
		err = file.Rename(unfinished, program)
	}
	if err != nil {
		_ = os.Remove(unfinished)
		// This fails, as intended, if the folder has a program.
		_ = os.Remove(folder)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return p.buildFailed(s, source, lines, err)
	}
	p.report(s, function.EventBuild, "the program is built in "+took(began))
	return nil
}

// place matches a line of the compiler: file:line:column and the message.
var place = lazyregexp.New(`^(?:\./|\.\\)?([^:\s][^:]*:\d+(?::\d+)?): (.*)$`)

// buildFailed writes the output of the Go command to the log, and returns its first
// error.
func (p *Preparer) buildFailed(s *function.Spec, source string, lines []string, err error) error {
	first := ""
	for _, line := range lines {
		line = strings.TrimRight(line, " \t")
		if line == "" || strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "go: downloading ") {
			continue
		}
		if found := place().FindStringSubmatch(line); found != nil {
			line = found[1] + ": " + found[2]
		}
		p.log(s, logs.Error, line)
		if first == "" {
			first = strings.TrimSuffix(line, "; to add it:")
		}
	}
	if first == "" {
		first = howItEnded(err)
	}
	text, inSource := "go build failed: "+first, "in "+phrase.QuotePath(source)
	switch {
	case offline(lines) != "":
		return notPrepared(text+" (no module proxy is reachable)", "connect this machine to the network")
	case strings.Contains(text, "go.sum") || strings.Contains(text, "no required module") ||
		strings.Contains(text, "go mod tidy"):
		return notPrepared(text, "run go mod tidy "+inSource)
	}
	if p.lambda {
		return notPrepared(text, "correct it, or run go build "+inSource+" to see the whole output")
	}
	return notPrepared(text, "correct it; its log has the whole output")
}

// plainFlags returns the flags of GOFLAGS without those that need cgo: functions are
// built without it.
func plainFlags(flags string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(flags), func(flag string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
		return slices.Contains([]string{"race", "msan", "asan"}, name)
	}), " ")
}
