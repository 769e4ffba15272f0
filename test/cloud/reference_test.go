//go:build unix

package cloud

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestADeployedFunctionGetsWhatItsVariablesReferTo asks the function itself.
func TestADeployedFunctionGetsWhatItsVariablesReferTo(t *testing.T) {
	m := newMachine(t)
	// The command line that must takes apart has no spaces in its values.
	m.must(shop + `
		update function news --access table/items=read --access api/shop=read --env TABLE=${TABLE_ITEMS_NAME} --env ARN=${TABLE_ITEMS_ARN}
		update function news --env PARAMETER=/shop/${ENV}/${REGION}/$${ENV} --env API=${API_SHOP_ID}
		update function news --env POOL=${USER_POOL_ID} --env POOL_ARN=${USER_POOL_ARN} --env CLIENT=${USER_POOL_CLIENT_ID} --env IDENTITIES=${IDENTITY_POOL_ID}
		update function news --env TEXT=${OTHER}${AWS::Region}${!x}
		add function check --template plain
		update auth --trigger preSignUp=check
	`)
	m.write(filepath.Join(m.dir, "backend", "function", "check", "src", "index.js"), "exports.handler = async (event) => event;\n")
	m.write(filepath.Join(m.dir, "backend", "function", "news", "src", "index.js"), `const names = ["TABLE", "ARN", "PARAMETER", "API", "POOL", "POOL_ARN", "CLIENT", "IDENTITIES", "TEXT"];
exports.handler = async () => ({ statusCode: 200, body: JSON.stringify(Object.fromEntries(names.map((name) => [name, process.env[name]]))) });
`)
	m.must("push --yes")
	var file clientFile
	if err := json.Unmarshal([]byte(m.read("client_config.json")), &file); err != nil {
		t.Fatal(err)
	}
	id, _, _ := strings.Cut(strings.TrimPrefix(file.Custom.API["shop"].Endpoint, "https://"), ".")
	answers := m.send(devAccount, request{Who: "guest", Method: "GET", Path: "/news"})
	got := make(map[string]string)
	if err := json.Unmarshal([]byte(answers[0].Body), &got); err != nil {
		t.Fatalf("%v: %+v", err, answers)
	}
	want := map[string]string{
		"TABLE": "items-dev", "ARN": "arn:aws:dynamodb:eu-central-1:" + devAccount + ":table/items-dev",
		"PARAMETER": "/shop/dev/eu-central-1/${ENV}", "API": id,
		"POOL": file.Auth.Pool, "POOL_ARN": "arn:aws:cognito-idp:eu-central-1:" + devAccount + ":userpool/" + file.Auth.Pool,
		"CLIENT": file.Auth.Client, "IDENTITIES": file.Auth.Identities,
		"TEXT": "${OTHER}${AWS::Region}${!x}",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the function's variables (-want +got):\n%s", diff)
	}
}
