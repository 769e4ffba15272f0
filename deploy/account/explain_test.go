package account_test

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/smithy-go"

	"gatewright/deploy/account"
	"gatewright/model"
)

// refused answers one action with an error.
func refused(action string, status int, code, message string) func(string, int) (int, string, string) {
	return func(asked string, _ int) (int, string, string) {
		if asked != action {
			return 0, "", ""
		}
		return status, code, message
	}
}

// identity refuses to tell whose the credentials are.
func identity(code, message string) func(string, int) (int, string, string) {
	return refused("GetCallerIdentity", 403, code, message)
}

var defaultKeys = "[default]\n" + keysOfAnn

var failing = map[string]entry{
	"no credentials": {err: "environment dev: there are no AWS credentials; give them with aws configure, aws sso login, the variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or: gatewright env use dev --profile NAME"},
	"no credentials, and no endpoint of this machine": {env: map[string]string{"AWS_ENDPOINT_URL": "", "AWS_EC2_METADATA_DISABLED": "true"}, err: "environment dev: there are no AWS credentials; give them with aws configure, aws sso login, the variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or: gatewright env use dev --profile NAME"},
	"the machine has no role":                         {env: map[string]string{"AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://$CLOUD"}, err: "environment dev: there are no AWS credentials; give them with aws configure, aws sso login, the variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or: gatewright env use dev --profile NAME"},
	"an unknown profile":                              {config: "[profile prod]\n" + keysOfAnn, options: profile("prdo"), err: "environment dev: there is no profile prdo; did you mean prod? else create it with: aws configure --profile prdo, or choose another with: gatewright env use dev --profile NAME"},
	"an unknown profile like no other":                {config: "[profile prod]\n" + keysOfAnn, options: profile("elsewhere"), err: "environment dev: there is no profile elsewhere; create it with: aws configure --profile elsewhere, or choose another with: gatewright env use dev --profile NAME"},
	"an unknown profile in a variable":                {config: "[profile prod]\n" + keysOfAnn, env: map[string]string{"AWS_PROFILE": "prdo"}, err: "environment dev: there is no profile prdo, which AWS_PROFILE names; did you mean prod? else create it with: aws configure --profile prdo, or choose another with: gatewright env use dev --profile NAME"},
	"an unknown source profile":                       {config: "[profile a]\nrole_arn = arn:aws:iam::111111111111:role/R\nsource_profile = b\n", options: profile("a"), err: "environment dev: the profile a gets its credentials from the profile b, which does not exist; fix its source_profile, or choose another profile with: gatewright env use dev --profile NAME"},
	"a source profile without credentials":            {config: "[profile a]\nrole_arn = arn:aws:iam::111111111111:role/R\nsource_profile = b\n[profile b]\nregion = eu-west-1\n", options: profile("a"), err: "environment dev: the profile a gets its credentials from the profile b, which has none; set them with: aws configure --profile b"},
	"a source profile without a role":                 {config: chain + "[profile a]\nsource_profile = ann\n", options: profile("a"), err: "environment dev: the profile a has source_profile without a role_arn; add the role_arn, or choose another with: gatewright env use dev --profile NAME"},
	"half of the keys in a file":                      {credentials: "[default]\naws_access_key_id = ANN\n", err: "environment dev: the profile default has only one of aws_access_key_id and aws_secret_access_key; set both with: aws configure"},
	"half of the keys in variables":                   {env: map[string]string{"AWS_ACCESS_KEY_ID": "ANN"}, err: "environment dev: AWS_ACCESS_KEY_ID is set without AWS_SECRET_ACCESS_KEY; set both, or neither"},
	"the other half":                                  {env: map[string]string{"AWS_SECRET_ACCESS_KEY": "very-secret"}, err: "environment dev: AWS_SECRET_ACCESS_KEY is set without AWS_ACCESS_KEY_ID; set both, or neither"},
	"keys from variables that are not set":            {config: "[profile a]\nrole_arn = arn:aws:iam::111111111111:role/R\ncredential_source = Environment\n", options: profile("a"), err: "environment dev: the profile a gets its credentials from variables that are not set; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or choose another with: gatewright env use dev --profile NAME"},

	"never signed in": {config: ssoRole, options: profile("sso"), err: "environment dev: the sign-in of the profile sso is missing or has expired; run: aws sso login --profile sso"},
	"a sign-in that has expired": {
		config: ssoRole, options: profile("sso"), tokens: map[string]string{"corp": `{"accessToken":"old","expiresAt":"2020-01-01T00:00:00Z"}`}, err: "environment dev: the sign-in of the profile sso is missing or has expired; run: aws sso login --profile sso",
	},
	"a sign-in that has expired and cannot be renewed": {
		config: ssoRole, options: profile("sso"), tokens: map[string]string{"corp": `{"accessToken":"old","expiresAt":"2020-01-01T00:00:00Z","clientId":"c","clientSecret":"s","refreshToken":"r"}`},
		refuse: refused("CreateToken", 400, "InvalidGrantException", "Invalid grant"), err: "environment dev: the sign-in of the profile sso is missing or has expired; run: aws sso login --profile sso",
	},
	"a sign-in that AWS ended": {
		config: ssoRole, options: profile("sso"), tokens: map[string]string{"corp": `{"accessToken":"ended","expiresAt":"2999-01-01T00:00:00Z"}`}, err: "environment dev: the sign-in of the profile sso is missing or has expired; run: aws sso login --profile sso",
	},
	"never signed in, the older form": {
		config:  "[profile sso]\nsso_region = eu-west-1\nsso_start_url = https://corp.awsapps.example/start\nsso_account_id = 111111111111\nsso_role_name = Deployer\n",
		options: profile("sso"), err: "environment dev: the sign-in of the profile sso is missing or has expired; run: aws sso login --profile sso",
	},
	"a role that was not assigned": {
		config: ssoRole, options: profile("sso"), tokens: map[string]string{"corp": `{"accessToken":"signed-in","expiresAt":"2999-01-01T00:00:00Z"}`},
		refuse: refused("GetRoleCredentials", 403, "ForbiddenException", "No access"), err: "environment dev: the sign-in of the profile sso may not use the role Deployer in the account 111111111111; have it assigned to you, or choose another profile with: gatewright env use dev --profile NAME",
	},
	"a sign-in without its section":  {config: "[profile sso]\n" + ssoOf, options: profile("sso"), err: "environment dev: the settings for the sign-in of the profile sso are incomplete; complete them with: aws configure sso --profile sso"},
	"never signed in to the console": {config: "[profile c]\nlogin_session = arn:aws:iam::111111111111:user/ann\n", options: profile("c"), err: "environment dev: the sign-in of the profile c is missing or has expired; run: aws login --profile c"},

	"MFA and nobody to ask": {config: withMFA, options: profile("deployer"), err: "environment dev: the profile deployer needs the code of an MFA device, but there is no terminal to ask; run the command in a terminal, or give credentials that need no code with: gatewright env use dev --profile NAME"},
	"a wrong code": {
		config: withMFA, options: asked("deployer", "000000"),
		refuse: refused("AssumeRole", 403, "AccessDenied", "MultiFactorAuthentication failed with invalid MFA one time pass code."), err: "environment dev: AWS does not accept the code of the MFA device; run the command again with the next code that the device shows",
	},
	"what is no code": {
		config: withMFA, options: asked("deployer", "abc"),
		refuse: refused("AssumeRole", 400, "ValidationError", "Value 'abc' at 'tokenCode' failed to satisfy constraint"), err: "environment dev: AWS does not accept the code of the MFA device; run the command again with the next code that the device shows",
	},
	"a role that may not be assumed": {
		config: chain, options: profile("deployer"),
		refuse: refused("AssumeRole", 403, "AccessDenied", "User: arn:aws:iam::111111111111:user/ann is not authorized to perform: sts:AssumeRole on resource: arn:aws:iam::111111111111:role/Deployer"), err: "environment dev: ann may not assume the role Deployer; add it to the trust policy of the role, or choose another profile with: gatewright env use dev --profile NAME",
	},
	"keys of a source profile that AWS does not know": {
		config: chain, options: profile("deployer"), refuse: refused("AssumeRole", 403, "InvalidClientTokenId", "The security token included in the request is invalid."), err: "environment dev: AWS does not know the access key, or it was deleted; set new keys with: aws configure --profile ann",
	},

	"no file of the web identity token": {
		env: map[string]string{"AWS_WEB_IDENTITY_TOKEN_FILE": "$HOME/none", "AWS_ROLE_ARN": "arn:aws:iam::111111111111:role/Deployer"}, err: "environment dev: the file of the web identity token, $HOME/none, does not exist; let AWS_WEB_IDENTITY_TOKEN_FILE name the file that the build server writes",
	},
	"a web identity token without a role": {env: map[string]string{"AWS_WEB_IDENTITY_TOKEN_FILE": "$HOME/none"}, err: "environment dev: AWS_WEB_IDENTITY_TOKEN_FILE is set without AWS_ROLE_ARN; set AWS_ROLE_ARN to the role of the build"},
	"an invalid web identity token": {
		env:   map[string]string{"AWS_WEB_IDENTITY_TOKEN_FILE": "$HOME/token", "AWS_ROLE_ARN": "arn:aws:iam::111111111111:role/Deployer"},
		files: map[string]string{"token": "very-secret"}, refuse: refused("AssumeRoleWithWebIdentity", 400, "InvalidIdentityToken", "Couldn't retrieve verification key"), err: "environment dev: AWS does not accept the web identity token in $HOME/token; let AWS_WEB_IDENTITY_TOKEN_FILE name a token of the issuer that the account knows, with the audience sts.amazonaws.com",
	},
	"a web identity token that has expired": {
		env:   map[string]string{"AWS_WEB_IDENTITY_TOKEN_FILE": "$HOME/token", "AWS_ROLE_ARN": "arn:aws:iam::111111111111:role/Deployer"},
		files: map[string]string{"token": "very-secret"}, refuse: refused("AssumeRoleWithWebIdentity", 400, "ExpiredTokenException", "Token expired"), err: "environment dev: the web identity token in $HOME/token has expired; let the build server write a new one, and run the build again",
	},
	"a role that does not trust the web identity": {
		env:   map[string]string{"AWS_WEB_IDENTITY_TOKEN_FILE": "$HOME/token", "AWS_ROLE_ARN": "arn:aws:iam::111111111111:role/Deployer"},
		files: map[string]string{"token": "very-secret"}, refuse: refused("AssumeRoleWithWebIdentity", 403, "AccessDenied", "Not authorized to perform sts:AssumeRoleWithWebIdentity"), err: "environment dev: the role Deployer does not trust the web identity token in $HOME/token; add the issuer, the audience and the subject of the token to the trust policy of the role",
	},

	"a credential_process that fails": {
		config: "[profile own]\ncredential_process = echo very-secret && exit 3\n", options: profile("own"), err: "environment dev: the credential_process of the profile own failed: exit status 3; run it yourself to see what it prints",
	},
	"a credential_process that prints something else": {
		config: "[profile own]\ncredential_process = echo very-secret\n", options: profile("own"), err: "environment dev: the credential_process of the profile own prints no valid credentials; run it yourself to see what it prints",
	},

	"keys that have expired": {credentials: defaultKeys + "aws_session_token = very-secret\n", refuse: identity("ExpiredToken", "The security token included in the request is expired"), err: "environment dev: the credentials have expired; write the keys of a new session into the profile default, or choose another with: gatewright env use dev --profile NAME"},
	"variables that have expired": {
		env:    map[string]string{"AWS_ACCESS_KEY_ID": "ANN", "AWS_SECRET_ACCESS_KEY": "very-secret", "AWS_SESSION_TOKEN": "very-secret"},
		refuse: identity("ExpiredTokenException", "expired"), err: "environment dev: the credentials have expired; set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, for a session, AWS_SESSION_TOKEN anew",
	},
	"unknown keys":             {credentials: defaultKeys, refuse: identity("InvalidClientTokenId", "The security token included in the request is invalid."), err: "environment dev: AWS does not know the access key, or it was deleted; set new keys with: aws configure"},
	"unrecognized keys":        {credentials: "[ann]\n" + keysOfAnn, options: profile("ann"), refuse: identity("UnrecognizedClientException", "The security token included in the request is invalid."), err: "environment dev: AWS does not know the access key, or it was deleted; set new keys with: aws configure --profile ann"},
	"a wrong secret key":       {credentials: defaultKeys, refuse: identity("SignatureDoesNotMatch", "The request signature we calculated does not match the signature you provided."), err: "environment dev: the secret key does not match the access key; set new keys with: aws configure"},
	"a wrong clock":            {credentials: defaultKeys, refuse: identity("SignatureDoesNotMatch", "Signature expired: 20261125T000000Z is now earlier than 20261125T010000Z"), err: "environment dev: AWS refuses the call because the clock of this machine is wrong; set the clock, and run the command again"},
	"a clock of another day":   {credentials: defaultKeys, refuse: identity("RequestExpired", "Request has expired."), err: "environment dev: AWS refuses the call because the clock of this machine is wrong; set the clock, and run the command again"},
	"a skewed clock":           {credentials: defaultKeys, refuse: identity("RequestTimeTooSkewed", "too large"), err: "environment dev: AWS refuses the call because the clock of this machine is wrong; set the clock, and run the command again"},
	"an action that is denied": {credentials: defaultKeys, accepted: true, refuse: identity("AccessDenied", "User: arn:aws:iam::111111111111:user/team/ann is not authorized to perform: sts:GetCallerIdentity on resource: * with an explicit deny in a service control policy"), err: "environment dev: ann may not do sts:GetCallerIdentity, by an explicit Deny; have that Deny removed from the policy, or choose another profile with: gatewright env use dev --profile NAME"},
	"throttled for ever":       {credentials: defaultKeys, accepted: true, refuse: identity("Throttling", "Rate exceeded"), err: "environment dev: AWS is throttling calls, after 4 tries; wait a minute, and run the command again"},
	"an unknown error":         {credentials: defaultKeys, accepted: true, refuse: identity("Odd", "first line\nsecond\u202e line about AKIAABCDEFGHIJKLMNOP"), err: "environment dev: STS refuses GetCallerIdentity: first line second� line about (key) (Odd)"},

	"nobody listens": {credentials: defaultKeys, accepted: true, env: map[string]string{"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}, err: "environment dev: cannot reach 127.0.0.1:1: the connection is refused; AWS_ENDPOINT_URL names it; start the server there, or fix AWS_ENDPOINT_URL"},
	"nobody listens for a role": {
		config: chain, options: profile("deployer"), accepted: true, env: map[string]string{"AWS_ENDPOINT_URL_STS": "http://127.0.0.1:1"}, err: "environment dev: cannot reach 127.0.0.1:1: the connection is refused; AWS_ENDPOINT_URL_STS names it; start the server there, or fix AWS_ENDPOINT_URL_STS",
	},
	"no such host":             {credentials: defaultKeys, accepted: true, env: map[string]string{"AWS_ENDPOINT_URL": "http://nowhere.invalid"}, err: "environment dev: cannot reach nowhere.invalid: no such host; AWS_ENDPOINT_URL names it; start the server there, or fix AWS_ENDPOINT_URL"},
	"an endpoint without host": {config: chain, options: profile("deployer"), accepted: true, env: map[string]string{"AWS_ENDPOINT_URL": "localhost"}, err: "environment dev: an AWS setting is not usable: \"localhost\" is not the URL of an endpoint; fix or remove it"},
	"no region":                {credentials: defaultKeys, accepted: true, options: func(o *account.Options) { o.Region = "" }, err: "environment dev: it has no region; set it with: gatewright update env dev --region REGION, such as eu-central-1"},
	"what is no region":        {credentials: defaultKeys, accepted: true, options: func(o *account.Options) { o.Region = "evil.example/" }, err: "environment dev: evil.example/ is not a region of AWS; set it with: gatewright update env dev --region REGION, such as eu-central-1"},
	"a setting that is wrong":  {credentials: defaultKeys, accepted: true, env: map[string]string{"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "maybe"}, err: "environment dev: an AWS setting is not usable: invalid value for environment variable, AWS_IGNORE_CONFIGURED_ENDPOINT_URLS=maybe, need true or false; fix or remove it"},
}

func TestEachFailureIsOneLineThatSaysWhatMendsIt(t *testing.T) {
	for name, e := range failing {
		t.Run(name, func(t *testing.T) {
			_, _, places, err := e.open(t)
			var p *model.Problem
			if !errors.As(err, &p) {
				t.Fatalf("no problem: %v", err)
			}
			if want := places.Replace(e.err); err.Error() != want {
				t.Errorf("got  %s\nwant %s", err, want)
			}
			if errors.Is(err, account.ErrCredentials) == e.accepted {
				t.Errorf("ErrCredentials: %t", !e.accepted)
			}
			if strings.ContainsAny(err.Error(), "\n\r\x1b") {
				t.Error("more than a line")
			}
			for _, secret := range []string{"very-secret", "AKIA", "ANN"} {
				if strings.Contains(err.Error(), secret) {
					t.Errorf("the line has the secret %s", secret)
				}
			}
			if texts := strings.Join(causes(err), "\n"); strings.Contains(texts, "very-secret") {
				t.Errorf("a cause has a secret: %s", texts)
			}
		})
	}
}

// causes returns the texts of all errors that an error matches.
func causes(err error) []string {
	texts := []string{err.Error()}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		if below := e.Unwrap(); below != nil {
			texts = append(texts, causes(below)...)
		}
	case interface{ Unwrap() []error }:
		for _, below := range e.Unwrap() {
			texts = append(texts, causes(below)...)
		}
	}
	return texts
}

func TestLaterCallsAreExplainedToo(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	o := account.Options{Environment: "dev", Region: "eu-central-1"}
	call := func(operation, code, message string) error {
		return &smithy.OperationError{ServiceID: "CloudFormation", OperationName: operation, Err: &smithy.GenericAPIError{Code: code, Message: message}}
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{
			call("CreateChangeSet", "AccessDenied", "User: arn:aws:sts::111111111111:assumed-role/Deployer/ann is not authorized to perform: cloudformation:CreateChangeSet on resource: arn:aws:cloudformation:eu-central-1:111111111111:stack/shop/1"),
			"environment dev: the role Deployer/ann may not do cloudformation:CreateChangeSet on arn:aws:cloudformation:eu-central-1:111111111111:stack/shop/1; have a policy allow it, or choose another profile with: gatewright env use dev --profile NAME",
		},
		{
			call("CreateChangeSet", "AccessDenied", "no"),
			"environment dev: the identity of the credentials may not do CloudFormation:CreateChangeSet; have a policy allow it, or choose another profile with: gatewright env use dev --profile NAME",
		},
		{
			call("CreateChangeSet", "ValidationError", "Stack [shop] does not exist"),
			"environment dev: CloudFormation refuses CreateChangeSet: Stack [shop] does not exist (ValidationError)",
		},
		{
			call("CreateChangeSet", "OptInRequired", "The AWS Access Key Id needs a subscription"),
			"environment dev: the account cannot use CloudFormation in the region eu-central-1; enable the region or the service in the console of AWS",
		},
		{
			call("DescribeStacks", "ExpiredToken", "expired"),
			"environment dev: the credentials have expired; give them with aws configure, aws sso login, the variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or: gatewright env use dev --profile NAME",
		},
		{
			&smithy.OperationError{ServiceID: "CloudFormation", OperationName: "DescribeStacks", Err: &url.Error{Op: "Post", URL: "https://cloudformation.eu-central-1.amazonaws.com/", Err: errors.New("EOF")}},
			"environment dev: cannot reach cloudformation.eu-central-1.amazonaws.com: the connection failed; check the network and the region eu-central-1 exists",
		},
	} {
		err := account.Explain(c.err, o)
		if err.Error() != c.want {
			t.Errorf("got  %s\nwant %s", err, c.want)
		}
		if !errors.Is(err, c.err) {
			t.Errorf("%s: the cause is lost", c.want)
		}
		if again := account.Explain(err, o); again != err {
			t.Errorf("a problem is explained twice: %v", again)
		}
	}
	if account.Explain(nil, o) != nil {
		t.Error("no error is an error")
	}
}

type timedOut struct{}

func (timedOut) Error() string { return "slow" }
func (timedOut) Timeout() bool { return true }

// TestEachKindOfFailureHasItsOwnWords has a call of an environment and one of none, with errors that no server of a test gives.
func TestEachKindOfFailureHasItsOwnWords(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	asked := func(err error) error {
		return &url.Error{Op: "Post", URL: "https://sts.eu-central-1.amazonaws.com/", Err: err}
	}
	told := func(code, message string) error { return &smithy.GenericAPIError{Code: code, Message: message} }
	const ann = "User: arn:aws:iam::111111111111:user/ann is not authorized to perform: "
	for _, c := range []struct {
		operation, environment string
		err                    error
		want                   string
	}{
		{"GetCallerIdentity", "dev", asked(&tls.CertificateVerificationError{Err: errors.New("unknown authority")}), `environment dev: the certificate of sts.eu-central-1.amazonaws.com is not trusted; if you use a proxy, name the file of its certificates in AWS_CA_BUNDLE`},
		{"GetCallerIdentity", "dev", asked(timedOut{}), `environment dev: cannot reach sts.eu-central-1.amazonaws.com: it does not respond in time; check the network and the region eu-central-1 exists`},
		{"GetCallerIdentity", "", asked(&net.DNSError{Name: "sts"}), `cannot reach sts.eu-central-1.amazonaws.com: no such host; check the network and the region eu-central-1 exists`},
		{"AssumeRole", "dev", told("AccessDenied", ann+"sts:AssumeRole on resource: arn:aws:iam::222222222222:role/Deployer"), `environment dev: ann may not assume the role Deployer; add it to the trust policy of the role, or choose another profile with: gatewright env use dev --profile NAME`},
		{"AssumeRole", "", told("AccessDenied", ann+"sts:AssumeRole on resource: arn:aws:iam::222222222222:role/Deployer"), `ann may not assume the role Deployer; add it to the trust policy of the role, or choose another profile with: --profile NAME`},
		{"DescribeStacks", "dev", told("AccessDenied", ann+"cloudformation:DescribeStacks on resource: * with an explicit deny"), `environment dev: ann may not do cloudformation:DescribeStacks, by an explicit Deny; have that Deny removed from the policy, or choose another profile with: gatewright env use dev --profile NAME`},
		{"DescribeStacks", "", told("UnauthorizedOperation", ann+"cloudformation:DescribeStacks."), `ann may not do cloudformation:DescribeStacks; have a policy allow it, or choose another profile with: --profile NAME`},
		{"DescribeStacks", "dev", &retry.MaxAttemptsError{Attempt: 3, Err: told("Throttling", "Rate exceeded")}, `environment dev: AWS is throttling calls, after 3 tries; wait a minute, and run the command again`},
		{"DescribeStacks", "dev", told("SlowDown", "x"), `environment dev: AWS is throttling calls; wait a minute, and run the command again`},
		{"DescribeStacks", "dev", told("RequestTimeTooSkewed", "x"), `environment dev: AWS refuses the call because the clock of this machine is wrong; set the clock, and run the command again`},
		{"DescribeStacks", "dev", told("SignatureDoesNotMatch", "Signature expired: 1 is now earlier than 2"), `environment dev: AWS refuses the call because the clock of this machine is wrong; set the clock, and run the command again`},
		{"DescribeStacks", "dev", told("SignatureDoesNotMatch", "The signature"), `environment dev: the secret key does not match the access key; give them with aws configure, aws sso login, the variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or: gatewright env use dev --profile NAME`},
		{"DescribeStacks", "", told("InvalidClientTokenId", "x"), `AWS does not know the access key, or it was deleted; give them with aws configure, aws sso login, the variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or: --profile NAME`},
		{"HeadBucket", "dev", told("BadRequest", "x"), `environment dev: the credentials have expired, or AWS does not accept them; give them with aws configure, aws sso login, the variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or: gatewright env use dev --profile NAME`},
		{"GetObject", "dev", told("BadRequest", "x"), `environment dev: STS refuses GetObject: x (BadRequest)`},
		{"AssumeRole", "dev", told("AccessDenied", "MultiFactorAuthentication failed with invalid MFA one time pass code."), `environment dev: AWS does not accept the code of the MFA device; run the command again with the next code that the device shows`},
		{"AssumeRole", "dev", told("AccessDenied", "MultiFactorAuthentication failed, must provide both MFA serial number and one time pass code."), `environment dev: the role needs the code of an MFA device; write the serial number of the device as mfa_serial into the profile default`},
		{"DescribeStacks", "dev", told("Odd", "AKIAABCDEFGH12345678 and\n wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEYabcdef\x1b"), `environment dev: STS refuses DescribeStacks: (key) and (key)␛ (Odd)`},
		{"", "dev", errors.New("nothing\nworks"), `environment dev: no credentials can be obtained: nothing works; give them with aws configure, aws sso login, the variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or: gatewright env use dev --profile NAME`},
		{"", "", errors.New("nothing works"), `no credentials can be obtained: nothing works; give them with aws configure, aws sso login, the variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or: --profile NAME`},
		{"DescribeStacks", "dev", errors.New("it cannot be read"), `environment dev: operation error STS: DescribeStacks, it cannot be read`},
	} {
		err := c.err
		if c.operation != "" {
			err = &smithy.OperationError{ServiceID: "STS", OperationName: c.operation, Err: err}
		}
		if got := account.Explain(err, account.Options{Environment: c.environment, Region: "eu-central-1"}); got.Error() != c.want {
			t.Errorf("%v:\n%s\nwant\n%s", err, got, c.want)
		}
	}
	if err := account.Explain(context.Canceled, account.Options{}); err != context.Canceled {
		t.Errorf("what was cancelled is %v", err)
	}
}
