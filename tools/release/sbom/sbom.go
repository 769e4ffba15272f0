// Package sbom writes what is in the program as a bill of materials: CycloneDX 1.6, as JSON
// (https://cyclonedx.org/docs/1.6/json/).
package sbom

import (
	"crypto/sha256"
	"encoding/json"
	"net/url"
	"strings"
	"time"

	"gatewright/internal/uuid"
	"gatewright/tools/release/licence"
)

type document struct {
	Schema       string       `json:"$schema"`
	Format       string       `json:"bomFormat"`
	SpecVersion  string       `json:"specVersion"`
	SerialNumber string       `json:"serialNumber"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type     string    `json:"type"`
	Ref      string    `json:"bom-ref"`
	Name     string    `json:"name"`
	Version  string    `json:"version"`
	Licenses []license `json:"licenses,omitempty"`
	Purl     string    `json:"purl"`
}

type license struct {
	License struct {
		ID string `json:"id"`
	} `json:"license"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn,omitempty"`
}

// Write makes the bill of materials of a version. The same modules give the same bytes, its
// serial number included.
func Write(version string, when time.Time, modules []licence.Module) ([]byte, error) {
	program := component{
		Type: "application", Ref: purl("gatewright", "v"+version), Name: "gatewright", Version: version,
		Licenses: licenses([]string{"Apache-2.0"}), Purl: purl("gatewright", "v"+version),
	}
	d := document{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
		Format: "CycloneDX", SpecVersion: "1.6", Version: 1,
		Metadata:   metadata{Timestamp: when.UTC().Format(time.RFC3339), Component: program},
		Components: []component{},
	}
	uses := dependency{Ref: program.Ref}
	for _, m := range modules {
		p := purl(m.Path, m.Version)
		d.Components = append(d.Components, component{
			Type: "library", Ref: p, Name: m.Path, Version: m.Version, Licenses: licenses(m.Names), Purl: p,
		})
		uses.DependsOn = append(uses.DependsOn, p)
	}
	d.Dependencies = append(d.Dependencies, uses)
	for _, p := range uses.DependsOn {
		d.Dependencies = append(d.Dependencies, dependency{Ref: p})
	}
	content, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(content)
	d.SerialNumber = "urn:uuid:" + uuid.V8([16]byte(sum[:16]))
	out, err := json.MarshalIndent(d, "", "  ")
	return append(out, '\n'), err
}

// purl names a Go module as https://github.com/package-url/purl-spec says: in lower case,
// and escaped.
func purl(path, version string) string {
	parts := strings.Split(strings.ToLower(path), "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return "pkg:golang/" + strings.Join(parts, "/") + "@" + url.QueryEscape(version)
}

func licenses(names []string) []license {
	all := make([]license, len(names))
	for i, n := range names {
		all[i].License.ID = n
	}
	return all
}
