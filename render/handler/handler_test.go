package handler

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/model"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the goldens in testdata")

func itemsTable() *model.Table {
	return &model.Table{Name: "items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}
}

// specs returns one Spec for each template and runtime.
func specs() map[string]Spec {
	return map[string]Spec{
		"express": {
			Function: "books", Runtime: model.NodeJS, Template: model.Express,
			Paths: []string{"/book", "/book/{isbn}", "/events:batchGet"},
		},
		"crud": {
			Function: "Orders", Runtime: model.NodeJS, Template: model.CRUD, Paths: []string{"/orders"},
			Table: &model.Table{
				Name:         "orders",
				PartitionKey: model.Key{Name: "customer", Type: model.StringKey},
				SortKey:      model.Key{Name: "number", Type: model.NumberKey},
			},
		},
		"express-typescript": {
			Function: "books", Runtime: model.NodeJS, Template: model.ExpressTypeScript,
			Paths: []string{"/book", "/book/{isbn}", "/events:batchGet"},
		},
		"plain-nodejs":     {Function: "hello", Runtime: model.NodeJS, Template: model.Plain},
		"plain-typescript": {Function: "hello", Runtime: model.NodeJS, Template: model.PlainTypeScript},
		"plain-python":     {Function: "hello", Runtime: model.Python, Template: model.Plain, Paths: []string{"/a/{b}"}},
		"plain-go":         {Function: "hello", Runtime: model.Go, Template: model.Plain},
	}
}

func TestRenderedFiles(t *testing.T) {
	t.Parallel()
	for name, s := range specs() {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			for _, file := range render(t, s) {
				got.WriteString("==> " + file.Name + " <==\n")
				got.Write(file.Data)
			}
			golden := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(golden, got.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("(-golden +got):\n%s", diff)
			}
		})
	}
}

func TestFilesAreSortedTheSameEachTimeAndFilledIn(t *testing.T) {
	t.Parallel()
	for name, s := range specs() {
		t.Run(name, func(t *testing.T) {
			first := render(t, s)
			if diff := cmp.Diff(first, render(t, s)); diff != "" {
				t.Errorf("two renderings differ:\n%s", diff)
			}
			if !slices.IsSortedFunc(first, func(a, b File) int { return strings.Compare(a.Name, b.Name) }) {
				t.Errorf("the files are not sorted")
			}
			for _, file := range first {
				if !strings.HasPrefix(file.Name, "src/") {
					t.Errorf("%s is not below src", file.Name)
				}
				if !bytes.HasSuffix(file.Data, []byte("\n")) {
					t.Errorf("%s has no newline at its end", file.Name)
				}
				for name := range allFills(s) {
					if bytes.Contains(file.Data, []byte(name)) {
						t.Errorf("%s still has %s", file.Name, name)
					}
				}
			}
		})
	}
}

func allFills(s Spec) map[string]string {
	_, fills := templateOf(s)
	return fills
}

