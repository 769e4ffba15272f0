package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox"
)

// newSandbox is the command that serves the project on this machine.
func newSandbox(streams Streams) *cobra.Command {
	var (
		env     environmentFlag
		port    int
		options deploy.LiveOptions
		verbose bool
	)
	cmd := &cobra.Command{
		Use:   "sandbox",
		Short: "Run the project on this machine: its APIs, functions and schedules",
		Long: "Run the project on this machine, on 127.0.0.1 only: the chosen environment from the working tree, every other local one as\n" +
			"it was last pushed. Sources and definitions may be edited meanwhile; the client configuration file follows them.\n" +
			"Ctrl-C (or SIGTERM) ends it and everything that it started, with exit code 0; a second one waits for nothing, exit code 130.\n\n" +
			"A function finds its own environment variables, ENV, REGION, and for each resource that it may access KIND_NAME_WHAT, such as\n" +
			"TABLE_ITEMS_NAME, API_SHOP_URL or FUNCTION_MAIL_NAME. Values of secrets come from .gatewright/secrets/ENVIRONMENT.json:\n" +
			"{\"NAME\": \"value\"}, which nobody else may be able to read (chmod 600).",
		Example: "  gatewright sandbox\n  gatewright sandbox --env qa --port 4300\n  gatewright sandbox --once --port 0\n  gatewright sandbox --inspect books",
		Args:    arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			options.Dir, options.Environment = streams.Dir, env.String()
			if cmd.Flags().Changed("port") {
				const last = 65535
				if port < 0 || port > last {
					return misuse("--port %d is no port; give one of 1 to %d, or 0 for any free one", port, last)
				}
				options.Port = port
				if port == 0 {
					options.Port = deploy.AnyPort
				}
			}
			if err := checkTableEndpoint(options.TableEndpoint); err != nil {
				return err
			}
			if cmd.Flags().Changed("inspect") && options.Inspect == "" {
				return misuse("--inspect names a function")
			}
			return runSandbox(streams, options, verbose)
		},
	}
	flags := cmd.Flags()
	env.add(cmd, streams, "the environment that is served from the working tree (default: the chosen one)")
	flags.IntVar(&port, "port", 0, "the `PORT` to listen on, 0 for any free one (default: the project's)")
	flags.BoolVar(&options.Once, "once", false, "write the client configuration file, check paths and handlers, and end")
	flags.BoolVar(&options.RequireSignatures, "require-signatures", false, "refuse requests to restricted paths that are not signed, tokens too, as the cloud does")
	flags.StringVar(&options.Inspect, "inspect", "", "have the `FUNCTION` (Node.js) wait for a debugger, and print its port")
	addTableEndpoint(cmd, &options.TableEndpoint)
	flags.BoolVarP(&verbose, "verbose", "v", false, "say each start of a function too, and every path")
	_ = cmd.RegisterFlagCompletionFunc("inspect", completeValue(streams, model.KindFunction))
	_ = cmd.RegisterFlagCompletionFunc("port", cobra.NoFileCompletions)
	cmd.AddCommand(newSandboxReset(streams), newSandboxExport(streams), newSandboxImport(streams))
	return cmd
}

func runSandbox(streams Streams, options deploy.LiveOptions, verbose bool) error {
	var problem *model.Problem
	printer := &sandboxPrinter{streams: streams, verbose: verbose}
	end := interruptible(streams)
	defer end.done()
	options.Hurry = end.hurry
	options.Say = printer.say
	err := deploy.RunLive(end.ctx, options)
	switch {
	case end.hurried.Load():
		return ExitInterrupted
	case errors.As(err, &problem) && errors.Is(err, deploy.ErrRequest):
		return misuse("%s", err)
	case err == nil && options.Once:
		return printText(streams.Out, "checked: every path answers, every handler has its file\n")
	case err == nil:
		return printText(streams.Out, "ended\n")
	}
	return err
}

// ending is how somebody ends a command that has processes to end.
type ending struct {
	// ctx ends at the first signal, hurry is closed at the second one; the third
	// kills the program.
	ctx     context.Context
	hurry   chan struct{}
	hurried atomic.Bool
	signals chan os.Signal
	done    func()
}

// interruptible lets signals end a command.
func interruptible(streams Streams) *ending {
	ctx, cancel := context.WithCancel(context.Background())
	e := &ending{ctx: ctx, hurry: make(chan struct{}), signals: make(chan os.Signal, 2)}
	stopped := make(chan struct{})
	e.done = sync.OnceFunc(func() {
		signal.Stop(e.signals)
		close(stopped)
		cancel()
	})
	e.take()
	go func() {
		select {
		case <-e.signals:
		case <-stopped:
			return
		}
		say(streams.Err, "ending; again ends at once")
		cancel()
		select {
		case <-e.signals:
		case <-stopped:
			return
		}
		signal.Stop(e.signals)
		e.hurried.Store(true)
		close(e.hurry)
	}()
	return e
}

// take takes the signals from whoever has them: the program's own way to end is
// to end at once (main), which leaves processes behind.
func (e *ending) take() {
	signal.Reset(os.Interrupt)
	signal.Notify(e.signals, os.Interrupt, syscall.SIGTERM)
	// Who started the program with nohup wants it to outlive the terminal.
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(e.signals, syscall.SIGHUP)
	}
}

// connect finds the running sandbox of the project that the command runs in.
func connect(streams Streams) (*sandbox.Client, error) {
	root, _, err := project.Find(streams.Dir)
	if err != nil {
		return nil, err
	}
	return sandbox.Connect(deploy.SandboxState(root))
}

// sandboxEnvironment is the environment that a command of the sandbox is about.
func sandboxEnvironment(p *project.Project, flag string) (*model.Environment, error) {
	if p.Layout == project.Amplify && len(p.Backend.Environments) == 0 {
		return deploy.LiveEnvironment(p, flag)
	}
	return environmentOf(p, flag)
}
