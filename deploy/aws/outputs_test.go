package aws_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gatewright/deploy/account"
	"gatewright/deploy/aws"
	"gatewright/deploy/awstest"
	"gatewright/deploy/deploytest"
	"gatewright/deploy/index"
	"gatewright/deploy/secretfile"
	"gatewright/deploy/stack"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
)

// outputsOf asks for the outputs of a deployment from a machine that has no project.
func (r *cloudRoom) outputsOf(q index.Request) (aws.Outputs, error) {
	r.t.Helper()
	aws := r.aws
	aws.Region = awsRegion
	return aws.Outputs(r.t.Context(), q)
}

func TestAMachineWithoutTheProjectGetsTheOutputsOfAStack(t *testing.T) {
	t.Parallel()
	r := begin(t, start{pushed: true}, archives(t), awstest.Options{})
	name := r.stackName("dev")
	want, err := project.ReadRecord(r.dir, "dev")
	deploytest.Must(t, err)
	for _, q := range []index.Request{{Stack: name}, {ApplicationID: "app1", Branch: "dev"}} {
		out, err := r.outputsOf(q)
		deploytest.Must(t, err)
		if diff := cmp.Diff(&want, out.Record, cmpopts.IgnoreFields(project.Record{}, "Version", "Snapshot")); diff != "" || len(out.Notes) > 0 {
			t.Errorf("asked for %+v it has the notes %q, and differs (-pushed +asked):\n%s", q, out.Notes, diff)
		}
		if len(out.Record.Values) == 0 || len(out.Record.APIs) != 1 || out.Record.UserPoolEndpoint != "" {
			t.Errorf("the record is %+v", out.Record)
		}
	}
	for status, is := range map[string]error{"UPDATE_IN_PROGRESS": project.ErrDeploying, "ROLLBACK_COMPLETE": index.ErrNoOutputs, "DELETE_FAILED": index.ErrNoOutputs, "UPDATE_ROLLBACK_FAILED": nil} {
		r.fake.SetStatus(name, status)
		_, err := r.outputsOf(index.Request{Stack: name})
		if !errors.Is(err, is) || is != nil && !strings.HasPrefix(err.Error(), "environment dev: ") {
			t.Errorf("a stack that is %s: %v", status, err)
		}
		oneLine(t, err)
	}
}

func TestADeploymentThatIsNowhereIsToldSo(t *testing.T) {
	t.Parallel()
	r := roomInCloud(t, cloudShop(t), archives(t), awstest.Options{})
	r.fake.Serve("amplify", func(awstest.Request) (any, error) {
		return nil, &awstest.Refusal{Code: "NotFoundException", Message: "no"}
	})
	for want, q := range map[string]index.Request{
		"the stack nothing-here is known neither on this machine nor in the account 123456789012, eu-central-1":                                   {Stack: "nothing-here"},
		"a deployment of the application app9 and its branch main is known neither on this machine nor in the account 123456789012, eu-central-1": {ApplicationID: "app9", Branch: "main"},
	} {
		_, err := r.outputsOf(q)
		if q.Stack == "" && err != nil && !errors.Is(err, index.ErrNoStack) {
			// The service of Amplify is asked last; what it says is in the error.
			if !strings.Contains(err.Error(), "no stack of the account 123456789012, eu-central-1 has the tags of the application app9 and its branch main") {
				t.Errorf("%+v: %v", q, err)
			}
			continue
		}
		if !errors.Is(err, index.ErrNoStack) || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", q, err, want)
		}
		oneLine(t, err)
	}
	r.env["AWS_ACCESS_KEY_ID"], r.env["AWS_SECRET_ACCESS_KEY"] = "", ""
	if _, err := r.outputsOf(index.Request{Stack: "nothing-here"}); !errors.Is(err, aws.ErrCredentials) || !errors.Is(err, account.ErrNone) {
		t.Errorf("without credentials: %v", err)
	}
}

// amplifyBackend is the template of a backend of Amplify's second generation.
const amplifyBackend = `{
	"Description": "{\"createdBy\":\"AmplifyPipelineDeploy\",\"stackType\":\"root\"}",
	"Metadata": {
		"AWS::Amplify::Platform": {"version": "1", "stackOutputs": ["deploymentType", "region"]},
		"AWS::Amplify::Auth": {"version": "1", "stackOutputs": ["authRegion", "userPoolId", "webClientId", "identityPoolId"]}
	},
	"Resources": {"Handle": {"Type": "AWS::CloudFormation::WaitConditionHandle"}},
	"Outputs": {
		"deploymentType": {"Value": "branch"}, "region": {"Value": "eu-central-1"}, "authRegion": {"Value": "eu-central-1"}, "userPoolId": {"Value": "eu-central-1_AbCdEfGhI"},
		"webClientId": {"Value": "1h57kf5cpq17m0eml12EXAMPLE"}, "identityPoolId": {"Value": "eu-central-1:0a1b2c3d-0000-4000-8000-000000000000"}
	}
}`

