package awstest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sts"

	"gatewright/deploy/awstest"
)

func (c *client) whoami() (string, error) {
	out, err := c.sts.GetCallerIdentity(c.ctx, &sts.GetCallerIdentityInput{})
	if err != nil {
		return "", err
	}
	return *out.Account + " " + *out.Arn, nil
}

func (c *client) head() error {
	_, err := c.cfn.DescribeStacks(c.ctx, &cloudformation.DescribeStacksInput{})
	return err
}

func TestTheAccessKeySaysTheAccount(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{CallerARN: "arn:aws:iam::123456789012:user/ann"})
	if who, err := c.whoami(); err != nil || who != "123456789012 arn:aws:iam::123456789012:user/ann" {
		t.Errorf("the caller is %q, %v", who, err)
	}
	if who, err := connect(t, c.fake, "210987654321").whoami(); err != nil || who != "210987654321 arn:aws:iam::210987654321:user/tester" {
		t.Errorf("the caller is %q, %v", who, err)
	}
	role, err := c.sts.AssumeRole(c.ctx, &sts.AssumeRoleInput{RoleArn: aws.String("arn:aws:iam::210987654321:role/deploy"), RoleSessionName: aws.String("me")})
	if err != nil {
		t.Fatal(err)
	}
	k := role.Credentials
	assumed := connectWith(t, c.fake, credentials.NewStaticCredentialsProvider(*k.AccessKeyId, *k.SecretAccessKey, *k.SessionToken))
	if who, err := assumed.whoami(); err != nil || who != "210987654321 arn:aws:sts::210987654321:assumed-role/deploy/me" {
		t.Errorf("the caller is %q, %v", who, err)
	}
	_, err = connectWith(t, c.fake, credentials.NewStaticCredentialsProvider("123456789012", "wrong", "")).whoami()
	wantCode(t, err, "SignatureDoesNotMatch")
	if calls := c.fake.Calls(); len(calls) != 5 || calls[1].Account != "210987654321" || !calls[0].Signed || calls[4].Code != "SignatureDoesNotMatch" || calls[0].Action != "GetCallerIdentity" {
		t.Errorf("the calls are %+v", calls)
	}
}

func TestARequestWithoutASignatureIsRefused(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{})
	answer, err := http.PostForm(c.fake.URL, map[string][]string{"Action": {"DescribeStacks"}, "Version": {"2010-05-15"}})
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if b, _ := io.ReadAll(answer.Body); answer.StatusCode != http.StatusForbidden || !strings.Contains(string(b), "MissingAuthenticationToken") {
		t.Errorf("got %d %s", answer.StatusCode, b)
	}
}

func TestThrottlingEndsAfterSomeCalls(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{})
	c.bucket()
	c.fake.Throttle("DescribeStacks", 2)
	c.fake.Throttle("PutObject", 2)
	if err := c.head(); err != nil {
		t.Error(err)
	}
	if err := c.put("a", "b"); err != nil {
		t.Error(err)
	}
	if c.fake.Count("DescribeStacks") != 3 || c.fake.Count("PutObject") != 3 {
		t.Errorf("the calls are %+v", c.fake.Calls())
	}
	c.fake.Throttle("DescribeStacks", 3)
	wantCode(t, c.head(), "Throttling: Rate exceeded")
	c.fake.Fail("DescribeStacks", "AccessDenied", "no", 1)
	wantCode(t, c.head(), "AccessDenied: no")
}

func TestExpiredTokensStayExpiredUntilThereAreNewOnes(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{})
	c.fake.ExpireTokensAfter(1)
	if err := c.head(); err != nil {
		t.Error(err)
	}
	wantCode(t, c.head(), "ExpiredToken: ")
	wantCode(t, c.put("a", "b"), "ExpiredToken: ")
	c.fake.NewTokens()
	if err := c.head(); err != nil {
		t.Error(err)
	}
}

func TestACallThatIsCutHasItsEffectOrNot(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{})
	c.bucket()
	for how, want := range map[awstest.Moment]bool{awstest.BeforeHandling: false, awstest.AfterHandling: true} {
		n := len(c.fake.Calls())
		c.fake.CutFrom(n + 2)
		c.fake.CutAt(n+1, how)
		key := map[bool]string{true: "kept", false: "lost"}[want]
		if c.put(key, "b") == nil {
			t.Error("a call that was cut succeeded")
		}
		c.fake.CutFrom(0)
		_, stored := c.fake.Objects("assets")[key]
		if stored != want || c.fake.Calls()[n].Handled != want {
			t.Errorf("cut at moment %d: stored is %t", how, stored)
		}
	}
	if err := c.put("again", "b"); err != nil {
		t.Error(err)
	}
}

