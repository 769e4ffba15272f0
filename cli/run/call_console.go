package run

import (
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/cli/lines"
	"gatewright/cli/screen"
	"gatewright/model"
	"gatewright/project"
	"gatewright/request"
	"gatewright/tui/app"
	"gatewright/tui/route"
)

// arguments are METHOD and PATH, or neither where somebody can be asked.
func (x *calling) arguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 && x.asks(cmd) {
		return nil
	}
	return command.Arguments("a METHOD", "a PATH")(cmd, args)
}

// asks reports whether the console can take the place of METHOD and PATH: what says
// the rest of a request belongs to one that is given whole.
func (x *calling) asks(cmd *cobra.Command) bool {
	for _, name := range []string{"query", "header", "data", "as", "include", "json"} {
		if cmd.Flags().Changed(name) {
			return false
		}
	}
	return x.screens.Accessible || screen.Available(x.streams)
}

// open opens the console.
func (x *calling) open() error {
	if err := x.screens.Check(); err != nil {
		return err
	}
	if _, _, err := project.Find(x.streams.Dir); err != nil {
		return err
	}
	if name := x.env.String(); name != "" {
		if err := command.ReadBackend(x.streams).Known(model.Ref{Kind: model.KindEnvironment, Name: name}); err != nil {
			return err
		}
	}
	if x.api != "" {
		if err := command.ReadBackend(x.streams).Known(model.Ref{Kind: model.KindAPI, Name: x.api}); err != nil {
			return err
		}
	}
	if x.screens.Accessible {
		return lines.Console(x.streams.In, x.streams.Out, x.streams.Dir, request.Form{API: x.api, Environment: x.env.String(), Test: x.test})
	}
	// The screens take signals themselves: they have a terminal to put in order.
	signal.Reset(os.Interrupt)
	return app.Run(app.Options{
		Dir: x.streams.Dir, In: x.streams.In, Out: x.streams.Out, Environ: os.Environ(), Theme: x.screens.Theme,
		Start: route.Console{API: x.api, Environment: x.env.String(), Test: x.test},
	})
}
