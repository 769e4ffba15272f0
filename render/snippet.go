package render

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/render/client"
)

// PoolEndpoints are the URLs of the user pool and the
// identity pool of a local environment; zero for pools in the cloud.
type PoolEndpoints struct{ User, Identity string }

// Snippet returns client code that configures a client library from the client configuration file. For JSON and
// TypeScript the library is aws-amplify 6, which reads neither custom.API nor the endpoints of pools from the file,
// so the code passes both; it ends with a comment that calls an API. From a neutral file the code passes the section
// auth, translated, and the REST APIs, and nothing else. From a file of the Amplify CLI it reads the REST APIs
// itself. For Dart the library is amplify_flutter, which has no REST APIs in its configuration. values are those of
// the client configuration file in the dialect, file is the slash-separated path that the code imports, and examples
// has a path to call for each API that is known (access.API.Example).
func Snippet(
	values model.Outputs, dialect model.Dialect, format Format, file string,
	examples map[string]string, pools PoolEndpoints,
) string {
	auth := authSection(values)
	if auth["user_pool_id"] == nil || auth["user_pool_client_id"] == nil || auth["identity_pool_id"] == nil {
		pools = PoolEndpoints{}
	}
	name, slash := restEntry(values)
	switch {
	case format == Dart:
		return dartSnippet(dialect, file, name != "", pools)
	case format == NativeConfiguration:
		return nativeSnippet(file, pools)
	case format.OfAmplifyCLI():
		lines := cliSnippet(file, format, pools)
		if name != "" {
			lines = append(lines, "", usage(name, slash, examples[name]))
		}
		return strings.Join(lines, "\n") + "\n"
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
		lines = []string{"// aws-amplify reads nothing from " + client.String(file) +
			", which has no REST API and no user pool: generate it with --dialect amplify."}
	}
	if name != "" {
		lines = append(lines, "", usage(name, slash, examples[name]))
	}
	return strings.Join(lines, "\n") + "\n"
}

// script makes code for aws-amplify. file is the module name of the client configuration
// file, rest says that it has REST APIs.
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

// neutral returns the code for a neutral file: it translates the words of the section auth.
func (s script) neutral() []string {
	lines := []string{
		"import { Amplify } from 'aws-amplify';", parser, "import config from " + s.file + ";",
		"", "// From a neutral file aws-amplify reads the section auth, translated here, and no other.",
	}
	if oauth, exists := s.auth["oauth"].(map[string]any); exists {
		lines = append(lines,
			"const parsed = parseAmplifyConfig({", "  version: config.version,", "  auth: {", "    ...config.auth,",
			"    aws_region: config.auth.cloud_region,",
			"    oauth: { ...config.auth.oauth, identity_providers: "+providers(oauth)+" },", "  },", "});")
	} else {
		lines = append(lines,
			"const parsed = parseAmplifyConfig({ version: config.version, auth: { ...config.auth, aws_region: "+
				"config.auth.cloud_region } });")
	}
	return append(lines, s.configure("config")...)
}

// configure calls the library with the parsed file and the REST APIs and endpoints, which
// it does not read from a file.
func (s script) configure(file string) []string {
	rest := "API: { ...parsed.API, REST: " + file + ".custom.API }"
	switch {
	case s.pools == (PoolEndpoints{}) && s.rest:
		return []string{"Amplify.configure({ ...parsed, " + rest + " });"}
	case s.pools == (PoolEndpoints{}):
		return []string{"Amplify.configure(parsed);"}
	}
	lines := configureAt(s.pools, file+".auth.user_pool_id", file+".auth.user_pool_client_id",
		file+".auth.identity_pool_id")
	if s.rest {
		lines = append(lines, "  "+rest+",")
	}
	return append(lines, "});")
}

