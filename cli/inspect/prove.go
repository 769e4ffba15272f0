package inspect

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/cloud"
	"gatewright/cli/command"
	"gatewright/deploy/index"
	"gatewright/internal/cfn"
	"gatewright/internal/prove"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/validate"
	"gatewright/render/policy"
	"gatewright/render/template"
)

// proveCommand is one run of `prove`.
type proveCommand struct {
	streams command.Streams
	env     command.EnvironmentFlag
	api     string
	// stack is the stack whose templates are compared; region and profile say where it is.
	stack, region, profile string
	given                  []string
	json                   bool
	// inForce is what of that stack is in force; refused is why that is not known.
	inForce *prove.Deployment
	refused error
}

// NewProve makes the command prove.
func NewProve(streams command.Streams) *cobra.Command {
	x := proveCommand{streams: streams}
	cmd := &cobra.Command{
		Use:   "prove [TEMPLATE]",
		Short: "Prove that a CloudFormation template grants the same access",
		Long: `Compare who may call an API by a CloudFormation template with the project's access, for every
caller and every request. The template may come from gatewright, the Amplify CLI, SAM or the CDK; without TEMPLATE
it is the environment's own.

Callers are those without credentials, guests, signed-in users and members of each group. It does not try examples:
what it calls equal is equal for every method and every path. It looks for the templates of nested stacks next to
TEMPLATE. With --stack it compares the templates of a stack as AWS has them.

The exit code is 0 if they are equal and 3 if not. Requests that AWS refuses because a policy cannot tell them apart
from others (see: gatewright validate --for aws) are listed, and are no difference.`,
		Example: command.Examples("prove", "prove cdk.out/Shop.template.json --api shop",
			"prove --stack gatewright-d123-main-branch-0123456789"),
		Args: command.Optional("a TEMPLATE"),
		RunE: func(_ *cobra.Command, args []string) error {
			if x.stack != "" && len(args) > 0 {
				return command.Misuse("give a TEMPLATE or --stack STACK, not both")
			}
			if x.stack == "" && (x.region != "" || x.profile != "") {
				return command.Misuse("--region and --profile need --stack STACK")
			}
			return command.WithProject(streams, func(p *project.Project) error { return x.run(p, args) })
		},
	}
	x.env.Add(cmd, streams, "the environment whose APIs are compared (default: the chosen one)")
	cmd.Flags().StringVar(&x.api, "api", "", "compare only the API with this `LABEL`")
	cmd.Flags().StringVar(&x.stack, "stack", "", "the `STACK` in AWS whose templates are compared")
	cmd.Flags().StringVar(&x.region, "region", "", "the `REGION` of the stack (default: the environment's)")
	cmd.Flags().StringVar(&x.profile, "profile", "", "the AWS `PROFILE` to use; it is not stored")
	_ = cmd.RegisterFlagCompletionFunc("region", command.CompleteWords(model.Regions...))
	_ = cmd.RegisterFlagCompletionFunc("profile", cloud.CompleteProfile)
	cmd.Flags().StringArrayVar(&x.given, "parameter", nil, "a parameter of the template, as `NAME=VALUE`")
	cmd.Flags().BoolVar(&x.json, "json", false, "report as JSON")
	_ = cmd.RegisterFlagCompletionFunc("api", command.CompleteValue(streams, model.KindAPI))
	return cmd
}

// proof is the report of prove.
type proof struct {
	Equal    bool   `json:"equal"`
	Template string `json:"template"`
	*prove.Report
}

func (x *proveCommand) run(p *project.Project, args []string) error {
	if x.api != "" {
		if err := p.Backend.Known(model.Ref{Kind: model.KindAPI, Name: x.api}); err != nil {
			return err
		}
	}
	if len(p.Backend.APIs) == 0 {
		return errors.New("there is no API; add one with: gatewright add api")
	}
	parameters, err := x.parameters()
	if err != nil {
		return err
	}
	env, err := x.environment(p, len(args) == 0 && x.stack == "")
	if err != nil {
		return err
	}
	if x.stack != "" {
		return x.stackInCloud(p, env, parameters)
	}
	t, open, name, err := x.template(p, env, args)
	if err != nil {
		return err
	}
	return x.compare(p, env, name, t, open, parameters, x.policiesBeside(t, args)...)
}

// stackInCloud compares the templates of a stack in AWS. Without a chosen environment, that of
// the stack is compared.
func (x *proveCommand) stackInCloud(p *project.Project, env *model.Environment, parameters map[string]string) error {
	for _, e := range p.Backend.Environments {
		if x.env == "" && index.StackOf(p.Backend, e) == x.stack {
			env = e
		}
	}
	aws := cloud.Provider(x.streams)
	aws.Region, aws.Profile = x.region, x.profile
	found, err := aws.Templates(context.Background(), p, env, x.stack)
	if err != nil {
		return err
	}
	maps.Copy(found.Parameters, parameters)
	x.inForce, x.refused = found.InForce, found.Refused
	return x.compare(p, env, "the stack "+x.stack, found.Root, func(_, id, _ string) (*cfn.Template, error) {
		if nested := found.Nested[id]; nested != nil {
			return nested, nil
		}
		return nil, errors.New("the stack has no nested stack " + phrase.Quote(id))
	}, found.Parameters)
}

