// Package licence collects the licence texts of everything whose code is in the program.
package licence

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gatewright/tools/release/build"
)

// Module is a module in the program with its licences.
type Module struct {
	build.Module
	// Texts are the texts of its licences and notices.
	Texts []string
	// Names are the SPDX identifiers of the licences that were recognized.
	Names []string
}

// Collect reads the licences of the modules from the module cache. A folder below a module
// may have a licence of its own, which counts if a package of a target is there.
func Collect(ctx context.Context, folder string, modules []build.Module, targets []build.Target) ([]Module, error) {
	roots, err := download(ctx, folder, modules)
	if err != nil {
		return nil, err
	}
	packages := map[string]bool{}
	for _, t := range targets {
		dirs, err := packageFolders(ctx, folder, t)
		if err != nil {
			return nil, err
		}
		for _, dir := range dirs {
			packages[dir] = true
		}
	}
	collected := make([]Module, 0, len(modules))
	for _, m := range modules {
		read, err := Read(m, roots[m], packages)
		if err != nil {
			return nil, err
		}
		collected = append(collected, read)
	}
	return collected, nil
}

// Standard has the licence of Go's own packages, which are in every Go program.
func Standard(ctx context.Context, version string) (Module, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return Module{}, build.Explain("go", err)
	}
	root := strings.TrimSpace(string(out))
	m := build.Module{Path: "stdlib", Version: strings.TrimPrefix(version, "go")}
	standard, err := Read(m, root, nil)
	if errors.Is(err, ErrNone) {
		return Module{},
			fmt.Errorf("%s has no LICENSE, as in some Linux distributions: build a release with Go as go.dev distributes it",
				root)
	}
	return standard, err
}

var (
	fileName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense|notice|patents)([-._].*)?$`)
	codeName = regexp.MustCompile(`(?i)\.(go|s|c|h|js|py)$`)
	// ErrNone is the error about a module without a licence.
	ErrNone = errors.New("has no file with a licence, so it cannot be given away: ask its authors, or do without it")
)

// Read reads the licence files of the module's folder, and of the folders between it and
// those of its packages.
func Read(m build.Module, root string, packages map[string]bool) (Module, error) {
	folders := map[string]bool{root: true}
	for dir := range packages {
		for strings.HasPrefix(dir, root+string(filepath.Separator)) {
			folders[dir] = true
			dir = filepath.Dir(dir)
		}
	}
	sorted := make([]string, 0, len(folders))
	for dir := range folders {
		sorted = append(sorted, dir)
	}
	slices.Sort(sorted)
	module := Module{Module: m}
	licensed := false
	for _, dir := range sorted {
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
		return module, fmt.Errorf("module %s %s %w", m.Path, m.Version, ErrNone)
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

// download finds the folders of the modules in the module cache, where the build has
// already put them.
func download(ctx context.Context, folder string, modules []build.Module) (map[build.Module]string, error) {
	args := []string{"mod", "download", "-json"}
	for _, m := range modules {
		args = append(args, m.Path+"@"+m.Version)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = folder
	out, err := cmd.Output()
	if err != nil {
		return nil, build.Explain("go mod download", err)
	}
	found := map[build.Module]string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var m struct{ Path, Version, Dir string }
		if err := dec.Decode(&m); errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return nil, fmt.Errorf("go mod download: %w", err)
		}
		found[build.Module{Path: m.Path, Version: m.Version}] = m.Dir
	}
}

func packageFolders(ctx context.Context, folder string, t build.Target) ([]string, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-f",
		"{{with .Module}}{{if not .Main}}{{$.Dir}}{{end}}{{end}}", ".")
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.OS, "GOARCH="+t.Arch)
	out, err := cmd.Output()
	if err != nil {
		return nil, build.Explain("go list for "+t.String(), err)
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' || r == '\r' }), nil
}
