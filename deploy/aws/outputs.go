package aws

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"

	"gatewright/deploy/amplifystack"
	"gatewright/deploy/index"
	"gatewright/deploy/stack"
	"gatewright/internal/cfn"
	"gatewright/internal/prove"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/render/template"
)

// Outputs is a deployment in the cloud for the client configuration file.
type Outputs struct {
	// Record is its record. One of Amplify has no environment and no APIs there.
	Record *project.Record
	// Notes say what the file cannot have.
	Notes []string
}

// Outputs finds a deployment in the cloud: a stack, or that of an application's branch. It may
// be of this program, or of either generation of Amplify. An error about a deployment that is
// not there matches index.ErrNoStack, one about credentials ErrCredentials.
func (a Provider) Outputs(ctx context.Context, r index.Request) (Outputs, error) {
	c, err := a.open(ctx, a.anyAccount())
	if err != nil {
		return Outputs{}, err
	}
	names := []string{r.Stack}
	if r.Stack == "" {
		names = []string{index.StackName(r.ApplicationID, r.Branch), amplifystack.StackName(r.ApplicationID, r.Branch)}
	}
	for _, name := range names {
		out, err := c.outputs(ctx, name)
		if !errors.Is(err, index.ErrNoStack) {
			return out, err
		}
	}
	if r.Stack == "" {
		name, err := c.stackOfBranch(ctx, r.ApplicationID, r.Branch)
		if err != nil {
			return Outputs{}, err
		}
		if name != "" {
			return c.outputs(ctx, name)
		}
	}
	what := "the stack " + phrase.Quote(r.Stack)
	if r.Stack == "" {
		what = fmt.Sprintf("a deployment of the application %s and its branch %s", phrase.Quote(r.ApplicationID),
			phrase.Quote(r.Branch))
	}
	return Outputs{}, &model.Problem{
		Field: "deployment", Text: what + " is known neither on this machine nor in the account " + c.ID + ", " + c.Region,
		Fix: "deploy it with gatewright push, or give another --region or --profile", Cause: index.ErrNoStack,
	}
}

// outputs reads the outputs of one stack.
func (c *session) outputs(ctx context.Context, name string) (Outputs, error) {
	s, err := c.client.Describe(ctx, name)
	if errors.Is(err, stack.ErrNoStack) {
		return Outputs{}, index.ErrNoStack
	}
	if err != nil {
		return Outputs{}, err
	}
	metadata, err := c.client.Metadata(ctx, s.ARN, template.DefinitionID)
	if err != nil {
		return Outputs{}, err
	}
	if _, err := template.ReadDefinition([]byte(metadata)); err == nil {
		return c.ownOutputs(ctx, s)
	}
	read, err := amplifystack.Read(ctx, amplifySource{c}, name)
	if err != nil {
		return Outputs{}, err
	}
	record := project.Record{
		Stack: s.Name, ApplicationID: read.ApplicationID, Branch: read.Branch, Provider: model.AWS, Account: c.ID,
		Region:   read.Region,
		Deployed: s.Since(), Outputs: read.Values, Values: read.Values, Dialect: model.Amplify,
	}
	return Outputs{Record: &record, Notes: read.Notes}, nil
}

// ownOutputs reads the outputs of a stack of this program. While it changes there are none:
// half of them could be old.
func (c *session) ownOutputs(ctx context.Context, s *stack.Stack) (Outputs, error) {
	none := &model.Problem{Field: "stack " + s.Name, Cause: index.ErrNoOutputs}
	if name := s.Tags[environmentTag]; name != "" {
		none.Of, none.Field = model.Ref{Kind: model.KindEnvironment, Name: name}, ""
	}
	switch {
	case s.Status.Busy():
		none.Text, none.Cause = busyText(c.operation(ctx, s), s), project.ErrDeploying
		none.Fix = "try again when that is done"
		return Outputs{}, none
	case !s.Status.Settled() && s.Status != stack.UpdateRollbackFailed:
		none.Text, none.Fix = "its stack "+s.Name+" "+s.Status.Words()+", and has no outputs", "push it again"
		return Outputs{}, none
	}
	d, _, err := c.deployment(ctx, s)
	if err != nil {
		return Outputs{}, err
	}
	if len(d.APIs) == 0 && len(d.Outputs) == 0 && len(d.Project.Backend.Outputs) == 0 {
		none.Text = "is deployed as the stack " + phrase.Quote(s.Name) + ", which has no outputs"
		none.Fix = "add an API, a user pool or an output, and push again"
		return Outputs{}, none
	}
	return Outputs{Record: &d.Record}, nil
}