func TestEachTemplateHasItsFiles(t *testing.T) {
	t.Parallel()
	want := map[string][]string{
		"express":            {"src/adapter.js", "src/app.js", "src/event.json", "src/index.js", "src/package.json"},
		"crud":               {"src/event.json", "src/http.js", "src/index.js", "src/json.js", "src/key.js", "src/package.json", "src/path.js", "src/schema.js", "src/table.js"},
		"express-typescript": {"src/adapter.d.ts", "src/adapter.js", "src/app.ts", "src/event.json", "src/index.ts", "src/package.json", "src/tsconfig.json"},
		"plain-nodejs":       {"src/event.json", "src/index.js", "src/package.json"},
		"plain-typescript":   {"src/event.json", "src/index.ts", "src/package.json", "src/tsconfig.json"},
		"plain-python":       {"src/event.json", "src/index.py"},
		"plain-go":           {"src/event.json", "src/go.mod", "src/go.sum", "src/main.go"},
	}
	for name, s := range specs() {
		var got []string
		for _, file := range render(t, s) {
			got = append(got, file.Name)
		}
		if diff := cmp.Diff(want[name], got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestAnInvalidSpecIsAnError(t *testing.T) {
	t.Parallel()
	valid := func(change func(*Spec)) Spec {
		s := Spec{Function: "items", Runtime: model.NodeJS, Template: model.CRUD, Table: itemsTable()}
		change(&s)
		return s
	}
	path := func(p string) Spec { return valid(func(s *Spec) { s.Paths = []string{"/ok", p} }) }
	for name, c := range map[string]struct {
		spec Spec
		says string
	}{
		"no name":             {valid(func(s *Spec) { s.Function = "" }), "function: is empty"},
		"a hostile name":      {valid(func(s *Spec) { s.Function = `a"; x()//` }), "is not a name"},
		"a name with a line":  {valid(func(s *Spec) { s.Function = "items\n" }), "is not a name"},
		"a long name":         {valid(func(s *Spec) { s.Function = strings.Repeat("a", 65) }), "is not a name"},
		"an unknown runtime":  {valid(func(s *Spec) { s.Runtime = "ruby" }), `runtime "ruby" is unknown`},
		"an unknown template": {valid(func(s *Spec) { s.Template = "../crud" }), `template "../crud" is unknown`},
		"CRUD in Python":      {valid(func(s *Spec) { s.Runtime = model.Python }), `template "crud" does not exist for runtime "python"`},
		"Express in Go": {
			valid(func(s *Spec) { s.Runtime, s.Template = model.Go, model.Express }),
			`template "express" does not exist for runtime "go"`,
		},
		"CRUD without a table": {valid(func(s *Spec) { s.Table = nil }), "needs a table"},
		"a table without name": {valid(func(s *Spec) { s.Table.Name = "" }), "table: is empty"},
		"a hostile table":      {valid(func(s *Spec) { s.Table.Name = "a`${x}`" }), "3 to 255"},
		"no partition key":     {valid(func(s *Spec) { s.Table.PartitionKey.Name = "" }), "1 to 255 bytes"},
		"a key of no type":     {valid(func(s *Spec) { s.Table.PartitionKey.Type = "" }), `type "" is unknown`},
		"a key of bad UTF-8":   {valid(func(s *Spec) { s.Table.PartitionKey.Name = "\xff" }), "UTF-8"},
		"a prototype as key":   {valid(func(s *Spec) { s.Table.PartitionKey.Name = "__proto__" }), "cannot hold"},
		"one key twice":        {valid(func(s *Spec) { s.Table.SortKey = s.Table.PartitionKey }), "two names"},
		"a bad sort key":       {valid(func(s *Spec) { s.Table.SortKey = model.Key{Name: "x", Type: "set"} }), `type "set" is unknown`},
		"an empty path":        {path(""), "path: is empty"},
		"a relative link":      {path("items"), "does not start with /"},
		"a slash at the end":   {path("/items/"), "ends with /"},
		"an empty segment":     {path("/a//b"), "empty segment"},
		"a quote":              {path(`/a"b`), "segment"},
		"a backslash":          {path(`/a\b`), "segment"},
		"a line":               {path("/a\n"), "segment"},
		"a comment's end":      {path("/a*/"), "ends with /"},
		"a space":              {path("/a b"), "segment"},
		"half a variable":      {path("/{a"), "segment"},
		"a variable within":    {path("/a{b}"), "segment"},
		"an empty variable":    {path("/{}"), "segment"},
		"the greedy variable":  {path("/{proxy+}"), "is reserved"},
		"a variable twice":     {path("/{a}/b/{a}"), "twice"},
		"a letter not in A-Z":  {path("/é"), "segment"},
		"a long path":          {path("/" + strings.Repeat("a", 1024)), "1025 characters long"},
	} {
		t.Run(name, func(t *testing.T) {
			files, err := Files(c.spec)
			if err == nil {
				t.Fatalf("no error but %d files", len(files))
			}
			if !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q, want one line with %q", err, c.says)
			}
		})
	}
}

func TestThePackageIsNamedAfterTheFunction(t *testing.T) {
	t.Parallel()
	for function, want := range map[string]string{
		"items":        "items-handler",
		"My_Function":  "my_function-handler",
		"express":      "express-handler",
		"node_modules": "node_modules-handler",
	} {
		s := expressSpec("/items")
		s.Function = function
		for _, file := range render(t, s) {
			if file.Name != "src/package.json" {
				continue
			}
			var manifest struct {
				Name    string
				Private bool
				Main    string
			}
			if err := json.Unmarshal(file.Data, &manifest); err != nil {
				t.Fatal(err)
			}
			if manifest.Name != want || !manifest.Private || manifest.Main != "index.js" {
				t.Errorf("package.json of %s is %+v", function, manifest)
			}
		}
	}
}

// FuzzFiles checks that a name or a path either is refused or is in the source as a literal of
// the same value.
func FuzzFiles(f *testing.F) {
	f.Add("items", "/items", "items", "id")
	f.Add("a\"", "/a\"b\\", "`${x}`", "\"\u2028</script>")
	f.Add("A-_0", "/{a.b}/{c-d}/:e", "t.t", "\x00*/")
	f.Fuzz(func(t *testing.T, function, path, table, key string) {
		s := Spec{
			Function: function, Runtime: model.NodeJS, Template: model.CRUD, Paths: []string{path},
			Table: &model.Table{Name: table, PartitionKey: model.Key{Name: key, Type: model.StringKey}},
		}
		files, err := Files(s)
		if err != nil {
			return
		}
		for _, file := range files {
			if file.Name == "src/schema.js" {
				var got struct{ Name string }
				readLiteral(t, file.Data, "exports.partitionKey = ", &got)
				if got.Name != key {
					t.Errorf("key %q is written as %q", key, got.Name)
				}
			}
			if file.Name == "src/path.js" {
				var got []string
				readLiteral(t, file.Data, "const paths = ", &got)
				if !slices.Equal(got, []string{path}) {
					t.Errorf("path %q is written as %q", path, got)
				}
			}
		}
	})
}

// readLiteral reads the JSON that a source assigns after the text before.
func readLiteral(t *testing.T, source []byte, before string, into any) {
	t.Helper()
	_, after, found := bytes.Cut(source, []byte(before))
	if !found {
		t.Fatalf("no %q in the source", before)
	}
	decoder := json.NewDecoder(bytes.NewReader(after))
	if err := decoder.Decode(into); err != nil {
		t.Fatalf("%s is not followed by JSON: %v", before, err)
	}
	if rest := after[decoder.InputOffset():]; !bytes.HasPrefix(rest, []byte(";\n")) {
		t.Fatalf("the literal is followed by %.40q", rest)
	}
}
