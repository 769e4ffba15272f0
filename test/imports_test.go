package test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// leaves are the rooms that every room may import. They import no room but leaves.
var leaves = []string{
	"internal/cfn", "internal/clock", "internal/file", "internal/network", "internal/process", "internal/schedule", "internal/secret", "internal/text",
	"internal/uuid",
}

// mayImport has the rooms that a room may import beside the leaves. A package belongs to the room
// with the longest name that its folder begins with.
var mayImport = map[string][]string{
	".":                {"cli"},
	"model":            {},
	"schemas":          {},
	"internal/openapi": {"model", "schemas"},
	"internal/prove":   {"model"},
	"internal/source":  {"model"},
	"render":           {"model", "internal/openapi", "schemas"},
	"project":          {"model", "internal/openapi", "render", "schemas", "internal/source"},
	"flow":             {"model", "internal/openapi", "render", "project"},
	"sandbox":          {"model", "internal/openapi", "internal/source"},
	"sandbox/live":     {"model", "internal/openapi", "internal/source", "render", "project", "schemas", "sandbox", "deploy"},
	"deploy":           {"model", "internal/openapi", "internal/prove", "render", "project", "sandbox", "sandbox/live", "internal/source"},
	"flow/request":     {"model", "project", "sandbox", "sandbox/live", "deploy"},
	"flow/course":      {"flow", "model", "project", "sandbox", "sandbox/live", "deploy"},
	"tui": {
		"flow", "flow/course", "flow/request", "model", "internal/openapi", "internal/prove", "schemas", "render", "project", "sandbox", "sandbox/live",
		"deploy",
	},
	"tools":     {"cli", "model", "internal/openapi", "internal/prove", "render", "schemas", "sandbox", "test"},
	"test":      {},
	"cli/lines": {"model", "project", "flow", "flow/request", "flow/course"},
	"cli": {
		"cli/lines", "flow", "flow/course", "flow/request", "model", "internal/openapi", "internal/prove", "schemas", "render", "project", "sandbox",
		"sandbox/live", "deploy", "tui",
	},
}

// cliShared are the packages below cli that its groups of commands may import; a
// group imports no other group.
var cliShared = []string{"cli/cloud", "cli/command", "cli/lines", "cli/screen", "cli/users"}

// compiler compiles TypeScript; it belongs to internal/source alone.
const compiler = "github.com/evanw/esbuild/"

// terminalLibraries belong to tui alone, commandLibraries to cli and its groups.
var (
	terminalLibraries = []string{"charm.land/", "github.com/charmbracelet/"}
	commandLibraries  = []string{"github.com/spf13/cobra", "github.com/spf13/pflag"}
)

func TestImportsGoOneWay(t *testing.T) {
	imports := importsOfRooms(t)
	if len(imports) < 5 {
		t.Fatalf("only %d rooms were read", len(imports))
	}
	for room, paths := range imports {
		allowed, known := mayImport[room]
		if !known && !slices.Contains(leaves, room) {
			t.Errorf("the room %s is not in mayImport: add what it may import", room)
			continue
		}
		for _, p := range paths {
			if folder, internal := strings.CutPrefix(p, "gatewright/"); internal {
				other := roomOf(folder)
				if other != room && !slices.Contains(allowed, other) && !slices.Contains(leaves, other) {
					t.Errorf("%s imports %s", room, p)
				}
			}
			if room != "tui" && hasAnyPrefix(p, terminalLibraries) {
				t.Errorf("%s imports %s, which belongs to tui", room, p)
			}
			if room != "internal/source" && strings.HasPrefix(p, compiler) {
				t.Errorf("%s imports %s, which belongs to internal/source", room, p)
			}
			if room != "cli" && room != "cli/lines" && hasAnyPrefix(p, commandLibraries) {
				t.Errorf("%s imports %s, which belongs to cli", room, p)
			}
			if room == "model" && slices.Contains([]string{"os", "io/fs", "net", "net/http", "time", "os/exec"}, p) {
				t.Errorf("model imports %s: it does no I/O and reads no clock", p)
			}
		}
	}
}

func hasAnyPrefix(p string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(p, prefix) })
}

