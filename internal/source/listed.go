package source

import (
	"encoding/json"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/internal/file"
	"gatewright/internal/text/lazyregexp"
)

// A handler may be in a package that a function only lists, such as one that measures every
// call and leads to the function's own handler.

// isListed reports whether a module is in a package that src/package.json lists.
func isListed(folder fs.FS, module string) bool {
	listed, _ := listedIn(folder)
	return listed[PackageOf(module)]
}

// Unlisted returns the packages that imports of a function for Node.js name, and that neither
// src/package.json lists, nor Node.js or its runtime in Lambda has: a push would miss them. A
// folder src/node_modules without a package.json has all packages.
func Unlisted(folder fs.FS, imports []string) []string {
	listed, err := listedIn(folder)
	if _, modules := fs.Stat(folder, path.Join(Folder, "node_modules")); err != nil && modules == nil {
		return nil
	}
	var unlisted []string
	for _, imported := range imports {
		if name := PackageOf(imported); !listed[name] && !isOfRuntime(imported, name) && !slices.Contains(unlisted, name) {
			unlisted = append(unlisted, name)
		}
	}
	return unlisted
}

// listedIn returns the packages that src/package.json lists. The error is for a missing file.
func listedIn(folder fs.FS) (map[string]bool, error) {
	text, err := file.ReadIn(folder, path.Join(Folder, "package.json"))
	listed := make(map[string]bool)
	for name := range rangesIn(text) {
		listed[name] = true
	}
	return listed, err
}

// Ranges returns what the package.json of a folder says of the packages that it needs. ok is false
// without the file.
func Ranges(folder string) (ranges map[string]string, ok bool) {
	text, err := file.ReadRegular(filepath.Join(folder, "package.json"))
	return rangesIn(text), err == nil
}

// rangesIn returns what a package.json says of the packages that it needs.
func rangesIn(text []byte) map[string]string {
	var manifest struct {
		Dependencies         map[string]string `json:"dependencies"`
		OptionalDependencies map[string]string `json:"optionalDependencies"`
	}
	// npm reports what is wrong with the file.
	_ = json.Unmarshal(text, &manifest)
	ranges := make(map[string]string)
	maps.Copy(ranges, manifest.Dependencies)
	maps.Copy(ranges, manifest.OptionalDependencies)
	return ranges
}

// PackageOf returns the package of an import: "@scope/name" for "@scope/name/file".
func PackageOf(imported string) string {
	name, rest, _ := strings.Cut(imported, "/")
	if strings.HasPrefix(name, "@") {
		second, _, _ := strings.Cut(rest, "/")
		name += "/" + second
	}
	return name
}

// isOfRuntime reports whether Node.js has a module, or the runtime of Lambda, which brings version 3 of the
// AWS SDK (https://docs.aws.amazon.com/lambda/latest/dg/lambda-nodejs.html#nodejs-sdk-included). A name that
// begins with # or / is no package.
func isOfRuntime(imported, name string) bool {
	if strings.HasPrefix(imported, "node:") || strings.HasPrefix(imported, "#") || strings.HasPrefix(imported, "/") {
		return true
	}
	return slices.Contains(builtin, name) || strings.HasPrefix(name, "@aws-sdk/") || strings.HasPrefix(name, "@smithy/")
}

// builtin are the modules of Node.js that have a name without "node:"
// (https://nodejs.org/api/modules.html#built-in-modules).
var builtin = strings.Fields("assert async_hooks buffer child_process cluster console constants crypto dgram " +
	"diagnostics_channel dns domain events fs http http2 https " +
	"inspector module net os path perf_hooks process punycode querystring readline repl stream string_decoder sys " +
	"timers tls trace_events tty url util v8 vm " +
	"wasi worker_threads zlib")

var (
	separators  = lazyregexp.New(`[-_.]+`)
	packageName = lazyregexp.New(`[A-Za-z0-9][A-Za-z0-9._-]*`)
)

// isRequired reports whether a package is named like a module of Python in the files that
// list a function's packages. Names that differ only in case and separators are the same
// (https://packaging.python.org/en/latest/specifications/name-normalization/).
func isRequired(folder fs.FS, module string) bool {
	normal := func(name string) string { return strings.ToLower(separators().ReplaceAllString(name, "-")) }
	for at := range 2 * len(pythonLists) {
		text, err := file.ReadIn(folder, path.Join([]string{Folder, ""}[at%2], pythonLists[at/2]))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			line, _, _ = strings.Cut(line, "#")
			if slices.ContainsFunc(packageName().FindAllString(line, -1),
				func(name string) bool { return normal(name) == normal(module) }) {
				return true
			}
		}
	}
	return false
}
