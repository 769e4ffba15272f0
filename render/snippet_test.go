package render_test

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/render"
	"gatewright/test/depth"
)

const (
	onePool = `"auth": {"REGION": "r", "user_pool_id": "r_a", "user_pool_client_id": "c", "identity_pool_id": "r:i"OAUTH}`
	withAPI = `"custom": {"API": {"shop": {"endpoint": "http://127.0.0.1:4280/a/dev", "region": "r", "apiName": "shop"}}}`
)

// signing returns a client configuration file with a user pool in a dialect.
func signing(region, oauth string, more ...string) string {
	auth := strings.NewReplacer("REGION", region, "OAUTH", oauth).Replace(onePool)
	return `{"version": "1", ` + strings.Join(append([]string{auth}, more...), ", ") + `}`
}

// here are the endpoints of a local environment.
var here = render.PoolEndpoints{User: "http://127.0.0.1:4280/_user-pool", Identity: "http://127.0.0.1:4280/_identity-pool"}

const twoAPIs = `{"version": "1", "custom": {"API": {"shop": {"endpoint": "https://a.example/dev", "region": "r", "apiName": "shop"}, "back": {"endpoint": "https://b.example/dev/", "region": "r"}}}}`

func TestSnippets(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		dialect    model.Dialect
		format     render.Format
		file       string
		pools      render.PoolEndpoints
		want       string
	}{
		{"with REST entries", twoAPIs, model.Amplify, render.JSON, "../amplify_outputs.json", render.PoolEndpoints{}, `import { Amplify } from 'aws-amplify';
import { parseAmplifyConfig } from 'aws-amplify/utils';
import outputs from '../amplify_outputs.json';

const parsed = parseAmplifyConfig(outputs);
Amplify.configure({ ...parsed, API: { ...parsed.API, REST: outputs.custom.API } });

// import { get } from 'aws-amplify/api'; const { body } = await get({ apiName: 'back', path: 'book/1' }).response;
`},
		{"without", `{"version": "1", "custom": {"a": 1}}`, model.Amplify, render.TypeScript, "amplify_outputs.ts", here, `import { Amplify } from 'aws-amplify';
import outputs from './amplify_outputs';

Amplify.configure(outputs);
`},
		{"neutral", strings.Replace(twoAPIs, "b.example/dev/", "b.example/dev", 1), model.Neutral, render.JSON, "client_config.json", here, `import { Amplify } from 'aws-amplify';
import config from './client_config.json';

// aws-amplify reads no other section of a neutral file.
Amplify.configure({ API: { REST: config.custom.API } });

// import { get } from 'aws-amplify/api'; const { body } = await get({ apiName: 'back', path: '/book/1' }).response;
`},
		{"neutral without", `{"version": "1"}`, model.Neutral, render.JSON, "client_config.json", here, "// aws-amplify reads nothing from 'client_config.json', which has no REST API and no user pool: generate it with --dialect amplify.\n"},
		{"pools on this machine", signing("aws_region", "", withAPI), model.Amplify, render.JSON, "amplify_outputs.json", here, `import { Amplify } from 'aws-amplify';
import { parseAmplifyConfig } from 'aws-amplify/utils';
import outputs from './amplify_outputs.json';

const parsed = parseAmplifyConfig(outputs);
Amplify.configure({
  ...parsed,
  Auth: {
    Cognito: {
      ...parsed.Auth?.Cognito,
      userPoolId: outputs.auth.user_pool_id,
      userPoolClientId: outputs.auth.user_pool_client_id,
      identityPoolId: outputs.auth.identity_pool_id,
      userPoolEndpoint: 'http://127.0.0.1:4280/_user-pool',
      identityPoolEndpoint: 'http://127.0.0.1:4280/_identity-pool',
    },
  },
  API: { ...parsed.API, REST: outputs.custom.API },
});

// import { get } from 'aws-amplify/api'; const { body } = await get({ apiName: 'shop', path: '/' }).response;
`},
		{"pools on this machine, neutral", signing("cloud_region", "", withAPI), model.Neutral, render.TypeScript, "client_config.ts", here, `import { Amplify } from 'aws-amplify';
import { parseAmplifyConfig } from 'aws-amplify/utils';
import config from './client_config';

// From a neutral file aws-amplify reads the section auth, translated here, and no other.
const parsed = parseAmplifyConfig({ version: config.version, auth: { ...config.auth, aws_region: config.auth.cloud_region } });
Amplify.configure({
  ...parsed,
  Auth: {
    Cognito: {
      ...parsed.Auth?.Cognito,
      userPoolId: config.auth.user_pool_id,
      userPoolClientId: config.auth.user_pool_client_id,
      identityPoolId: config.auth.identity_pool_id,
      userPoolEndpoint: 'http://127.0.0.1:4280/_user-pool',
      identityPoolEndpoint: 'http://127.0.0.1:4280/_identity-pool',
    },
  },
  API: { ...parsed.API, REST: config.custom.API },
});

// import { get } from 'aws-amplify/api'; const { body } = await get({ apiName: 'shop', path: '/' }).response;
`},
		{"pools on this machine, no API", signing("aws_region", ""), model.Amplify, render.TypeScript, "amplify_outputs.ts", here, `import { Amplify } from 'aws-amplify';
import { parseAmplifyConfig } from 'aws-amplify/utils';
import outputs from './amplify_outputs';

const parsed = parseAmplifyConfig(outputs);
Amplify.configure({
  ...parsed,
  Auth: {
    Cognito: {
      ...parsed.Auth?.Cognito,
      userPoolId: outputs.auth.user_pool_id,
      userPoolClientId: outputs.auth.user_pool_client_id,
      identityPoolId: outputs.auth.identity_pool_id,
      userPoolEndpoint: 'http://127.0.0.1:4280/_user-pool',
      identityPoolEndpoint: 'http://127.0.0.1:4280/_identity-pool',
    },
  },
});
`},
		{"pools elsewhere, neutral", signing("cloud_region", `, "oauth": {"identity_providers": ["PROVIDER_A", "PROVIDER_D"]}`, withAPI), model.Neutral, render.JSON, "client_config.json", render.PoolEndpoints{}, `import { Amplify } from 'aws-amplify';
import { parseAmplifyConfig } from 'aws-amplify/utils';
import config from './client_config.json';

// From a neutral file aws-amplify reads the section auth, translated here, and no other.
const parsed = parseAmplifyConfig({
  version: config.version,
  auth: {
    ...config.auth,
    aws_region: config.auth.cloud_region,
    oauth: { ...config.auth.oauth, identity_providers: ['GOOGLE', 'SIGN_IN_WITH_APPLE'] },
  },
});
Amplify.configure({ ...parsed, API: { ...parsed.API, REST: config.custom.API } });

// import { get } from 'aws-amplify/api'; const { body } = await get({ apiName: 'shop', path: '/' }).response;
`},
		{"pools elsewhere, neutral, no API", signing("cloud_region", ""), model.Neutral, render.JSON, "client_config.json", render.PoolEndpoints{}, `import { Amplify } from 'aws-amplify';
import { parseAmplifyConfig } from 'aws-amplify/utils';
import config from './client_config.json';

// From a neutral file aws-amplify reads the section auth, translated here, and no other.
const parsed = parseAmplifyConfig({ version: config.version, auth: { ...config.auth, aws_region: config.auth.cloud_region } });
Amplify.configure(parsed);
`},
		{"pools on this machine, Dart", signing("aws_region", ""), model.Amplify, render.Dart, "amplify_outputs.dart", here, `import 'dart:convert';
import 'package:amplify_flutter/amplify_flutter.dart';
import 'amplify_outputs.dart';

// amplify_flutter (from 2.9 on) takes the endpoint of a user pool but not of an identity pool, so nothing can be
// signed here: send the id token to the REST API, as the header Authorization: Bearer TOKEN.
final config = jsonDecode(amplifyConfig) as Map<String, dynamic>;
final auth = config['auth'] as Map<String, dynamic>;
auth.remove('identity_pool_id');
auth['user_pool_endpoint'] = 'http://127.0.0.1:4280/_user-pool';
await Amplify.configure(jsonEncode(config));
`},
		{"Dart", twoAPIs, model.Amplify, render.Dart, "amplify_outputs.dart", here, `import 'package:amplify_flutter/amplify_flutter.dart';
import 'amplify_outputs.dart';

await Amplify.configure(amplifyConfig);

// amplify_flutter reads no custom.API: call its endpoints with an HTTP client.
`},
		{"Dart, neutral", twoAPIs, model.Neutral, render.Dart, "client_config.dart", here, "// amplify_flutter does not read 'client_config.dart': generate it with --dialect amplify.\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := render.Snippet(parsed(t, tt.text), tt.dialect, tt.format, tt.file, map[string]string{"back": "/book/1", "shop": "/"}, tt.pools); got != tt.want {
				t.Errorf("they are\n%s", got)
			}
		})
	}
}

