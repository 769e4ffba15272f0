package design

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/plan"
)

// NewInit makes the command init.
func NewInit(streams command.Streams) *cobra.Command {
	var (
		write                                  command.WriteFlags
		name, id, region, environment, dialect string
	)
	cmd := &cobra.Command{
		Use:   "init --name NAME",
		Short: "Start a project in this folder",
		Long: `Start a project in this folder: a definition with one environment, dev, which is deployed to this
machine. Add an API next: gatewright add api`,
		Example: command.Examples("init --name bookshop",
			"init --name bookshop --region eu-west-1 --env staging",
			"init --name bookshop --dialect amplify --dry-run"),
		Args: command.Arguments(),
		RunE: func(*cobra.Command, []string) error {
			if name == "" {
				return command.Misuse("init needs --name NAME; try: gatewright init --name %s",
					model.SuggestName(filepath.Base(streams.Dir), "my-api"))
			}
			if id == "" {
				id = project.NewApplicationID()
			}
			p, err := newProject(streams)
			if err != nil {
				return err
			}
			defer func() { _ = p.Close() }()
			next, err := p.Backend.Edit(func(b *model.Backend) error {
				if err := edit.SetProject(b, model.Project{
					Name: name, ApplicationID: id, Region: region,
					Dialect: model.Dialect(dialect),
				}); err != nil {
					return err
				}
				return edit.AddEnvironment(b, &model.Environment{Name: environment, Provider: model.Local})
			})
			if err != nil {
				return err
			}
			plan, err := plan.Of(p, next)
			if err != nil {
				return err
			}
			return write.Write(plan, fmt.Sprintf("created project %s with environment %s", name, environment), nil, streams)
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "the project's `NAME`")
	cmd.Flags().StringVar(&id, "app-id", "", "the application `ID` (default: a new one)")
	cmd.Flags().StringVar(&region, "region", "", "the default `REGION` of its environments")
	cmd.Flags().StringVar(&environment, "env", model.FirstEnvironment,
		"the name of the first environment, `ENV`; it is deployed to this machine")
	cmd.Flags().StringVar(&dialect, "dialect", string(model.Neutral),
		"the `DIALECT` of the client configuration file: neutral or amplify")
	_ = cmd.RegisterFlagCompletionFunc("region", command.CompleteWords(model.Regions...))
	_ = cmd.RegisterFlagCompletionFunc("dialect", command.CompleteWords(command.Words(model.Dialects)...))
	write.Add(cmd)
	return cmd
}

// newProject returns an empty project in the folder that the command runs in.
func newProject(streams command.Streams) (*project.Project, error) {
	root, layout, err := project.Find(streams.Dir)
	dir, absErr := filepath.Abs(streams.Dir)
	switch {
	case absErr != nil:
		return nil, fmt.Errorf("creating the project: %w", absErr)
	case err == nil && root == dir && layout == project.Amplify:
		return nil, errors.New("this folder holds an Amplify CLI project, which gatewright opens as it is; try: gatewright " +
			"validate")
	case err == nil && root == dir:
		return nil, errors.New("this folder already holds a project; try: gatewright validate")
	case err == nil:
		command.Say(streams.Err, "note: this folder is inside another project, %s", root)
	}
	fsys, err := disk.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("creating the project: %w", err)
	}
	return project.New(fsys, fsys.Close), nil
}
