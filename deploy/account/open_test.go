package account_test

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/deploy/account"
	"gatewright/model"
)

const (
	keysOfAnn = "aws_access_key_id = ANN\naws_secret_access_key = very-secret\n"
	ssoOf     = "sso_session = corp\nsso_account_id = 111111111111\nsso_role_name = Deployer\n"
	corp      = "[sso-session corp]\nsso_region = eu-west-1\nsso_start_url = https://corp.awsapps.example/start\nsso_registration_scopes = sso:account:access\n"
	ssoRole   = "[profile sso]\n" + ssoOf + corp
	chain     = "[profile ann]\n" + keysOfAnn + "[profile deployer]\nrole_arn = arn:aws:iam::111111111111:role/Deployer\nsource_profile = ann\nrole_session_name = ann\n"
	withMFA   = chain + "mfa_serial = arn:aws:iam::111111111111:mfa/phone\n"
)

// entry is a case of how an account is opened.
type entry struct {
	// config and credentials are the user's files.
	config, credentials string
	// tokens are the files of cached sign-ins, by what their names are made of.
	tokens map[string]string
	env    map[string]string
	// files are other files in the home folder.
	files map[string]string
	// options change the options.
	options func(*account.Options)
	refuse  func(action string, calls int) (int, string, string)
	// who and calls are expected, or else the error, where $CLOUD stands for the host of the
	// server, $HOME for the home folder and $SHOW for the command that prints a file.
	who, calls, err string
	// cause is what the error must match, beside ErrCredentials unless accepted.
	accepted bool
}

func (e entry) open(t *testing.T) (*account.Account, *cloud, *strings.Replacer, error) {
	t.Helper()
	home, server := t.TempDir(), newCloud(t)
	if e.refuse != nil {
		server.refuse = e.refuse
	}
	show := "cat"
	if runtime.GOOS == "windows" {
		show = "type"
	}
	places := strings.NewReplacer("$CLOUD", strings.TrimPrefix(server.URL, "http://"), "$HOME/", home+string(filepath.Separator), "$SHOW", show)
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home) // of Windows
	t.Setenv("AWS_CONFIG_FILE", filepath.Join(home, "config"))
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(home, "credentials"))
	t.Setenv("AWS_ENDPOINT_URL", server.URL)
	write(t, filepath.Join(home, "config"), places.Replace(e.config))
	write(t, filepath.Join(home, "credentials"), places.Replace(e.credentials))
	for name, text := range e.files {
		write(t, filepath.Join(home, name), text)
	}
	for session, text := range e.tokens {
		sum := sha1.Sum([]byte(session))
		write(t, filepath.Join(home, ".aws", "sso", "cache", hex.EncodeToString(sum[:])+".json"), text)
	}
	for name, value := range e.env {
		t.Setenv(name, places.Replace(value))
		if value == "" {
			_ = os.Unsetenv(name)
		}
	}
	o := account.Options{Environment: "dev", Region: "eu-central-1", Retry: account.Retry{Attempts: 4, Backoff: time.Millisecond}}
	if e.options != nil {
		e.options(&o)
	}
	before := elsewhere.Load()
	a, err := account.Open(t.Context(), o)
	if others := elsewhere.Load() - before; others != 0 {
		t.Errorf("%d connections were made to other hosts", others)
	}
	return a, server, places, err
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func profile(name string) func(*account.Options) {
	return func(o *account.Options) { o.Profile = name }
}

func asked(name, code string) func(*account.Options) {
	return func(o *account.Options) {
		o.Profile = name
		o.MFA = func(_ context.Context, serial string) (string, error) {
			if serial != "arn:aws:iam::111111111111:mfa/phone" {
				return "", errors.New("asked for the device " + serial)
			}
			return code + "\n", nil
		}
	}
}

