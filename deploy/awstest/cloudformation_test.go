package awstest_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"

	"gatewright/deploy/awstest"
)

const (
	create = types.ChangeSetTypeCreate
	update = types.ChangeSetTypeUpdate
)

func outputs(s types.Stack) map[string]string {
	all := make(map[string]string)
	for _, o := range s.Outputs {
		all[*o.OutputKey] = *o.OutputValue
	}
	return all
}

func TestAStackIsMadeInTheOrderOfItsReferencesAndHasOutputs(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{EventsPerPage: 3})
	s := c.create("shop", shop("id", "1", role))
	out := outputs(s)
	if !regexp.MustCompile(`^[a-z0-9]{10}$`).MatchString(out["ApiId"]) || !regexp.MustCompile(`^eu-central-1_\w{9}$`).MatchString(out["PoolId"]) ||
		!strings.HasPrefix(out["Table"], "arn:aws:dynamodb:eu-central-1:123456789012:table/shop-Items-") {
		t.Errorf("the outputs are %v", out)
	}
	wantInOrder(t, c.events("shop"), "shop REVIEW_IN_PROGRESS", "shop CREATE_IN_PROGRESS", "Items CREATE_IN_PROGRESS", "Items CREATE_COMPLETE",
		"Handler CREATE_IN_PROGRESS", "Handler CREATE_COMPLETE", "Method CREATE_IN_PROGRESS", "Method CREATE_COMPLETE", "shop CREATE_COMPLETE")
	detail, err := c.cfn.DescribeStackResource(c.ctx, &cloudformation.DescribeStackResourceInput{StackName: aws.String("shop"), LogicalResourceId: aws.String("Method")})
	if err != nil || aws.ToString(detail.StackResourceDetail.Metadata) != `{"path":"/items"}` {
		t.Errorf("the metadata is %v, %v", detail, err)
	}
	template, err := c.cfn.GetTemplate(c.ctx, &cloudformation.GetTemplateInput{StackName: aws.String("shop")})
	if err != nil || aws.ToString(template.TemplateBody) != shop("id", "1", role) {
		t.Errorf("the template is not the one given: %v", err)
	}
	summary, err := c.cfn.GetTemplateSummary(c.ctx, &cloudformation.GetTemplateSummaryInput{StackName: aws.String("shop")})
	if err != nil || aws.ToString(summary.Metadata) != `{"m":1}` {
		t.Errorf("the summary is %v, %v", summary, err)
	}
	if n := c.fake.Executed("shop"); n != 1 {
		t.Errorf("executed %d times", n)
	}
}

func TestPollingShowsAnOperationInParts(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{Speed: 1})
	c.begin("shop", "a", create, shop("id", "1", ""))
	seen := make(map[int]bool)
	for range 5 {
		seen[len(c.events("shop"))] = true
	}
	if len(seen) < 4 {
		t.Errorf("only %d different lists of events were seen", len(seen))
	}
	c.fake.Speed(0)
	before := len(c.events("shop"))
	if after := len(c.events("shop")); after != before {
		t.Errorf("an operation that is held went on from %d events to %d", before, after)
	}
}

func changesOf(set *cloudformation.DescribeChangeSetOutput) map[string]string {
	all := make(map[string]string)
	for _, c := range set.Changes {
		r := c.ResourceChange
		all[*r.LogicalResourceId] = string(r.Action) + " " + string(r.Replacement)
	}
	return all
}

func TestAChangeSetSaysWhatIsReplacedAndRemoved(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{})
	before := outputs(c.create("shop", shop("id", "1", role)))
	set := c.begin("shop", "key", update, shop("isbn", "1", ""))
	got := changesOf(set)
	if got["Items"] != "Modify True" || got["Role"] != "Remove " || got["Handler"] != "Modify False" || got["Method"] != "Modify False" || len(got) != 4 {
		t.Errorf("the changes are %v", got)
	}
	after := c.wait("shop")
	if after.StackStatus != "UPDATE_COMPLETE" {
		t.Fatalf("the stack is %s", after.StackStatus)
	}
	if now := outputs(after); now["Table"] == before["Table"] || now["ApiId"] != before["ApiId"] {
		t.Errorf("the outputs were %v and are %v", before, now)
	}
	wantInOrder(t, c.events("shop"), "Items UPDATE_IN_PROGRESS", "Handler UPDATE_COMPLETE", "shop UPDATE_COMPLETE_CLEANUP_IN_PROGRESS",
		"Items DELETE_SKIPPED", "shop UPDATE_COMPLETE")
	if slices.Contains(c.events("shop"), "Method UPDATE_IN_PROGRESS") || !slices.Contains(c.events("shop"), "Role DELETE_COMPLETE") {
		t.Error("what did not change was changed, or what was removed is there")
	}
}

