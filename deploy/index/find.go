package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
	"gatewright/model"
	"gatewright/project"
)

// ErrRequest is the cause of an error about a request that does not identify one deployment: wrong use.
var ErrRequest = errors.New("not a request for one deployment")

// ErrNoOutputs is the cause of a *model.Problem about a deployment with
// nothing for the client configuration file: an empty file is never written.
var ErrNoOutputs = errors.New("no outputs")

// Request identifies a deployment: by a stack, or an application id and a branch, or an environment of the project
// Here. A branch alone belongs to the application of Here; an empty Request means the current environment of Here.
type Request struct {
	Stack, ApplicationID, Branch, Environment string
	// Here is the project around the working directory; it may be nil.
	Here  *project.Project
	Index Index
}

// Find returns the record of a deployment on this machine. Each error is one line that says what to do; it matches
// ErrRequest, ErrNoStack, contract.ErrProvider, ErrNoOutputs, project.ErrNeverDeployed or project.ErrDeploying.
func Find(ctx context.Context, r Request) (project.Record, error) {
	r, err := r.settled()
	if err != nil {
		return project.Record{}, err
	}
	stack := r.Stack
	if stack == "" {
		stack = StackName(r.ApplicationID, r.Branch)
	}
	record, err := RecordOf(ctx, r.Index, r.Here, stack)
	if errors.Is(err, errUnknown) {
		return project.Record{}, r.unknown(stack)
	}
	if err != nil {
		return project.Record{}, err
	}
	for name := range record.Values {
		if name != "version" && name != "$schema" {
			return record, nil
		}
	}
	return project.Record{}, &model.Problem{
		Of:   model.Ref{Kind: model.KindEnvironment, Name: record.Environment},
		Text: "is deployed as the stack " + phrase.Quote(record.Stack) + ", which has no outputs",
		Fix:  "add an API, a user pool or an output, and push again", Cause: ErrNoOutputs,
	}
}

// settled returns the request with a stack, or with an application id and a branch.
func (r Request) settled() (Request, error) {
	wrong := func(text string, args ...any) (Request, error) {
		return Request{},
			&model.Problem{
				Field: "deployment", Text: fmt.Sprintf(text, args...), Fix: "give --stack, or --app-id and --branch",
				Cause: ErrRequest,
			}
	}
	switch {
	case r.Stack != "" && (r.ApplicationID != "" || r.Branch != "" || r.Environment != ""):
		return wrong("--stack is enough: give it without an application id, branch or environment")
	case r.Stack != "":
		return r, ValidStack(r.Stack)
	case r.Environment != "" && (r.ApplicationID != "" || r.Branch != ""):
		return wrong("give an environment without an application id and without a branch")
	case r.ApplicationID != "" && r.Branch == "":
		return wrong("the application id %s needs a branch", phrase.Quote(r.ApplicationID))
	case r.ApplicationID != "":
		return r, nil
	case r.Here == nil && r.Environment != "":
		return wrong("this folder is in no project that could have the environment %s", phrase.Quote(r.Environment))
	case r.Here == nil && r.Branch != "":
		return wrong("the branch %s needs an application id, because this folder is in no project",
			phrase.Quote(r.Branch))
	case r.Here == nil:
		return wrong("nothing says which deployment is meant, and this folder is in no project")
	}
	if r.ApplicationID = r.Here.Backend.Project.ApplicationID; r.ApplicationID == "" {
		return wrong("the project has no application id")
	}
	if r.Branch != "" {
		return r, nil
	}
	env, err := r.Here.Environment(r.Environment)
	switch {
	case errors.Is(err, project.ErrNoEnvironments):
		return wrong("the project has no environment")
	case errors.Is(err, project.ErrNotChosen):
		return wrong("no environment of the project is chosen; it has %s", EnvironmentNames(r.Here.Backend))
	case err != nil:
		return Request{}, err
	}
	r.Branch = env.BranchName()
	return r, nil
}

// unknown returns the error for an unknown stack; it names the nearest known ones.
func (r Request) unknown(stack string) error {
	if r.Here != nil && r.ApplicationID != "" && r.ApplicationID == r.Here.Backend.Project.ApplicationID {
		if _, err := EnvironmentOf(r.Here.Backend, r.Branch); err != nil {
			return &model.Problem{Text: err.Error(), Cause: ErrNoStack}
		}
	}
	// Without a list there is nothing to propose.
	entries, _ := r.Index.List()
	problem := &model.Problem{
		Field: "stack", Text: phrase.Quote(stack) + " is not known on this machine",
		Cause: ErrNoStack,
	}
	if r.Stack == "" {
		problem.Field = "deployment"
		problem.Text = fmt.Sprintf("no deployment of the application %s and its branch %s is known on this machine",
			phrase.Quote(r.ApplicationID), phrase.Quote(r.Branch))
		if own := slices.DeleteFunc(slices.Clone(entries),
			func(e Entry) bool { return e.ApplicationID != r.ApplicationID }); len(own) > 0 {
			problem.Text += "; that application has deployments of " +
				listed(own, func(e Entry) string { return phrase.Quote(e.Branch) })
			entries = nil
		}
	}
	if len(entries) > 0 {
		problem.Text += "; the nearest is " + listed(nearest(entries, stack), entryName)
	}
	problem.Fix = "deploy it with: gatewright push"
	return problem
}

func entryName(e Entry) string {
	return fmt.Sprintf("%s (application %s, branch %s)", phrase.Quote(e.Stack), phrase.Quote(e.ApplicationID),
		phrase.Quote(e.Branch))
}

// nearest returns the few entries with the stack names most like a name, the nearest first.
func nearest(entries []Entry, stack string) []Entry {
	const few = 3
	entries = slices.Clone(entries)
	far := make(map[string]int, len(entries))
	for _, e := range entries {
		far[e.Stack] = spelling.Distance(e.Stack, stack)
	}
	slices.SortStableFunc(entries, func(a, b Entry) int { return cmp.Compare(far[a.Stack], far[b.Stack]) })
	return entries[:min(few, len(entries))]
}
