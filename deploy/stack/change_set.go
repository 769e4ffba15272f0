package stack

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"
)

// Input is what a change set is made from.
type Input struct {
	// Stack is the name of the stack. Create says that it does not exist yet.
	Stack  string
	Create bool
	// TemplateURL is where the template is; Body is the template itself, up to 51,200 bytes, if there is no URL.
	TemplateURL, Body string
	// Parameters are values of parameters; Kept names those whose values stay.
	Parameters map[string]string
	Kept       []string
	Tags       map[string]string
	// Imports are resources that exist already and are taken over. The template then has only
	// them next to what the stack has, without any other change, and Tags are not sent: an import
	// changes none (https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources.html).
	Imports []Import
	// Description says for people who makes it; Token makes it once, however often it is asked for.
	Description, Token string
}

// Import is a resource that exists and is taken over into a stack.
type Import struct {
	// Logical is its logical id in the template.
	Logical, Type string
	// Identifier are the properties that identify it, such as TableName, see
	// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/resource-import-supported-resources.html
	Identifier map[string]string
}

// ChangeSet is what an update would do.
type ChangeSet struct {
	ARN, StackARN string
	// Changes are the changes of resources, those of nested stacks too.
	Changes []Change
	// Empty says that nothing would change.
	Empty bool
}

// Change is the change of one resource.
type Change struct {
	// Stack is the ARN of a nested stack; "" for the stack itself.
	Stack                   string
	Logical, Physical, Type string
	Action                  Action
	// Replaced says that the resource is made anew and the old one is removed; Perhaps
	// that this depends on what is known only during the update.
	Replaced, Perhaps bool
}

// Action is what happens to a resource.
type Action string

// The actions.
const (
	Add    Action = "Add"
	Modify Action = "Modify"
	Remove Action = "Remove"
	Adopt  Action = "Import"
)

// ErrRefused is the cause of the error of a change set that the service refuses.
var ErrRefused = errors.New("the service refuses the change set")

// setPrefix begins the names of change sets of this program.
const setPrefix = "gatewright-"

// Change makes a change set and waits until it is there. The error matches ErrRefused if the
// service does not accept the template, and ErrBusy if something else goes on with the stack.
// With an error, a change set that is returned was made and should be discarded.
func (c *Client) Change(ctx context.Context, in Input) (*ChangeSet, error) {
	kind := types.ChangeSetTypeUpdate
	switch {
	case len(in.Imports) > 0:
		kind = types.ChangeSetTypeImport
	case in.Create:
		kind = types.ChangeSetTypeCreate
	}
	request := &cloudformation.CreateChangeSetInput{
		StackName: &in.Stack, ChangeSetName: aws.String(setPrefix + in.Token), ChangeSetType: kind, ClientToken: &in.Token,
		Description:         &in.Description,
		Capabilities:        []types.Capability{types.CapabilityCapabilityIam, types.CapabilityCapabilityNamedIam},
		IncludeNestedStacks: aws.Bool(true),
	}
	if in.TemplateURL != "" {
		request.TemplateURL = &in.TemplateURL
	} else {
		request.TemplateBody = &in.Body
	}
	for name, value := range in.Parameters {
		request.Parameters = append(request.Parameters, types.Parameter{ParameterKey: &name, ParameterValue: &value})
	}
	for _, name := range in.Kept {
		request.Parameters = append(request.Parameters,
			types.Parameter{ParameterKey: &name, UsePreviousValue: aws.Bool(true)})
	}
	byName := func(a, b types.Parameter) int { return strings.Compare(*a.ParameterKey, *b.ParameterKey) }
	slices.SortFunc(request.Parameters, byName)
	for _, one := range in.Imports {
		request.IncludeNestedStacks, in.Tags = nil, nil
		request.ResourcesToImport = append(request.ResourcesToImport,
			types.ResourceToImport{LogicalResourceId: &one.Logical, ResourceType: &one.Type, ResourceIdentifier: one.Identifier})
	}
	for name, value := range in.Tags {
		request.Tags = append(request.Tags, types.Tag{Key: &name, Value: &value})
	}
	slices.SortFunc(request.Tags, func(a, b types.Tag) int { return strings.Compare(*a.Key, *b.Key) })
	made, err := c.API.CreateChangeSet(ctx, request)
	var id string
	switch {
	case code(err) == "AlreadyExistsException":
		// The answer to an earlier try of the same request was lost.
		id = ""
	case isBusy(err):
		return nil, fmt.Errorf("%w: %w", ErrBusy, c.explained(err))
	case code(err) == "ValidationError":
		return nil, fmt.Errorf("%w: %w", ErrRefused, c.explained(err))
	case err != nil:
		return nil, c.explained(err)
	default:
		id = aws.ToString(made.Id)
	}
	set := &ChangeSet{ARN: id}
	if made != nil {
		set.StackARN = aws.ToString(made.StackId)
	}
	return set, c.read(ctx, set, in)
}

