package stack_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"

	"gatewright/deploy/account"
	"gatewright/deploy/stack"
)

// described are change sets as the service describes them, by name and page: that of a stack
// has one of a nested stack in it, which has two pages.
var described = map[string]string{
	"gatewright-t": `<ChangeSetId>root-set</ChangeSetId><StackId>root</StackId><Status>CREATE_COMPLETE</Status><Changes>
<member><Type>Resource</Type><ResourceChange><Action>Modify</Action><LogicalResourceId>Stack1</LogicalResourceId><ResourceType>AWS::CloudFormation::Stack</ResourceType><Replacement>False</Replacement><ChangeSetId>nested-set</ChangeSetId></ResourceChange></member>
<member><Type>Resource</Type><ResourceChange><Action>Remove</Action><LogicalResourceId>Table</LogicalResourceId><PhysicalResourceId>table-dev</PhysicalResourceId><ResourceType>AWS::DynamoDB::Table</ResourceType></ResourceChange></member></Changes>`,
	"nested-set": `<ChangeSetId>nested-set</ChangeSetId><StackId>nested</StackId><Status>CREATE_COMPLETE</Status><NextToken>2</NextToken><Changes>
<member><Type>Resource</Type><ResourceChange><Action>Add</Action><LogicalResourceId>Method</LogicalResourceId><ResourceType>AWS::ApiGateway::Method</ResourceType></ResourceChange></member></Changes>`,
	"nested-set2": `<ChangeSetId>nested-set</ChangeSetId><StackId>nested</StackId><Status>CREATE_COMPLETE</Status><Changes>
<member><Type>Resource</Type><ResourceChange><Action>Modify</Action><LogicalResourceId>Stage</LogicalResourceId><ResourceType>AWS::ApiGateway::Stage</ResourceType><Replacement>True</Replacement></ResourceChange></member>
<member><Type>Resource</Type><ResourceChange><Action>Modify</Action><LogicalResourceId>Policy</LogicalResourceId><ResourceType>AWS::IAM::Policy</ResourceType><Replacement>Conditional</Replacement></ResourceChange></member></Changes>`,
}

func TestTheChangesOfNestedStacksAreThoseOfTheirChangeSets(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		action, text := r.Form.Get("Action"), ""
		switch action {
		case "CreateChangeSet":
			// An earlier try made it, and its answer was lost.
			w.WriteHeader(http.StatusBadRequest)
			_, _ = fmt.Fprint(w, `<ErrorResponse><Error><Type>Sender</Type><Code>AlreadyExistsException</Code><Message>it is there</Message></Error></ErrorResponse>`)
			return
		case "DescribeChangeSet":
			text = described[r.Form.Get("ChangeSetName")+r.Form.Get("NextToken")]
		}
		_, _ = fmt.Fprintf(w, `<%sResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><%sResult>%s</%sResult></%sResponse>`, action, action, text, action, action)
	}))
	t.Cleanup(server.Close)
	client := &stack.Client{Pace: stack.Pace{Poll: time.Nanosecond}, API: cloudformation.NewFromConfig(aws.Config{
		HTTPClient: account.HTTPClient(awshttp.NewBuildableClient()),
		Region:     "eu-central-1", BaseEndpoint: &server.URL, Credentials: credentials.NewStaticCredentialsProvider("key", "secret", ""),
	})}
	set, err := client.Change(t.Context(), stack.Input{Stack: "shop", Body: "{}", Token: "t"})
	if err != nil {
		t.Fatal(err)
	}
	want := []stack.Change{
		{Logical: "Stack1", Type: "AWS::CloudFormation::Stack", Action: stack.Modify},
		{Stack: "nested", Logical: "Method", Type: "AWS::ApiGateway::Method", Action: stack.Add},
		{Stack: "nested", Logical: "Stage", Type: "AWS::ApiGateway::Stage", Action: stack.Modify, Replaced: true},
		{Stack: "nested", Logical: "Policy", Type: "AWS::IAM::Policy", Action: stack.Modify, Perhaps: true},
		{Logical: "Table", Physical: "table-dev", Type: "AWS::DynamoDB::Table", Action: stack.Remove},
	}
	if set.ARN != "root-set" || set.StackARN != "root" || !slices.Equal(set.Changes, want) {
		t.Errorf("the change set is %+v", set)
	}
}
