package registry

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// The two forms in which npm's registry describes a package
// (https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md).
const (
	fullForm        = "application/json"
	abbreviatedForm = "application/vnd.npm.install-v1+json"
)

// abbreviated are the fields of a version that the abbreviated form has.
var abbreviated = []string{
	"name", "version", "deprecated", "dependencies", "optionalDependencies", "devDependencies", "bundleDependencies",
	"peerDependencies", "peerDependenciesMeta", "bin", "directories", "dist", "engines", "os", "cpu", "libc",
}

// serveNode answers a request below the registry's address: NAME, NAME/VERSION or NAME/TAG.
func (r *Registry) serveNode(w http.ResponseWriter, request *http.Request, path string) {
	name, version, _ := strings.Cut(path, "/")
	if strings.HasPrefix(path, "@") {
		within, rest, _ := strings.Cut(version, "/")
		name, version = name+"/"+within, rest
	}
	versions := r.node[name]
	if len(versions) == 0 {
		missing(w)
		return
	}
	address := "http://" + request.Host + "/"
	tags := tagsOf(versions)
	if version != "" {
		if tagged, ok := tags[version]; ok {
			version = tagged
		}
		i := slices.IndexFunc(versions, func(p Package) bool { return p.version == version })
		if i < 0 {
			missing(w)
			return
		}
		answerJSON(w, request, fullForm, versions[i].described(address))
		return
	}
	described := make(map[string]any)
	times := map[string]time.Time{"created": versions[0].time, "modified": versions[len(versions)-1].time}
	short := strings.Contains(request.Header.Get("Accept"), abbreviatedForm)
	for _, p := range versions {
		manifest := p.described(address)
		if scripts, _ := manifest["scripts"].(map[string]any); short {
			maps.DeleteFunc(manifest, func(key string, _ any) bool { return !slices.Contains(abbreviated, key) })
			if scripts["preinstall"] != nil || scripts["install"] != nil || scripts["postinstall"] != nil {
				manifest["hasInstallScript"] = true
			}
		}
		described[p.version], times[p.version] = manifest, p.time
	}
	if short {
		answerJSON(w, request, abbreviatedForm, map[string]any{
			"name": name, "dist-tags": tags, "versions": described, "modified": times["modified"],
		})
		return
	}
	answerJSON(w, request, fullForm, map[string]any{
		"_id": name, "name": name, "dist-tags": tags, "versions": described, "time": times,
	})
}

// tagsOf returns the versions that tags lead to: latest is the highest that is no prerelease, or
// the highest if all are; next is the highest if that is a prerelease.
func tagsOf(versions []Package) map[string]string {
	highest := versions[len(versions)-1].version
	tags := map[string]string{"latest": highest}
	if !strings.Contains(highest, "-") {
		return tags
	}
	tags["next"] = highest
	for _, p := range versions {
		if !strings.Contains(p.version, "-") {
			tags["latest"] = p.version
		}
	}
	return tags
}

// described returns the manifest of a version with what a registry adds to it.
func (p Package) described(address string) map[string]any {
	manifest := maps.Clone(p.manifest)
	manifest["_id"] = p.name + "@" + p.version
	manifest["dist"] = map[string]string{
		"tarball": address + (&url.URL{Path: p.path()}).EscapedPath(), "integrity": p.Integrity(), "shasum": p.shasum(),
	}
	return manifest
}

func answerJSON(w http.ResponseWriter, request *http.Request, kind string, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	answer(w, request, kind, body)
}
