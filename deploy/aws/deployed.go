package aws

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"gatewright/deploy/outputs"
	"gatewright/deploy/stack"
	"gatewright/internal/clock"
	"gatewright/internal/file/fingerprint"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/clientfile"
	"gatewright/project"
	"gatewright/render/template"
)

// State is what the cloud has of an environment at one moment.
type State struct {
	// Stack is the stack; nil if there is none.
	Stack *stack.Stack
	// Deployment is what was deployed; nil if nothing was.
	Deployment *project.Deployment
	// Account and Region are where it is.
	Account, Region string
	// Note says what goes on with the stack, or is wrong with it; "" for a stack that is as its last push left it.
	Note string

	definition template.Definition
}

// Look reads what the cloud has of an environment, and writes nothing.
func (a Provider) Look(ctx context.Context, p *project.Project, env *model.Environment) (State, error) {
	at, err := a.at(ctx, p, env)
	if err != nil {
		return State{}, err
	}
	return at.look(ctx)
}

// Refresh looks, and keeps what it finds as this machine's copy of the last deployment, which
// screens and commands read without the cloud.
func (a Provider) Refresh(ctx context.Context, p *project.Project, env *model.Environment) (State, error) {
	at, err := a.at(ctx, p, env)
	if err != nil {
		return State{}, err
	}
	return at.refresh(ctx)
}

func (p Place) refresh(ctx context.Context) (State, error) {
	state, err := p.look(ctx)
	if err != nil {
		return state, err
	}
	return state, p.keep(&state)
}

// keep keeps the deployment of a state, or forgets an earlier one if there is none.
func (p Place) keep(state *State) error {
	if state.Deployment == nil {
		if state.Stack != nil && state.Stack.Status.Busy() {
			return nil
		}
		return p.project.Undeploy(p.Environment.Name)
	}
	known, err := project.ReadRecord(p.project.Root, p.Environment.Name)
	record := &state.Deployment.Record
	if err == nil && sameDeployment(known, *record) {
		if state.Stack.Status == stack.UpdateRolledBack || state.Stack.Status.Busy() {
			// The service has the time of the push that failed or goes on.
			record.Deployed = known.Deployed
		}
		if known.Deployed.Equal(record.Deployed) {
			return nil
		}
	}
	return p.project.Keep(*record, state.definition.Files)
}

// sameDeployment reports whether two records have the same deployment, except for its time.
func sameDeployment(a, b project.Record) bool {
	return a.Stack == b.Stack && a.Account == b.Account && a.Provider == b.Provider && a.Definition == b.Definition &&
		maps.EqualFunc(a.Sources, b.Sources, maps.Equal) &&
		model.Canonical(map[string]any(a.Values)) == model.Canonical(map[string]any(b.Values))
}

// look reads what an account has of an environment.
func (p Place) look(ctx context.Context) (State, error) {
	state := State{Account: p.Account, Region: p.Region}
	s, err := p.ownStack(ctx)
	if err != nil || s == nil {
		return state, err
	}
	state.Stack = s
	half := isHalf(s)
	if half || !s.Status.Settled() || s.Status == stack.UpdateRolledBack {
		state.Note = p.noteOf(ctx, s)
	}
	if half || s.Status == stack.Review || s.Status.Unmade() || s.Status.Creating() {
		return state, nil
	}
	state.Deployment, state.definition, err = p.cloud.deployment(ctx, s)
	if errors.Is(err, ErrForeignStack) && (s.Status.Busy() || s.Status == stack.DeleteFailed) {
		err = nil // what was taken over gets its first definition now, or a removal got that far
	}
	return state, err
}

// noteOf says in one line what goes on with a stack, or is wrong with it, and what to do.
func (p Place) noteOf(ctx context.Context, s *stack.Stack) string {
	name := model.ShellWord(p.Environment.Name)
	text := "the stack " + s.Name + " " + s.Status.Words()
	switch {
	case s.Status.Busy():
		text = busyText(p.cloud.operation(ctx, s), s)
		return text + "; follow it with: gatewright push --watch --env " + name
	case isHalf(s) && s.Status.Settled():
		return "the stack " + s.Name +
			" has only adopted resources so far; continue with: gatewright push --env " + name +
			" --adopt"
	case s.Status == stack.UpdateRollbackFailed:
		return text + "; fix it with: gatewright push --env " + name
	case s.Status.Unmade():
		return text + "; the next push removes its remains and creates the stack again"
	case s.Status == stack.DeleteFailed:
		return text + ": " + shortly(s.Reason) + "; try again with: gatewright remove env " + name
	}
	return text
}