var opening = map[string]entry{
	"variables": {env: map[string]string{"AWS_ACCESS_KEY_ID": "ANN", "AWS_SECRET_ACCESS_KEY": "x"}, who: "ann", calls: "GetCallerIdentity ANN"},
	"a profile wins over variables": {
		config: "[profile other]\naws_access_key_id = OTHER\naws_secret_access_key = x\n", options: profile("other"),
		env: map[string]string{"AWS_ACCESS_KEY_ID": "ANN", "AWS_SECRET_ACCESS_KEY": "x"}, who: "the root user", calls: "GetCallerIdentity OTHER",
	},
	"the default profile": {credentials: "[default]\n" + keysOfAnn, who: "ann", calls: "GetCallerIdentity ANN"},
	"AWS_PROFILE":         {credentials: "[ann]\n" + keysOfAnn, env: map[string]string{"AWS_PROFILE": "ann"}, who: "ann", calls: "GetCallerIdentity ANN"},
	"a role of a profile": {config: chain, options: profile("deployer"), who: "the role Deployer/ann", calls: "AssumeRole ANN, GetCallerIdentity ROLEANN"},
	"a role of a role": {
		config:  chain + "[profile second]\nrole_arn = arn:aws:iam::111111111111:role/Second\nsource_profile = deployer\n",
		options: profile("second"), who: "the role Deployer/gatewright", calls: "AssumeRole ANN, AssumeRole ROLEANN, GetCallerIdentity ROLEGATEWRIGHT",
	},
	"a role with MFA": {config: withMFA, options: asked("deployer", "123456"), who: "the role Deployer/ann", calls: "AssumeRole ANN123456, GetCallerIdentity ROLEANN"},
	"a web identity token": {
		env:   map[string]string{"AWS_WEB_IDENTITY_TOKEN_FILE": "$HOME/token", "AWS_ROLE_ARN": "arn:aws:iam::111111111111:role/Deployer", "AWS_ROLE_SESSION_NAME": "build"},
		files: map[string]string{"token": "a.b.c"}, who: "the role Deployer/build", calls: "AssumeRoleWithWebIdentity, GetCallerIdentity ROLEBUILD",
	},
	"a web identity token of a profile": {
		config:  "[profile build]\nrole_arn = arn:aws:iam::111111111111:role/Deployer\nweb_identity_token_file = $HOME/token\n",
		options: profile("build"), files: map[string]string{"token": "a.b.c"}, who: "the role Deployer/gatewright", calls: "AssumeRoleWithWebIdentity, GetCallerIdentity ROLEGATEWRIGHT",
	},
	"a sign-in": {
		config: ssoRole, options: profile("sso"), tokens: map[string]string{"corp": `{"accessToken":"signed-in","expiresAt":"2999-01-01T00:00:00Z"}`},
		who: "the role Deployer/sso", calls: "GetRoleCredentials, GetCallerIdentity ROLESSO",
	},
	"a sign-in of the older form": {
		config:  "[profile sso]\nsso_region = eu-west-1\nsso_start_url = https://corp.awsapps.example/start\nsso_account_id = 111111111111\nsso_role_name = Deployer\n",
		options: profile("sso"), tokens: map[string]string{"https://corp.awsapps.example/start": `{"accessToken":"signed-in","expiresAt":"2999-01-01T00:00:00Z"}`},
		who: "the role Deployer/sso", calls: "GetRoleCredentials, GetCallerIdentity ROLESSO",
	},
	"a sign-in that is renewed": {
		config: ssoRole, options: profile("sso"),
		tokens: map[string]string{"corp": `{"accessToken":"old","expiresAt":"2020-01-01T00:00:00Z","clientId":"c","clientSecret":"s","refreshToken":"r"}`},
		who:    "the role Deployer/sso", calls: "CreateToken, GetRoleCredentials, GetCallerIdentity ROLESSO",
	},
	"a credential_process": {
		config:  "[profile own]\ncredential_process = $SHOW $HOME/keys\n",
		options: profile("own"), files: map[string]string{"keys": `{"Version":1,"AccessKeyId":"ANN","SecretAccessKey":"x"}`}, who: "ann", calls: "GetCallerIdentity ANN",
	},
	"the endpoint of the profile": {
		config: "[profile ann]\nendpoint_url = http://$CLOUD\n" + strings.TrimPrefix(chain, "[profile ann]\n"), options: profile("ann"),
		env: map[string]string{"AWS_ENDPOINT_URL": ""}, who: "ann", calls: "GetCallerIdentity ANN",
	},
	"the endpoint of the profile for a role": {
		config: chain + "endpoint_url = http://$CLOUD\n", options: profile("deployer"),
		env: map[string]string{"AWS_ENDPOINT_URL": ""}, who: "the role Deployer/ann", calls: "AssumeRole ANN, GetCallerIdentity ROLEANN",
	},
	"the endpoint of the service STS": {
		config: chain, options: profile("deployer"), env: map[string]string{"AWS_ENDPOINT_URL": "http://127.0.0.1:1", "AWS_ENDPOINT_URL_STS": "http://$CLOUD"},
		who: "the role Deployer/ann", calls: "AssumeRole ANN, GetCallerIdentity ROLEANN",
	},
	"the endpoint of the services of a profile": {
		config: chain + "services = local\n[services local]\nsts =\n  endpoint_url = http://$CLOUD\n", options: profile("deployer"),
		env: map[string]string{"AWS_ENDPOINT_URL": ""}, who: "the role Deployer/ann", calls: "AssumeRole ANN, GetCallerIdentity ROLEANN",
	},
	"the wanted account": {
		credentials: "[default]\n" + keysOfAnn, options: func(o *account.Options) { o.Want = "111111111111" }, who: "ann", calls: "GetCallerIdentity ANN",
	},
	"throttling is waited out": {
		config: chain, options: profile("deployer"), refuse: func(_ string, calls int) (int, string, string) {
			if calls%3 != 0 {
				return 400, "Throttling", "Rate exceeded"
			}
			return 0, "", ""
		},
		who: "the role Deployer/ann", calls: "AssumeRole ANN, AssumeRole ANN, AssumeRole ANN, GetCallerIdentity ROLEANN, GetCallerIdentity ROLEANN, GetCallerIdentity ROLEANN",
	},
}

