// Package amplifystack makes the values of a client configuration file from a stack that
// AWS Amplify deployed. It writes nothing, and changes nothing in the cloud.
//
// A stack of the second generation names its outputs in the template's Metadata (AWS::Amplify::Auth and so on,
// https://github.com/aws-amplify/amplify-backend/tree/main/packages/backend-output-schemas/src). One of the first
// generation has a nested stack for each resource of the project.
//
// The key of a data API is among the values if the stack has it, because a client cannot do
// without it; else the file gets model.APIKeyPlaceholder. Notes and errors never have the
// key. Anyone who prints values uses model.WithoutSecrets.
package amplifystack

import (
	"context"
	"errors"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// Source reads a deployed stack. Its errors are passed on as they are.
type Source interface {
	// Stack returns a stack by its name or ARN; an error that matches ErrNoStack if there is none.
	Stack(ctx context.Context, name string) (Stack, error)
	// Template returns the text of the stack's template, in JSON or YAML.
	Template(ctx context.Context, name string) ([]byte, error)
	// Nested returns the ARNs of the stacks within a stack by their logical IDs.
	Nested(ctx context.Context, name string) (map[string]string, error)
}

// Stack is a stack as CloudFormation describes it.
type Stack struct {
	// Name is the name or the ARN.
	Name string
	// Status is CloudFormation's word, such as UPDATE_COMPLETE.
	Status string
	// Region is the one in the stack's ARN.
	Region string
	// Parent is the ARN of the stack that has this one in it; "" for a root stack.
	Parent string
	// Outputs and Tags are values by name.
	Outputs, Tags map[string]string
}

// Result is what a stack gives to a client configuration file.
type Result struct {
	// Values are those of the file, version 1, in the neutral dialect. They are valid by the schema of the file.
	Values model.Outputs
	// Generation is that of Amplify, 1 or 2.
	Generation int
	Region     string
	// ApplicationID and Branch are those of the stack's tags; "" if it has none.
	ApplicationID, Branch string
	// Notes say, each in a printable line, what the file lacks and why.
	Notes []string
}

// The causes of the errors of Read, StackOfBranch and BackendStack. Each error is one line that says what to do.
var (
	ErrNoStack    = errors.New("no such stack")
	ErrInProgress = errors.New("the stack is being deployed")
	ErrFailed     = errors.New("the stack was not deployed")
	ErrDeleted    = errors.New("the stack is deleted")
	// ErrNotAmplify is about a stack that Amplify did not make, or that is not its root.
	ErrNotAmplify = errors.New("not the root stack of an Amplify backend")
	// ErrNothing is about a stack of Amplify without anything for a client.
	ErrNothing = errors.New("no outputs for clients")
	// ErrLacks is about an output that the template's Metadata names and the stack lacks.
	ErrLacks = errors.New("an output is missing")
	// ErrVersion is about a format that is newer than this program.
	ErrVersion = errors.New("unknown version")
	// ErrMalformed is about a template, or the value of an output, that cannot be read.
	ErrMalformed = errors.New("malformed")
	ErrTooLarge  = errors.New("too large")
	ErrRegions   = errors.New("conflicting regions")
	// ErrConflict is about two values for one place of the file.
	ErrConflict = errors.New("conflicting values")
	// ErrInvalid is about a value that the schema of the file does not allow.
	ErrInvalid = errors.New("invalid value")
	ErrSeveral = errors.New("several stacks")
	// ErrRefused is about a request that the Amplify service refused.
	ErrRefused = errors.New("refused by the Amplify service")
)

// fault is an error about a stack.
func fault(stack string, cause error, text, fix string) error {
	return &model.Problem{Text: "stack " + phrase.Quote(stack) + " " + text, Fix: fix, Cause: cause}
}
