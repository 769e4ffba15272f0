package source

import (
	"fmt"
	"testing"
	"testing/fstest"

	"gatewright/model"
)

func TestWhatARuntimeHasNoMoreIsFound(t *testing.T) {
	t.Parallel()
	gone := func(module string, since int, runtime string) string {
		return fmt.Sprintf("imports %s, which Python removed in 3.%d, and the function runs on %s", module, since, runtime)
	}
	for _, row := range []struct {
		runtime model.Runtime
		name    string
		text    string
		more    map[string]string
		want    string
	}{
		{"python3.13", "a.py", "import os, cgi as c\n", nil, "1:12 " + gone("cgi", 13, "python3.13")},
		{"python3.14", "a.py", "def f():\n    from distutils.core import setup\n", nil, "2:10 " + gone("distutils", 12, "python3.14")},
		{"python3.12", "a.py", "import cgi\nimport cgitools\nx = 'import imp'\n", nil, ""},
		{"python3.13", "a.py", "try:\n    import cgi\nexcept ImportError:\n    cgi = None\n", nil, ""},
		{"python3.13", "a.py", "import crypt", map[string]string{"src/crypt.py": ""}, ""},
		{"python3.13", "a.py", "import cgi", map[string]string{"src/requirements.txt": "legacy_cgi>=2\n"}, ""},
		{"python3.13", "a.py", "import telnetlib", map[string]string{"src/requirements.txt": "standard-telnetlib\n"}, ""},
		{"python3.13", "a.py", "import cgi", map[string]string{"src/pyproject.toml": "[project]\ndependencies = [\"legacy-cgi\"]\n"}, ""},
		{"python3.13", "a.py", "from lib import util", map[string]string{"src/lib/util.py": "from . import deep", "src/lib/deep.py": "import uu"}, "1:8 " + gone("uu", 13, "python3.13")},
		{"python3.13", "a.py", "from lib.util import f", map[string]string{"src/lib/util.py": "\nfrom .. import other", "src/other.py": "import imp"}, "1:8 " + gone("imp", 12, "python3.13")},
		{"python3.13", "a.py", "import os", map[string]string{"src/other.py": "import imp"}, ""},
		{"python3.13", "a.py", "import sys\nif sys.version_info < (3, 13):\n    # why\n\n    import cgi\nelse:\n    import other", nil, ""},
		{"python3.13", "a.py", "try:\n    import other\nexcept ImportError:\n    import cgi", nil, ""},
		{"python3.13", "a.py", "'a\\\\' # b'\n\"\"\"\nimport cgi\n\"\"\"\n'''\nimport imp\n'''\n# import uu\nimport pipes", nil, "9:8 " + gone("pipes", 13, "python3.13")},
	} {
		files := fstest.MapFS{"src/" + row.name: {Data: []byte(row.text)}}
		for name, text := range row.more {
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
		got := ""
		for _, found := range FindGone(files, "src/"+row.name, row.runtime) {
			got += fmt.Sprintf("%d:%d %s", found.Line, found.Column, found.Text)
			if files[found.File] == nil || found.Fix == "" {
				t.Errorf("%s: %+v", row.text, found)
			}
		}
		if got != row.want {
			t.Errorf("%s on %s:\n%s\nwant\n%s", row.text, row.runtime, got, row.want)
		}
	}
}
