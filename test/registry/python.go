package registry

import (
	"bytes"
	"fmt"
	"html"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// The two forms of the index (https://packaging.python.org/en/latest/specifications/simple-repository-api/).
const (
	indexJSON = "application/vnd.pypi.simple.v1+json"
	indexHTML = "application/vnd.pypi.simple.v1+html"
)

var separators = regexp.MustCompile(`[-_.]+`)

// normal returns the normal form of a package's name
// (https://packaging.python.org/en/latest/specifications/name-normalization/).
func normal(name string) string {
	return strings.ToLower(separators.ReplaceAllString(name, "-"))
}

// servePython answers a request below simple/: the list of the packages, or the files of one.
func (r *Registry) servePython(w http.ResponseWriter, request *http.Request, path string) {
	name, slash := strings.CutSuffix(path, "/")
	if normal(name) != name || name != "" && !slash {
		http.Redirect(w, request, "/simple/"+normal(name)+"/", http.StatusMovedPermanently)
		return
	}
	versions := r.python[name]
	if name != "" && len(versions) == 0 {
		missing(w)
		return
	}
	accepted := request.Header.Get("Accept")
	switch {
	case strings.Contains(accepted, indexJSON):
		if name == "" {
			answerJSON(w, request, indexJSON, r.listJSON())
		} else {
			answerJSON(w, request, indexJSON, filesJSON(name, versions))
		}
		return
	case strings.Contains(accepted, indexHTML):
		w.Header().Set("Content-Type", indexHTML)
	}
	var page bytes.Buffer
	page.WriteString("<!DOCTYPE html>\n<html><head><meta name=\"pypi:repository-version\" content=\"1.1\"></head><body>\n")
	if name == "" {
		for _, name := range slices.Sorted(maps.Keys(r.python)) {
			fmt.Fprintf(&page, "<a href=\"/simple/%s/\">%s</a><br>\n", name, name)
		}
	}
	for _, p := range versions {
		fmt.Fprintf(&page, "<a href=\"/%s#sha256=%s\"", p.path(), sum256(p.packed))
		if needed := p.needsPython(); needed != "" {
			fmt.Fprintf(&page, " data-requires-python=\"%s\"", html.EscapeString(needed))
		}
		if p.metadata != nil {
			fmt.Fprintf(&page, " data-core-metadata=\"sha256=%[1]s\" data-dist-info-metadata=\"sha256=%[1]s\"",
				sum256(p.metadata))
		}
		fmt.Fprintf(&page, ">%s</a><br>\n", p.file)
	}
	page.WriteString("</body></html>\n")
	kind := "text/html; charset=utf-8"
	if strings.Contains(accepted, indexHTML) {
		kind = indexHTML
	}
	answer(w, request, kind, page.Bytes())
}

func (r *Registry) listJSON() any {
	projects := []map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(r.python)) {
		projects = append(projects, map[string]string{"name": name})
	}
	return map[string]any{"meta": map[string]string{"api-version": "1.1"}, "projects": projects}
}

func filesJSON(name string, versions []Package) any {
	files := []map[string]any{}
	var numbers []string
	for _, p := range versions {
		file := map[string]any{
			"filename": p.file, "url": "/" + p.path(), "hashes": map[string]string{"sha256": sum256(p.packed)},
			"size": len(p.packed), "upload-time": p.time, "yanked": false, "core-metadata": false,
		}
		if needed := p.needsPython(); needed != "" {
			file["requires-python"] = needed
		}
		if p.metadata != nil {
			file["core-metadata"] = map[string]string{"sha256": sum256(p.metadata)}
		}
		files, numbers = append(files, file), append(numbers, p.version)
	}
	return map[string]any{
		"meta": map[string]string{"api-version": "1.1"}, "name": name, "versions": slices.Compact(numbers), "files": files,
	}
}

// needsPython returns which versions of Python a package says that it needs.
func (p Package) needsPython() string {
	for line := range strings.Lines(string(p.metadata)) {
		if value, ok := strings.CutPrefix(line, "Requires-Python: "); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
