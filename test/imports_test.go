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

// mayImport says which rooms of the program a room may use. main starts cli and
// nothing else; plain lines lie in cli, and need no screen.
var mayImport = map[string][]string{
	".":          {"cli"},
	"prose":      {},
	"model":      {},
	"schemas":    {},
	"render":     {"model", "schemas"},
	"project":    {"model", "render", "schemas", "lock"},
	"atomicfile": {},
	"lock":       {"prose"},
	"flow":       {"prose", "model", "render", "project", "atomicfile"},
	"sandbox":    {"model", "atomicfile", "lock"},
	"deploy":     {"model", "render", "project", "sandbox", "atomicfile", "lock"},
	"request":    {"prose", "model", "project", "sandbox", "deploy", "atomicfile"},
	"course":     {"prose", "flow", "model", "project", "sandbox", "deploy", "atomicfile"},
	"tui":        {"flow", "course", "request", "prose", "model", "schemas", "render", "project", "sandbox", "deploy", "atomicfile"},
	"tools":      {"sandbox"},
	"test":       {},
	"cli/lines":  {"prose", "model", "project", "flow", "request", "course"},
	"cli":        {"flow", "course", "request", "prose", "model", "schemas", "render", "project", "sandbox", "deploy", "tui", "atomicfile"},
}

// terminalLibraries belong to tui alone, commandLibraries to cli.
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
		if !known {
			t.Errorf("the room %s is not in the table: say what it may import", room)
			continue
		}
		for _, p := range paths {
			if other, ours := strings.CutPrefix(p, "gatewright/"); ours {
				other, _, _ = strings.Cut(other, "/")
				if other != room && !slices.Contains(allowed, other) {
					t.Errorf("%s imports %s", room, p)
				}
			}
			if room != "tui" && hasAnyPrefix(p, terminalLibraries) {
				t.Errorf("%s imports %s, which belongs to tui", room, p)
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

// importsOfRooms reads the imports of every file that is not a test, by the
// folder at the top in which it lies, or by its own where the table has that.
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
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		folder := path.Dir(strings.TrimPrefix(filepath.ToSlash(name), "../"))
		room, _, _ := strings.Cut(folder, "/")
		if mayImport[folder] != nil {
			room = folder
		}
		for _, spec := range file.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imports[room] = append(imports[room], p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return imports
}
