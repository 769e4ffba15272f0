package ship

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/deploy"
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
	// elsewhere says that the client configuration file is wanted in another
	// place or form than the project's own.
	elsewhere bool
}

// NewPipelineDeploy makes the command pipeline-deploy.
func NewPipelineDeploy(streams command.Streams) *cobra.Command {
	x := pipelineCommand{pushCommand: pushCommand{streams: streams}}
	cmd := &cobra.Command{
		Use:   "pipeline-deploy",
		Short: "Deploy the environment of a build's branch, on a build server",
		Long: "Deploy the environment that a build's branch belongs to, and write the client configuration file. The branch is that of\n" +
			"--branch, else the one that the variables of the build server say (GATEWRIGHT_BRANCH, AWS_BRANCH, those of well-known\n" +
			"ones), else the one that git has checked out. The build of a pull request deploys nothing. It never asks: a guarded\n" +
			"environment is deployed by the build of its branch on a build server, and elsewhere with --confirm.",
		Example: "  gatewright pipeline-deploy --out-dir ../web/src\n" +
			"  gatewright pipeline-deploy --app-id \"$AWS_APP_ID\" --branch \"$AWS_BRANCH\"",
		Args: command.Arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := x.conflicts(cmd.Flags().Changed); err != nil {
				return err
			}
			return command.WithProject(streams, x.deploy)
		},
	}
	cmd.Flags().StringVar(&x.branch, "branch", "", "the git `BRANCH` of the build")
	cmd.Flags().StringVar(&x.applicationID, "app-id", "", "the application `ID` that must be the project's")
	x.form.add(cmd)
	x.pushCommand.add(cmd)
	cmd.Flags().BoolVar(&x.force, "force", false, "write the file of --out-dir even where the present one loses something or cannot be read")
	x.guard.Add(cmd)
	return cmd
}

// conflicts refuses flags without a value: a script's variable that is not set.
func (x *pipelineCommand) conflicts(given func(string) bool) error {
	if err := filled(given, map[string]string{
		"branch": x.branch, "app-id": x.applicationID, "out-dir": x.form.folder, "dialect": x.form.dialect, "format": x.form.format,
	}); err != nil {
		return err
	}
	x.elsewhere = given("out-dir") || given("format") || given("dialect")
	if x.force && !x.elsewhere {
		return command.Misuse("--force goes with --out-dir, --format or --dialect: the project's own file keeps what others put there")
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
	report.pushReport, err = x.push(p, env, func() error {
		if confirmed {
			return nil
		}
		// Nothing is asked, whoever sits there.
		return x.guard.Allow(command.Streams{Err: x.streams.Err}, env, "deploy it")
	})
	if report.pushReport == nil {
		return err
	}
	if err == nil && wanted != nil {
		report.File, err = x.write(p, env, wanted)
	}
	if x.json {
		return errors.Join(command.PrintJSON(x.streams.Out, report), err)
	}
	return errors.Join(report.print(x), err)
}

// environment is the environment of the build's branch, and whether the build
// itself says that a guarded one is meant.
func (x *pipelineCommand) environment(p *project.Project) (env *model.Environment, confirmed bool, err error) {
	build, err := deploy.CurrentBuild(x.streams.Dir, os.Getenv)
	if errors.Is(err, deploy.ErrRequest) || err != nil && x.branch == "" {
		return nil, false, asked(err)
	}
	id, from := x.applicationID, "--app-id"
	if id == "" {
		id, from = build.ApplicationID, "a variable of the build"
	}
	if own := p.Backend.Project.ApplicationID; id != "" && own != "" && id != own {
		return nil, false, command.Misuse("%s says the application id %s, and the project here has %s; nothing is deployed", from, model.Quote(id), model.Quote(own))
	}
	branch := x.branch
	if branch == "" {
		branch = build.Branch
	}
	// What a build server knows of its branch is what somebody set up there; who
	// opens a pull request did not.
	confirmed = deploy.IsCI(os.Getenv) && !errors.Is(err, deploy.ErrPullRequest) && (err != nil || build.Branch == branch)
	env, err = deploy.EnvironmentOf(p.Backend, branch)
	if err != nil {
		return nil, false, asked(err)
	}
	return env, confirmed, nil
}

// wanted gives what makes the file asked for from a deployment's record; nil
// where only the project's own is wanted, which the push writes. What would be
// refused after the push is refused before it.
func (x *pipelineCommand) wanted(p *project.Project, env *model.Environment) (func(project.Record) (*outputFile, error), error) {
	if !x.elsewhere {
		return nil, nil
	}
	record, err := deploy.Preview(deploy.Target{Project: p, Environment: env, Now: time.Now()}, nil)
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
		return nil, fmt.Errorf("nothing is deployed: %w", err)
	}
	if !hasOutputs(record.Values) {
		return nil, &model.Problem{
			Of: model.Ref{Kind: model.KindEnvironment, Name: env.Name}, Text: "has no outputs that " + project.QuotePath(f.name) + " could hold; nothing is deployed",
			Fix: "add an API, a user pool or an output, or leave --out-dir, --format and --dialect away", Cause: deploy.ErrNoOutputs,
		}
	}
	return wanted, nil
}

// write writes the file of what is deployed now.
func (x *pipelineCommand) write(p *project.Project, env *model.Environment, of func(project.Record) (*outputFile, error)) (*outputReport, error) {
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
		r.Notes = append(r.Notes, f.becomes()...)
		return r, nil
	}
	f, did, err := writeOver(wanted, x.force)
	if err != nil {
		return nil, fmt.Errorf("environment %s is deployed, but the file asked for is not written: %w", model.Quote(env.Name), err)
	}
	return f.done(did), nil
}

// deployed is the record of what is deployed, or with --dry-run would be.
func (x *pipelineCommand) deployed(p *project.Project, env *model.Environment) (project.Record, error) {
	if x.dryRun {
		return deploy.Preview(deploy.Target{Project: p, Environment: env, Now: time.Now()}, nil)
	}
	return project.ReadRecord(p.Root, env.Name)
}

// pipelineReport is what `pipeline-deploy` reports: the push, and the file where
// it is another one than the project's own.
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
