package live_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/deploy/outputs"
	"gatewright/sandbox/live"
)

// askPool sends an operation to the user pool of a sandbox, signed in form.
func askPool(t *testing.T, endpoint, operation string, in map[string]any) (out map[string]any) {
	t.Helper()
	at, err := url.Parse(endpoint)
	deploytest.Must(t, err)
	text, err := json.Marshal(in)
	deploytest.Must(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+at.Host+"/", bytes.NewReader(text))
	deploytest.Must(t, err)
	request.Header.Set("X-Amz-Target", "AWSCognitoIdentityProviderService."+operation)
	request.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=x/20260101/eu-west-1/cognito-idp/aws4_request, SignedHeaders=host, Signature=0")
	answer, err := http.DefaultClient.Do(request)
	deploytest.Must(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	deploytest.Must(t, err)
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("%s is answered %d %s", operation, answer.StatusCode, body)
	}
	deploytest.Must(t, json.Unmarshal(body, &out))
	return out
}

func TestTheAPIForAdministratorsOfAnAmplifyProjectTakesTheirTokens(t *testing.T) {
	t.Parallel()
	dir := amplifyShop(t, `{}`)
	folder := filepath.Join(dir, "amplify/backend/function/AdminQueries1a2b3c4d")
	deploytest.Must(t, os.MkdirAll(filepath.Join(folder, "src"), 0o755))
	deploytest.Must(t, os.WriteFile(filepath.Join(folder, "AdminQueries1a2b3c4d-cloudformation-template.json"),
		[]byte(`{"Resources": {"LambdaFunction": {"Properties": {"Handler": "index.handler", "Runtime": "nodejs22.x"}}}}`), 0o644))
	code := `exports.handler = async (event) => ({ statusCode: 200, body: event.requestContext.authorizer.claims["cognito:groups"] + " " + event.path });`
	deploytest.Must(t, os.WriteFile(filepath.Join(folder, "src/index.js"), []byte(code), 0o644))
	l := serve(t, dir, live.Options{Environment: "dev"})
	l.until(live.API, "API AdminQueries ")
	p := deploytest.Opened(t, dir)
	pool, err := outputs.PoolOf(p.Backend, p.Backend.Environment("dev"))
	deploytest.Must(t, err)
	endpoint := l.endpoints["dev AdminQueries"]
	ask := func(operation string, in map[string]any) map[string]any {
		in["UserPoolId"] = pool.UserPoolID
		return askPool(t, endpoint, operation, in)
	}
	ask("AdminCreateUser", map[string]any{"Username": "ada", "MessageAction": "SUPPRESS"})
	ask("AdminSetUserPassword", map[string]any{"Username": "ada", "Password": "Correct-horse-7", "Permanent": true})
	ask("AdminAddUserToGroup", map[string]any{"Username": "ada", "GroupName": "Admins"})
	result := ask("InitiateAuth", map[string]any{
		"ClientId": pool.ClientID, "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": map[string]any{"USERNAME": "ada", "PASSWORD": "Correct-horse-7"},
	})["AuthenticationResult"]
	tokens, _ := result.(map[string]any)
	token, _ := tokens["AccessToken"].(string)
	for given, want := range map[string]string{token: "200 Admins /listUsers", "": `401 {"message":"Unauthorized"}`} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, endpoint+"/listUsers", nil)
		deploytest.Must(t, err)
		if given != "" {
			request.Header.Set("Authorization", given)
		}
		answer, err := http.DefaultClient.Do(request)
		deploytest.Must(t, err)
		body, err := io.ReadAll(answer.Body)
		deploytest.Must(t, err)
		deploytest.Must(t, answer.Body.Close())
		if got := answer.Status[:3] + " " + string(body); got != want {
			t.Errorf("the answer is %s, want %s", got, want)
		}
	}
}
