package run

import (
	"slices"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/cli/lines"
	"gatewright/cli/screen"
	"gatewright/flow/request"
	"gatewright/model"
	"gatewright/project"
	"gatewright/tui/app"
	"gatewright/tui/route"
)

// arguments requires METHOD and PATH, unless the console can ask for them.
func (x *callCommand) arguments(cmd *cobra.Command, args []string) error {
	if err := x.saved.check(cmd, args); err != nil {
		return err
	}
	if x.saved.wanted(cmd) {
		return nil
	}
	if len(args) == 0 && wantsConsole(cmd) {
		if x.screens.Accessible || screen.Available(x.streams) {
			return nil
		}
		if err := screen.GitBash(x.streams); err != nil {
			return err
		}
	}
	return command.Arguments("a METHOD", "a PATH")(cmd, args)
}

// wantsConsole reports whether the command opens the console without METHOD and PATH, if
// there can be one. With a flag that describes the request they are required.
func wantsConsole(cmd *cobra.Command) bool {
	return !slices.ContainsFunc([]string{"query", "header", "data", "as", "include", "json", "password-stdin", "confirm"},
		cmd.Flags().Changed)
}

// open opens the console.
func (x *callCommand) open() error {
	if err := x.screens.Check(); err != nil {
		return err
	}
	if _, _, err := project.Find(x.streams.Dir); err != nil {
		return err
	}
	if err := command.CheckName(x.streams, model.KindEnvironment, x.env.String()); err != nil {
		return err
	}
	if err := command.CheckName(x.streams, model.KindAPI, x.api); err != nil {
		return err
	}
	if x.screens.Accessible {
		var hidden func(string) (string, error)
		if command.Attended(x.streams) {
			hidden = func(question string) (string, error) { return command.AskHidden(x.streams, question) }
		}
		return lines.Console(x.streams.In, x.streams.Out, hidden, x.streams.LookupEnv, x.streams.Dir,
			request.Form{API: x.api, Environment: x.env.String(), Test: x.test})
	}
	return x.screens.Run(x.streams, app.Options{
		Dir: x.streams.Dir, Start: route.Console{API: x.api, Environment: x.env.String(), Test: x.test},
	})
}
