package amplifystack

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// Tags of the stacks of the second generation, except those of sandboxes
// (https://github.com/aws-amplify/amplify-backend/blob/main/packages/backend/src/engine/amplify_stack.ts).
const (
	applicationTag = "amplify:app-id"
	branchTag      = "amplify:branch-name"
)

// largest bounds all names and values of the outputs of one stack, in bytes. A stack has at most 200 outputs of 4 KB
// (https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html).
const largest = 1 << 20

// Read reads the outputs of a stack of either generation. The error is a *model.Problem with
// one of this package's causes, or an error of the source.
func Read(ctx context.Context, from Source, stack string) (Result, error) {
	s, err := from.Stack(ctx, stack)
	if errors.Is(err, ErrNoStack) {
		return Result{}, noStack(stack)
	}
	if err != nil {
		return Result{}, err
	}
	if model.CheckRegion(s.Region) != nil {
		return Result{},
			fault(stack, ErrRegions, "is in "+phrase.Quote(s.Region)+", which is not a region", "name the region of the stack")
	}
	note, err := checkStatus(stack, s.Status)
	if err != nil {
		return Result{}, err
	}
	if err := checkSize(stack, s.Outputs); err != nil {
		return Result{}, err
	}
	text, err := from.Template(ctx, stack)
	if err != nil {
		return Result{}, err
	}
	template, err := parseTemplate(stack, text)
	if err != nil {
		return Result{}, err
	}
	r := reader{name: stack, stack: s, template: template, values: make(map[string]any)}
	if note != "" {
		r.note("%s", note)
	}
	entries, err := metadataOf(stack, template)
	if err != nil {
		return Result{}, err
	}
	generation := 2
	if len(entries) > 0 {
		err = r.readSecond(entries)
	} else {
		generation = 1
		err = r.readFirst(ctx, from)
	}
	if err != nil {
		return Result{}, err
	}
	values, err := r.finish()
	if err != nil {
		return Result{}, err
	}
	return Result{
		Values: values, Generation: generation, Region: s.Region,
		ApplicationID: s.Tags[applicationTag], Branch: s.Tags[branchTag], Notes: r.notes,
	}, nil
}

func noStack(stack string) error {
	return fault(stack, ErrNoStack, "does not exist", "check its name, the region and the account")
}

// parseTemplate parses the template of a stack.
func parseTemplate(stack string, text []byte) (*cfn.Template, error) {
	template, err := cfn.Parse("the template", text)
	if err != nil {
		return nil, fault(stack, ErrMalformed, "cannot be read: "+err.Error(), "deploy it again")
	}
	return template, nil
}

// checkStatus refuses a stack whose outputs are not those of a deployment. The note is about
// one that still has the outputs of an earlier deployment. The words are those of
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/view-stack-events.html
func checkStatus(stack, status string) (note string, err error) {
	is := "is " + phrase.Quote(status)
	switch {
	case status == "REVIEW_IN_PROGRESS":
		return "", fault(stack, ErrFailed, "was never deployed ("+status+")", "deploy it first")
	case strings.HasPrefix(status, "DELETE_"):
		return "", fault(stack, ErrDeleted, "is deleted, or partly so ("+phrase.Quote(status)+")",
			"deploy it again, or name another stack")
	case strings.HasSuffix(status, "_IN_PROGRESS"):
		return "", fault(stack, ErrInProgress, "is being deployed ("+phrase.Quote(status)+")", "try again when that is done")
	}
	switch status {
	case "CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE", "IMPORT_COMPLETE", "IMPORT_ROLLBACK_COMPLETE":
		return "", nil
	case "UPDATE_FAILED", "UPDATE_ROLLBACK_FAILED", "IMPORT_ROLLBACK_FAILED":
		return "the stack is " + status + ": its outputs may be those of an earlier deployment", nil
	case "CREATE_FAILED", "ROLLBACK_COMPLETE", "ROLLBACK_FAILED":
		return "", fault(stack, ErrFailed, "was never deployed completely ("+status+")",
			"see its events for the reason, and deploy it again")
	}
	return "", fault(stack, ErrFailed, is+", which is not a known status of a deployed stack", "deploy it again")
}

func checkSize(stack string, outputs map[string]string) error {
	size := 0
	for name, value := range outputs {
		size += len(name) + len(value)
	}
	if size > largest {
		return fault(stack, ErrTooLarge, "has outputs of more than 1 MB", "name another stack")
	}
	return nil
}

// reader collects the values of one stack.
type reader struct {
	// name is what the stack was asked for as, for messages.
	name     string
	stack    Stack
	template *cfn.Template
	// values are in the amplify dialect, of any version.
	values map[string]any
	// regions are those that the outputs name, which must be the stack's.
	regions []namedRegion
	notes   []string
}

// namedRegion is a region that an output has.
type namedRegion struct{ output, region string }

func (r *reader) note(text string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(text, args...))
}

func (r *reader) fault(cause error, text, fix string) error {
	return fault(r.name, cause, text, fix)
}