func TestNoChangeIsAFailedChangeSet(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{})
	c.create("shop", shop("id", "1", ""))
	set, err := c.plan("shop", "again", update, shop("id", "1", ""))
	if err != nil || set.Status != "FAILED" || !strings.HasPrefix(aws.ToString(set.StatusReason), "The submitted information didn't contain changes.") {
		t.Fatalf("got %+v, %v", set, err)
	}
	_, err = c.cfn.ExecuteChangeSet(c.ctx, &cloudformation.ExecuteChangeSetInput{StackName: aws.String("shop"), ChangeSetName: aws.String("again")})
	wantCode(t, err, "InvalidChangeSetStatus: ")
}

func TestAnExecutedChangeSetMakesOthersObsoleteAndRunsOnce(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{})
	c.create("shop", shop("id", "1", ""))
	for _, name := range []string{"one", "two"} {
		if _, err := c.plan("shop", name, update, shop("id", name, "")); err != nil {
			t.Fatal(err)
		}
	}
	c.execute("shop", "one")
	c.execute("shop", "one")
	c.wait("shop")
	_, err := c.cfn.ExecuteChangeSet(c.ctx, &cloudformation.ExecuteChangeSetInput{StackName: aws.String("shop"), ChangeSetName: aws.String("two")})
	wantCode(t, err, "InvalidChangeSetStatus: ")
	if n := c.fake.Executed("shop"); n != 2 {
		t.Errorf("executed %d times", n)
	}
	sets, err := c.cfn.ListChangeSets(c.ctx, &cloudformation.ListChangeSetsInput{StackName: aws.String("shop")})
	if err != nil || len(sets.Summaries) != 3 || sets.Summaries[2].ExecutionStatus != "OBSOLETE" {
		t.Errorf("the change sets are %+v, %v", sets, err)
	}
}

func TestAFailedCreationIsRolledBack(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{})
	c.fake.FailResource("Handler", "no such archive")
	c.begin("shop", "a", create, shop("id", "1", role))
	s := c.wait("shop")
	if s.StackStatus != "ROLLBACK_COMPLETE" || len(s.Outputs) != 0 {
		t.Errorf("the stack is %s with %d outputs", s.StackStatus, len(s.Outputs))
	}
	wantInOrder(t, c.events("shop"), "Handler CREATE_FAILED", "shop ROLLBACK_IN_PROGRESS", "Pool DELETE_COMPLETE", "shop ROLLBACK_COMPLETE")
	if !slices.Contains(c.events("shop"), "Items DELETE_SKIPPED") {
		t.Error("Retain was ignored")
	}
	_, err := c.plan("shop", "b", update, shop("id", "1", ""))
	wantCode(t, err, "ValidationError: Stack:"+*s.StackId+" is in ROLLBACK_COMPLETE state and can not be updated.")
}

func TestAFailedUpdateLeavesTheStackAsItWas(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{})
	before := c.create("shop", shop("id", "1", ""))
	c.fake.FailResource("AWS::Lambda::Function", "no such archive")
	c.begin("shop", "b", update, shop("isbn", "2", role))
	s := c.wait("shop")
	if s.StackStatus != "UPDATE_ROLLBACK_COMPLETE" || outputs(s)["Table"] != outputs(before)["Table"] {
		t.Errorf("the stack is %s, its outputs %v", s.StackStatus, outputs(s))
	}
	wantInOrder(t, c.events("shop"), "Handler UPDATE_FAILED", "shop UPDATE_ROLLBACK_IN_PROGRESS", "Items UPDATE_COMPLETE",
		"shop UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS", "Role DELETE_COMPLETE", "shop UPDATE_ROLLBACK_COMPLETE")
	if set, err := c.plan("shop", "c", update, shop("id", "1", "")); err != nil || set.Status != "FAILED" {
		t.Errorf("the template is not the earlier one: %v, %v", set, err)
	}
}