// compare compares templates with the project, and prints the report.
func (x *proveCommand) compare(
	p *project.Project, env *model.Environment, name string, t *cfn.Template, open prove.Open,
	parameters map[string]string, beside ...*cfn.Template,
) error {
	deployment, err := prove.Read(t, parameters, open, beside...)
	if err != nil {
		return fmt.Errorf("%s: %w", phrase.Quote(name), err)
	}
	b := p.Backend.For(env)
	options := prove.Options{API: x.api, Policies: policy.Patterns(b)}
	report := proof{Template: name, Report: prove.Compare(deployment, b, options)}
	if x.inForce != nil {
		report.Report = prove.Compare(x.inForce, b, options)
	}
	if x.refused != nil {
		report.Undecided = append(report.Undecided, "its policies in force are not known: "+x.refused.Error())
	}
	report.Equal = report.Report.Equal()
	if err := command.Print(x.streams.Out, x.json, report, func(int) string { return report.text() }); err != nil {
		return err
	}
	if !report.Equal {
		return command.ExitDiffers
	}
	return nil
}

// environment returns the environment whose APIs are compared; nil, for all APIs, if none
// is chosen and a template is given.
func (x *proveCommand) environment(p *project.Project, needed bool) (*model.Environment, error) {
	if x.env != "" || needed {
		return command.EnvironmentOf(p, x.env.String())
	}
	return p.CurrentEnvironment(), nil
}

func (x *proveCommand) parameters() (map[string]string, error) {
	parameters := make(map[string]string)
	for _, text := range x.given {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, command.Misuse("--parameter %s: write NAME=VALUE", phrase.Quote(text))
		}
		parameters[name] = value
	}
	return parameters, nil
}

// template reads the template that is named, or makes that of the environment.
func (x *proveCommand) template(
	p *project.Project, env *model.Environment, args []string,
) (t *cfn.Template, open prove.Open, name string, err error) {
	if len(args) == 0 {
		t, open, err = renderedTemplate(p, env)
		return t, open, "the template of " + env.Name, err
	}
	name, text, err := command.ReadInput(args[0], x.streams)
	if err != nil {
		return nil, nil, name, err
	}
	t, err = cfn.Parse(name, text)
	return t, openBeside(filepath.Dir(command.Absolute(args[0], x.streams))), name, err
}

// amplifyPolicies is the file with the policies of signed-in users and guests for all APIs of
// an Amplify CLI project. It is next to the folders of the APIs.
const amplifyPolicies = "APIGatewayAuthStack.json"

// policiesBeside reads that file for the template of one API, which has no such policies.
func (x *proveCommand) policiesBeside(t *cfn.Template, args []string) []*cfn.Template {
	nested := func(r cfn.Resource) bool { return r.Type == "AWS::CloudFormation::Stack" }
	if len(args) == 0 || args[0] == "-" || slices.ContainsFunc(t.Resources(), nested) {
		return nil
	}
	folder := filepath.Dir(command.Absolute(args[0], x.streams))
	for range 3 {
		text, err := os.ReadFile(filepath.Join(folder, amplifyPolicies))
		if err == nil && len(text) <= mostTemplate {
			if beside, err := cfn.Parse(amplifyPolicies, text); err == nil {
				return []*cfn.Template{beside}
			}
		}
		folder = filepath.Dir(folder)
	}
	return nil
}

// renderedTemplate makes the template of an environment and reads it back.
func renderedTemplate(p *project.Project, env *model.Environment) (*cfn.Template, prove.Open, error) {
	made, err := template.Render(p.Backend, env, template.Options{})
	var refused template.Refused
	if errors.As(err, &refused) {
		return nil, nil, validate.Located(p, refused)[0]
	}
	if err != nil {
		return nil, nil, err
	}
	root, err := cfn.Parse("template.json", made.Body)
	return root, func(url, _, _ string) (*cfn.Template, error) {
		for _, n := range made.Nested {
			if path.Base(url) == path.Base(n.Key) {
				return cfn.Parse(n.Name, n.Body)
			}
		}
		return nil, errors.New("it has no template")
	}, err
}

func (r proof) text() string {
	var lines []string
	for _, d := range r.Differences {
		lines = append(lines, d.String())
	}
	for _, d := range r.Doors {
		lines = append(lines, d.String())
	}
	lines = append(lines, r.Undecided...)
	if len(r.Refused) > 0 {
		lines = append(lines, "refused in AWS, as announced, because a policy cannot tell them from other requests:")
		for _, d := range r.Refused {
			lines = append(lines, "  "+d.String())
		}
	}
	for _, n := range r.Notices {
		lines = append(lines, "note: "+n)
	}
	word := "equal: " + inThousands(r.Decisions) + " decisions"
	if !r.Equal {
		word = "not equal: " + phrase.Count(len(r.Differences), "difference") + " in " +
			inThousands(r.Decisions) + " decisions"
		if n := len(r.Doors); n > 0 {
			word += ", " + phrase.Count(n, "other way") + " to functions"
		}
		if n := len(r.Undecided); n > 0 {
			word += ", " + fmt.Sprint(n) + " not decided"
		}
	}
	return strings.Join(append(lines, word), "\n") + "\n"
}

// inThousands writes a number with a comma after each three digits: 1,344.
func inThousands(n int) string {
	digits := fmt.Sprint(n)
	var parts []string
	for ; len(digits) > 3; digits = digits[:len(digits)-3] {
		parts = append(parts, digits[len(digits)-3:])
	}
	slices.Reverse(parts)
	return strings.Join(append([]string{digits}, parts...), ",")
}
