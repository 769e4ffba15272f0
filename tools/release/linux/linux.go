// Package linux writes the packages for Linux distributions, with nfpm (https://nfpm.goreleaser.com).
package linux

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"gatewright/tools/release/archive"
	"gatewright/tools/release/build"
)

// nfpm is pinned: another version could write other bytes.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.0"

// Formats are the kinds of packages.
var Formats = []string{"deb", "rpm", "apk"}

// Package is what goes into a package.
type Package struct {
	build.Stamp
	Arch    string
	Program string
	// Homepage may be empty.
	Homepage string
	// Texts are the files that go along with the program, by their names in an archive.
	Texts map[string][]byte
}

type content struct {
	Source   string   `json:"src,omitempty"`
	Target   string   `json:"dst"`
	Type     string   `json:"type,omitempty"`
	FileInfo fileInfo `json:"file_info"`
}

type fileInfo struct {
	Mode  int       `json:"mode,omitempty"`
	MTime time.Time `json:"mtime"`
	Owner string    `json:"owner,omitempty"`
	Group string    `json:"group,omitempty"`
}

// Write writes a package of a format. The folder work is for what it packs.
func Write(ctx context.Context, format, out, work string, p Package) error {
	contents, err := p.contents(format, work)
	if err != nil {
		return err
	}
	// JSON is YAML too, and this is the one that Go can write.
	config, err := json.MarshalIndent(p.config(format, contents), "", "  ")
	if err != nil {
		return err
	}
	file := filepath.Join(work, "nfpm-"+format+".yaml")
	if err := os.WriteFile(file, config, 0o600); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "run", nfpm, "package", "--config", file, "--packager", format, "--target", out)
	cmd.Dir = work
	cmd.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", p.Date.Unix()))
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("nfpm, for %s of %s: %w: %s", format, p.Arch, err, strings.Join(strings.Fields(string(said)), " "))
	}
	return nil
}

const summary = "designs REST API backends and runs them on this machine"

const description = summary + `
gatewright designs REST API backends from a terminal: paths, handler functions,
access rules and environments. It writes the files that describe the backend,
and runs all of it on this machine, with functions in Node.js and Python.`

func (p Package) config(format string, contents []content) map[string]any {
	config := map[string]any{
		"name": "gatewright", "arch": p.Arch, "platform": "linux", "mtime": p.Date,
		"version": p.Version, "version_schema": "semver", "release": "1",
		"section": "devel", "priority": "optional", "maintainer": p.Author,
		"homepage": p.Homepage, "license": "Apache-2.0", "description": description,
		"recommends": []string{"nodejs"}, "disable_globbing": true, "contents": contents,
		"deb": map[string]any{"compression": "xz"},
		// Without a name for it, that of the machine that builds would be in the package.
		"rpm": map[string]any{
			"buildhost": "localhost", "group": "Development/Tools", "packager": p.Author,
			"compression": "xz", "summary": summary,
		},
	}
	switch format {
	case "deb":
		// The file copyright has it; the control file has no field for it.
		config["license"] = ""
	case "apk":
		// Its fields are one line each, and it has no weak dependencies.
		config["version"], config["version_schema"], config["description"] = alpineVersion(p.Stamp), "none", summary
	}
	return config
}

var alpinePre = regexp.MustCompile(`^(alpha|beta|pre|rc)\.?(\d*)$`)

// alpineVersion writes a version as apk compares it. It knows few words for what comes before
// a release; for others the date of the commit orders them.
func alpineVersion(s build.Stamp) string {
	number, pre, is := strings.Cut(s.Version, "-")
	if !is {
		return number
	}
	if m := alpinePre.FindStringSubmatch(pre); m != nil {
		return number + "_" + m[1] + m[2]
	}
	return number + "_pre" + s.Date.UTC().Format("20060102150405")
}

// contents lists the files of a package of a format, and writes those that are made for it.
func (p Package) contents(format, work string) ([]content, error) {
	var all []content
	add := func(source, target string, mode int) {
		all = append(all, content{source, target, "", fileInfo{mode, p.Date, "root", "root"}})
	}
	write := func(target string, body []byte) error {
		file := filepath.Join(work, format, filepath.FromSlash(target))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		add(file, target, 0o644)
		return os.WriteFile(file, body, 0o600)
	}
	packed := func(target string, body []byte) error {
		small, err := archive.Gzip(body)
		if err != nil {
			return err
		}
		return write(target, small)
	}
	add(p.Program, "/usr/bin/gatewright", 0o755)
	if format == "deb" {
		if err := errors.Join(
			packed(doc+"changelog.Debian.gz", []byte(p.debianChangelog())),
			write(doc+"copyright", []byte(p.copyright())),
			write("/usr/share/lintian/overrides/gatewright", []byte(overrides)),
		); err != nil {
			return nil, err
		}
	}
	for name, body := range p.Texts {
		target := place(format, name)
		var err error
		switch {
		case strings.HasSuffix(target, ".gz"):
			err = packed(target, body)
		case target != "":
			err = write(target, body)
		}
		if err != nil {
			return nil, err
		}
	}
	if format == "rpm" {
		// rpm removes only the folders that are in the package.
		folders := map[string]bool{}
		for _, c := range all {
			if dir := path.Dir(c.Target); strings.Contains(dir+"/", "/gatewright/") {
				folders[dir] = true
			}
		}
		for dir := range folders {
			all = append(all, content{"", dir, "dir", fileInfo{0o755, p.Date, "root", "root"}})
		}
	}
	slices.SortFunc(all, func(a, b content) int { return strings.Compare(a.Target, b.Target) })
	return all, nil
}

const doc = "/usr/share/doc/gatewright/"

// place is where a distribution has a text of an archive; it is empty if it has none.
func place(format, name string) string {
	base := path.Base(name)
	switch {
	case strings.HasPrefix(name, "man/"):
		return "/usr/share/" + name + ".gz"
	case name == "completions/gatewright.bash":
		return "/usr/share/bash-completion/completions/gatewright"
	case name == "completions/gatewright.fish":
		return "/usr/share/fish/vendor_completions.d/" + base
	case name == "completions/_gatewright" && format == "deb":
		return "/usr/share/zsh/vendor-completions/" + base
	case name == "completions/_gatewright":
		return "/usr/share/zsh/site-functions/" + base
	case strings.HasPrefix(name, "completions/"):
		return "" // PowerShell has no folder that it reads
	case name == "LICENSE" && format == "deb":
		return "" // Debian has the text once for all packages
	case name == "LICENSE":
		return "/usr/share/licenses/gatewright/LICENSE"
	case name == "CHANGELOG.md" && format == "deb":
		return doc + "changelog.gz"
	}
	return doc + name
}