// configureAt returns the call of the library with the endpoints of pools, without its end.
// The ids are repeated so that the types say that both pools exist.
func configureAt(pools PoolEndpoints, userPool, clientID, identityPool string) []string {
	return []string{
		"Amplify.configure({", "  ...parsed,", "  Auth: {", "    Cognito: {", "      ...parsed.Auth?.Cognito,",
		"      userPoolId: " + userPool + ",",
		"      userPoolClientId: " + clientID + ",",
		"      identityPoolId: " + identityPool + ",",
		"      userPoolEndpoint: " + client.String(pools.User) + ",",
		"      identityPoolEndpoint: " + client.String(pools.Identity) + ",",
		"    },", "  },",
	}
}

// providers returns an array with the identity providers of a neutral file in the amplify dialect.
func providers(oauth map[string]any) string {
	given, _ := oauth["identity_providers"].([]any)
	var words []string
	for _, word := range given {
		if text, ok := word.(string); ok {
			words = append(words,
				client.String(translateWord("/auth/oauth/identity_providers", text, true, model.Neutral, model.Amplify)))
		}
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// authSection returns the section auth; nil if there is none.
func authSection(values model.Outputs) map[string]any {
	auth, _ := plain(values)["auth"].(map[string]any)
	return auth
}

// restEntry returns the name of the first entry of custom.API with an endpoint, "" if there is none, and the slash
// that a path must begin with, because the client library appends the path to the endpoint as it is.
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

// usage returns a comment with a call of an API.
func usage(name, slash, example string) string {
	path := slash + strings.TrimPrefix(cmp.Or(example, "/items"), "/")
	return "// import { get } from 'aws-amplify/api'; const { body } = await get({ apiName: " + client.String(name) +
		", path: " + client.String(path) + " }).response;"
}

// dartSnippet returns the code for amplify_flutter. Its setting of the user pool's endpoint came with 2.9
// (packages/amplify_core, auth_outputs.dart). It has none for the identity pool, so its id is removed: the library
// then asks the cloud for no credentials.
func dartSnippet(dialect model.Dialect, file string, rest bool, pools PoolEndpoints) string {
	if dialect != model.Amplify {
		return "// amplify_flutter does not read " + dartString(file) + ": generate it with --dialect amplify.\n"
	}
	var lines []string
	if pools == (PoolEndpoints{}) {
		lines = []string{
			"import 'package:amplify_flutter/amplify_flutter.dart';", "import " + dartString(file) + ";",
			"", "await Amplify.configure(amplifyConfig);",
		}
	} else {
		lines = []string{
			"import 'dart:convert';", "import 'package:amplify_flutter/amplify_flutter.dart';",
			"import " + dartString(file) + ";",
			"", "// amplify_flutter (from 2.9 on) takes the endpoint of a user pool but not of an identity pool, so nothing " +
				"can be",
			"// signed here: send the id token to the REST API, as the header Authorization: Bearer TOKEN.",
			"final config = jsonDecode(amplifyConfig) as Map<String, dynamic>;",
			"final auth = config['auth'] as Map<String, dynamic>;",
			"auth.remove('identity_pool_id');",
			"auth['user_pool_endpoint'] = " + dartString(pools.User) + ";",
			"await Amplify.configure(jsonEncode(config));",
		}
	}
	if rest {
		lines = append(lines, "", "// amplify_flutter reads no custom.API: call its endpoints with an HTTP client.")
	}
	return strings.Join(lines, "\n") + "\n"
}

// module returns the file as a module name: relative, and for TypeScript without its ending, which compilers add.
func module(file string, format Format) string {
	if format == TypeScript {
		file = strings.TrimSuffix(file, ".ts")
	}
	if !path.IsAbs(file) && !strings.HasPrefix(file, "./") && !strings.HasPrefix(file, "../") {
		file = "./" + file
	}
	return client.String(file)
}

// dartString returns a text as a string literal of Dart, where a dollar begins an expression.
func dartString(text string) string { return "'" + client.Escaped(text, `\'$`) + "'" }
