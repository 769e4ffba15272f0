package facility

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// amplifyProject are the files of a project of the Amplify CLI with one API and one
// function, by their names below amplify/.
var amplifyProject = map[string]string{
	".config/project-config.json": `{"projectName": "shop", "version": "3.1", "frontend": "javascript", "javascript": {"config": {"SourceDir": "src"}}}`,
	"team-provider-info.json":     `{"dev": {"awscloudformation": {"Region": "eu-west-1", "AmplifyAppId": "d1shop"}}}`,
	"backend/backend-config.json": `{
		"api": {"shop": {"service": "API Gateway", "providerPlugin": "awscloudformation", "dependsOn": [{"category": "function", "resourceName": "echo", "attributes": ["Name", "Arn"]}]}},
		"function": {"echo": {"service": "Lambda", "providerPlugin": "awscloudformation", "build": true}}
	}`,
	"backend/api/shop/cli-inputs.json": `{"version": 1, "paths": {
		"/news": {"name": "/news", "lambdaFunction": "echo", "permissions": {"setting": "open"}},
		"/books": {"name": "/books", "lambdaFunction": "echo", "permissions": {"setting": "protected", "auth": ["read"], "guest": ["read"]}}
	}}`,
	"backend/function/echo/echo-cloudformation-template.json": `{"Resources": {"LambdaFunction": {"Type": "AWS::Lambda::Function", "Properties": {"Handler": "index.handler", "Runtime": "nodejs22.x"}}}}`,
	"backend/function/echo/src/index.js":                      echo,
}

// callAsGuest calls an open path and one for guests.
const callAsGuest = `import { get } from 'aws-amplify/api';
for (const path of ['/news', '/books']) {
  const { body } = await get({ apiName: 'shop', path }).response;
  console.log(JSON.stringify(await body.json()));
}
`

// TestAFrontEndOfTheAmplifyCLICallsTheSandbox gives the files and the code of generate
// outputs to the public client library. Nothing in the project changes.
func TestAFrontEndOfTheAmplifyCLICallsTheSandbox(t *testing.T) {
	front := frontEnd(t)
	f := emptyFacility(t)
	for name, text := range amplifyProject {
		writeFile(t, filepath.Join(f.dir, "amplify", filepath.FromSlash(name)), text)
	}
	const own = "const awsmobile = {};\n\nexport default awsmobile;\n"
	writeFile(t, filepath.Join(f.dir, "src", "aws-exports.js"), own)
	f.serve()
	f.run(1, "generate", "outputs", "--format", "aws-exports", "--out-dir", "src", "--force")
	formats := []string{"aws-exports", "amplifyconfiguration", "json"}
	var programs []string
	for _, format := range formats {
		snippet := f.run(0, "generate", "outputs", "--format", format, "--out-dir", filepath.Join(front, format), "--snippet")
		if strings.Contains(snippet, "no sandbox is running") || !strings.Contains(snippet, "the sandbox at "+f.address) {
			t.Errorf("the command says %s", snippet)
		}
		_, code, _ := strings.Cut(snippet, "import ")
		writeFile(t, filepath.Join(front, format, "config.ts"), "import "+code)
		writeFile(t, filepath.Join(front, format, "main.ts"), "import './config';\n"+callAsGuest)
		programs = append(programs, format+"/main.ts")
	}
	// The compiler reads the types of the client library once for all of them.
	checkTypes(t, front, append([]string{"--allowJs"}, programs...)...)
	for _, format := range formats {
		t.Run(format, func(t *testing.T) {
			runTool(t, front, "esbuild", "--bundle", "--platform=node", "--format=esm", "--packages=external", "--log-level=warning",
				format+"/main.ts", "--outfile="+format+"/main.mjs")
			cmd := exec.Command("node", format+"/main.mjs")
			cmd.Dir = front
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v %s %s\nthe sandbox prints\n%s", err, out, stderr.String(), f.output())
			}
			checkGuestCalls(t, string(out))
		})
	}
	if text, err := os.ReadFile(filepath.Join(f.dir, "src", "aws-exports.js")); err != nil || string(text) != own {
		t.Errorf("the file of the Amplify CLI is now %s, %v", text, err)
	}
	f.stop(os.Interrupt, 0)
}

// checkGuestCalls checks that the function was called for both paths, by a guest.
func checkGuestCalls(t *testing.T, out string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 2 {
		t.Fatalf("the client prints %s", out)
	}
	for i, path := range []string{"/news", "/books"} {
		var event struct {
			Path     string
			Identity map[string]any
		}
		if err := json.Unmarshal([]byte(lines[i]), &event); err != nil || event.Path != path {
			t.Errorf("the response of %s is %s, %v", path, lines[i], err)
		}
		if path == "/books" && (event.Identity["cognitoAuthenticationType"] != "unauthenticated" || event.Identity["cognitoIdentityId"] == nil) {
			t.Errorf("%s was called by %v", path, event.Identity)
		}
	}
}
