package preparetest

import (
	"archive/tar"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"deps.dev/util/semver"
)

// NpmRan is the file in which the stand-in for npm keeps how it was run, besides what it installed.
const NpmRan = ".npm-ran"

// npmError is an error of npm with its code.
type npmError struct{ code, text string }

func (e *npmError) Error() string { return e.text }

// standForNpm does what these tests need of npm, in its words: it installs packages of their
// registry, and runs scripts.
func standForNpm(arguments []string) int {
	n := &npm{arguments: arguments, installed: npmLock{Packages: map[string]npmLocked{}}}
	err := n.run()
	var failed *npmError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &failed):
		fmt.Fprintln(os.Stderr, "npm error code "+failed.code)
	}
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintln(os.Stderr, "npm error "+strings.TrimSpace(line))
	}
	fmt.Fprintln(os.Stderr, "npm error A complete log of this run can be found in: /tmp/x-debug-0.log")
	return 1
}

type npm struct {
	arguments []string
	lock      *npmLock
	installed npmLock
}

// npmManifest is what the stand-in reads of a package.json.
type npmManifest struct {
	Version         string            `json:"version"`
	Dependencies    map[string]string `json:"dependencies"`
	DevDependencies map[string]string `json:"devDependencies"`
	Scripts         map[string]string `json:"scripts"`
}

// npmLock is what it reads of a package-lock.json.
type npmLock struct {
	Packages map[string]npmLocked `json:"packages"`
}

type npmLocked struct {
	npmManifest
	Resolved string `json:"resolved"`
}

// satisfies reports whether a version is in a range; a tag is satisfied by any.
func satisfies(wanted, version string) bool {
	constraint, err := semver.NPM.ParseConstraint(wanted)
	return err != nil || constraint.Match(version)
}

func (n *npm) has(flag string) bool { return slices.Contains(n.arguments, flag) }

func (n *npm) run() error {
	var own npmManifest
	text, err := os.ReadFile("package.json")
	if err == nil {
		err = json.Unmarshal(text, &own)
	}
	if err != nil {
		return &npmError{"ENOENT", err.Error()}
	}
	switch n.arguments[0] {
	case "run":
		return n.script(n.arguments[1], own.Scripts[n.arguments[1]], ".")
	case "rebuild":
		return n.rebuild()
	case "install", "ci":
	default:
		return &npmError{"EUNKNOWN", "the stand-in has no " + n.arguments[0]}
	}
	if text, err := os.ReadFile("package-lock.json"); err == nil && !n.has("--no-package-lock") {
		if err := json.Unmarshal(text, &n.lock); err != nil {
			return &npmError{"EJSONPARSE", err.Error()}
		}
	}
	wanted := map[string]string{}
	maps.Copy(wanted, own.Dependencies)
	if n.has("--include=dev") {
		maps.Copy(wanted, own.DevDependencies)
	}
	n.installed.Packages[""] = npmLocked{npmManifest: npmManifest{Dependencies: own.Dependencies}}
	if err := n.all(wanted, "."); err != nil {
		return err
	}
	return n.keep(own)
}

// rebuild runs the scripts of installed packages.
func (n *npm) rebuild() error {
	manifests, err := filepath.Glob("node_modules/*/package.json")
	for _, name := range manifests {
		var its npmManifest
		text, readErr := os.ReadFile(name)
		if err = errors.Join(err, readErr); err == nil {
			err = json.Unmarshal(text, &its)
		}
		if script := its.Scripts["install"]; err == nil && script != "" {
			err = n.script("install", script, filepath.Dir(name))
		}
	}
	return err
}

// keep writes npm's locks, and how it was run.
func (n *npm) keep(own npmManifest) error {
	text, err := json.MarshalIndent(map[string]any{"lockfileVersion": 3, "packages": n.entries(own)}, "", "  ")
	if err != nil {
		return err
	}
	if n.arguments[0] == "install" && !n.has("--no-package-lock") {
		err = os.WriteFile("package-lock.json", text, 0o600)
	}
	if n.has("--package-lock-only") {
		return err
	}
	ran, failed := json.Marshal(map[string]any{"arguments": n.arguments, "environment": os.Environ()})
	return errors.Join(err, failed, os.MkdirAll("node_modules", 0o755),
		os.WriteFile(filepath.Join("node_modules", ".package-lock.json"), text, 0o600), os.WriteFile(NpmRan, ran, 0o600))
}

func (n *npm) entries(own npmManifest) map[string]any {
	entries := map[string]any{"": map[string]any{"dependencies": own.Dependencies}}
	for place, entry := range n.installed.Packages {
		if place != "" {
			entries[place] = map[string]string{"version": entry.Version, "resolved": entry.Resolved}
		}
	}
	return entries
}

