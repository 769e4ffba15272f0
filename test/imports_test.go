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

// leaves import no other room, except that atomicfile imports inuse and regular, and fingerprint imports regular, and every room may
// import them.
var leaves = []string{"atomicfile", "batch", "cause", "cfn", "clock", "fingerprint", "inuse", "netfault", "pause", "prose", "regular", "schedule", "secret", "spelling"}

// mayImport has the rooms that a room may import beside the leaves.
var mayImport = map[string][]string{
	".":         {"cli"},
	"lock":      {},
	"model":     {},
	"schemas":   {},
	"openapi":   {"model", "schemas"},
	"render":    {"model", "openapi", "schemas"},
	"source":    {"model"},
	"project":   {"lock", "model", "openapi", "render", "schemas", "source"},
	"flow":      {"model", "openapi", "render", "project"},
	"prove":     {"model"},
	"sandbox":   {"lock", "model", "openapi", "source"},
	"deploy":    {"lock", "model", "openapi", "prove", "render", "project", "sandbox", "source"},
	"request":   {"lock", "model", "project", "sandbox", "deploy"},
	"course":    {"flow", "model", "project", "sandbox", "deploy"},
	"tui":       {"flow", "course", "request", "model", "openapi", "prove", "schemas", "render", "project", "sandbox", "deploy"},
	"tools":     {"cli", "model", "openapi", "prove", "render", "sandbox", "test"},
	"test":      {},
	"cli/lines": {"model", "project", "flow", "request", "course"},
	"cli":       {"flow", "course", "request", "model", "openapi", "prove", "schemas", "render", "project", "sandbox", "deploy", "tui"},
}

// cliShared are the packages below cli that its groups of commands may import; a
// group imports no other group.
var cliShared = []string{"cli/cloud", "cli/command", "cli/lines", "cli/screen", "cli/users"}

// compiler compiles TypeScript; it belongs to source alone.
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
		if leaf := slices.Contains(leaves, room); !leaf && !known {
			t.Errorf("the room %s is not in mayImport: add what it may import", room)
			continue
		}
		for _, p := range paths {
			if other, internal := strings.CutPrefix(p, "gatewright/"); internal {
				other, _, _ = strings.Cut(other, "/")
				if room == "atomicfile" && other == "inuse" || (room == "atomicfile" || room == "fingerprint") && other == "regular" {
					continue
				}
				if other != room && !slices.Contains(allowed, other) && (!known || !slices.Contains(leaves, other)) {
					t.Errorf("%s imports %s", room, p)
				}
			}
			if room != "tui" && hasAnyPrefix(p, terminalLibraries) {
				t.Errorf("%s imports %s, which belongs to tui", room, p)
			}
			if room != "source" && strings.HasPrefix(p, compiler) {
				t.Errorf("%s imports %s, which belongs to source", room, p)
			}
			if room != "cli" && hasAnyPrefix(p, commandLibraries) {
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

// importsOfRooms returns the imports of all files except tests, by room: the folder of the
// file if mayImport has it, else the top folder.
func importsOfRooms(t *testing.T) map[string][]string {
	t.Helper()
	imports := make(map[string][]string)
	err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := strings.HasPrefix(entry.Name(), ".") && name != ".."
		if entry.IsDir() && (hidden || entry.Name() == "testdata" || entry.Name() == "templates" || entry.Name() == "node_modules") {
			return fs.SkipDir
		}
		if entry.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		folder := path.Dir(strings.TrimPrefix(filepath.ToSlash(name), "../"))
		room, _, _ := strings.Cut(folder, "/")
		if mayImport[folder] != nil {
			room = folder
		}
		paths := importsOf(t, name)
		if strings.HasSuffix(folder, "test") {
			// What helps tests may ask what tests ask.
			paths = slices.DeleteFunc(paths, func(p string) bool { return strings.HasPrefix(p, "gatewright/test/") })
		}
		imports[room] = append(imports[room], paths...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return imports
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
			if internal && strings.HasPrefix(other, "cli/") && other != group && !slices.Contains(cliShared, other) && group != "cli/clitest" {
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
