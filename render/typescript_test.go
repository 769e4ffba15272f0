package render_test

import (
	"path/filepath"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/render"
	"gatewright/render/rendertest"
)

// TestTypeScriptCompilesStrictly compiles the modules and runs the result in Node.js. The
// strings of a file must have literal types, which the types of client libraries require.
func TestTypeScriptCompilesStrictly(t *testing.T) {
	t.Parallel()
	folder := rendertest.TypeScript(t)
	node := startNode(t)
	write := func(name string, text []byte) { rendertest.Write(t, folder, name, text) }
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
	rendertest.Compile(t, folder, "--outDir", "out", "use.ts", "nasty.ts", "empty.ts", "deep.ts")
	for name, text := range texts {
		node.fileHolds(t, filepath.Join(folder, "out", name+".js"), text)
	}
}