func TestAFunctionIsCalledBeforeOrAfterACall(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{})
	c.bucket()
	var before, after int
	c.fake.KillAt(2, awstest.BeforeHandling, func() { before = len(c.fake.Objects("assets")) })
	c.fake.KillAt(3, awstest.AfterHandling, func() { after = len(c.fake.Objects("assets")) })
	for _, key := range []string{"a", "b"} {
		if err := c.put(key, key); err != nil {
			t.Fatal(err)
		}
	}
	if before != 0 || after != 2 {
		t.Errorf("there were %d and %d objects", before, after)
	}
}

func TestChangeSetsAndChangesComeInPages(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{ChangesPerPage: 2, StacksPerPage: 2})
	c.fake.SlowChangeSets()
	set, err := c.plan("shop", "a", create, shop("id", "1", ""))
	if err != nil || set.Status != "CREATE_PENDING" {
		t.Fatalf("got %+v, %v", set, err)
	}
	changes, statuses := 0, ""
	for token := (*string)(nil); ; {
		page, err := c.cfn.DescribeChangeSet(c.ctx, &cloudformation.DescribeChangeSetInput{StackName: aws.String("shop"), ChangeSetName: aws.String("a"), NextToken: token})
		if err != nil {
			t.Fatal(err)
		}
		statuses += string(page.Status) + " "
		changes += len(page.Changes)
		if token = page.NextToken; token == nil && page.Status == "CREATE_COMPLETE" {
			break
		}
	}
	if changes != 5 || statuses != "CREATE_IN_PROGRESS CREATE_COMPLETE CREATE_COMPLETE CREATE_COMPLETE " {
		t.Errorf("%d changes, %s", changes, statuses)
	}
	c.execute("shop", "a")
	c.wait("shop")
	resources := 0
	pages := cloudformation.NewListStackResourcesPaginator(c.cfn, &cloudformation.ListStackResourcesInput{StackName: aws.String("shop")})
	for pages.HasMorePages() {
		page, err := pages.NextPage(c.ctx)
		if err != nil {
			t.Fatal(err)
		}
		resources += len(page.StackResourceSummaries)
	}
	if resources != 5 {
		t.Errorf("%d resources", resources)
	}
}

func TestANestedStackIsAStackOfItsOwn(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{Speed: 1})
	c.bucket()
	inner := func(code string) string {
		return `{"Parameters": {"Env": {"Type": "String"}}, "Resources": {"A": {"Type": "AWS::ApiGateway::RestApi"}, "B": {"Type": "AWS::Lambda::Function", "Properties": {"Code": "` + code + `"}}},
		  "Outputs": {"ApiId": {"Value": {"Ref": "A"}}, "Env": {"Value": {"Ref": "Env"}}}}`
	}
	outer := func(key string) string {
		return `{"Resources": {"Nested": {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": "` + c.fake.URL + `/assets/` + key + `", "Parameters": {"Env": {"Ref": "AWS::StackName"}}}}},
		  "Outputs": {"Id": {"Value": {"Fn::GetAtt": ["Nested", "Outputs.ApiId"]}}, "Env": {"Value": {"Fn::GetAtt": ["Nested", "Outputs.Env"]}}}}`
	}
	for key, text := range map[string]string{"one": inner("1"), "two": inner("2")} {
		if err := c.put(key, text); err != nil {
			t.Fatal(err)
		}
	}
	out := outputs(c.create("root", outer("one")))
	if len(out["Id"]) != 10 || out["Env"] != "root" {
		t.Errorf("the outputs are %v", out)
	}
	child := c.fake.Stacks()[1]
	if child.Parent != "root" || child.Status != "CREATE_COMPLETE" || len(c.events(child.ID)) == 0 {
		t.Errorf("the nested stack is %+v", child)
	}
	c.fake.FailResource("B", "no such archive")
	c.begin("root", "b", update, outer("two"))
	if s := c.wait("root"); s.StackStatus != "UPDATE_ROLLBACK_COMPLETE" {
		t.Errorf("the stack is %s", s.StackStatus)
	}
	c.begin("root", "c", update, outer("two"))
	if s := c.wait("root"); s.StackStatus != "UPDATE_COMPLETE" || outputs(s)["Id"] != out["Id"] {
		t.Errorf("the stack is %s", s.StackStatus)
	}
	if _, err := c.cfn.DeleteStack(c.ctx, &cloudformation.DeleteStackInput{StackName: aws.String("root")}); err != nil {
		t.Fatal(err)
	}
	c.fake.Settle("root")
	for _, s := range c.fake.Stacks() {
		if s.Status != "DELETE_COMPLETE" {
			t.Errorf("%s is %s", s.Name, s.Status)
		}
	}
	if _, err := c.s3.DeleteObject(c.ctx, &s3.DeleteObjectInput{Bucket: assets, Key: aws.String("one")}); err != nil {
		t.Error(err)
	}
}
