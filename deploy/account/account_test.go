package account_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"gatewright/deploy/account"
)

func TestWhoIsShort(t *testing.T) {
	for arn, want := range map[string]string{
		"arn:aws:iam::111111111111:user/team/ann":                   "ann",
		"arn:aws:iam::111111111111:root":                            "the root user",
		"arn:aws:sts::111111111111:assumed-role/Deployer/ann@x.org": "the role Deployer/ann@x.org",
		"arn:aws-cn:sts::111111111111:federated-user/bob":           "the federated user bob",
		"arn:aws:iam::111111111111:user/\x1b[31mann":                `"\x1b[31mann"`,
		"odd": "odd",
	} {
		if got := (&account.Account{ARN: arn}).Who(); got != want {
			t.Errorf("%q: got %s, want %s", arn, got, want)
		}
	}
}

func TestTheClientsOfAllServicesCallTheEndpoint(t *testing.T) {
	own := make(chan string, 9)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		own <- r.Method + " " + r.URL.Path
		w.WriteHeader(http.StatusNotFound)
	}))
	t.Cleanup(other.Close)
	e := entry{credentials: defaultKeys, env: map[string]string{"AWS_ENDPOINT_URL_S3": other.URL + "/store"}}
	a, server, _, err := e.open(t)
	if err != nil {
		t.Fatal(err)
	}
	before := elsewhere.Load()
	_, _ = a.S3().HeadBucket(t.Context(), &s3.HeadBucketInput{Bucket: aws.String("assets")})
	if got := <-own; got != "HEAD /store/assets" {
		t.Errorf("S3 was asked for %s", got)
	}
	_, _ = a.CloudFormation().DescribeStacks(t.Context(), &cloudformation.DescribeStacksInput{})
	if want := "GetCallerIdentity ANN, DescribeStacks ANN"; server.made() != want {
		t.Errorf("calls: %s, want %s", server.made(), want)
	}
	if others := elsewhere.Load() - before; others != 0 {
		t.Errorf("%d connections were made to other hosts", others)
	}
	for service, want := range map[string]string{"S3": other.URL + "/store", "CloudWatch Logs": server.URL, "STS": server.URL} {
		if got := a.Endpoint(service); got != want {
			t.Errorf("the endpoint of %s is %q, want %q", service, got, want)
		}
	}
}

func TestWithoutEndpointsCallsGoToAWS(t *testing.T) {
	if endpoint := (&account.Account{}).Endpoint("S3"); endpoint != "" {
		t.Errorf("an endpoint: %s", endpoint)
	}
}

func TestTheMachineIsAskedEachQuestionOnce(t *testing.T) {
	asked := make(map[string]int)
	machine := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked[r.Method+" "+r.URL.Path]++
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	t.Cleanup(machine.Close)
	e := entry{env: map[string]string{"AWS_EC2_METADATA_SERVICE_ENDPOINT": machine.URL}}
	_, _, _, err := e.open(t)
	if err == nil || len(asked) == 0 {
		t.Errorf("asked %v: %v", asked, err)
	}
	for question, times := range asked {
		if times != 1 {
			t.Errorf("%s: asked %d times", question, times)
		}
	}
}

func TestProfilesAreListedFromBothFiles(t *testing.T) {
	home := t.TempDir()
	t.Setenv("AWS_CONFIG_FILE", filepath.Join(home, "config"))
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(home, "credentials"))
	if got, err := account.Profiles(); err != nil || got != nil {
		t.Errorf("without files: %q, %v", got, err)
	}
	write(t, filepath.Join(home, "config"), "[default]\nregion = x\n[profile prod]\n[profile  spaced ] # why\n[sso-session corp]\n[services local]\n[stray]\n#[profile off]\n")
	write(t, filepath.Join(home, "credentials"), "[default]\n[ci]\n[prod]\n")
	if got, err := account.Profiles(); err != nil || !slices.Equal(got, []string{"ci", "default", "prod", "spaced"}) {
		t.Errorf("got %q, %v", got, err)
	}
}