// read waits until a change set is ready and reads it.
func (c *Client) read(ctx context.Context, set *ChangeSet, in Input) error {
	ask := &cloudformation.DescribeChangeSetInput{ChangeSetName: &set.ARN}
	if set.ARN == "" {
		ask = &cloudformation.DescribeChangeSetInput{ChangeSetName: aws.String(setPrefix + in.Token), StackName: &in.Stack}
	}
	for {
		out, err := c.API.DescribeChangeSet(ctx, ask)
		if err != nil {
			return c.discarded(err)
		}
		set.ARN, set.StackARN = aws.ToString(out.ChangeSetId), aws.ToString(out.StackId)
		switch reason := aws.ToString(out.StatusReason); out.Status {
		case types.ChangeSetStatusCreateComplete:
			return c.changes(ctx, set, out)
		case types.ChangeSetStatusFailed:
			if isNoChange(reason) {
				set.Empty = true
				return nil
			}
			return fmt.Errorf("%w: %s", ErrRefused, oneLine(reason))
		}
		if err := c.wait(ctx); err != nil {
			return err
		}
	}
}

// discarded is the error about a change set that cannot be read: a push discards those that
// others have left, and takes one that is being made for such.
func (c *Client) discarded(err error) error {
	if code(err) == "ChangeSetNotFound" {
		return fmt.Errorf("%w: another push discarded what this one prepared", ErrBusy)
	}
	return c.explained(err)
}

// isNoChange reports whether a change set failed because nothing would change. The service has no other sign for it.
func isNoChange(reason string) bool {
	return strings.Contains(reason, "didn't contain changes") || strings.Contains(reason, "No updates are to be performed")
}

// changes collects the changes of all pages, and those of nested change sets.
func (c *Client) changes(ctx context.Context, set *ChangeSet, page *cloudformation.DescribeChangeSetOutput) error {
	for {
		for _, change := range page.Changes {
			r := change.ResourceChange
			if r == nil {
				continue
			}
			one := Change{
				Logical: aws.ToString(r.LogicalResourceId), Physical: aws.ToString(r.PhysicalResourceId),
				Type:   aws.ToString(r.ResourceType),
				Action: Action(r.Action), Replaced: r.Replacement == types.ReplacementTrue,
				Perhaps: r.Replacement == types.ReplacementConditional,
			}
			if set.StackARN != aws.ToString(page.StackId) {
				one.Stack = aws.ToString(page.StackId)
			}
			set.Changes = append(set.Changes, one)
			if nested := aws.ToString(r.ChangeSetId); nested != "" {
				out, err := c.API.DescribeChangeSet(ctx, &cloudformation.DescribeChangeSetInput{ChangeSetName: &nested})
				if err != nil {
					return c.discarded(err)
				}
				if err := c.changes(ctx, set, out); err != nil {
					return err
				}
			}
		}
		if aws.ToString(page.NextToken) == "" {
			return nil
		}
		next, err := c.API.DescribeChangeSet(ctx,
			&cloudformation.DescribeChangeSetInput{ChangeSetName: page.ChangeSetId, NextToken: page.NextToken})
		if err != nil {
			return c.discarded(err)
		}
		page = next
	}
}

// Discard removes a change set. One that is gone is no error.
func (c *Client) Discard(ctx context.Context, set *ChangeSet) error {
	_, err := c.API.DeleteChangeSet(ctx, &cloudformation.DeleteChangeSetInput{ChangeSetName: &set.ARN})
	if code(err) == "ChangeSetNotFound" || isMissing(err) {
		return nil
	}
	return c.explained(err)
}

// DiscardLeft removes the change sets of this program that were left behind: those of pushes
// that ended before they were carried out.
func (c *Client) DiscardLeft(ctx context.Context, name string) error {
	// What is removed while pages are read moves the rest onto pages that were read already.
	var left []string
	pages := cloudformation.NewListChangeSetsPaginator(c.API, &cloudformation.ListChangeSetsInput{StackName: &name})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return c.explained(err)
		}
		for _, s := range page.Summaries {
			if !strings.HasPrefix(aws.ToString(s.ChangeSetName), setPrefix) ||
				s.ExecutionStatus == types.ExecutionStatusExecuteInProgress {
				continue
			}
			left = append(left, aws.ToString(s.ChangeSetId))
		}
	}
	for _, arn := range left {
		if err := c.Discard(ctx, &ChangeSet{ARN: arn}); err != nil {
			return err
		}
	}
	return nil
}

// HasChangeSets reports whether a stack has change sets.
func (c *Client) HasChangeSets(ctx context.Context, name string) (bool, error) {
	page, err := c.API.ListChangeSets(ctx, &cloudformation.ListChangeSetsInput{StackName: &name})
	if isMissing(err) {
		return false, nil
	}
	if err != nil {
		return false, c.explained(err)
	}
	return len(page.Summaries) > 0 || aws.ToString(page.NextToken) != "", nil
}

// oneLine makes one line of a text of the service.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
