package ship

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/deploy/aws"
	"gatewright/deploy/buildserver"
	"gatewright/deploy/contract"
	"gatewright/deploy/index"
	"gatewright/deploy/local"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
)

// pipelineCommand is one run of `pipeline-deploy`.
type pipelineCommand struct {
	pushCommand
	applicationID, branch string
	form                  fileForm
	guard                 command.GuardFlag
	force                 bool
	// elsewhere says that flags ask for a client configuration file in another folder, format
	// or dialect than the project's own.
	elsewhere bool
}

// NewPipelineDeploy makes the command pipeline-deploy.
func NewPipelineDeploy(streams command.Streams) *cobra.Command {
	x := pipelineCommand{pushCommand: pushCommand{streams: streams}}
	cmd := &cobra.Command{
		Use:   "pipeline-deploy",
		Short: "Deploy the environment of a build's branch, on a build server",
		Long: `Deploy the environment of the branch that a build server builds, and write the client
configuration file. It never asks; outside of a build server, a guarded environment needs --confirm.

The branch comes from --branch, otherwise from the variables of the build server (GATEWRIGHT_BRANCH, AWS_BRANCH, and
those of well-known servers), otherwise from git. The build of a pull request deploys nothing. On a build server, a
build of its branch deploys a guarded environment.`,
		Example: command.Examples("pipeline-deploy --out-dir ../web/src",
			`pipeline-deploy --app-id "$AWS_APP_ID" --branch "$AWS_BRANCH"`,
			"pipeline-deploy --branch main --dry-run"),
		Args: command.Arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := x.conflicts(cmd.Flags().Changed); err != nil {
				return err
			}
			return command.WithProject(streams, x.deploy)
		},
	}
	cmd.Flags().StringVar(&x.branch, "branch", "", "the git `BRANCH` of the build")
	cmd.Flags().StringVar(&x.applicationID, "app-id", "", "the application `ID`; it must be the project's")
	_ = cmd.RegisterFlagCompletionFunc("branch",
		func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			var branches []string
			for _, env := range command.ReadBackend(streams).Environments {
				branches = append(branches, env.BranchName())
			}
			return command.Offered(branches, typed), cobra.ShellCompDirectiveNoFileComp
		})
	_ = cmd.RegisterFlagCompletionFunc("app-id",
		func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return command.Offered([]string{command.ReadBackend(streams).Project.ApplicationID}, typed),
				cobra.ShellCompDirectiveNoFileComp
		})
	x.form.add(cmd)
	x.pushCommand.add(cmd, streams)
	cmd.Flags().BoolVar(&x.force, "force", false, "write even if the file loses values; or cannot be read")
	x.guard.Add(cmd, streams)
	return cmd
}

// conflicts returns an error for flags that exclude each other, or that are empty.
func (x *pipelineCommand) conflicts(given func(string) bool) error {
	if err := filled(given, map[string]string{
		"branch": x.branch, "app-id": x.applicationID, "out-dir": x.form.folder, "dialect": x.form.dialect,
		"format": x.form.format,
	}); err != nil {
		return err
	}
	x.elsewhere = given("out-dir") || given("format") || given("dialect")
	if x.force && !x.elsewhere {
		return command.Misuse("--force needs --out-dir, --format or --dialect: the project's own file loses no values")
	}
	return x.form.check()
}

// deploy deploys the environment of the build's branch.
func (x *pipelineCommand) deploy(p *project.Project) error {
	if err := deployable(p, "push"); err != nil {
		return err
	}
	env, confirmed, err := x.environment(p)
	if err != nil {
		return err
	}
	wanted, err := x.wanted(p, env)
	if err != nil {
		return err
	}
	report := pipelineReport{}
	allow := func() error {
		if confirmed {
			return nil
		}
		// Without an input, Allow never asks.
		return x.guard.Allow(command.Streams{Err: x.streams.Err}, env, "deploy it")
	}
	if env.Provider == model.AWS {
		report.pushReport, err = x.toCloud(p, env, allow)
	} else {
		report.pushReport, err = x.push(p, env, allow)
	}
	if report.pushReport == nil {
		return err
	}
	if err == nil && wanted != nil && !(x.dryRun && env.Provider == model.AWS) {
		report.File, err = x.write(p, env, wanted)
	}
	if x.json {
		return errors.Join(command.PrintJSON(x.streams.Out, report), err)
	}
	return errors.Join(report.print(x), err)
}

// toCloud deploys an environment to the cloud. The owners of a build server have decided that
// it deploys the branch, so nothing is asked.
func (x *pipelineCommand) toCloud(p *project.Project, env *model.Environment, allow func() error) (*pushReport, error) {
	if err := allow(); err != nil {
		return nil, err
	}
	streams := x.streams
	streams.In = nil
	push := x.pushCommand
	push.streams = streams
	c := cloudPush{
		pushCommand: &push, project: p, env: env,
		allow:   func(string) error { return nil },
		consent: func(*aws.Push) error { return nil },
	}
	return c.run()
}

