package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"gatewright/cli/licence"
)

var targets = []string{"darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64", "windows_amd64", "windows_arm64"}

// dist is a release in a folder, with the sums in its checksums.txt.
type dist struct {
	folder, version string
	sums            map[string]string
}

// made is the release that .ci/release made in the folder GATEWRIGHT_DIST.
func made(t *testing.T) dist {
	t.Helper()
	d := dist{folder: os.Getenv("GATEWRIGHT_DIST"), sums: make(map[string]string)}
	if d.folder == "" {
		t.Skip("GATEWRIGHT_DIST names no folder with a release")
	}
	for line := range strings.Lines(string(d.read(t, "checksums.txt"))) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		d.sums[name] = sum
		if version, ok := strings.CutSuffix(name, "_linux_amd64.deb"); ok {
			d.version = strings.TrimPrefix(version, "gatewright_")
		}
	}
	return d
}

func (d dist) read(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(d.folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// archive is the name of the archive for a target.
func (d dist) archive(target string) string {
	if strings.HasPrefix(target, "windows") {
		return "gatewright_" + d.version + "_" + target + ".zip"
	}
	return "gatewright_" + d.version + "_" + target + ".tar.gz"
}

// files are those of an archive by their names below its folder.
func (d dist) files(t *testing.T, target string) map[string][]byte {
	t.Helper()
	files, packed := make(map[string][]byte), d.read(t, d.archive(target))
	add := func(name string, r io.Reader, err error) {
		var content []byte
		if err == nil {
			content, err = io.ReadAll(r)
		}
		if err != nil {
			t.Fatal(err)
		}
		inside, ok := strings.CutPrefix(name, "gatewright_"+d.version+"_"+target+"/")
		if !ok {
			t.Errorf("%s has %s, which is not in its folder", d.archive(target), name)
		}
		files[inside] = content
	}
	if strings.HasPrefix(target, "windows") {
		r, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.File {
			content, err := f.Open()
			add(f.Name, content, err)
		}
		return files
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(unzipped); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		add(header.Name, r, nil)
	}
}

func TestAReleaseHasAllItsFilesWithTheirSums(t *testing.T) {
	t.Parallel()
	d := made(t)
	want := []string{"gatewright-npm_" + d.version + ".tgz", "gatewright_" + d.version + ".cdx.json"}
	for _, target := range targets {
		want = append(want, d.archive(target), "gatewright-npm_"+d.version+"_"+target+".tgz")
		for _, ending := range []string{".deb", ".rpm", ".apk"} {
			if strings.HasPrefix(target, "linux") {
				want = append(want, "gatewright_"+d.version+"_"+target+ending)
			}
		}
	}
	for _, name := range want {
		if sum := sha256.Sum256(d.read(t, name)); d.sums[name] != hex.EncodeToString(sum[:]) {
			t.Errorf("checksums.txt has another sum of %s: %q", name, d.sums[name])
		}
	}
	if len(d.sums) != len(want) {
		t.Errorf("checksums.txt has %d files, want %d", len(d.sums), len(want))
	}
	var bill billed
	if err := json.Unmarshal(d.read(t, "gatewright_"+d.version+".cdx.json"), &bill); err != nil {
		t.Fatal(err)
	}
	all, err := licence.OfProgram(d.version)
	if err != nil || len(bill.Components) != len(all.Modules)-1 || !strings.HasSuffix(bill.Metadata.Component.Purl, "gatewright@v"+d.version) {
		t.Errorf("the bill of materials has %d components of %+v: %v", len(bill.Components), bill.Metadata.Component, err)
	}
}

// TestEachArchiveOfAReleaseIsWhole also runs the program in the one for this machine.
func TestEachArchiveOfAReleaseIsWhole(t *testing.T) {
	t.Parallel()
	d := made(t)
	want := []string{
		"LICENSE", "README.md", "CHANGELOG.md", "THIRD-PARTY-LICENSES.txt", "man/man1/gatewright.1", "man/man1/gatewright-add-api.1",
		"completions/gatewright.bash", "completions/_gatewright", "completions/gatewright.fish", "completions/gatewright.ps1",
	}
	err := filepath.WalkDir("../../docs", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			want = append(want, filepath.ToSlash(strings.TrimPrefix(name, filepath.FromSlash("../../"))))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range targets {
		program := "gatewright"
		if strings.HasPrefix(target, "windows") {
			program += ".exe"
		}
		files := d.files(t, target)
		for _, name := range append(want, program) {
			if len(files[name]) == 0 {
				t.Errorf("%s lacks %s", d.archive(target), name)
			}
		}
		licences := string(files["THIRD-PARTY-LICENSES.txt"])
		if !strings.Contains(licences, " gatewright "+d.version+"\n") {
			t.Errorf("%s has licences of another version:\n%.500s", d.archive(target), licences)
		}
		if target != runtime.GOOS+"_"+runtime.GOARCH {
			continue
		}
		place := filepath.Join(t.TempDir(), program)
		if err := os.WriteFile(place, files[program], 0o700); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(place, "version", "--licenses").Output(); err != nil || string(out) != licences {
			t.Errorf("%s has other licences than its program prints: %v", d.archive(target), err)
		}
	}
}

func TestTheFormulaInstallsWhatIsInTheArchives(t *testing.T) {
	t.Parallel()
	d := made(t)
	content, err := os.ReadFile(filepath.Join(d.folder, "gatewright.rb"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the release was made without BASE_URL")
	}
	formula := string(content)
	if !strings.Contains(formula, "\n  version \""+d.version+"\"\n") {
		t.Errorf("the formula has not the version %s", d.version)
	}
	found := regexp.MustCompile(`url "https://[^"]+/([^"/]+)"\s+sha256 "([0-9a-f]{64})"`).FindAllStringSubmatch(formula, -1)
	if len(found) != 4 || len(found) != strings.Count(formula, "url \"") {
		t.Errorf("the formula has %d archives with sums, want 4:\n%s", len(found), formula)
	}
	installed := regexp.MustCompile(`\.install (?:Dir\[)?"([^"]+)"`).FindAllStringSubmatch(formula, -1)
	if len(installed) == 0 {
		t.Error("the formula installs nothing")
	}
	for _, f := range found {
		if d.sums[f[1]] != f[2] {
			t.Errorf("the formula has the sum %s of %s, and checksums.txt has %q", f[2], f[1], d.sums[f[1]])
		}
		target := strings.TrimSuffix(strings.TrimPrefix(f[1], "gatewright_"+d.version+"_"), ".tar.gz")
		files := d.files(t, target)
		for _, pattern := range installed {
			matches := 0
			for name := range files {
				if ok, err := path.Match(pattern[1], name); err == nil && ok {
					matches++
				}
			}
			if matches == 0 || strings.HasPrefix(pattern[1], "man/") && matches < 80 {
				t.Errorf("the formula installs %s, of which %s has %d", pattern[1], f[1], matches)
			}
		}
	}
}

func TestTheManifestOfScoopInstallsWhatIsInTheArchives(t *testing.T) {
	t.Parallel()
	d := made(t)
	content, err := os.ReadFile(filepath.Join(d.folder, "gatewright.json"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the release was made without BASE_URL")
	}
	var manifest struct {
		Version, License string
		Architecture     map[string]struct {
			URL, Hash string
			Bin       []string
		}
	}
	if err := json.Unmarshal(content, &manifest); err != nil {
		t.Fatal(err)
	}
	if manifest.Version != d.version || manifest.License != "Apache-2.0" || len(manifest.Architecture) != 2 {
		t.Errorf("the manifest is %+v", manifest)
	}
	for name, target := range map[string]string{"64bit": "windows_amd64", "arm64": "windows_arm64"} {
		a := manifest.Architecture[name]
		if path.Base(a.URL) != d.archive(target) || !strings.HasPrefix(a.URL, "https://") || a.Hash != d.sums[d.archive(target)] {
			t.Errorf("%s is %+v", name, a)
		}
		files := d.files(t, target)
		for _, program := range a.Bin {
			if len(files[strings.TrimPrefix(filepath.ToSlash(strings.ReplaceAll(program, `\`, "/")), "gatewright_"+d.version+"_"+target+"/")]) == 0 {
				t.Errorf("%s runs %s, which is not in its archive", name, program)
			}
		}
		if len(a.Bin) != 1 {
			t.Errorf("%s has the programs %q", name, a.Bin)
		}
	}
}

// TestThePackageForRPMHasEachFolderOfTheDocs holds the list in .goreleaser.yaml to the folder: rpm
// leaves the folders behind that are not in it.
func TestThePackageForRPMHasEachFolderOfTheDocs(t *testing.T) {
	t.Parallel()
	settings, err := os.ReadFile("../../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir("../../docs", func(name string, entry fs.DirEntry, err error) error {
		line := "- { dst: /usr/share/doc/gatewright/" + filepath.ToSlash(strings.TrimPrefix(name, filepath.FromSlash("../../"))) + ", type: dir, packager: rpm }\n"
		if err == nil && entry.IsDir() && !strings.Contains(string(settings), line) {
			t.Errorf(".goreleaser.yaml lacks %s", line)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