func TestAFailedRollbackWaitsUntilItIsContinued(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{})
	c.create("shop", shop("id", "1", ""))
	c.fake.FailResource("Handler", "no such archive")
	c.fake.FailRollback("Items", "in use")
	c.begin("shop", "b", update, shop("isbn", "2", ""))
	if s := c.wait("shop"); s.StackStatus != "UPDATE_ROLLBACK_FAILED" || !strings.Contains(*s.StackStatusReason, "[Items]") {
		t.Fatalf("the stack is %s: %s", s.StackStatus, *s.StackStatusReason)
	}
	if _, err := c.cfn.ContinueUpdateRollback(c.ctx, &cloudformation.ContinueUpdateRollbackInput{StackName: aws.String("shop")}); err != nil {
		t.Fatal(err)
	}
	if s := c.wait("shop"); s.StackStatus != "UPDATE_ROLLBACK_COMPLETE" {
		t.Errorf("the stack is %s", s.StackStatus)
	}
}

func TestAnUpdateCanBeCancelledEvenIfItIsStuck(t *testing.T) {
	t.Parallel()
	for _, stuck := range []bool{false, true} {
		c := start(t, awstest.Options{Speed: 1})
		c.create("shop", shop("id", "1", ""))
		c.begin("shop", "b", update, shop("isbn", "2", ""))
		c.events("shop")
		if stuck {
			c.fake.Stick("shop")
		}
		if _, err := c.cfn.CancelUpdateStack(c.ctx, &cloudformation.CancelUpdateStackInput{StackName: aws.String("shop")}); err != nil {
			t.Fatal(err)
		}
		if s := c.wait("shop"); s.StackStatus != "UPDATE_ROLLBACK_COMPLETE" {
			t.Errorf("the stack is %s", s.StackStatus)
		}
		_, err := c.cfn.CancelUpdateStack(c.ctx, &cloudformation.CancelUpdateStackInput{StackName: aws.String("shop")})
		wantCode(t, err, "ValidationError: CancelUpdateStack cannot be called from current stack status")
	}
}

func TestADeletedStackKeepsWhatIsRetainedAndIsFoundByItsARN(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{})
	s := c.create("shop", shop("id", "1", ""))
	protect := func(on bool) {
		if _, err := c.cfn.UpdateTerminationProtection(c.ctx, &cloudformation.UpdateTerminationProtectionInput{StackName: aws.String("shop"), EnableTerminationProtection: &on}); err != nil {
			t.Fatal(err)
		}
	}
	protect(true)
	_, err := c.cfn.DeleteStack(c.ctx, &cloudformation.DeleteStackInput{StackName: aws.String("shop")})
	wantCode(t, err, "ValidationError: Stack [shop] cannot be deleted while TerminationProtection is enabled")
	protect(false)
	if _, err = c.cfn.DeleteStack(c.ctx, &cloudformation.DeleteStackInput{StackName: aws.String("shop")}); err != nil {
		t.Fatal(err)
	}
	if gone := c.wait(*s.StackId); gone.StackStatus != "DELETE_COMPLETE" {
		t.Errorf("the stack is %s", gone.StackStatus)
	}
	wantInOrder(t, c.events(*s.StackId), "shop DELETE_IN_PROGRESS", "Pool DELETE_SKIPPED", "shop DELETE_COMPLETE")
	if kept := c.fake.Kept(); len(kept) != 2 {
		t.Errorf("kept are %+v", kept)
	}
	_, err = c.cfn.DescribeStacks(c.ctx, &cloudformation.DescribeStacksInput{StackName: aws.String("shop")})
	wantCode(t, err, "ValidationError: Stack with id shop does not exist")
}

