package source

import (
	"fmt"
	"testing"
	"testing/fstest"

	"gatewright/model"
)

func TestWhatARuntimeHasNoMoreIsFound(t *testing.T) {
	t.Parallel()
	const asserts, callback = "imports with assert, which Node.js has no more since 22, and the function runs on ",
		"its handler takes a callback, with which Lambda runs no function since Node.js 24, and the function runs on nodejs24.x"
	gone := func(module string, since int, runtime string) string {
		return fmt.Sprintf("imports %s, which Python has no more since 3.%d, and the function runs on %s", module, since, runtime)
	}
	for _, row := range []struct {
		runtime model.Runtime
		name    string
		text    string
		more    map[string]string
		want    string
	}{
		{"nodejs22.x", "a.mjs", "// π\nimport x from \"./x.json\" assert { type: \"json\" };\n", nil, "2:26 " + asserts + "nodejs22.x"},
		{"nodejs24.x", "a.js", "const x = await import('./x.json', {assert: {type: 'json'}});", nil, "1:37 " + asserts + "nodejs24.x"},
		{"nodejs24.x", "a.js", "import {\n  a,\n} from './x.json' assert {type: 'json'}", nil, "3:19 " + asserts + "nodejs24.x"},
		{"nodejs20.x", "a.mjs", "import x from './x.json' assert {type: 'json'}", nil, ""},
		{"nodejs22.x", "a.mjs", "import x from './x.json' with {type: 'json'}\nassert (x); assert {", nil, ""},
		{"nodejs22.x", "a.mjs", "// import x from './x.json' assert {type: 'json'}", nil, ""},
		{"nodejs22.x", "node_modules/a/a.mjs", "import x from './x.json' assert {type: 'json'}", nil, ""},
		{"nodejs24.x", "index.js", "exports.handler = (event, context, callback) => callback(null, 1)", nil, "1:36 " + callback},
		{"nodejs24.x", "index.mjs", "export const handler = async function run(e, c, done) {}", nil, "1:49 " + callback},
		{"nodejs24.x", "index.js", "exports.handler = async (event, context) => 1", nil, ""},
		{"nodejs22.x", "index.js", "exports.handler = (event, context, callback) => callback(null, 1)", nil, ""},
		{"python3.13", "a.py", "import os, cgi as c\n", nil, "1:12 " + gone("cgi", 13, "python3.13")},
		{"python3.14", "a.py", "def f():\n    from distutils.core import setup\n", nil, "2:10 " + gone("distutils", 12, "python3.14")},
		{"python3.12", "a.py", "import cgi\nimport cgitools\nx = 'import imp'\n", nil, ""},
		{"python3.13", "a.py", "try:\n    import cgi\nexcept ImportError:\n    cgi = None\n", nil, ""},
		{"python3.13", "a.py", "import crypt", map[string]string{"src/crypt.py": ""}, ""},
		{"python3.13", "a.py", "import cgi", map[string]string{"src/requirements.txt": "legacy_cgi>=2\n"}, ""},
		{"python3.13", "a.py", "import telnetlib", map[string]string{"src/requirements.txt": "standard-telnetlib\n"}, ""},
		{"python3.13", "venv/lib/a.py", "import cgi", map[string]string{"src/venv/pyvenv.cfg": ""}, ""},
		{"provided.al2023", "main.go", `import "cgi"`, nil, ""},
		{"nodejs22.x", "a.ts", "import x from './x.json' assert {type: 'json'}", nil, ""},
	} {
		files := fstest.MapFS{"src/" + row.name: {Data: []byte(row.text)}}
		for name, text := range row.more {
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
		got := ""
		for _, found := range FindGone(files, row.runtime) {
			got += fmt.Sprintf("%d:%d %s", found.Line, found.Column, found.Text)
			if found.File != "src/"+row.name || found.Fix == "" {
				t.Errorf("%s: %+v", row.text, found)
			}
		}
		if got != row.want {
			t.Errorf("%s on %s:\n%s\nwant\n%s", row.text, row.runtime, got, row.want)
		}
	}
}
