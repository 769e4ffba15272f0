package awstest_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/smithy-go"

	"gatewright/deploy/account"
	"gatewright/deploy/awstest"
)

// client has the SDK's clients of a fake.
type client struct {
	t    *testing.T
	fake *awstest.Server
	ctx  context.Context
	cfn  *cloudformation.Client
	s3   *s3.Client
	sts  *sts.Client
}

func connect(t *testing.T, fake *awstest.Server, key string) *client {
	t.Helper()
	return connectWith(t, fake, credentials.NewStaticCredentialsProvider(key, awstest.SecretKey, ""))
}

func connectWith(t *testing.T, fake *awstest.Server, provider aws.CredentialsProvider) *client {
	t.Helper()
	config := aws.Config{
		HTTPClient: account.HTTPClient(awshttp.NewBuildableClient()), Region: "eu-central-1", Credentials: provider, BaseEndpoint: aws.String(fake.URL),
		Retryer: func() aws.Retryer {
			return retry.NewStandard(func(o *retry.StandardOptions) {
				o.MaxAttempts = 3
				o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
			})
		},
	}
	return &client{
		t, fake, t.Context(), cloudformation.NewFromConfig(config),
		s3.NewFromConfig(config, func(o *s3.Options) { o.UsePathStyle = true }), sts.NewFromConfig(config),
	}
}

func start(t *testing.T, o awstest.Options) *client {
	t.Helper()
	return connect(t, awstest.New(t, o), "123456789012")
}

func (c *client) plan(stack, name string, kind types.ChangeSetType, template string) (*cloudformation.DescribeChangeSetOutput, error) {
	_, err := c.cfn.CreateChangeSet(c.ctx, &cloudformation.CreateChangeSetInput{
		StackName: &stack, ChangeSetName: &name, ChangeSetType: kind, TemplateBody: &template, Capabilities: []types.Capability{"CAPABILITY_NAMED_IAM"},
	})
	if err != nil {
		return nil, err
	}
	return c.cfn.DescribeChangeSet(c.ctx, &cloudformation.DescribeChangeSetInput{StackName: &stack, ChangeSetName: &name})
}

// begin makes and executes a change set.
func (c *client) begin(stack, name string, kind types.ChangeSetType, template string) *cloudformation.DescribeChangeSetOutput {
	c.t.Helper()
	set, err := c.plan(stack, name, kind, template)
	if err != nil {
		c.t.Fatal(err)
	}
	c.execute(stack, name)
	return set
}

func (c *client) execute(stack, name string) {
	c.t.Helper()
	if _, err := c.cfn.ExecuteChangeSet(c.ctx, &cloudformation.ExecuteChangeSetInput{
		StackName: &stack, ChangeSetName: &name, ClientRequestToken: aws.String("token-" + name),
	}); err != nil {
		c.t.Fatal(err)
	}
}

// wait polls until nothing is in progress.
func (c *client) wait(stack string) types.Stack {
	c.t.Helper()
	for range 200 {
		out, err := c.cfn.DescribeStacks(c.ctx, &cloudformation.DescribeStacksInput{StackName: &stack})
		if err != nil {
			c.t.Fatal(err)
		}
		if s := out.Stacks[0]; !strings.HasSuffix(string(s.StackStatus), "_IN_PROGRESS") {
			return s
		}
	}
	c.t.Fatalf("the stack %s does not end", stack)
	return types.Stack{}
}

func (c *client) create(stack, template string) types.Stack {
	c.t.Helper()
	c.begin(stack, "first", types.ChangeSetTypeCreate, template)
	s := c.wait(stack)
	if s.StackStatus != "CREATE_COMPLETE" {
		c.t.Fatalf("the stack is %s: %s", s.StackStatus, aws.ToString(s.StackStatusReason))
	}
	return s
}

func (c *client) events(stack string) []string {
	c.t.Helper()
	var all []string
	pages := cloudformation.NewDescribeStackEventsPaginator(c.cfn, &cloudformation.DescribeStackEventsInput{StackName: &stack})
	for pages.HasMorePages() {
		page, err := pages.NextPage(c.ctx)
		if err != nil {
			c.t.Fatal(err)
		}
		for _, e := range page.StackEvents {
			all = append(all, aws.ToString(e.LogicalResourceId)+" "+string(e.ResourceStatus))
		}
	}
	slices.Reverse(all)
	return all
}

func code(err error) string {
	var api smithy.APIError
	if errors.As(err, &api) {
		return api.ErrorCode() + ": " + api.ErrorMessage()
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

func wantCode(t *testing.T, err error, want string) {
	t.Helper()
	if got := code(err); !strings.HasPrefix(got, want) || want == "" && got != "" {
		t.Errorf("the error is %q, want %q", got, want)
	}
}

func wantInOrder(t *testing.T, got []string, want ...string) {
	t.Helper()
	i := 0
	for _, g := range got {
		if i < len(want) && g == want[i] {
			i++
		}
	}
	if i < len(want) {
		t.Errorf("%q is missing, or not in this place, in\n%s", want[i], strings.Join(got, "\n"))
	}
}

const pool = `"Pool": {"Type": "AWS::Cognito::UserPool", "DeletionPolicy": "RetainExceptOnCreate", "Properties": {"UsernameAttributes": ["email"]}}`

// shop is a template with a table whose key, and a function whose code, are as given.
func shop(key, code, more string) string {
	return `{"Metadata": {"m": 1}, "Resources": {
  "Api": {"Type": "AWS::ApiGateway::RestApi", "Properties": {"Name": "shop"}},
  "Items": {"Type": "AWS::DynamoDB::Table", "DeletionPolicy": "Retain", "UpdateReplacePolicy": "Retain", "Properties": {"KeySchema": [{"AttributeName": "` + key + `", "KeyType": "HASH"}]}},
  "Method": {"Type": "AWS::ApiGateway::Method", "Metadata": {"path": "/items"}, "Properties": {"HttpMethod": "ANY", "RestApiId": {"Ref": "Api"}, "ResourceId": {"Fn::GetAtt": ["Api", "RootResourceId"]},
    "Integration": {"Uri": {"Fn::Sub": "arn:aws:apigateway:${AWS::Region}:${Handler.Arn}"}}}},
  "Handler": {"Type": "AWS::Lambda::Function", "Properties": {"Code": {"S3Key": "` + code + `"}, "Environment": {"Variables": {"TABLE": {"Ref": "Items"}}}}},
  ` + pool + more + `},
  "Outputs": {"ApiId": {"Value": {"Ref": "Api"}}, "PoolId": {"Value": {"Ref": "Pool"}}, "Table": {"Value": {"Fn::GetAtt": ["Items", "Arn"]}}}}`
}

const role = `, "Role": {"Type": "AWS::IAM::Role", "Properties": {"RoleName": "r"}}`
