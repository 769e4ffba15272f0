package render_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/render"
	"gatewright/test/depth"
)

// typeScript makes a folder with the compiler of TypeScript.
func typeScript(t *testing.T) string {
	t.Helper()
	depth.Whole(t)
	depth.Needs(t, "npm")
	folder := t.TempDir()
	writeIn(t, folder, "package.json", []byte(`{"private": true, "type": "module", "dependencies": {"typescript": "5.9.3"}}`))
	npm := exec.Command("npm", "install", "--no-audit", "--no-fund", "--prefer-offline")
	npm.Dir = folder
	if out, err := npm.CombinedOutput(); err != nil {
		depth.Lacks(t, "npm's registry", string(out))
	}
	return folder
}

func writeIn(t *testing.T, folder, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// compileStrictly runs the compiler in a folder.
func compileStrictly(t *testing.T, folder string, args ...string) {
	t.Helper()
	compile := exec.Command(filepath.Join("node_modules", ".bin", "tsc"), append([]string{
		"--strict", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler",
	}, args...)...)
	compile.Dir = folder
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("tsc: %v\n%s", err, bytes.TrimSpace(out))
	}
}

// TestTypeScriptCompilesStrictly compiles the modules and runs the result in Node.js. The
// strings of a file must have literal types, which the types of client libraries require.
func TestTypeScriptCompilesStrictly(t *testing.T) {
	t.Parallel()
	folder := typeScript(t)
	node := startNode(t)
	write := func(name string, text []byte) { writeIn(t, folder, name, text) }
	deep := strings.Repeat(`{"a": [`, 4_000) + "1.50" + strings.Repeat("]}", 4_000)
	texts := map[string][]byte{
		"neutral": render.ClientFile(clientFile(t), model.Neutral, render.Whole),
		"amplify": render.ClientFile(clientFile(t), model.Amplify, render.Whole),
		"nasty":   nastyFile, "empty": []byte("{}"), "deep": []byte(deep),
	}
	for name, text := range texts {
		write(name+".ts", render.ClientCode(text, model.Neutral, render.TypeScript))
	}
	write("use.ts", []byte(`import neutral from './neutral';
import amplify from './amplify';
const version: '1' = neutral.version;
const type: 'API_KEY' | 'AWS_IAM' | 'AMAZON_COGNITO_USER_POOLS' | 'AWS_LAMBDA' | 'OPENID_CONNECT' = amplify.data.default_authorization_type;
export { version, type };
`))
	compileStrictly(t, folder, "--outDir", "out", "use.ts", "nasty.ts", "empty.ts", "deep.ts")
	for name, text := range texts {
		node.fileHolds(t, filepath.Join(folder, "out", name+".js"), text)
	}
}