func TestAnAccountIsOpenedAndNoOtherHostIsCalled(t *testing.T) {
	for name, e := range opening {
		t.Run(name, func(t *testing.T) {
			variables := os.Environ()
			a, server, _, err := e.open(t)
			if err != nil {
				t.Fatalf("%v (calls: %s)", err, server.made())
			}
			if a.Who() != e.who || server.made() != e.calls {
				t.Errorf("who: %s, want %s; calls: %s, want %s", a.Who(), e.who, server.made(), e.calls)
			}
			if a.Region != "eu-central-1" || a.Partition != "aws" || len(a.ID) != 12 {
				t.Errorf("region %q, partition %q, account %q", a.Region, a.Partition, a.ID)
			}
			if e.env == nil && !sameButOurs(variables, os.Environ()) {
				t.Error("opening changed the variables of the process")
			}
		})
	}
}

func sameButOurs(before, after []string) bool {
	ours := func(v string) bool {
		return strings.HasPrefix(v, "HOME=") || strings.HasPrefix(v, "USERPROFILE=") || strings.HasPrefix(v, "AWS_")
	}
	before, after = slices.DeleteFunc(slices.Clone(before), ours), slices.DeleteFunc(slices.Clone(after), ours)
	slices.Sort(before)
	slices.Sort(after)
	return slices.Equal(before, after)
}

func TestAnotherAccountIsRefusedByItsFirstCall(t *testing.T) {
	e := entry{credentials: "[default]\n" + keysOfAnn, options: func(o *account.Options) { o.Want = "999999999999" }}
	_, server, _, err := e.open(t)
	want := "environment dev: it belongs to the account 999999999999, but the credentials are of ann in the account 111111111111; " +
		"choose a profile of the right account with: gatewright env use dev --profile NAME, or move the environment with: gatewright update env dev --account 111111111111"
	if err == nil || err.Error() != want || !errors.Is(err, account.ErrOtherAccount) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if server.made() != "GetCallerIdentity ANN" {
		t.Errorf("calls: %s", server.made())
	}
}

func TestACancelledOpeningReturnsThat(t *testing.T) {
	server := newCloud(t)
	ctx, cancel := context.WithCancel(t.Context())
	server.refuse = func(string, int) (int, string, string) {
		cancel()
		return http.StatusServiceUnavailable, "ServiceUnavailable", "later"
	}
	t.Setenv("AWS_ENDPOINT_URL", server.URL)
	t.Setenv("AWS_ACCESS_KEY_ID", "ANN")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "x")
	_, err := account.Open(ctx, account.Options{Environment: "dev", Region: "eu-central-1"})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	var p *model.Problem
	if errors.As(err, &p) {
		t.Errorf("a cancelled call is told as a problem: %v", err)
	}
}

func TestNotAnsweringTheQuestionForACodeReturnsThat(t *testing.T) {
	left := errors.New("left")
	e := entry{config: withMFA, options: func(o *account.Options) {
		o.Profile = "deployer"
		o.MFA = func(context.Context, string) (string, error) { return "", left }
	}}
	if _, server, _, err := e.open(t); err != left || server.made() != "" {
		t.Errorf("got %v, calls %s", err, server.made())
	}
}

func TestConfiguredEndpointsCanBeIgnored(t *testing.T) {
	server := newCloud(t)
	t.Setenv("AWS_ENDPOINT_URL", server.URL)
	t.Setenv("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "true")
	t.Setenv("AWS_ACCESS_KEY_ID", "ANN")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "x")
	before := elsewhere.Load()
	_, err := account.Open(t.Context(), account.Options{Environment: "dev", Region: "eu-central-1", Retry: account.Retry{Attempts: 1}})
	if err == nil || server.made() != "" || elsewhere.Load() == before {
		t.Errorf("the call went to the endpoint: %v", err)
	}
}
