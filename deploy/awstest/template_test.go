package awstest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"gatewright/deploy/awstest"
	"gatewright/internal/cfn"
)

func TestTheTemplatesOfGatewrightAreDeployedAndThenDoNotDiffer(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../render/template/testdata/*.golden.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no templates: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		template, err := cfn.Parse(file, text)
		if err != nil {
			t.Fatal(err)
		}
		var parameters []types.Parameter
		for _, p := range template.Parameters() {
			if p.Default == nil {
				parameters = append(parameters, types.Parameter{ParameterKey: aws.String(p.Name), ParameterValue: aws.String("1")})
			}
		}
		c := start(t, awstest.Options{})
		c.bucket()
		c.putNested(template)
		if _, err := c.s3.PutObject(c.ctx, &s3.PutObjectInput{Bucket: assets, Key: aws.String("t"), Body: strings.NewReader(string(text))}); err != nil {
			t.Fatal(err)
		}
		for i, name := range []string{"one", "two"} {
			if _, err := c.cfn.CreateChangeSet(c.ctx, &cloudformation.CreateChangeSetInput{
				StackName: aws.String("books"), ChangeSetName: &name, ChangeSetType: []types.ChangeSetType{create, update}[i],
				TemplateURL: aws.String(c.fake.URL + "/assets/t"), Parameters: parameters, Capabilities: []types.Capability{"CAPABILITY_IAM"}, IncludeNestedStacks: aws.Bool(true),
			}); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if i == 0 {
				c.execute("books", name)
				if s := c.wait("books"); s.StackStatus != "CREATE_COMPLETE" || len(s.Outputs) != len(template.Outputs()) {
					t.Fatalf("%s: the stack is %s with %d outputs: %s", file, s.StackStatus, len(s.Outputs), aws.ToString(s.StackStatusReason))
				}
				for key, value := range outputs(c.wait("books")) {
					if value == "" || strings.Contains(value, "*") {
						t.Errorf("%s: the output %s is %q", file, key, value)
					}
				}
				continue
			}
			set, err := c.cfn.DescribeChangeSet(c.ctx, &cloudformation.DescribeChangeSetInput{StackName: aws.String("books"), ChangeSetName: &name})
			if err != nil || set.Status != "FAILED" {
				t.Errorf("%s: the second change set is %v, %v", file, set, err)
			}
		}
	}
}

// putNested stores a template for each nested stack, with the parameters that it is given.
func (c *client) putNested(template *cfn.Template) {
	const name = "gatewright-assets-123456789012-eu-central-1"
	c.fake.AddBucket(name, "123456789012", "eu-central-1")
	for _, r := range template.Resources() {
		if r.Type != "AWS::CloudFormation::Stack" {
			continue
		}
		parameters := cfn.MapNode()
		for _, p := range r.Properties.Get("Parameters").Members {
			parameters.With(p.Name, cfn.MapNode().WithText("Type", "String"))
		}
		handle := cfn.MapNode().WithText("Type", "AWS::CloudFormation::WaitConditionHandle")
		inner := cfn.MapNode().With("Parameters", parameters).With("Resources", cfn.MapNode().With("Handle", handle))
		_, key, _ := strings.Cut(r.Properties.Get("TemplateURL", "Fn::Sub").Text, "${AWS::Region}/")
		if _, err := c.s3.PutObject(c.ctx, &s3.PutObjectInput{Bucket: aws.String(name), Key: &key, Body: strings.NewReader(string(inner.JSON()))}); err != nil {
			c.t.Fatal(err)
		}
	}
}
