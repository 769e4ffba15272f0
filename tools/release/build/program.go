package build

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Target is a system and a processor that the program is built for.
type Target struct{ OS, Arch string }

// Targets are all that a release has.
var Targets = []Target{
	{"darwin", "amd64"},
	{"darwin", "arm64"},
	{"linux", "amd64"},
	{"linux", "arm64"},
	{"windows", "amd64"},
	{"windows", "arm64"},
}

// String is the target as Go writes it.
func (t Target) String() string { return t.OS + "/" + t.Arch }

// File is the name of the program on the target.
func (t Target) File() string {
	if t.OS == "windows" {
		return "gatewright.exe"
	}
	return "gatewright"
}

// Here says whether programs of the target run on this machine.
func (t Target) Here() bool { return t.OS == runtime.GOOS && t.Arch == runtime.GOARCH }

// ParseTargets reads targets with commas between them; an empty text means all.
func ParseTargets(text string) ([]Target, error) {
	if text == "" {
		return Targets, nil
	}
	var chosen []Target
	for name := range strings.SplitSeq(text, ",") {
		at := slices.IndexFunc(Targets, func(t Target) bool { return t.String() == name })
		if at < 0 {
			return nil, fmt.Errorf("--only %q: a release has no such target, but %v", name, Targets)
		}
		if !slices.Contains(chosen, Targets[at]) {
			chosen = append(chosen, Targets[at])
		}
	}
	return chosen, nil
}

// Program builds the program of the repository in a folder, for a target.
func Program(ctx context.Context, folder, out string, t Target, s Stamp) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", Flags(s), "-o", out, ".")
	cmd.Dir = folder
	cmd.Env = Environment(os.Environ(), t)
	if _, err := cmd.Output(); err != nil {
		return Explain("go build for "+t.String(), err)
	}
	return nil
}

// Check runs a program that was built for this machine, and compares what it says of itself
// with the stamp: a linker sets a variable that is not there without a word.
func Check(ctx context.Context, program string, s Stamp) error {
	out, err := exec.CommandContext(ctx, program, "version", "--json").Output()
	if err != nil {
		return Explain(program+" version", err)
	}
	for _, want := range []string{s.Version, s.Commit, s.Date.Format(time.RFC3339)} {
		if !strings.Contains(string(out), `"`+want+`"`) {
			return fmt.Errorf("the program that was built does not say %s of itself, but %s", want,
				strings.Join(strings.Fields(string(out)), " "))
		}
	}
	return nil
}

// Flags are the linker's flags of a release: nothing of the machine, and what the program says of itself.
func Flags(s Stamp) string {
	return strings.Join([]string{
		"-s", "-w", "-buildid=",
		"-X gatewright/cli.Version=" + s.Version,
		"-X gatewright/cli.Commit=" + s.Commit,
		"-X gatewright/cli.Date=" + s.Date.Format(time.RFC3339),
	}, " ")
}

// Environment sets everything that changes the bytes of a program. GOFLAGS may not be empty:
// then the settings of the user (go env -w) would count.
func Environment(env []string, t Target) []string {
	set := []string{
		"CGO_ENABLED=0", "GOOS=" + t.OS, "GOARCH=" + t.Arch, "GOFLAGS=-mod=readonly", "GOWORK=off",
		"GOAMD64=v1", "GOARM64=v8.0", "GODEBUG=", "GOFIPS140=off",
	}
	kept := slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.ContainsFunc(set, func(s string) bool { return strings.HasPrefix(s, name+"=") })
	})
	return append(kept, set...)
}

// Module is a Go module whose code is in a program.
type Module struct{ Path, Version string }

// Modules reads from a program the modules that it has code of.
func Modules(program string) ([]Module, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	modules := make([]Module, 0, len(info.Deps))
	for _, d := range info.Deps {
		if d.Replace != nil {
			d = d.Replace
		}
		modules = append(modules, Module{d.Path, d.Version})
	}
	return modules, nil
}

// Go is the version of Go that builds here, and the one that go.mod names for releases.
func Go(ctx context.Context, folder string) (here, pinned string, err error) {
	cmd := exec.CommandContext(ctx, "go", "env", "GOVERSION")
	cmd.Dir = folder
	out, err := cmd.Output()
	if err != nil {
		return "", "", Explain("go", err)
	}
	mod, err := os.ReadFile(folder + "/go.mod")
	if err != nil {
		return "", "", err
	}
	for line := range strings.Lines(string(mod)) {
		if fields := strings.Fields(line); len(fields) == 2 && fields[0] == "toolchain" {
			pinned = fields[1]
		}
	}
	return strings.TrimSpace(string(out)), pinned, nil
}
