package aws

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gatewright/deploy/account"
	"gatewright/deploy/assets"
	"gatewright/deploy/index"
	"gatewright/deploy/stack"
	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/render/template"
)

// session is an open account with what a push uses of it.
type session struct {
	*account.Account
	provider Provider
	client   *stack.Client
	bucket   *assets.Bucket
}

// The tags of a stack, by which it is known as this program's.
const (
	applicationTag = "gatewright:application"
	branchTag      = "gatewright:branch"
	environmentTag = "gatewright:environment"
)

func (p Place) tags() map[string]string {
	return map[string]string{
		applicationTag: p.project.Backend.Project.ApplicationID, branchTag: p.Environment.BranchName(),
		environmentTag: p.Environment.Name,
	}
}

// ErrForeignStack is the cause of an error about a stack of somebody else under the name that an environment's has.
var ErrForeignStack = errors.New("the stack was not created by gatewright")

// ownStack describes the stack of an environment, nil if there is none. A stack of another
// environment or program is refused.
func (p Place) ownStack(ctx context.Context) (*stack.Stack, error) {
	s, err := p.cloud.client.Describe(ctx, p.Stack)
	if errors.Is(err, stack.ErrNoStack) || err == nil && s.Status == stack.DeleteComplete {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	// A stack without its first update has no tags; it may also be on its way out.
	at, known := s.Tags[environmentTag]
	if !known && s.Status != stack.Review && !s.Status.Deleting() {
		if at, err = p.adoptedFor(ctx, s); err != nil {
			return nil, err
		}
		known = at != ""
	}
	name := phrase.Quote(p.Environment.Name)
	foreign := &model.Problem{
		Of: p.of(), Text: "would use the stack " + p.Stack + ", but the account has a stack of that name ",
		Fix:   "give the environment another branch with: gatewright update env " + name + " --branch NAME",
		Cause: ErrForeignStack,
	}
	switch application := s.Tags[applicationTag]; {
	case !known && s.Status != stack.Review && !s.Status.Deleting():
		foreign.Text += "that gatewright did not create"
	case known && application != "" && application != p.project.Backend.Project.ApplicationID:
		foreign.Text += "of another application, " + phrase.Quote(application)
	case known && at != p.Environment.Name:
		foreign.Text = "has the branch " + phrase.Quote(p.Environment.BranchName()) + ", whose stack " + p.Stack +
			" is the environment " + phrase.Quote(at)
		foreign.Fix = "give it another branch with: gatewright update env " + name + " --branch NAME"
	default:
		return s, nil
	}
	return nil, foreign
}

// isHalf reports whether a stack has nothing but what was taken over from the account: the push
// that did so has not ended. Only a push that is whole gives a stack its tags.
func isHalf(s *stack.Stack) bool {
	if _, whole := s.Tags[environmentTag]; whole {
		return false
	}
	return s.Status.Settled() || s.Status == stack.UpdateRollbackFailed
}

// adoptedFor says whose a stack without tags is: the environment of this project that took
// something over into it, or could not; "" if it is somebody else's.
func (p Place) adoptedFor(ctx context.Context, s *stack.Stack) (environment string, err error) {
	own := p.project.Backend.Project.ApplicationID
	if s.Status.Unmade() || s.Status == stack.ImportRolledBack {
		// It may have no template, but it has the events of the push that began it.
		if random, _, _, _ := tokenOf(p.cloud.operation(ctx, s).Token); len(random) >= randomLength &&
			strings.HasPrefix(random[randomLength:], p.mark()) {
			return p.Environment.Name, nil
		}
	}
	text, err := p.cloud.client.Template(ctx, s.ARN)
	switch {
	case errors.Is(err, stack.ErrNoStack), account.Code(err) == "ValidationError":
		return "", nil
	case err != nil:
		return "", err
	}
	t, err := cfn.Parse("the template of the stack "+s.Name, text)
	if err != nil {
		return "", nil // gatewright made no such template
	}
	if application, environment := template.AdoptedFor(t.Root); application == own &&
		environment != "" {
		return environment, nil
	}
	// While the rest of the push goes on, the stack has its template already.
	if metadata := t.Root.Get("Resources", template.DefinitionID, "Metadata"); metadata != nil {
		definition, err := template.ReadDefinition(metadata.Minified())
		if err != nil {
			return "", nil // not one of gatewright
		}
		d, err := project.DeploymentOf(project.Record{Environment: definition.Environment}, definition.Files)
		if err == nil && d.Project.Backend.Project.ApplicationID == own {
			return definition.Environment, nil
		}
	}
	return "", nil
}

// describe describes a stack that somebody named. The error matches index.ErrNoStack if the account
// has none of that name.
func (c *session) describe(ctx context.Context, name string) (*stack.Stack, error) {
	s, err := c.client.Describe(ctx, name)
	if errors.Is(err, stack.ErrNoStack) {
		return nil, &model.Problem{
			Field: "stack", Text: phrase.Quote(name) + " is not in the account " + c.ID + ", " + c.Region,
			Fix: "give another stack, --region or --profile", Cause: index.ErrNoStack,
		}
	}
	return s, err
}

// templates reads the templates of a stack and of its nested stacks.
func (c *session) templates(ctx context.Context, s *stack.Stack) (template.Deployed, error) {
	d, _, err := c.templatesWithARNs(ctx, s)
	return d, err
}

// templatesWithARNs reads the templates of a stack and of its nested stacks, and the ARNs of all.
func (c *session) templatesWithARNs(ctx context.Context, s *stack.Stack) (template.Deployed, []string, error) {
	root, err := c.template(ctx, s.ARN, "the template of the stack "+s.Name)
	var nested map[string]nestedStack
	if err == nil {
		nested, err = c.nestedTemplates(ctx, s.ARN, root, 0)
	}
	if err != nil {
		return template.Deployed{}, nil, fmt.Errorf("reading the deployment: %w", err)
	}
	d, arns := template.Deployed{Root: root.Root, Nested: make(map[string]*cfn.Node)}, []string{s.ARN}
	for _, id := range slices.Sorted(maps.Keys(nested)) {
		d.Nested[id], arns = nested[id].Root, append(arns, nested[id].arn)
	}
	return d, arns, nil
}

// template reads the template of a stack, which what names.
func (c *session) template(ctx context.Context, name, what string) (*cfn.Template, error) {
	text, err := c.client.Template(ctx, name)
	if err != nil {
		return nil, err
	}
	return cfn.Parse(what, text)
}

// nestedStack is the template of a nested stack.
type nestedStack struct {
	*cfn.Template
	arn string
}

// nestedTemplates reads the templates of the stacks nested in a stack, of all levels, by logical id.
func (c *session) nestedTemplates(
	ctx context.Context, name string, t *cfn.Template, depth int,
) (map[string]nestedStack, error) {
	const deepest = 5
	all := make(map[string]nestedStack)
	isNested := func(r cfn.Resource) bool { return r.Type == nestedType }
	if depth == deepest || depth > 0 && !slices.ContainsFunc(t.Resources(), isNested) {
		return all, nil
	}
	nested, err := c.nested(ctx, name)
	if err != nil {
		return nil, err
	}
	ids := slices.Sorted(maps.Keys(nested))
	found, below := make([]*cfn.Template, len(ids)), make([]map[string]nestedStack, len(ids))
	err = atOnce(ctx, len(ids), func(ctx context.Context, i int) (err error) {
		arn := nested[ids[i]]
		if found[i], err = c.template(ctx, arn, "the nested stack "+ids[i]); err == nil {
			below[i], err = c.nestedTemplates(ctx, arn, found[i], depth+1)
		} else if errors.Is(err, stack.ErrNoStack) {
			err = nil
		}
		return err
	})
	for i, id := range ids {
		if found[i] != nil {
			all[id] = nestedStack{found[i], nested[id]}
			maps.Copy(all, below[i])
		}
	}
	return all, err
}

// nested lists the nested stacks of a stack, by logical id.
func (c *session) nested(ctx context.Context, name string) (map[string]string, error) {
	resources, err := c.client.Resources(ctx, name)
	if err != nil {
		return nil, err
	}
	nested := make(map[string]string)
	for _, r := range resources {
		if r.Type == nestedType && r.Physical != "" && r.Status != string(stack.DeleteComplete) {
			nested[r.Logical] = r.Physical
		}
	}
	return nested, nil
}

// ErrStackBusy is the cause of the error of a push while another operation of the stack is running.
var ErrStackBusy = errors.New("another operation of the stack is running")

func (p Place) busy(ctx context.Context, s *stack.Stack) error {
	return &model.Problem{Of: p.of(), Text: p.noteOf(ctx, s), Cause: ErrStackBusy}
}

// randomLength is how many letters and digits tell a push from another one.
const randomLength = 8

func randomText() string { return strings.ToLower(rand.Text()[:randomLength]) }

// mark is what the tokens of a push have after what is random, to tell whose a stack is that has no template yet.
func (p Place) mark() string {
	sum := sha256.Sum256([]byte(p.project.Backend.Project.ApplicationID + "\n" + p.Environment.Name))
	return hex.EncodeToString(sum[:])[:randomLength]
}

// token makes the token of an operation, which all its events have: the number of the update
// among those of the push, something random, and who pushes, for others to read.
func token(step, steps int, random, who string) string {
	who = strings.Map(func(r rune) rune {
		if index.IsPlain(r) {
			return r
		}
		return '-'
	}, who)
	const longest = 60
	return fmt.Sprintf("gatewright-%d-of-%d-%s-%s", step, steps, random, strings.Trim(who[:min(len(who), longest)], "-"))
}

// pusher reads who pushes from the token of an operation, and which update of how many it is:
// zeros if the token is not this program's.
func pusher(token string) (who string, step, steps int) {
	_, who, step, steps = tokenOf(token)
	return who, step, steps
}

// tokenOf reads a token as pusher does, with what is random and the mark after that.
func tokenOf(token string) (random, who string, step, steps int) {
	rest, ours := strings.CutPrefix(token, "gatewright-")
	if !ours {
		return "", "", 0, 0
	}
	if n, err := fmt.Sscanf(rest, "%d-of-%d-%s", &step, &steps, &random); err != nil || n != 3 {
		return "", "", 0, 0
	}
	random, who, _ = strings.Cut(random, "-")
	return random, who, step, steps
}

// The types of resources in a stack
// (https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-template-resource-type-ref.html).
const (
	functionType     = "AWS::Lambda::Function"
	logGroupType     = "AWS::Logs::LogGroup"
	ruleType         = "AWS::Events::Rule"
	tableType        = "AWS::DynamoDB::Table"
	apiType          = "AWS::ApiGateway::RestApi"
	stageType        = "AWS::ApiGateway::Stage"
	userPoolType     = "AWS::Cognito::UserPool"
	groupType        = "AWS::Cognito::UserPoolGroup"
	identityPoolType = "AWS::Cognito::IdentityPool"
	attachmentType   = "AWS::Cognito::IdentityPoolRoleAttachment"
	roleType         = "AWS::IAM::Role"
	nestedType       = "AWS::CloudFormation::Stack"
)
