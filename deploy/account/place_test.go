package account

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"

	"gatewright/deploy/awstest"
)

func TestEachServiceIsCalledAtItsHostAndSignedForItsRegion(t *testing.T) {
	t.Parallel()
	for region, want := range map[string]string{
		"eu-central-1":  "logs.eu-central-1.amazonaws.com eu-central-1, iam.amazonaws.com us-east-1, aws amazonaws.com",
		"us-east-1":     "logs.us-east-1.amazonaws.com us-east-1, iam.amazonaws.com us-east-1, aws amazonaws.com",
		"cn-north-1":    "logs.cn-north-1.amazonaws.com.cn cn-north-1, iam.cn-north-1.amazonaws.com.cn cn-north-1, aws-cn amazonaws.com.cn",
		"us-gov-east-1": "logs.us-gov-east-1.amazonaws.com us-gov-east-1, iam.us-gov.amazonaws.com us-gov-west-1, aws-us-gov amazonaws.com",
	} {
		a := &Account{Region: region}
		got := a.host(Logs) + " " + a.signedFor(Logs) + ", " + a.host(Roles) + " " + a.signedFor(Roles) + ", " + a.partition() + " " + a.Suffix()
		if got != want {
			t.Errorf("%s: %s, want %s", region, got, want)
		}
	}
}

func TestTheNearestEndpointOfAServiceCounts(t *testing.T) {
	t.Parallel()
	services := map[string]map[string]string{"api_gateway": {"endpoint_url": "of the service"}}
	own := func(name string) string {
		return map[string]string{"AWS_ENDPOINT_URL_API_GATEWAY": "own"}[name]
	}
	none := func(string) string { return "" }
	for _, tt := range []struct {
		of         endpoints
		want, from string
		common     string
	}{
		{endpoints{getenv: own, variable: "all", services: services, profile: "profile"}, "own", "AWS_ENDPOINT_URL_API_GATEWAY", "all"},
		{endpoints{getenv: none, variable: "all", services: services, profile: "profile"}, "all", "AWS_ENDPOINT_URL", "all"},
		{endpoints{getenv: none, services: services, profile: "profile"}, "of the service", "endpoint_url of the services of the profile", "profile"},
		{endpoints{getenv: none, profile: "profile"}, "profile", "endpoint_url of the profile", "profile"},
		{endpoints{getenv: none}, "", "", ""},
		{endpoints{getenv: own, variable: "all", services: services, profile: "profile", off: true}, "", "", ""},
	} {
		endpoint, from := tt.of.find("API Gateway")
		if common := aws.ToString(tt.of.common()); endpoint != tt.want || from != tt.from || tt.of.of("API Gateway") != tt.want || common != tt.common {
			t.Errorf("it is %q of %q, and of all %q; want %+v", endpoint, from, common, tt)
		}
	}
	yes, no := true, false
	for _, tt := range []struct {
		env, shared *bool
		off         bool
	}{{nil, nil, false}, {&yes, &no, true}, {&no, &yes, false}, {nil, &yes, true}, {nil, &no, false}} {
		s := settings{env: config.EnvConfig{IgnoreConfiguredEndpoints: tt.env}, shared: config.SharedConfig{IgnoreConfiguredEndpoints: tt.shared}}
		if e := s.endpoints(Options{}); e.off != tt.off {
			t.Errorf("endpoints are off: %v, want %v", e.off, tt.off)
		}
	}
}

func TestAStageIsAskedAtTheEndpointUnlessThatIsAWS(t *testing.T) {
	t.Parallel()
	const stage = "https://a1.execute-api.eu-central-1.amazonaws.com/dev%20x"
	for endpoint, want := range map[string][2]string{
		"":                            {stage, ""},
		"http://127.0.0.1:4566":       {"http://127.0.0.1:4566/dev%20x", "a1.execute-api.localhost:4566"},
		"http://localhost:4566/":      {"http://localhost:4566/dev%20x", "a1.execute-api.localhost:4566"},
		"http://cloud.localhost:1":    {"http://cloud.localhost:1/dev%20x", "a1.execute-api.cloud.localhost:1"},
		"https://stand-in.example/at": {"https://stand-in.example/at/dev%20x", "a1.execute-api.stand-in.example"},
		"https://vpce-1.apigateway.eu-central-1.vpce.amazonaws.com": {stage, ""},
		"https://apigateway.cn-north-1.AMAZONAWS.com.cn":            {stage, ""},
		"https://apigateway.eu-central-1.api.aws":                   {stage, ""},
	} {
		a := &Account{endpoints: endpoints{getenv: func(string) string { return "" }, variable: endpoint}}
		if to, host := a.Stage(stage); [2]string{to, host} != want {
			t.Errorf("by %s it is %s with %s, want %q", endpoint, to, host, want)
		}
	}
}

func TestAClockThatIsAlmostRightIsTakenForRight(t *testing.T) {
	t.Parallel()
	for ahead, right := range map[time.Duration]bool{0: true, 59 * time.Second: true, -59 * time.Second: true, time.Minute: false, -time.Minute: false, 3 * time.Hour: false} {
		a := &Account{}
		a.heard.Store(int64(ahead))
		before := time.Now()
		now := a.Now()
		after := time.Now()
		if !right {
			before, after = before.Add(ahead), after.Add(ahead)
		}
		if now.Before(before) || now.After(after) {
			t.Errorf("with a clock that is %v ahead it is %v at %v", ahead, now, before)
		}
	}
}