// stackOfBranch finds the stack of a branch of an application by its tags, or by what the
// service of Amplify says; "" if there is none.
func (c *session) stackOfBranch(ctx context.Context, applicationID, branch string) (string, error) {
	var all []amplifystack.Stack
	pages := cloudformation.NewDescribeStacksPaginator(c.client.API, &cloudformation.DescribeStacksInput{})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return "", c.client.Explain(err)
		}
		for i := range page.Stacks {
			all = append(all, amplifyStack(&page.Stacks[i]))
		}
	}
	found, err := amplifystack.StackOfBranch(all, applicationID, branch)
	if err == nil {
		return found.Name, nil
	}
	if !errors.Is(err, amplifystack.ErrNoStack) {
		return "", err
	}
	name, err := amplifystack.BackendStack(ctx, c.Config, c.Endpoint("Amplify"), applicationID, branch)
	if errors.Is(err, amplifystack.ErrNoStack) {
		return "", nil
	}
	if errors.Is(err, amplifystack.ErrRefused) {
		err = fmt.Errorf("no stack of the account %s, %s has the tags of the application %s and its branch %s, and %w", c.ID,
			c.Region, phrase.Quote(applicationID), phrase.Quote(branch), err)
	}
	return name, err
}

// amplifySource reads stacks for amplifystack.
type amplifySource struct{ *session }

func amplifyStack(s *types.Stack) amplifystack.Stack {
	one := amplifystack.Stack{
		Name: aws.ToString(s.StackName), Status: string(s.StackStatus), Parent: aws.ToString(s.ParentId),
		Outputs: make(map[string]string), Tags: make(map[string]string),
	}
	if parts := strings.Split(aws.ToString(s.StackId), ":"); len(parts) > 3 {
		one.Region = parts[3]
	}
	for _, o := range s.Outputs {
		one.Outputs[aws.ToString(o.OutputKey)] = aws.ToString(o.OutputValue)
	}
	for _, t := range s.Tags {
		one.Tags[aws.ToString(t.Key)] = aws.ToString(t.Value)
	}
	return one
}

// Stack describes a stack by its name or ARN.
func (a amplifySource) Stack(ctx context.Context, name string) (amplifystack.Stack, error) {
	out, err := a.client.API.DescribeStacks(ctx, &cloudformation.DescribeStacksInput{StackName: &name})
	switch {
	case err != nil && strings.Contains(err.Error(), "does not exist"):
		return amplifystack.Stack{}, amplifystack.ErrNoStack
	case err != nil:
		return amplifystack.Stack{}, a.client.Explain(err)
	case len(out.Stacks) == 0:
		return amplifystack.Stack{}, amplifystack.ErrNoStack
	}
	return amplifyStack(&out.Stacks[0]), nil
}

// Template returns the template of a stack.
func (a amplifySource) Template(ctx context.Context, name string) ([]byte, error) {
	text, err := a.client.Template(ctx, name)
	if errors.Is(err, stack.ErrNoStack) {
		return nil, amplifystack.ErrNoStack
	}
	return text, err
}

// Nested lists the nested stacks of a stack.
func (a amplifySource) Nested(ctx context.Context, name string) (map[string]string, error) {
	nested, err := a.nested(ctx, name)
	if errors.Is(err, stack.ErrNoStack) {
		return nil, amplifystack.ErrNoStack
	}
	return nested, err
}

// StackTemplates are the templates of a stack as AWS has them.
type StackTemplates struct {
	Root *cfn.Template
	// Nested are those of nested stacks, of all levels, by logical id.
	Nested map[string]*cfn.Template
	// Parameters are the values that the stack was deployed with; those of secrets are left out.
	Parameters map[string]string
	// InForce is what of it is in force; nil if AWS refuses to say that, and then Refused is why.
	InForce *prove.Deployment
	Refused error
}

// Templates reads the templates of a stack, of this program or of another, and the rules in force. The account is
// that of the environment if it is its stack, else the one of the credentials. The error matches index.ErrNoStack if
// there is none.
func (a Provider) Templates(
	ctx context.Context, p *project.Project, env *model.Environment, name string,
) (*StackTemplates, error) {
	if err := index.ValidStack(name); err != nil {
		return nil, err
	}
	o := a.anyAccount()
	for _, e := range p.Backend.Environments {
		if e.Provider == model.AWS && index.StackOf(p.Backend, e) == name && a.Region == "" && a.Profile == "" {
			o = a.Options(p, e)
		}
	}
	if o.Region == "" {
		o.Region = p.Backend.Region(env)
	}
	c, err := a.open(ctx, o)
	if err != nil {
		return nil, err
	}
	s, err := c.describe(ctx, name)
	if err != nil {
		return nil, err
	}
	found := &StackTemplates{Nested: make(map[string]*cfn.Template), Parameters: make(map[string]string)}
	for name, value := range s.Parameters {
		// The service writes asterisks in the place of a secret.
		if strings.Trim(value, "*") != "" || value == "" {
			found.Parameters[name] = value
		}
	}
	if found.Root, err = c.template(ctx, s.ARN, "stack "+name); err != nil {
		return nil, err
	}
	nested, err := c.nestedTemplates(ctx, s.ARN, found.Root, 0)
	if err != nil {
		return nil, err
	}
	for id, n := range nested {
		found.Nested[id] = n.Template
	}
	if found.InForce, err = c.stackAccess(ctx, s.ARN); denied(err) {
		found.Refused, err = err, nil
	}
	return found, err
}
