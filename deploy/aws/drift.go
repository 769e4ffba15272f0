package aws

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gatewright/deploy/account"
	"gatewright/deploy/drift"
	"gatewright/deploy/stack"
	"gatewright/internal/prove"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/render/template"
)

// Drift is what differs in the cloud from the stack of an environment, and in the stack than in the
// definition that was pushed.
type Drift struct {
	// Compared is how many resources the service compared with the stack.
	Compared int
	// Skipped counts the resources that it could not compare, by their type.
	Skipped map[string]int
	// Failed says that the service could not compare all that it can; Unread has its reasons.
	Failed bool
	// Functions is how many functions had their code compared. Rendered says that the template
	// of the stack was compared with the definition.
	Functions int
	Rendered  bool
	// Cloud are the parts of the stack that are otherwise in the cloud, Template those of the
	// template of the stack that are differently from the definition makes them.
	Cloud, Template []Drifted
	// Access says who may send which request in the cloud and not by the definition as
	// deployed, or the other way round.
	Access *prove.Report
	// Unread are sentences about what could not be read.
	Unread []string
}

// Drifted is a part of a stack that differs from what it should be.
type Drifted struct {
	// Of is the part of the backend that it belongs to, Name what people call it.
	Of   model.Ref
	Name string
	// Texts say in what it differs, a line each.
	Texts []string
}

// Count is how many things differ.
func (d *Drift) Count() int {
	return len(d.Cloud) + len(d.Template) + len(d.Access.Differences) + len(d.Access.Doors)
}

// Differs reports whether something differs, or whether that is not known: the service could not compare the
// resources, or it is not known that nobody may do more or less than the definition says.
func (d *Drift) Differs() bool { return d.Count() > 0 || d.Failed || !d.Access.Equal() }

// Drift compares what is in the account with the stack, the stack with the definition as
// deployed, and who may do what. tell gets what is being done; it may be nil. Nothing is
// changed. The error matches ErrStackBusy if the stack is not at rest, and stack.ErrSlow.
func (r *Reached) Drift(ctx context.Context, tell func(string)) (*Drift, error) {
	tell = heard(tell)
	env := r.environment()
	if s := r.Stack.Status; !s.Settled() && s != stack.UpdateRollbackFailed {
		return nil, r.place.busy(ctx, r.Stack)
	}
	templates, arns, err := r.place.cloud.templatesWithARNs(ctx, r.Stack)
	if err != nil {
		return nil, err
	}
	tell("CloudFormation compares what is in the account with the stack")
	found, err := r.place.cloud.client.Compare(ctx, arns...)
	if errors.Is(err, stack.ErrSlow) {
		return nil, &model.Problem{
			Of: model.Ref{Kind: model.KindEnvironment, Name: env.Name}, Text: err.Error(),
			Cause: stack.ErrSlow,
		}
	}
	if err != nil {
		return nil, err
	}
	d := &Drift{Compared: found.Compared, Skipped: make(map[string]int), Failed: len(found.Failed) > 0}
	for _, one := range found.Failed {
		d.Unread = append(d.Unread, "CloudFormation could not compare all resources of the stack "+stackNameOf(one.Stack)+
			": "+cmp.Or(shortly(one.Reason), "it gives no reason"))
	}
	for _, one := range found.Skipped {
		// The definition is no resource that does anything, and nested stacks are compared themselves.
		if one.Logical != template.DefinitionID && one.Type != nestedType {
			d.Skipped[one.Type]++
		}
	}
	for _, one := range found.Drifted {
		d.Cloud = append(d.Cloud, r.drifted(one))
	}
	tell("comparing the code of the functions and the template with the last push")
	if err := r.codeDrift(ctx, templates.Root, d); err != nil {
		return nil, err
	}
	r.templateDrift(templates, d)
	tell("comparing who may do what")
	d.Access, err = r.accessDrift(ctx)
	if denied(err) {
		unread := []string{"access in AWS is unknown: " + err.Error()}
		d.Access, err = prove.Compare(&prove.Deployment{Unread: unread}, &model.Backend{}, prove.Options{}), nil
	}
	if err != nil {
		return nil, err
	}
	if err := r.poolDrift(ctx, d); err != nil {
		return nil, err
	}
	sortDrifted(d.Cloud)
	sortDrifted(d.Template)
	return d, nil
}

