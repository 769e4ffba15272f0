package stack_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/account"
	"gatewright/deploy/awstest"
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

// TestAChangeSetIsAskedForWithAllThatItIsMadeFrom compares whole requests of each kind.
func TestAChangeSetIsAskedForWithAllThatItIsMadeFrom(t *testing.T) {
	t.Parallel()
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		action := r.Form.Get("Action")
		var fields []string
		for name := range r.Form {
			if name != "Action" && name != "Version" {
				fields = append(fields, name+"="+r.Form.Get(name))
			}
		}
		slices.Sort(fields)
		if asked = append(asked, action+" "+strings.Join(fields, " ")); action == "CreateChangeSet" {
			_, _ = fmt.Fprint(w, `<CreateChangeSetResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><CreateChangeSetResult><Id>set</Id><StackId>stack</StackId></CreateChangeSetResult></CreateChangeSetResponse>`)
			return
		}
		_, _ = fmt.Fprintf(w, `<%[1]sResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><%[1]sResult><ChangeSetId>set</ChangeSetId><StackId>stack</StackId><Status>FAILED</Status><StatusReason>The submitted information
			didn't contain changes.</StatusReason></%[1]sResult></%[1]sResponse>`, action)
	}))
	t.Cleanup(server.Close)
	client := &stack.Client{Pace: stack.Pace{Poll: time.Nanosecond}, API: cloudformation.NewFromConfig(aws.Config{
		HTTPClient: account.HTTPClient(awshttp.NewBuildableClient()),
		Region:     "eu-central-1", BaseEndpoint: &server.URL, Credentials: credentials.NewStaticCredentialsProvider("key", "secret", ""),
	})}
	const common = "Capabilities.member.1=CAPABILITY_IAM Capabilities.member.2=CAPABILITY_NAMED_IAM ChangeSetName=gatewright-t ChangeSetType=%s ClientToken=t Description=%s"
	for _, tt := range []struct {
		in   stack.Input
		want string
	}{
		{
			stack.Input{Stack: "shop", Create: true, Body: "{}", Token: "t", Description: "by ann", Tags: map[string]string{"b": "2", "a": "1"}},
			fmt.Sprintf(common, "CREATE", "by ann") + " IncludeNestedStacks=true StackName=shop Tags.member.1.Key=a Tags.member.1.Value=1 Tags.member.2.Key=b Tags.member.2.Value=2 TemplateBody={}",
		},
		{
			stack.Input{Stack: "shop", TemplateURL: "https://x", Body: "{}", Token: "t", Parameters: map[string]string{"P": "v", "A": ""}, Kept: []string{"K", "B"}},
			fmt.Sprintf(common, "UPDATE", "") + " IncludeNestedStacks=true Parameters.member.1.ParameterKey=A Parameters.member.1.ParameterValue= Parameters.member.2.ParameterKey=B Parameters.member.2.UsePreviousValue=true " +
				"Parameters.member.3.ParameterKey=K Parameters.member.3.UsePreviousValue=true Parameters.member.4.ParameterKey=P Parameters.member.4.ParameterValue=v StackName=shop TemplateURL=https://x",
		},
		{
			stack.Input{
				Stack: "shop", Create: true, TemplateURL: "https://x", Token: "t", Tags: map[string]string{"a": "1"},
				Imports: []stack.Import{{Logical: "Books", Type: "AWS::DynamoDB::Table", Identifier: map[string]string{"TableName": "books-dev"}}},
			},
			fmt.Sprintf(common, "IMPORT", "") + " ResourcesToImport.member.1.LogicalResourceId=Books ResourcesToImport.member.1.ResourceIdentifier.entry.1.key=TableName " +
				"ResourcesToImport.member.1.ResourceIdentifier.entry.1.value=books-dev ResourcesToImport.member.1.ResourceType=AWS::DynamoDB::Table StackName=shop TemplateURL=https://x",
		},
	} {
		asked = nil
		set, err := client.Change(t.Context(), tt.in)
		if err != nil || !set.Empty || set.ARN != "set" || set.StackARN != "stack" {
			t.Errorf("the change set is %+v, %v", set, err)
		}
		if diff := cmp.Diff([]string{"CreateChangeSet " + tt.want, "DescribeChangeSet ChangeSetName=set"}, asked); diff != "" {
			t.Errorf("it is asked for otherwise (-want +got):\n%s", diff)
		}
	}
}

func TestOnlyWhatThisProgramLeftBehindIsDiscarded(t *testing.T) {
	t.Parallel()
	r := newRoom(t, awstest.Options{})
	r.begin(topics(1, "one"), "made", true)
	r.fake.Settle("shop")
	r.change(topics(2, "two"), false)
	name, byHand := "by-hand", topics(3, "three")
	_, err := r.client.API.CreateChangeSet(t.Context(), &cloudformation.CreateChangeSetInput{StackName: aws.String("shop"), ChangeSetName: &name, TemplateBody: &byHand})
	r.must(err)
	for range 2 {
		r.must(r.client.DiscardLeft(t.Context(), "shop"))
	}
	if left := r.fake.ChangeSets("shop"); len(left) == 0 || slices.ContainsFunc(left, func(of string) bool { return strings.HasPrefix(of, "gatewright-t2") }) || !slices.ContainsFunc(left, func(of string) bool { return strings.HasPrefix(of, name) }) {
		t.Errorf("left are %q", left)
	}
	if has, err := r.client.HasChangeSets(t.Context(), "shop"); !has || err != nil {
		t.Errorf("it has change sets: %v, %v", has, err)
	}
	if has, err := r.client.HasChangeSets(t.Context(), "none"); has || err != nil {
		t.Errorf("a stack that is none has change sets: %v, %v", has, err)
	}
}