// environment returns the environment of the build's branch, and whether the build itself
// confirms a guarded one.
func (x *pipelineCommand) environment(p *project.Project) (env *model.Environment, confirmed bool, err error) {
	build, err := buildserver.Current(x.streams.Dir, x.streams.Getenv)
	if errors.Is(err, index.ErrRequest) || err != nil && x.branch == "" {
		return nil, false, asked(err)
	}
	id, from := x.applicationID, "--app-id"
	if id == "" {
		id, from = build.ApplicationID, "a variable of the build"
	}
	if own := p.Backend.Project.ApplicationID; id != "" && own != "" && id != own {
		return nil, false,
			command.Misuse("%s gives the application ID %s, but this project has %s; nothing was deployed", from,
				phrase.Quote(id), phrase.Quote(own))
	}
	branch := x.branch
	if branch == "" {
		branch = build.Branch
	}
	// Only the owners of a build server configure which branches it builds; anyone can open a
	// pull request.
	confirmed = buildserver.IsCI(x.streams.Getenv) && !errors.Is(err, buildserver.ErrPullRequest) &&
		(err != nil || build.Branch == branch)
	env, err = index.EnvironmentOf(p.Backend, branch)
	if err != nil {
		return nil, false, asked(err)
	}
	return env, confirmed, nil
}

// wanted returns the function that makes the file of --out-dir from a deployment's record;
// nil if it is the project's own file, which the push writes. It fails before the push if
// the file could not be written after it.
func (x *pipelineCommand) wanted(
	p *project.Project, env *model.Environment,
) (func(project.Record) (*outputFile, error), error) {
	if !x.elsewhere {
		return nil, nil
	}
	if env.Provider == model.AWS {
		// What AWS will give is known only afterwards.
		return func(record project.Record) (*outputFile, error) {
			return recordSource(record, p, x.form).file(x.form, p, x.streams, x.force)
		}, nil
	}
	record, err := local.Preview(contract.Target{Project: p, Environment: env, Now: time.Now()}, nil)
	if err != nil {
		return nil, err
	}
	wanted := func(record project.Record) (*outputFile, error) {
		return recordSource(record, p, x.form).file(x.form, p, x.streams, x.force)
	}
	f, err := wanted(record)
	if err == nil && f.own != nil {
		return nil, nil
	}
	if err == nil && !x.force {
		err = f.refuse()
	}
	if err != nil {
		return nil, fmt.Errorf("nothing was deployed: %w", err)
	}
	if !hasOutputs(record.Values) {
		return nil, &model.Problem{
			Of:    model.Ref{Kind: model.KindEnvironment, Name: env.Name},
			Text:  "has no outputs for " + phrase.QuotePath(f.name) + "; nothing was deployed",
			Fix:   "add an API, a user pool or an output, or leave out --out-dir, --format and --dialect",
			Cause: index.ErrNoOutputs,
		}
	}
	return wanted, nil
}

// write writes the file of what is deployed now.
func (x *pipelineCommand) write(
	p *project.Project, env *model.Environment, of func(project.Record) (*outputFile, error),
) (*outputReport, error) {
	record, err := x.deployed(p, env)
	if err != nil {
		return nil, err
	}
	wanted := func() (*outputFile, error) { return of(record) }
	if x.dryRun {
		f, err := wanted()
		if err != nil {
			return nil, err
		}
		r := f.report()
		r.Notes = append(r.Notes, f.replaced()...)
		return r, nil
	}
	f, written, err := writeOver(wanted, x.force)
	if err != nil {
		return nil, fmt.Errorf("environment %s is deployed, but its client configuration file cannot be written: %w",
			phrase.Quote(env.Name), err)
	}
	return f.done(written), nil
}

// deployed is the record of what is deployed, or with --dry-run would be.
func (x *pipelineCommand) deployed(p *project.Project, env *model.Environment) (project.Record, error) {
	if x.dryRun && env.Provider == model.Local {
		return local.Preview(contract.Target{Project: p, Environment: env, Now: time.Now()}, nil)
	}
	return project.ReadRecord(p.Root, env.Name)
}

// pipelineReport is what `pipeline-deploy` reports: the push, and the file of --out-dir.
type pipelineReport struct {
	*pushReport
	File *outputReport `json:"file,omitempty"`
}

// print prints the push, and the file after it.
func (r pipelineReport) print(x *pipelineCommand) error {
	err := r.pushReport.print(&x.pushCommand)
	if r.File == nil || err != nil {
		return err
	}
	command.SayNotes(x.streams.Err, r.File.Notes)
	return command.PrintText(x.streams.Out, command.Folded("", r.File.line(x.dryRun), command.WidthOf(x.streams.Out)))
}