// client is what somebody else in the account uses.
func (r *cloudRoom) client() *stack.Client {
	r.t.Helper()
	opened, err := account.Open(r.t.Context(), account.Options{Region: awsRegion, Getenv: r.aws.Getenv})
	deploytest.Must(r.t, err)
	return &stack.Client{API: opened.CloudFormation(), Pace: r.aws.Pace}
}

// foreign makes a stack with a template and tags, as another program does.
func (r *cloudRoom) foreign(name, body string, tags map[string]string) {
	r.t.Helper()
	c := r.client()
	set, err := c.Change(r.t.Context(), stack.Input{Stack: name, Create: true, Body: body, Tags: tags, Token: "by-hand"})
	deploytest.Must(r.t, err)
	deploytest.Must(r.t, c.Execute(r.t.Context(), set, "by-hand"))
	r.fake.Settle(name)
}

func TestABackendOfAmplifyGivesItsOutputs(t *testing.T) {
	t.Parallel()
	r := roomInCloud(t, cloudShop(t), archives(t), awstest.Options{StacksPerPage: 2})
	tags := map[string]string{"amplify:app-id": "d1abc", "amplify:branch-name": "main"}
	for i := range 4 {
		r.foreign(fmt.Sprintf("other-%d", i), amplifyBackend, map[string]string{"amplify:app-id": "d1abc", "amplify:branch-name": fmt.Sprint("other", i)})
	}
	r.foreign("amplify-of-somebody", amplifyBackend, tags)
	for _, q := range []index.Request{{Stack: "amplify-of-somebody"}, {ApplicationID: "d1abc", Branch: "main"}} {
		out, err := r.outputsOf(q)
		deploytest.Must(t, err)
		auth := map[string]any{
			"cloud_region": "eu-central-1", "user_pool_id": "eu-central-1_AbCdEfGhI", "user_pool_client_id": "1h57kf5cpq17m0eml12EXAMPLE",
			"identity_pool_id": "eu-central-1:0a1b2c3d-0000-4000-8000-000000000000",
		}
		if diff := cmp.Diff(auth, out.Record.Values["auth"]); diff != "" {
			t.Errorf("%+v gives another section auth (-want +got):\n%s", q, diff)
		}
		one, _ := r.fake.Stack("amplify-of-somebody")
		got := *out.Record
		got.Values, got.Outputs, got.Deployed = nil, nil, time.Time{}
		want := project.Record{Stack: one.Name, ApplicationID: "d1abc", Branch: "main", Provider: model.AWS, Account: awsAccount, Region: awsRegion, Dialect: model.Amplify}
		if diff := cmp.Diff(want, got); diff != "" || out.Record.Deployed.IsZero() {
			t.Errorf("%+v gives another record (-want +got):\n%s", q, diff)
		}
	}
	// A stack of this program is not one of Amplify, and the other way round.
	if _, err := r.aws.Record(t.Context(), "amplify-of-somebody"); err == nil {
		t.Error("the stack of Amplify has a record of this program")
	}
	r.foreign("amplify-again", amplifyBackend, tags)
	if _, err := r.outputsOf(index.Request{ApplicationID: "d1abc", Branch: "main"}); err == nil || !strings.Contains(err.Error(), "has several stacks: amplify-again, amplify-of-somebody") {
		t.Errorf("two stacks of one branch: %v", err)
	}
}

func TestTheTemplatesOfAnyStackAreReadWithoutItsSecrets(t *testing.T) {
	t.Parallel()
	b := cloudShop(t)
	f := *b.Function("items")
	f.Secrets = []string{"PAYMENT_KEY"}
	deploytest.Must(t, edit.UpdateFunction(b, &f))
	r := roomInCloud(t, b, archives(t), awstest.Options{})
	deploytest.Must(t, secretfile.Write(r.dir, "dev", []byte(`{"PAYMENT_KEY": "hunter2-hunter2"}`)))
	deploytest.Must(t, r.push(pushOptions{}).err)
	p := r.open()
	env := p.Backend.Environment("dev")
	found, err := r.aws.Templates(t.Context(), p, env, r.stackName("dev"))
	deploytest.Must(t, err)
	if string(found.Root.Root.Minified()) != string(minified(t, r.deployed())) || len(found.Nested) > 0 {
		t.Error("it is another template than the deployed one")
	}
	for name, value := range found.Parameters {
		if strings.Contains(value, "hunter2") || strings.Trim(value, "*") == "" {
			t.Errorf("the parameter %s is %q", name, value)
		}
	}
	if _, err := r.aws.Templates(t.Context(), p, env, "nothing-here"); !errors.Is(err, index.ErrNoStack) {
		t.Errorf("a stack that is not there: %v", err)
	}
	r.foreign("somebody-elses", amplifyBackend, nil)
	other, err := r.aws.Templates(t.Context(), p, env, "somebody-elses")
	if err != nil || other.Root.Root.Get("Resources", "Handle") == nil {
		t.Errorf("the stack of another program: %v", err)
	}
}
