package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"gatewright/tools/release/build"
	"gatewright/tools/release/formula"
	"gatewright/tools/release/licence"
	"gatewright/tools/release/npm"
	"gatewright/tools/release/sbom"
)

// writePrograms builds the program for each target, and tries the one for this machine.
func (r *release) writePrograms(ctx context.Context) error {
	r.programs = map[build.Target]string{}
	for _, t := range r.targets {
		out := filepath.Join(r.work, "programs", t.OS+"_"+t.Arch, t.File())
		if err := build.Program(ctx, r.folder, out, t, r.Stamp); err != nil {
			return err
		}
		if t.Here() {
			if err := build.Check(ctx, out, r.Stamp); err != nil {
				return err
			}
		}
		info, err := os.Stat(out)
		if err != nil {
			return err
		}
		fmt.Printf("  %-52s %9s\n", t, megabytes(info.Size()))
		r.programs[t] = out
	}
	return nil
}

func (r *release) manual() string { return filepath.Join(r.work, "manual") }

// writeManual makes the man pages and completions, and reads the texts of the repository.
func (r *release) writeManual(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "go", "run", "-trimpath", "./tools/manual", "--out", r.manual(),
		"--version", r.Version)
	cmd.Dir = r.folder
	// With the environment of the programs their packages are not compiled again.
	here := build.Target{OS: runtime.GOOS, Arch: runtime.GOARCH}
	cmd.Env = append(build.Environment(os.Environ(), here), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.Date.Unix()))
	if _, err := cmd.Output(); err != nil {
		return build.Explain("go run ./tools/manual", err)
	}
	r.texts = map[string][]byte{}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		body, err := os.ReadFile(filepath.Join(r.folder, name))
		if err != nil {
			return err
		}
		r.texts[name] = body
	}
	if !r.snapshot && !hasSection(string(r.texts["CHANGELOG.md"]), r.Version) {
		fmt.Printf("  CHANGELOG.md has no section with a date for %s: write \"## %[1]s (%s)\"\n", r.Version,
			time.Now().Format(time.DateOnly))
	}
	for _, from := range []struct{ folder, pattern string }{
		{r.manual(), "man/man1/*.1"},
		{r.manual(), "completions/*"},
		{r.folder, "docs/*"}, // which the README refers to
	} {
		if err := r.readTexts(from.folder, from.pattern); err != nil {
			return err
		}
	}
	return nil
}

// readTexts reads the files in a folder that a pattern matches.
func (r *release) readTexts(folder, pattern string) error {
	found, err := filepath.Glob(filepath.Join(folder, filepath.FromSlash(pattern)))
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return fmt.Errorf("%s has no files %s", folder, pattern)
	}
	for _, file := range found {
		body, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, file)
		if err != nil {
			return err
		}
		r.texts[filepath.ToSlash(name)] = body
	}
	return nil
}

// hasSection says whether a changelog tells what a version brings, and when it came.
func hasSection(changelog, version string) bool {
	return regexp.MustCompile(`(?m)^## ` + regexp.QuoteMeta(version) + ` \(\d{4}-\d\d-\d\d\)\s*$`).MatchString(changelog)
}

const thirdParty = "THIRD-PARTY-LICENSES.txt"

// collectLicences reads from the programs which modules are in them, and finds their licences.
func (r *release) collectLicences(ctx context.Context) error {
	var modules []build.Module
	for _, t := range r.targets {
		in, err := build.Modules(r.programs[t])
		if err != nil {
			return err
		}
		for _, m := range in {
			if !slices.Contains(modules, m) {
				modules = append(modules, m)
			}
		}
	}
	slices.SortFunc(modules, func(a, b build.Module) int { return strings.Compare(a.Path, b.Path) })
	standard, err := licence.Standard(ctx, r.goVersion)
	if err != nil {
		return err
	}
	collected, err := licence.Collect(ctx, r.folder, modules, r.targets)
	if err != nil {
		return err
	}
	r.modules = append([]licence.Module{standard}, collected...)
	r.texts[thirdParty] = []byte(licence.Document(r.modules))
	fmt.Printf("  %d modules\n", len(r.modules))
	return nil
}

// writeNpm writes the packages that npm installs.
func (r *release) writeNpm(context.Context) error {
	programs := map[string]string{}
	for t, file := range r.programs {
		programs[t.String()] = file
	}
	_, err := npm.Write(r.dist, npm.Release{
		Version: r.Version, Scope: r.npmScope, Programs: programs, Epoch: r.Date,
		License: string(r.texts["LICENSE"]), Notices: string(r.texts[thirdParty]), Repository: formula.Repository(r.baseURL),
	})
	return err
}

// writeBill writes which modules are in the program.
func (r *release) writeBill(context.Context) error {
	bill, err := sbom.Write(r.Version, r.Date, r.modules)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.dist, "gatewright_"+r.Version+".cdx.json"), bill, 0o644)
}

// writeFormulas writes what Homebrew and Scoop install from, if it is known where the files will lie.
func (r *release) writeFormulas(context.Context) error {
	switch {
	case r.baseURL == "":
		fmt.Println("  none: --base-url says where the files will lie")
		return nil
	case len(r.targets) < len(build.Targets):
		fmt.Println("  none: they need the archives of all targets")
		return nil
	}
	sums, err := readSums(r.dist)
	if err != nil {
		return err
	}
	f := formula.Release{Version: r.Version, Base: r.baseURL, Sums: sums}
	brew, err := formula.Homebrew(f)
	if err != nil {
		return err
	}
	scoop, err := formula.Scoop(f)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(r.dist, "gatewright.rb"), []byte(brew), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.dist, "gatewright.json"), scoop, 0o644)
}
