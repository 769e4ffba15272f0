package npm

import (
	"bytes"
	_ "embed" // for the README
	"encoding/json"
	"fmt"
)

// launcherPath is the place in the main package of the script that starts the program.
const launcherPath = "bin/gatewright.js"

//go:embed launcher/README.md
var readme string

// nodes are the releases of Node.js that run the launcher.
const nodes = ">=18"

const description = "Designs REST API backends from a terminal, and runs them on your machine"

// manifest is the package.json of a package.
type manifest struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	Keywords    []string          `json:"keywords,omitempty"`
	License     string            `json:"license"`
	Homepage    string            `json:"homepage,omitempty"`
	Repository  map[string]string `json:"repository,omitempty"`
	Type        string            `json:"type,omitempty"`
	Bin         map[string]string `json:"bin,omitempty"`
	Files       []string          `json:"files"`
	Engines     map[string]string `json:"engines,omitempty"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	// PreferUnplugged keeps Yarn from leaving the program in an archive, where it cannot run.
	PreferUnplugged      bool              `json:"preferUnplugged,omitempty"`
	OptionalDependencies map[string]string `json:"optionalDependencies,omitempty"`
	PublishConfig        map[string]string `json:"publishConfig,omitempty"`
}

// manifest returns what all packages have in common.
func (r Release) manifest(suffix, description string) manifest {
	m := manifest{
		Name:        r.packageName(suffix),
		Version:     r.Version,
		Description: description,
		License:     "Apache-2.0",
		Files:       []string{"bin", "THIRD_PARTY_LICENSES"},
	}
	if r.Repository != "" {
		m.Homepage = r.Repository
		m.Repository = map[string]string{"type": "git", "url": "git+" + r.Repository + ".git"}
	}
	if r.Scope != "" {
		// The packages of a scope are private unless they say otherwise.
		m.PublishConfig = map[string]string{"access": "public"}
	}
	return m
}

func (r Release) mainManifest() manifest {
	m := r.manifest("", description)
	m.Keywords = []string{"api", "backend", "cli", "lambda", "rest", "serverless"}
	m.Type = "commonjs"
	m.Bin = map[string]string{Name: launcherPath}
	m.Engines = map[string]string{"node": nodes}
	m.OptionalDependencies = make(map[string]string)
	for _, p := range platforms {
		m.OptionalDependencies[r.packageName("-"+p.String())] = r.Version
	}
	return m
}

func (r Release) platformManifest(p platform) manifest {
	m := r.manifest("-"+p.String(), fmt.Sprintf("The program of %s for %s", Name, p))
	m.OS, m.CPU = []string{p.os}, []string{p.cpu}
	m.PreferUnplugged = true
	return m
}

// text returns the manifest as JSON.
func (m manifest) text() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(m)
	return b.Bytes(), err
}

func (r Release) platformReadme(p platform) string {
	return fmt.Sprintf("The program of %s for %s, which that package installs.\n", r.packageName(""), p)
}