func TestAKeptTableBlocksItsNameUntilItIsAdopted(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{})
	const table = `{"Resources": {"T": {"Type": "AWS::DynamoDB::Table", "DeletionPolicy": "RetainExceptOnCreate", "Properties": {"TableName": "items"}}}}`
	s := c.create("one", table)
	if _, err := c.cfn.DeleteStack(c.ctx, &cloudformation.DeleteStackInput{StackName: aws.String("one")}); err != nil {
		t.Fatal(err)
	}
	c.wait(*s.StackId)
	c.begin("two", "a", create, table)
	if s := c.wait("two"); s.StackStatus != "ROLLBACK_COMPLETE" {
		t.Errorf("the stack is %s", s.StackStatus)
	}
	if _, err := c.cfn.CreateChangeSet(c.ctx, &cloudformation.CreateChangeSetInput{
		StackName: aws.String("three"), ChangeSetName: aws.String("a"), ChangeSetType: create, TemplateBody: aws.String(table), ImportExistingResources: aws.Bool(true),
	}); err != nil {
		t.Fatal(err)
	}
	c.execute("three", "a")
	if s := c.wait("three"); s.StackStatus != "CREATE_COMPLETE" || len(c.fake.Kept()) != 0 {
		t.Errorf("the stack is %s, kept are %v", s.StackStatus, c.fake.Kept())
	}
}

func TestAStackPolicyProtectsATable(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{})
	c.create("shop", shop("id", "1", ""))
	policy := `{"Statement": [{"Effect": "Allow", "Action": "Update:*", "Principal": "*", "Resource": "*"},
	  {"Effect": "Deny", "Action": ["Update:Replace", "Update:Delete"], "Principal": "*", "Resource": "*", "Condition": {"StringEquals": {"ResourceType": ["AWS::DynamoDB::Table"]}}}]}`
	if _, err := c.cfn.SetStackPolicy(c.ctx, &cloudformation.SetStackPolicyInput{StackName: aws.String("shop"), StackPolicyBody: &policy}); err != nil {
		t.Fatal(err)
	}
	c.begin("shop", "code", update, shop("id", "2", ""))
	if s := c.wait("shop"); s.StackStatus != "UPDATE_COMPLETE" {
		t.Errorf("the stack is %s", s.StackStatus)
	}
	c.begin("shop", "key", update, shop("isbn", "2", ""))
	if s := c.wait("shop"); s.StackStatus != "UPDATE_ROLLBACK_COMPLETE" {
		t.Errorf("the stack is %s", s.StackStatus)
	}
}

func TestAStackThatSomebodyElseUpdatesCannotBeUpdated(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{})
	s := c.create("shop", shop("id", "1", ""))
	since := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	c.fake.Busy("shop", "push-of-somebody", since)
	_, err := c.plan("shop", "b", update, shop("id", "2", ""))
	wantCode(t, err, "ValidationError: Stack:"+*s.StackId+" is in UPDATE_IN_PROGRESS state and can not be updated.")
	page, err := c.cfn.DescribeStackEvents(c.ctx, &cloudformation.DescribeStackEventsInput{StackName: aws.String("shop")})
	if err != nil || aws.ToString(page.StackEvents[0].ClientRequestToken) != "push-of-somebody" || !page.StackEvents[0].Timestamp.Equal(since) {
		t.Errorf("the newest event is %+v, %v", page.StackEvents[0], err)
	}
	c.fake.SetStatus("shop", "UPDATE_COMPLETE")
	if _, err := c.plan("shop", "b", update, shop("id", "2", "")); err != nil {
		t.Error(err)
	}
}

func TestBadTemplatesAndParametersAreRefused(t *testing.T) {
	t.Parallel()
	c := start(t, awstest.Options{})
	for template, want := range map[string]string{
		`{"Resources": {}}`: "ValidationError: Template format error: At least one Resources member must be defined.",
		`{`:                 "ValidationError: Template format error: ",
		`{"Resources": {"A": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": {"Ref": "B"}}}}}`:                           "ValidationError: Template format error: Unresolved resource dependencies [B]",
		`{"Parameters": {"P": {"Type": "String"}}, "Resources": {"A": {"Type": "AWS::S3::Bucket"}}}`:                              "ValidationError: Parameters: [P] must have values",
		`{"Resources": {"A": {"Type": "AWS::S3::Bucket", "DependsOn": "B"}, "B": {"Type": "AWS::S3::Bucket", "DependsOn": "A"}}}`: "ValidationError: Circular dependency",
	} {
		_, err := c.plan("bad", "a", create, template)
		wantCode(t, err, want)
	}
	_, err := c.cfn.DescribeEvents(c.ctx, &cloudformation.DescribeEventsInput{StackName: aws.String("shop")})
	wantCode(t, err, "InvalidAction: ")
}