// poolDrift tells what somebody set of the user pool that no push sets, which CloudFormation does not
// compare (https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-stack-drift.html).
func (r *Reached) poolDrift(ctx context.Context, d *Drift) error {
	id, own, _ := r.Pools()
	if r.Stack.Outputs[template.UserPoolOutput] == "" {
		return nil
	}
	var of struct {
		UserPool struct {
			AdminCreateUserConfig struct{ AllowAdminCreateUserOnly bool }
			Policies              struct {
				SignInPolicy struct{ AllowedFirstAuthFactors []string }
			}
			LambdaConfig map[string]any
		}
		UserPoolClients []struct{ ClientID, ClientName string }
		NextToken       string
		UserPoolClient  struct{ CallbackURLs, SupportedIdentityProviders []string }
	}
	asks := map[string]map[string]any{
		"DescribeUserPool":       {"UserPoolId": id},
		"DescribeUserPoolClient": {"UserPoolId": id, "ClientId": own},
		"ListUserPoolClients":    {"UserPoolId": id, "MaxResults": mostListed},
	}
	for _, operation := range slices.Sorted(maps.Keys(asks)) {
		if err := r.Ask(ctx, account.Users, operation, asks[operation], &of); denied(err) {
			d.Access.Undecided = append(d.Access.Undecided, "the settings of the user pool are unknown: "+err.Error())
		} else if err != nil {
			return err
		}
	}
	tell := func(format string, names ...string) {
		for _, name := range names {
			if name != "COGNITO" && name != "PASSWORD" {
				d.Cloud = addDrifted(d.Cloud, model.Ref{Kind: model.KindAuth}, "the user pool",
					fmt.Sprintf(format, phrase.Quote(name))+" in the cloud, which no push set")
			}
		}
	}
	for _, c := range of.UserPoolClients {
		if c.ClientID != own && c.ClientID != r.Stack.Outputs[template.NativeClientOutput] {
			tell("it has the client %s", cmp.Or(c.ClientName, c.ClientID))
		}
	}
	if of.NextToken != "" {
		d.Access.Undecided = append(d.Access.Undecided, "the user pool has more clients than are read")
	}
	if auth := r.Backend().Auth; auth == nil || auth.OAuth == nil {
		// Otherwise the template has these, and CloudFormation compares them.
		tell("its client redirects to %s after a sign-in", of.UserPoolClient.CallbackURLs...)
		tell("its client accepts users of %s", of.UserPoolClient.SupportedIdentityProviders...)
	}
	tell("a sign-in needs only %s", of.UserPool.Policies.SignInPolicy.AllowedFirstAuthFactors...)
	for _, moment := range slices.Sorted(maps.Keys(of.UserPool.LambdaConfig)) {
		if of.UserPool.LambdaConfig[moment] != nil && !slices.ContainsFunc(r.Backend().Triggers,
			func(t model.Trigger) bool { return t.At.Title() == strings.TrimSuffix(moment, "Config") }) {
			tell("it calls a function at %s", moment)
		}
	}
	if of.UserPool.AdminCreateUserConfig.AllowAdminCreateUserOnly {
		tell("only %s may add users", "administrators")
	}
	return nil
}

// environment is the environment as it was pushed.
func (r *Reached) environment() *model.Environment {
	return r.Deployment.Project.Backend.Environment(r.Deployment.Environment)
}

// drifted says in words in what a resource differs.
func (r *Reached) drifted(one stack.Drift) Drifted {
	of := Drifted{Of: r.of[one.Logical], Name: r.name(one.Logical, one.Type)}
	if one.Deleted {
		of.Texts = []string{isGone}
		return of
	}
	of.Texts = drift.Words(one.Type, one.Differences, drift.CloudAgainstStack, r.hidden(of.Of))
	if len(of.Texts) == 0 {
		of.Texts = []string{"differs in the cloud from the stack"}
	}
	return of
}

// hidden reports whether a variable of a function is a secret.
func (r *Reached) hidden(of model.Ref) func(string) bool {
	return func(variable string) bool {
		f := r.Deployment.Project.Backend.Function(of.Name)
		return of.Kind == model.KindFunction && (f == nil || slices.Contains(f.Secrets, variable))
	}
}

// isGone is what is said of a part that is not there any more.
const isGone = "is gone"

// sortDrifted sorts parts by what they belong to.
func sortDrifted(all []Drifted) {
	slices.SortStableFunc(all, func(a, b Drifted) int {
		return cmp.Or(cmp.Compare(a.Of.String(), b.Of.String()), cmp.Compare(a.Name, b.Name))
	})
}

// String says in one line what differs, such as "the function books: memory 128 MB in the
// stack, 512 MB in the cloud".
func (d Drifted) String() string {
	text := d.Name
	for i, one := range d.Texts {
		switch {
		case i > 0:
			text += "; " + one
		case one == isGone:
			text += " " + one
		default:
			text += ": " + one
		}
	}
	return text
}

// ComparedText says what was compared, such as "12 resources, the code of 3 functions, the template".
func (d *Drift) ComparedText() string {
	all := []string{phrase.Count(d.Compared, "resource")}
	if d.Functions > 0 {
		all = append(all, "the code of "+phrase.Count(d.Functions, "function"))
	}
	if d.Rendered {
		all = append(all, "the template")
	}
	if d.Access.Decisions > 0 {
		all = append(all, "who may send which request")
	}
	if d.Functions > 0 {
		all = append(all, "what else calls the functions")
	}
	return strings.Join(all, ", ")
}

// SkippedText says which resources could not be compared; "" if all were.
func (d *Drift) SkippedText() string {
	total, kinds := 0, []string{}
	for _, kind := range slices.Sorted(maps.Keys(d.Skipped)) {
		total += d.Skipped[kind]
		kinds = append(kinds, drift.Kinds(kind)+" ("+strconv.Itoa(d.Skipped[kind])+")")
	}
	if total == 0 {
		return ""
	}
	return phrase.Count(total, "resource") + " that CloudFormation cannot compare: " + strings.Join(kinds, ", ")
}