func TestTheExampleCallsAnEntryWithAnEndpoint(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"custom": {"API": {"a": {}, "b": "https://a.example", "c": {"endpoint": 1}, "": {"endpoint": "https://a.example"}}}}`,
		`{"custom": {"API": []}}`, `{"custom": []}`, `{}`,
	} {
		if got := render.Snippet(parsed(t, text), model.Amplify, render.JSON, "a.json", nil, here); !strings.Contains(got, "Amplify.configure(outputs);") {
			t.Errorf("%s: the lines are\n%s", text, got)
		}
	}
}

// Names of APIs and files may have any characters; they must stay inside their
// literals and their comment.
func TestHostileNamesStayInTheirLiterals(t *testing.T) {
	t.Parallel()
	depth.Needs(t, "node")
	var codes []string
	var want [][]string
	for _, name := range []string{`'`, `\`, `\'`, "\n", "\r", "\u2028", "\u0085", "*/ process.exit(7) /*", "${process.exit(7)}", "\x1b[2J", "\U0001F600\U000E0001", "'); process.exit(7); ('"} {
		values := model.Outputs{"custom": map[string]any{"API": map[string]any{name: map[string]any{"endpoint": "https://a.example"}}}}
		for _, dialect := range model.Dialects {
			code := render.Snippet(values, dialect, render.JSON, name, map[string]string{name: name}, render.PoolEndpoints{})
			lines := strings.Split(code, "\n")
			if len(lines) > 9 || strings.ContainsAny(code, "\r\x1b\u2028\u0085") || !strings.HasPrefix(lines[len(lines)-2], "// import { get }") {
				t.Fatalf("%q: the lines are\n%q", name, code)
			}
			codes, want = append(codes, code), append(want, []string{"./" + name, name, "/" + strings.TrimPrefix(name, "/")})
		}
	}
	// The code imports the file, and calls the API and the path, under their exact names.
	script := `
process.stdout.write(JSON.stringify(` + jsonText(t, codes) + `.map((source) => {
  const file = eval(source.match(/^import \w+ from (.*);$/m)[1]);
  const [, api, path] = source.match(/apiName: (.*), path: (.*) }\)\.response/).map((text, at) => at > 0 ? eval(text) : text);
  return [file, api, path];
})));`
	node := exec.Command("node", "-")
	node.Stdin = strings.NewReader(script)
	out, err := node.CombinedOutput()
	var got [][]string
	if err != nil || json.Unmarshal(out, &got) != nil || len(got) != len(want) {
		t.Fatalf("%v: Node.js says %s", err, out)
	}
	for i := range want {
		if !slices.Equal(got[i], want[i]) {
			t.Errorf("%q instead of %q are in\n%s", got[i], want[i], codes[i])
		}
	}
}

func TestTheExamplePathContinuesTheEndpoint(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ endpoint, example, want string }{
		{"https://a.example/dev", "/", "'/'"},
		{"https://a.example/dev/", "/", "''"},
		{"https://a.example/dev", "/book/1", "'/book/1'"},
		{"https://a.example/dev/", "/book/1", "'book/1'"},
		{"https://a.example/dev", "", "'/items'"},
		{"https://a.example/dev/", "", "'items'"},
	} {
		values := model.Outputs{"custom": map[string]any{"API": map[string]any{"shop": map[string]any{"endpoint": tt.endpoint}}}}
		got := render.Snippet(values, model.Amplify, render.JSON, "a.json", map[string]string{"shop": tt.example, "other": "/x"}, here)
		if !strings.Contains(got, ", path: "+tt.want+" }).response;") {
			t.Errorf("%+v: the lines are\n%s", tt, got)
		}
	}
}
