package facility

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// poolTriggers is a function that a user pool calls at every moment. It writes down its
// events, and uses the pool itself, as functions after a confirmation do.
const poolTriggers = `const { appendFileSync } = require("node:fs");
const { CognitoIdentityProviderClient, AdminAddUserToGroupCommand } = require("@aws-sdk/client-cognito-identity-provider");

exports.handler = async (event) => {
  appendFileSync(EVENTS, JSON.stringify(event) + "\n");
  const { request, response } = event;
  const email = request.userAttributes?.email ?? event.userName;
  switch (event.triggerSource) {
    case "PreSignUp_SignUp":
      if (email.startsWith("nothing")) return;
      if (email.endsWith("@blocked.example")) throw new Error("blocked.example is not welcome");
      response.autoConfirmUser = response.autoVerifyEmail = email.startsWith("auto");
      break;
    case "PostConfirmation_ConfirmSignUp": {
      const client = new CognitoIdentityProviderClient({});
      await client.send(new AdminAddUserToGroupCommand({ UserPoolId: event.userPoolId, Username: event.userName, GroupName: "Members" }));
      break;
    }
    case "PreAuthentication_Authentication":
      if (request.validationData?.deny) throw new Error("not now");
      break;
    case "TokenGeneration_Authentication":
    case "TokenGeneration_RefreshTokens":
      response.claimsAndScopeOverrideDetails = {
        idTokenGeneration: { claimsToAddOrOverride: { tenant: "blue", sub: "somebody else" }, claimsToSuppress: ["email"] },
        accessTokenGeneration: { claimsToAddOrOverride: { roles: ["reader", "writer"], sub: "somebody else" }, scopesToAdd: ["shop/read"] },
      };
      break;
    case "CustomMessage_SignUp":
      response.emailSubject = "Welcome";
      response.emailMessage = "Hello " + email + ", your code is " + request.codeParameter;
      break;
    case "DefineAuthChallenge_Authentication": {
      const last = request.session.at(-1);
      if (last?.challengeName === "SRP_A") response.challengeName = "PASSWORD_VERIFIER";
      else if (last?.challengeName === "CUSTOM_CHALLENGE" && last.challengeResult) response.issueTokens = true;
      else if (request.session.length >= 3) response.failAuthentication = true;
      else response.challengeName = "CUSTOM_CHALLENGE";
      break;
    }
    case "CreateAuthChallenge_Authentication":
      response.publicChallengeParameters = { question: "the year?" };
      response.privateChallengeParameters = { answer: "1984" };
      response.challengeMetadata = "YEAR";
      break;
    case "VerifyAuthChallengeResponse_Authentication":
      response.answerCorrect = request.challengeAnswer === request.privateChallengeParameters.answer;
      break;
    case "UserMigration_Authentication":
      if (!event.userName.startsWith("old")) break;
      if (request.password !== ["Brought", "along 9"].join("-")) throw new Error("Bad password");
      response.userAttributes = { email: event.userName, email_verified: "true" };
      response.finalUserStatus = "CONFIRMED";
      response.messageAction = "SUPPRESS";
      break;
    case "UserMigration_ForgotPassword":
      response.userAttributes = { email: event.userName, email_verified: "true" };
      response.messageAction = "SUPPRESS";
      break;
  }
  return event;
};
`

// TestAUserPoolCallsItsTriggers signs up and signs in with the public client library and the
// AWS SDK, in a project whose user pool calls a function at every moment.
func TestAUserPoolCallsItsTriggers(t *testing.T) {
	front := frontEnd(t)
	f := newFacility(t)
	events := filepath.Join(t.TempDir(), "events")
	f.run(0, "add", "function", "moments", "--template", "plain", "--access", "pool=update")
	writeFile(t, filepath.Join(f.dir, "backend", "function", "moments", "src", "index.js"), strings.Replace(poolTriggers, "EVENTS", "`"+filepath.ToSlash(events)+"`", 1))
	f.run(0, "add", "group", "Members")
	args := []string{"update", "auth", "--username-attributes", "email", "--auth-flows", "srp,password,custom,admin_password,choice"}
	for _, moment := range []string{
		"preSignUp", "postConfirmation", "preAuthentication", "postAuthentication", "customMessage", "preTokenGenerationV2",
		"defineAuthChallenge", "createAuthChallenge", "verifyAuthChallengeResponse", "userMigration",
	} {
		args = append(args, "--trigger", moment+"=moments")
	}
	f.run(0, args...)
	f.run(0, "add", "api", "shop", "--path", "/books", "--function", "moments")
	f.run(0, "update", "env", "dev", "--region", "eu-west-1")
	f.serve()
	f.run(0, "update", "project", "--sandbox-port", f.address[strings.LastIndexByte(f.address, ':')+1:])
	f.run(0, "push")
	snippet := f.run(0, "generate", "outputs", "--env", "dev", "--out-dir", filepath.Join(front, "triggers"), "--dialect", "amplify", "--format", "ts", "--snippet")
	_, snippet, _ = strings.Cut(snippet, "import ")
	writeFile(t, filepath.Join(front, "triggers", "config.ts"), "import "+snippet)
	f.run(0, "generate", "outputs", "--env", "dev", "--out-dir", filepath.Join(front, "plain"))
	script := &clientScript{t: t, facility: f, taken: make(map[string]int)}
	script.run(front, "triggers", "triggers.mjs", f.address, filepath.Join(front, "plain", "client_config.json"), events)
	if shown := f.output(); !strings.Contains(shown, `in the message "Hello ada@example.com, your code is `) || !strings.Contains(shown, `with the subject Welcome`) {
		t.Errorf("the message of the function is not shown:\n%s", shown)
	}
	// The password that a user brought along is in no log.
	f.checkSecrets(t, []string{"Brought-along 9"})
	if shown := f.run(0, "logs", "--requests", "kind:trigger"); !strings.Contains(shown, "trigger of moments") {
		t.Errorf("the calls of the triggers are not listed:\n%s", shown)
	}
	f.stop(os.Interrupt, 0)
}
