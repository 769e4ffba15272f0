// Package licence collects the licence texts of everything whose code is in the program.
package licence

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Module is a module in the program with its licences.
type Module struct {
	Path, Version string
	// Texts are the texts of its licences and notices.
	Texts []string
	// Names are the SPDX identifiers of the licences that were recognized.
	Names []string
}

// Collect reads the licences of Go itself, and then those of the modules that have code in the
// program on any system and processor of a release.
func Collect(ctx context.Context) ([]Module, error) {
	out, err := run(ctx, nil, "env", "GOVERSION", "GOROOT")
	if err != nil {
		return nil, err
	}
	version, root, _ := strings.Cut(strings.TrimSpace(out), "\n")
	standard, err := Read(Module{Path: "stdlib", Version: strings.TrimPrefix(version, "go")}, root, nil)
	if err != nil {
		return nil, err
	}
	roots, packages := map[string]Module{}, map[string]bool{}
	for _, system := range []string{"darwin", "linux", "windows"} {
		for _, arch := range []string{"amd64", "arm64"} {
			out, err := run(ctx, []string{"CGO_ENABLED=0", "GOOS=" + system, "GOARCH=" + arch}, "list", "-deps", "-f",
				"{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}", ".")
			if err != nil {
				return nil, err
			}
			for line := range strings.Lines(out) {
				if f := strings.Split(strings.TrimRight(line, "\r\n"), "\t"); len(f) == 4 {
					roots[f[2]], packages[f[3]] = Module{Path: f[0], Version: f[1]}, true
				}
			}
		}
	}
	modules := make([]Module, 0, len(roots))
	for root, m := range roots {
		read, err := Read(m, root, packages)
		if err != nil {
			return nil, err
		}
		modules = append(modules, read)
	}
	slices.SortFunc(modules, func(a, b Module) int { return strings.Compare(a.Path, b.Path) })
	return append([]Module{standard}, modules...), nil
}

// run runs the go command with more in its environment.
func run(ctx context.Context, environment []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), environment...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w", args[0], err)
	}
	return string(out), nil
}

var (
	fileName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense|notice|patents)([-._].*)?$`)
	codeName = regexp.MustCompile(`(?i)\.(go|s|c|h|js|py)$`)
	// ErrNone is the error about a module without a licence.
	ErrNone = errors.New("has no file with a licence, so it cannot be given away: ask its authors, or do without it")
)

// Read reads the licence files of the module's folder, and of the folders between it and those of
// its packages: a folder below a module may have a licence of its own.
func Read(module Module, root string, packages map[string]bool) (Module, error) {
	folders := map[string]bool{root: true}
	for dir := range packages {
		for strings.HasPrefix(dir, root+string(filepath.Separator)) {
			folders[dir] = true
			dir = filepath.Dir(dir)
		}
	}
	licensed := false
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return module, err
		}
		for _, e := range entries {
			if !e.Type().IsRegular() || !fileName.MatchString(e.Name()) || codeName.MatchString(e.Name()) {
				continue
			}
			body, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return module, err
			}
			text := tidy(body)
			if text == "" {
				continue
			}
			if !slices.Contains(module.Texts, text) {
				module.Texts = append(module.Texts, text)
			}
			name := strings.ToLower(e.Name())
			if strings.HasPrefix(name, "notice") || strings.HasPrefix(name, "patents") {
				continue
			}
			licensed = licensed || dir == root
			for _, id := range Recognize(text) {
				if !slices.Contains(module.Names, id) {
					module.Names = append(module.Names, id)
				}
			}
		}
	}
	if !licensed {
		return module, fmt.Errorf("module %s %s %w", module.Path, module.Version, ErrNone)
	}
	return module, nil
}

func tidy(body []byte) string {
	var lines []string
	for line := range strings.Lines(strings.ToValidUTF8(string(bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))),
		"?")) {
		lines = append(lines, strings.TrimRight(line, " \t\n"))
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}
