// Package sbom writes what is in the program as a bill of materials: CycloneDX 1.6, as JSON
// (https://cyclonedx.org/docs/1.6/json/). Programs that do so, such as cyclonedx-gomod, write the
// time at which they ran, so that no two bills are the same.
package sbom

import (
	"crypto/sha256"
	"encoding/json"
	"net/url"
	"strings"
	"time"

	"gatewright/cli/licence"
	"gatewright/internal/uuid"
)

// object is an object of JSON.
type object = map[string]any

// Write makes the bill of materials of the first module, which is the program, with the others. The
// same modules give the same bytes, its serial number included.
func Write(when time.Time, modules []licence.Module) ([]byte, error) {
	own := modules[0]
	own.Version = "v" + own.Version
	program := component("application", own)
	program["version"] = modules[0].Version
	var components, dependencies []object
	var uses []any
	for _, m := range modules[1:] {
		c := component("library", m)
		components = append(components, c)
		uses = append(uses, c["bom-ref"])
		dependencies = append(dependencies, object{"ref": c["bom-ref"]})
	}
	bill := object{
		"$schema":   "http://cyclonedx.org/schema/bom-1.6.schema.json",
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata":     object{"timestamp": when.UTC().Format(time.RFC3339), "component": program},
		"components":   components,
		"dependencies": append([]object{{"ref": program["bom-ref"], "dependsOn": uses}}, dependencies...),
	}
	content, err := json.Marshal(bill)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(content)
	bill["serialNumber"] = "urn:uuid:" + uuid.V8([16]byte(sum[:16]))
	out, err := json.MarshalIndent(bill, "", "  ")
	return append(out, '\n'), err
}

// component is the program or a module.
func component(kind string, m licence.Module) object {
	name := purl(m.Path, m.Version)
	c := object{"type": kind, "bom-ref": name, "name": m.Path, "version": m.Version, "purl": name}
	var licenses []object
	for _, n := range m.Licenses {
		licenses = append(licenses, object{"license": object{"id": n}})
	}
	if licenses != nil {
		c["licenses"] = licenses
	}
	return c
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