// operation finds the last operation of a stack; it is zero if that cannot be read.
func (c *session) operation(ctx context.Context, s *stack.Stack) stack.Operation {
	o, _ := c.client.Operation(ctx, s.ARN)
	return o
}

// busyText says who does what with a stack, and since when.
func busyText(o stack.Operation, s *stack.Stack) string {
	text := "the stack " + s.Name + " " + s.Status.Words()
	if who, _, _ := pusher(o.Token); who != "" {
		text += " by " + phrase.Quote(who)
	}
	since := o.Began
	if since.IsZero() {
		since = s.Since()
	}
	return text + " since " + clock.Moment(since)
}

// deployment reads the definition that a stack has, and makes the record of its deployment.
func (c *session) deployment(ctx context.Context, s *stack.Stack) (*project.Deployment, template.Definition, error) {
	metadata, err := c.client.Metadata(ctx, s.ARN, template.DefinitionID)
	if err != nil {
		return nil, template.Definition{}, err
	}
	definition, err := template.ReadDefinition([]byte(metadata))
	if err != nil {
		return nil, definition, &model.Problem{
			Field: "stack " + s.Name, Text: "was not deployed by gatewright",
			Fix: "push again, or give the environment another branch", Cause: errors.Join(ErrForeignStack, err),
		}
	}
	d, err := project.DeploymentOf(project.Record{Environment: definition.Environment}, definition.Files)
	if err != nil {
		return nil, definition, err
	}
	d.Record, err = c.recordOf(s, d.Project.Backend, definition)
	return d, definition, err
}

// recordOf makes the record of what a stack deployed.
func (c *session) recordOf(s *stack.Stack, b *model.Backend, definition template.Definition) (project.Record, error) {
	env := b.Environment(definition.Environment)
	if env == nil {
		return project.Record{},
			&model.Problem{
				Field: "stack " + s.Name, Text: "has a definition without its environment", Fix: "push again",
				Cause: ErrForeignStack,
			}
	}
	here := b.For(env)
	record := project.Record{
		Stack: s.Name, ApplicationID: b.Project.ApplicationID, Branch: env.BranchName(), Environment: env.Name,
		Provider: model.AWS,
		Account:  c.ID, Region: c.Region, Deployed: s.Since().UTC().Truncate(time.Second), Dialect: b.Project.Dialect,
		APIs: []project.Endpoint{}, Outputs: model.Outputs{}, Sources: definition.Sources,
		Definition: hashOf(definition.Files),
	}
	if record.Sources == nil {
		record.Sources = map[string]map[string]string{}
	}
	apis := make(map[string]any)
	for _, api := range here.APIs {
		names := template.EndpointOf(api.Label)
		id, url := s.Outputs[names.ID], s.Outputs[names.URL]
		if id == "" || url == "" {
			continue
		}
		record.APIs = append(record.APIs, project.Endpoint{API: api.Label, ID: id, URL: url, Example: api.Example()})
		apis[api.Label] = map[string]any{"endpoint": url, "region": c.Region, "apiName": api.Label}
	}
	if len(apis) > 0 {
		record.Outputs["custom"] = map[string]any{"API": apis}
	}
	if pool := s.Outputs[template.UserPoolOutput]; pool != "" {
		record.Outputs["auth"] = deployedPool(here, s.Outputs, c.Region)
	}
	content, err := clientfile.Of(b, env, record.Outputs)
	if err != nil {
		return project.Record{}, err
	}
	record.Values = content.Values
	return record, nil
}

// hashOf returns a hash of files.
func hashOf(files map[string][]byte) string {
	sum := fingerprint.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		sum.Content(name, files[name])
	}
	return sum.String()
}

// deployedPool returns the fields of the section auth that the deployment adds to those that
// the definition or an output has.
func deployedPool(b *model.Backend, stackOutputs map[string]string, region string) map[string]any {
	fields := outputs.AuthFields(b)
	values := map[string]any{
		"cloud_region": region, "user_pool_id": stackOutputs[template.UserPoolOutput],
		"user_pool_client_id": stackOutputs[template.UserPoolClientOutput],
		"identity_pool_id":    stackOutputs[template.IdentityPoolOutput],
	}
	if b.Auth == nil {
		values["unauthenticated_identities_enabled"] = b.Auth.GuestsEnabled()
	}
	maps.DeleteFunc(values, func(name string, value any) bool { return value == "" || fields[name] != nil })
	return values
}