// roomOf returns the room of a folder, or its top folder if it is in none.
func roomOf(folder string) string {
	for room := folder; room != "."; room = path.Dir(room) {
		if _, known := mayImport[room]; known || slices.Contains(leaves, room) {
			return room
		}
	}
	top, _, _ := strings.Cut(folder, "/")
	return top
}

// importsOfRooms returns the imports of all files except tests, by room.
func importsOfRooms(t *testing.T) map[string][]string {
	t.Helper()
	imports := make(map[string][]string)
	for _, name := range sources(t) {
		folder := path.Dir(name)
		paths := importsOf(t, filepath.Join("..", filepath.FromSlash(name)))
		if strings.HasSuffix(folder, "test") {
			// What helps tests may ask what tests ask.
			paths = slices.DeleteFunc(paths, func(p string) bool { return strings.HasPrefix(p, "gatewright/test/") })
		}
		imports[roomOf(folder)] = append(imports[roomOf(folder)], paths...)
	}
	return imports
}

// sources are the files of Go that are no tests, relative to the project.
func sources(t *testing.T) (names []string) {
	t.Helper()
	err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := strings.HasPrefix(entry.Name(), ".") && name != ".."
		if entry.IsDir() && (hidden || slices.Contains([]string{"testdata", "templates", "node_modules"}, entry.Name())) {
			return fs.SkipDir
		}
		if !entry.IsDir() && path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") {
			names = append(names, strings.TrimPrefix(filepath.ToSlash(name), "../"))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(names) < 500 {
		t.Fatalf("only %d files were found", len(names))
	}
	return names
}

// standsOn are the packages that stand on the one that they are below: on the plain data of
// their room. All others import downwards only, and so does what they stand on.
var standsOn = map[string][]string{
	"flow":             {"draft", "preview", "session"},
	"internal/file":    {"fingerprint", "ignore", "lock", "watch"},
	"internal/openapi": {"adopt", "check", "convert", "example", "judge"},
	"internal/source":  {"typescript"},
	"model":            {"assertion", "check", "clientfile", "cloudtable", "diff", "edit", "graph", "rights"},
	"project":          {"amplifycli", "answer", "plan", "review", "status", "validate"},
	"render":           {"template"},
	"sandbox":          {"call"},
	"sandbox/logs":     {"entry"},
}

// TestInsideARoomImportsGoDownToo lets a package import those below it, and its neighbours.
func TestInsideARoomImportsGoDownToo(t *testing.T) {
	t.Parallel()
	found := make(map[string]bool)
	for _, name := range sources(t) {
		folder := path.Dir(name)
		if strings.HasSuffix(folder, "test") {
			continue
		}
		for _, p := range importsOf(t, filepath.Join("..", filepath.FromSlash(name))) {
			other, internal := strings.CutPrefix(p, "gatewright/")
			below, up := strings.CutPrefix(folder, other+"/")
			if !internal || !up || roomOf(other) != roomOf(folder) {
				continue
			}
			found[folder] = true
			if !slices.Contains(standsOn[other], below) {
				t.Errorf("%s imports %s, which it is below", name, p)
			}
		}
	}
	for parent, all := range standsOn {
		for _, below := range all {
			if !found[parent+"/"+below] {
				t.Errorf("%s/%s no longer stands on %s: take it away from standsOn", parent, below, parent)
			}
		}
	}
}

func TestGroupsOfCommandsDoNotImportEachOther(t *testing.T) {
	files, err := filepath.Glob("../cli/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 50 {
		t.Fatalf("only %d files were found", len(files))
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		group := path.Dir(strings.TrimPrefix(filepath.ToSlash(name), "../"))
		for _, p := range importsOf(t, name) {
			other, internal := strings.CutPrefix(p, "gatewright/")
			if internal && strings.HasPrefix(other, "cli/") && other != group && !strings.HasPrefix(other, group+"/") &&
				!slices.Contains(cliShared, other) && group != "cli/clitest" {
				t.Errorf("%s imports %s, which is another group of commands", name, p)
			}
		}
	}
}

// importsOf returns the imports of a file.
func importsOf(t *testing.T, name string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, spec := range file.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, p)
	}
	return paths
}