// all installs packages for a package in a folder, to which those of folders are relative.
func (n *npm) all(wanted map[string]string, base string) error {
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		folder := filepath.Join("node_modules", filepath.FromSlash(name))
		from, isFolder := strings.CutPrefix(wanted[name], "file:")
		if !isFolder {
			from = folder
		}
		var err error
		if isFolder {
			from = filepath.Join(base, filepath.FromSlash(from))
			if _, err := os.Lstat(folder); err == nil {
				continue
			}
			to, _ := filepath.Rel(filepath.Dir(folder), from)
			err = errors.Join(os.MkdirAll(filepath.Dir(folder), 0o755), os.Symlink(to, folder))
		} else {
			err = n.one(name, wanted[name], folder)
		}
		if err != nil {
			return err
		}
		if n.has("--package-lock-only") {
			continue
		}
		var its npmManifest
		text, err := os.ReadFile(filepath.Join(folder, "package.json"))
		if err == nil {
			err = json.Unmarshal(text, &its)
		}
		if err == nil {
			err = n.all(its.Dependencies, from)
		}
		if script := its.Scripts["install"]; err == nil && script != "" && !n.has("--ignore-scripts") {
			err = n.script("install", script, folder)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// one installs a package of the registry.
func (n *npm) one(name, wanted, folder string) error {
	place := "node_modules/" + name
	version, address := "", ""
	if n.lock != nil && satisfies(wanted, n.lock.Packages[place].Version) {
		version, address = n.lock.Packages[place].Version, n.lock.Packages[place].Resolved
	} else {
		var described struct {
			Tags     map[string]string `json:"dist-tags"`
			Versions map[string]struct {
				Dist struct{ Tarball string } `json:"dist"`
			} `json:"versions"`
		}
		body, err := fetch(registryOfNpm()+"/"+name, name)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(body, &described); err != nil {
			return err
		}
		for _, each := range slices.Sorted(maps.Keys(described.Versions)) {
			if satisfies(wanted, each) {
				version, address = each, described.Versions[each].Dist.Tarball
			}
		}
		if version == "" {
			return &npmError{"ETARGET", "notarget No matching version found for " + name + "@" + wanted + "."}
		}
	}
	n.installed.Packages[place] = npmLocked{npmManifest: npmManifest{Version: version}, Resolved: address}
	if n.has("--package-lock-only") {
		return nil
	}
	body, err := fetch(address, name)
	if err != nil {
		return err
	}
	return unpack(body, folder)
}

// registryOfNpm is the address of the registry, as npm finds it.
func registryOfNpm() string {
	text, _ := os.ReadFile(".npmrc")
	for line := range strings.Lines(string(text)) {
		if address, ok := strings.CutPrefix(strings.TrimSpace(line), "registry="); ok {
			return address
		}
	}
	return cmp.Or(os.Getenv("npm_config_registry"), "http://127.0.0.1:1")
}

func fetch(address, name string) ([]byte, error) {
	response, err := http.Get(address)
	if err != nil {
		return nil, &npmError{
			"ECONNREFUSED",
			"syscall connect\nerrno ECONNREFUSED\nFetchError: request to " + address + " failed, reason: " + err.Error(),
		}
	}
	defer func() { _ = response.Body.Close() }()
	fmt.Fprintf(os.Stderr, "npm http fetch GET %d %s 1ms\n", response.StatusCode, address)
	if response.StatusCode != http.StatusOK {
		return nil, &npmError{
			"E404",
			"404 Not Found - GET " + address + " - not found\n404\n404  '" + name + "@*' is not in this registry.",
		}
	}
	return io.ReadAll(response.Body)
}

func unpack(data []byte, folder string) error {
	unzipped, err := gzip.NewReader(strings.NewReader(string(data)))
	if err != nil {
		return err
	}
	for archive := tar.NewReader(unzipped); ; {
		head, err := archive.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		file := filepath.Join(folder, filepath.FromSlash(strings.TrimPrefix(head.Name, "package/")))
		text, err := io.ReadAll(archive)
		if err = errors.Join(err, os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, text, 0o644)); err != nil {
			return err
		}
	}
}

// script runs a script of a package.json in a folder. Its exit status is npm's code of the error.
func (n *npm) script(name, script, folder string) error {
	if script == "" {
		return &npmError{"EMISSINGSCRIPT", "Missing script: " + name}
	}
	fmt.Printf("\n> %s\n> %s\n\n", name, script)
	c := exec.Command("sh", "-c", script)
	c.Dir, c.Stdout, c.Stderr = folder, os.Stdout, os.Stderr
	var exit *exec.ExitError
	if err := c.Run(); errors.As(err, &exit) {
		return &npmError{fmt.Sprint(exit.ExitCode()), "command failed\ncommand sh -c " + script}
	} else if err != nil {
		return err
	}
	return nil
}
