package render

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"gatewright/model"
)

// Snippet is the client code that configures a client from the client
// configuration file: for JSON and TypeScript that of aws-amplify 6, which reads
// no custom.API by itself (research/outputs-file.md 5.1), so that the REST
// entries are registered here; it ends with a comment that calls one of them.
// That library reads the amplify dialect only: of a neutral file nothing but the
// REST entries is registered. For Dart it is the code of amplify_flutter, which
// has no such entries. values are those of the file, file is its path as the code
// imports it, with slashes, and examples has a path to call by the name of each
// API, as far as they are known (model.API.Example).
func Snippet(values model.Outputs, dialect model.Dialect, format Format, file string, examples map[string]string) string {
	name, slash := restEntry(values)
	if format == Dart {
		return dartSnippet(dialect, file, name != "")
	}
	var lines []string
	switch {
	case name == "" && dialect == model.Amplify:
		lines = []string{
			"import { Amplify } from 'aws-amplify';", "import outputs from " + module(file, format) + ";",
			"", "Amplify.configure(outputs);",
		}
	case name == "":
		lines = []string{"// aws-amplify does not read " + scriptString(file) + ", which registers no REST API: make it with --dialect amplify."}
	case dialect == model.Amplify:
		lines = []string{
			"import { Amplify } from 'aws-amplify';", "import { parseAmplifyConfig } from 'aws-amplify/utils';",
			"import outputs from " + module(file, format) + ";",
			"", "const parsed = parseAmplifyConfig(outputs);",
			"Amplify.configure({ ...parsed, API: { ...parsed.API, REST: outputs.custom.API } });",
			"", usage(name, slash, examples[name]),
		}
	default:
		lines = []string{
			"import { Amplify } from 'aws-amplify';", "import config from " + module(file, format) + ";",
			"", "// aws-amplify reads no other section of a neutral file.",
			"Amplify.configure({ API: { REST: config.custom.API } });",
			"", usage(name, slash, examples[name]),
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// restEntry finds the first entry of custom.API that a client can register, ""
// where there is none, and the slash that a path must begin with: the client
// appends it to the endpoint as it is (research/outputs-file.md 5.2).
func restEntry(values model.Outputs) (name, slash string) {
	custom, _ := plain(values)["custom"].(map[string]any)
	apis, _ := custom["API"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(apis)) {
		entry, _ := apis[name].(map[string]any)
		endpoint, _ := entry["endpoint"].(string)
		switch {
		case endpoint == "" || name == "":
		case strings.HasSuffix(endpoint, "/"):
			return name, ""
		default:
			return name, "/"
		}
	}
	return "", ""
}

// usage calls an API; its path is that of the specification's examples where none
// is known.
func usage(name, slash, example string) string {
	path := slash + strings.TrimPrefix(cmp.Or(example, "/items"), "/")
	return "// import { get } from 'aws-amplify/api'; const { body } = await get({ apiName: " + scriptString(name) + ", path: " + scriptString(path) + " }).response;"
}

func dartSnippet(dialect model.Dialect, file string, rest bool) string {
	if dialect != model.Amplify {
		return "// amplify_flutter does not read " + dartString(file) + ": make it with --dialect amplify.\n"
	}
	lines := []string{
		"import 'package:amplify_flutter/amplify_flutter.dart';", "import " + dartString(file) + ";",
		"", "await Amplify.configure(amplifyConfig);",
	}
	if rest {
		lines = append(lines, "", "// amplify_flutter reads no custom.API: call the endpoints that stand there with an HTTP client.")
	}
	return strings.Join(lines, "\n") + "\n"
}

// module is the file as an import names it: relative, and a TypeScript module
// without its ending, which compilers add.
func module(file string, format Format) string {
	if format == TypeScript {
		file = strings.TrimSuffix(file, ".ts")
	}
	if !path.IsAbs(file) && !strings.HasPrefix(file, "./") && !strings.HasPrefix(file, "../") {
		file = "./" + file
	}
	return scriptString(file)
}

// scriptString is a text as a string literal of JavaScript.
func scriptString(text string) string { return "'" + escaped(text, `\'`) + "'" }

// dartString is a text as a string literal of Dart, where a dollar begins an
// expression.
func dartString(text string) string { return "'" + escaped(text, `\'$`) + "'" }