func TestNewCredentialsAreGotAsTheOldOnesWere(t *testing.T) {
	t.Parallel()
	keys := aws.Credentials{AccessKeyID: "a", SecretAccessKey: "s"}
	session := aws.Credentials{AccessKeyID: "a", SecretAccessKey: "s", SessionToken: "t"}
	none := "give them with aws configure, aws sso login, the variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or: gatewright env use dev --profile NAME"
	for _, tt := range []struct {
		profile string
		env     aws.Credentials
		shared  config.SharedConfig
		want    string
	}{
		{"", keys, config.SharedConfig{}, "set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, for a session, AWS_SESSION_TOKEN anew"},
		{"ann", keys, config.SharedConfig{Profile: "ann", Credentials: keys}, "set new keys with: aws configure --profile ann"},
		{"", aws.Credentials{}, config.SharedConfig{Profile: "default", Credentials: keys}, "set new keys with: aws configure"},
		{"ann", aws.Credentials{}, config.SharedConfig{Profile: "ann", SSOSessionName: "corp"}, "run: aws sso login --profile ann"},
		{"ann", aws.Credentials{}, config.SharedConfig{Profile: "ann", SSOStartURL: "https://x"}, "run: aws sso login --profile ann"},
		{"ann", aws.Credentials{}, config.SharedConfig{Profile: "ann", LoginSession: "x"}, "run: aws login --profile ann"},
		{"ann", aws.Credentials{}, config.SharedConfig{Profile: "ann", Credentials: session}, "write the keys of a new session into the profile ann, or choose another with: gatewright env use dev --profile NAME"},
		{"ann", aws.Credentials{}, config.SharedConfig{Profile: "ann", CredentialProcess: "x"}, "see what the credential_process of the profile ann gives"},
		{"role", aws.Credentials{}, config.SharedConfig{Profile: "role", Source: &config.SharedConfig{Profile: "ann", Credentials: keys}}, "set new keys with: aws configure --profile ann"},
		{"", aws.Credentials{}, config.SharedConfig{}, none},
	} {
		f := failure{o: Options{Environment: "dev", Profile: tt.profile}, settings: settings{profile: tt.profile, shared: tt.shared}}
		f.settings.env.Credentials = tt.env
		if got := f.renew(); got != tt.want {
			t.Errorf("%+v: %s\nwant %s", tt.shared, got, tt.want)
		}
	}
	if got := (failure{}).profile(); got != "the default profile" {
		t.Errorf("without a name it is %s", got)
	}
}

// TestVariablesThatAreGivenCountInPlaceOfThoseOfTheProcess has a profile and endpoints that they name.
func TestVariablesThatAreGivenCountInPlaceOfThoseOfTheProcess(t *testing.T) {
	t.Parallel()
	fake := awstest.New(t, awstest.Options{})
	file := filepath.Join(t.TempDir(), "config")
	text := "[profile ann]\naws_access_key_id = 210987654321\naws_secret_access_key = " + awstest.SecretKey + "\nregion = eu-west-3\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		given         map[string]string
		o             Options
		id, in, about string
	}{
		{map[string]string{"AWS_PROFILE": "ann", "AWS_DEFAULT_PROFILE": "gone"}, Options{}, "210987654321", "eu-west-3", fake.URL},
		{map[string]string{"AWS_DEFAULT_PROFILE": "ann", "AWS_REGION": "eu-north-1"}, Options{}, "210987654321", "eu-north-1", fake.URL},
		{map[string]string{"AWS_PROFILE": "ann", "AWS_ACCESS_KEY_ID": "123456789012", "AWS_SECRET_ACCESS_KEY": awstest.SecretKey, "AWS_DEFAULT_REGION": "eu-north-1"}, Options{Region: "eu-west-1"}, "123456789012", "eu-west-1", fake.URL},
		{map[string]string{"AWS_ACCESS_KEY_ID": "123456789012", "AWS_SECRET_ACCESS_KEY": awstest.SecretKey}, Options{Profile: "ann"}, "210987654321", "eu-west-3", fake.URL},
	} {
		tt.o.Getenv = func(name string) string {
			switch name {
			case "AWS_CONFIG_FILE":
				return file
			case "AWS_SHARED_CREDENTIALS_FILE":
				return os.DevNull
			case endpointVariable:
				return fake.URL
			}
			return tt.given[name]
		}
		a, err := Open(t.Context(), tt.o)
		if err != nil {
			t.Errorf("%v: %v", tt.given, err)
			continue
		}
		if a.ID != tt.id || a.Region != tt.in || a.Endpoint("IAM") != tt.about {
			t.Errorf("%v: it is %s in %s, at %s", tt.given, a.ID, a.Region, a.Endpoint("IAM"))
		}
		tt.given["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] = "true"
		if public, err := Public(t.Context(), tt.o); err != nil || public.Endpoint("IAM") != "" {
			t.Errorf("endpoints that are ignored: %v, %v", public, err)
		}
	}
	for variable, want := range map[string]string{
		"AWS_PROFILE": "environment dev: there is no profile ben, which AWS_PROFILE names; ", "AWS_DEFAULT_PROFILE": "environment dev: there is no profile ben, which AWS_DEFAULT_PROFILE names; ",
	} {
		_, err := Open(t.Context(), Options{Environment: "dev", Region: "eu-west-1", Getenv: func(name string) string {
			return map[string]string{"AWS_CONFIG_FILE": file, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull, variable: "ben"}[name]
		}})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("a profile that is not there: %v, want %s", err, want)
		}
	}
}
