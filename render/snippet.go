package render

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"gatewright/model"
)

// PoolEndpoints are the URLs at which a client reaches the user pool and the
// identity pool of an environment on this machine; the zero value where it finds
// them by their ids.
type PoolEndpoints struct{ User, Identity string }

// Snippet is the client code that configures a client from the client
// configuration file: for JSON and TypeScript that of aws-amplify 6, which reads
// no custom.API and no endpoints of pools by itself (research/outputs-file.md 5.1,
// 5.4), so that both are put in here; it ends with a comment that calls an API.
// Of a neutral file that library reads the section auth, given its own words, and
// the REST entries; nothing else is registered. For Dart it is the code of
// amplify_flutter, which has no such entries. values are those of the file, file
// is its path as the code imports it, with slashes, and examples has a path to
// call by the name of each API, as far as they are known (model.API.Example).
func Snippet(values model.Outputs, dialect model.Dialect, format Format, file string, examples map[string]string, pools PoolEndpoints) string {
	auth := authSection(values)
	if auth["user_pool_id"] == nil || auth["user_pool_client_id"] == nil || auth["identity_pool_id"] == nil {
		pools = PoolEndpoints{}
	}
	name, slash := restEntry(values)
	if format == Dart {
		return dartSnippet(dialect, file, name != "", pools)
	}
	code := script{file: module(file, format), rest: name != "", auth: auth, pools: pools}
	var lines []string
	switch {
	case dialect == model.Amplify:
		lines = code.amplify()
	case auth != nil:
		lines = code.neutral()
	case name != "":
		lines = []string{
			"import { Amplify } from 'aws-amplify';", "import config from " + code.file + ";",
			"", "// aws-amplify reads no other section of a neutral file.",
			"Amplify.configure({ API: { REST: config.custom.API } });",
		}
	default:
		lines = []string{"// aws-amplify reads nothing of " + scriptString(file) + ", which has no REST API and no user pool: make it with --dialect amplify."}
	}
	if name != "" {
		lines = append(lines, "", usage(name, slash, examples[name]))
	}
	return strings.Join(lines, "\n") + "\n"
}

// script is code of aws-amplify in the making: what the file has, and the module
// that it is.
type script struct {
	file  string
	rest  bool
	auth  map[string]any
	pools PoolEndpoints
}

const parser = "import { parseAmplifyConfig } from 'aws-amplify/utils';"

func (s script) amplify() []string {
	lines := []string{"import { Amplify } from 'aws-amplify';"}
	from := "import outputs from " + s.file + ";"
	if !s.rest && s.pools == (PoolEndpoints{}) {
		return append(lines, from, "", "Amplify.configure(outputs);")
	}
	lines = append(lines, parser, from, "", "const parsed = parseAmplifyConfig(outputs);")
	return append(lines, s.configure("outputs")...)
}

// neutral has the library read the section auth: but for the words that the
// dialects differ in it is the same.
func (s script) neutral() []string {
	lines := []string{
		"import { Amplify } from 'aws-amplify';", parser, "import config from " + s.file + ";",
		"", "// Of a neutral file aws-amplify reads the section auth in its own words, and no other.",
	}
	if oauth, there := s.auth["oauth"].(map[string]any); there {
		lines = append(lines,
			"const parsed = parseAmplifyConfig({", "  version: config.version,", "  auth: {", "    ...config.auth,", "    aws_region: config.auth.cloud_region,",
			"    oauth: { ...config.auth.oauth, identity_providers: "+providers(oauth)+" },", "  },", "});")
	} else {
		lines = append(lines, "const parsed = parseAmplifyConfig({ version: config.version, auth: { ...config.auth, aws_region: config.auth.cloud_region } });")
	}
	return append(lines, s.configure("config")...)
}

// configure gives what was parsed to the library, with what it reads in no file.
// The ids are there to tell its types that both pools are.
func (s script) configure(file string) []string {
	rest := "API: { ...parsed.API, REST: " + file + ".custom.API }"
	switch {
	case s.pools == (PoolEndpoints{}) && s.rest:
		return []string{"Amplify.configure({ ...parsed, " + rest + " });"}
	case s.pools == (PoolEndpoints{}):
		return []string{"Amplify.configure(parsed);"}
	}
	lines := []string{
		"Amplify.configure({", "  ...parsed,", "  Auth: {", "    Cognito: {", "      ...parsed.Auth?.Cognito,",
		"      userPoolId: " + file + ".auth.user_pool_id,",
		"      userPoolClientId: " + file + ".auth.user_pool_client_id,",
		"      identityPoolId: " + file + ".auth.identity_pool_id,",
		"      userPoolEndpoint: " + scriptString(s.pools.User) + ",",
		"      identityPoolEndpoint: " + scriptString(s.pools.Identity) + ",",
		"    },", "  },",
	}
	if s.rest {
		lines = append(lines, "  "+rest+",")
	}
	return append(lines, "});")
}

// providers are the identity providers of a neutral file, as an array in the
// words of the library.
func providers(oauth map[string]any) string {
	given, _ := oauth["identity_providers"].([]any)
	var words []string
	for _, word := range given {
		if text, ok := word.(string); ok {
			words = append(words, scriptString(translateWord("/auth/oauth/identity_providers", text, true, model.Neutral, model.Amplify)))
		}
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// authSection is the section auth; nil where there is none.
func authSection(values model.Outputs) map[string]any {
	auth, _ := plain(values)["auth"].(map[string]any)
	return auth
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

// dartSnippet is the code of amplify_flutter. Its setting of the user pool's
// endpoint came with 2.9 (packages/amplify_core, auth_outputs.dart), and there is
// none for the identity pool: with its id left out, the library asks the cloud
// for no credentials.
func dartSnippet(dialect model.Dialect, file string, rest bool, pools PoolEndpoints) string {
	if dialect != model.Amplify {
		return "// amplify_flutter does not read " + dartString(file) + ": make it with --dialect amplify.\n"
	}
	var lines []string
	if pools == (PoolEndpoints{}) {
		lines = []string{
			"import 'package:amplify_flutter/amplify_flutter.dart';", "import " + dartString(file) + ";",
			"", "await Amplify.configure(amplifyConfig);",
		}
	} else {
		lines = []string{
			"import 'dart:convert';", "import 'package:amplify_flutter/amplify_flutter.dart';", "import " + dartString(file) + ";",
			"", "// amplify_flutter (from 2.9 on) takes the endpoint of a user pool and none of an identity pool, so nothing can be",
			"// signed here: send the id token to the REST API, as the header Authorization: Bearer TOKEN.",
			"final config = jsonDecode(amplifyConfig) as Map<String, dynamic>;",
			"final auth = config['auth'] as Map<String, dynamic>;",
			"auth.remove('identity_pool_id');",
			"auth['user_pool_endpoint'] = " + dartString(pools.User) + ";",
			"await Amplify.configure(jsonEncode(config));",
		}
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
