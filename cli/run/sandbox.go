// Package run has the commands that run a project on this machine: sandbox, call,
// mock and logs.
package run

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/deploy/index"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/live"
	"gatewright/sandbox/worker"
)

// NewSandbox makes the command sandbox and those below it.
func NewSandbox(streams command.Streams) *cobra.Command {
	var (
		env     command.EnvironmentFlag
		port    int
		options live.Options
		verbose bool
		set     []string
		mock    []string
		// checkContract is --check-contract.
		checkContract bool
		fetch         bool
	)
	cmd := &cobra.Command{
		Use:   "sandbox [COMMAND]",
		Short: "Run the project on this machine: APIs, functions, schedules",
		Long: `Run the project on this machine, on 127.0.0.1 only: the chosen environment from the working tree,
every other local one as it was last pushed. Edit sources and definitions while it runs. ctrl+c ends it.

The client configuration file follows your changes. ctrl+c (or SIGTERM) ends everything that the sandbox started,
with exit code 0. A second ctrl+c ends it at once, with exit code 130.

A function gets its own environment variables, ENV, REGION, and one for each resource that it may access, such as
TABLE_ITEMS_NAME, API_SHOP_URL or FUNCTION_MAIL_NAME; ${TABLE_ITEMS_NAME} in a value stands for the variable's
value. Values of secrets come from .gatewright/secrets/ENVIRONMENT.json: {"NAME": "value"}, a file that only you may
be able to read (chmod 600). Parameters of Systems Manager and secrets of Secrets Manager come from the same file. A
request to another service of the cloud is refused, unless you give --allow-cloud.

With --check-contract, each request and its response are checked against the OpenAPI document of the API. The
sandbox prints what breaks it once, and shows it in the log and with each request (logs --requests). --mock responds
with the examples of that document, under a header x-gatewright-mock; access is decided as always. Both are for the
environment that is served from the working tree.

Packages are installed into the user's cache (GATEWRIGHT_CACHE), never into the project.`,
		Example: command.Examples("sandbox", "sandbox --env qa --port 4300", "sandbox --inspect books",
			"sandbox --once --port 0"),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && len(mock) > 0 && strings.HasPrefix(args[0], "/") {
				return command.Misuse("--mock takes its path after an equals sign: --mock=%s", args[0])
			}
			return command.Arguments()(cmd, args)
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			options.Dir, options.Environment = streams.Dir, env.String()
			if cmd.Flags().Changed("port") {
				const last = 65535
				if port < 0 || port > last {
					return command.Misuse("--port must be 1 to %d, or 0 for any free port, not %d", last, port)
				}
				options.Port = port
				if port == 0 {
					options.Port = live.AnyPort
				}
			}
			var err error
			if options.Set, err = assignments(set); err != nil {
				return err
			}
			if options.Mock, err = mockedPaths(mock); err != nil {
				return err
			}
			if checkContract {
				options.Contracts = live.AllContracts
			}
			if err := command.CheckTableEndpoint(options.TableEndpoint); err != nil {
				return err
			}
			if cmd.Flags().Changed("inspect") && options.Inspect == "" {
				return command.Misuse("--inspect is empty; give --inspect FUNCTION")
			}
			if options.StrictMemory && !worker.MeasuresMemory {
				return command.Misuse("--strict-memory: this system does not say how much memory a process uses; use Linux or " +
					"Windows")
			}
			asked := fetching{streams: streams}
			if cmd.Flags().Changed("fetch-runtimes") {
				asked.answer = &fetch
			}
			options.Fetch = asked.runtimes
			return runSandbox(streams, options, verbose)
		},
	}
	flags := cmd.Flags()
	env.Add(cmd, streams, "the environment to serve (default: the chosen one)")
	flags.IntVar(&port, "port", 0, "the `PORT` to listen on; 0 for any free one (default: the project's)")
	flags.BoolVar(&options.Once, "once", false, "write the client configuration file, check, and exit")
	flags.BoolVar(&options.RequireSignatures, "require-signatures", false,
		"refuse unsigned requests, as AWS does; on restricted paths, even with a token")
	flags.BoolVar(&fetch, "fetch-runtimes", false,
		"fetch missing Node.js and Python versions; now and from now on, with =false never")
	flags.StringVar(&options.Inspect, "inspect", "",
		"let the `FUNCTION` wait for a debugger; prints the port (Node.js)")
	command.AddTableEndpoint(cmd, &options.TableEndpoint)
	flags.StringArrayVar(&set, "set", nil, "set a variable of all functions, as `NAME=VALUE`; can be repeated")
	flags.BoolVar(&options.AllowCloud, "allow-cloud", false,
		"let functions call other cloud services; with credentials from --set")
	flags.BoolVar(&options.StrictMemory, "strict-memory", false,
		"kill a function over its memory, as AWS does; without it, the log has an error")
	flags.BoolVar(&checkContract, "check-contract", false, "check requests and responses by the contract")
	flags.StringArrayVar(&mock, "mock", nil,
		"respond with the contract's examples; calls no function; =`PATH` for it and what is below "+
			"it; can be repeated")
	flags.Lookup("mock").NoOptDefVal = "/"
	flags.BoolVarP(&verbose, "verbose", "v", false, "print every path, and every function start")
	_ = cmd.RegisterFlagCompletionFunc("inspect", command.CompleteValue(streams, model.KindFunction))
	_ = cmd.RegisterFlagCompletionFunc("mock", cobra.NoFileCompletions)
	_ = cmd.RegisterFlagCompletionFunc("port", cobra.NoFileCompletions)
	cmd.AddCommand(newSandboxReset(streams), newSandboxExport(streams), newSandboxImport(streams),
		newSandboxRepair(streams))
	return cmd
}

// mockedPaths reads the values of --mock.
func mockedPaths(paths []string) ([]string, error) {
	for _, path := range paths {
		if !strings.HasPrefix(path, "/") {
			return nil, command.Misuse("--mock needs a path that begins with /, such as --mock=/books, not %s",
				phrase.Quote(path))
		}
	}
	return paths, nil
}

// assignments reads the values of --set.
func assignments(texts []string) (map[string]string, error) {
	values := make(map[string]string)
	for _, text := range texts {
		name, value, found := strings.Cut(text, "=")
		if !found {
			return nil, command.Misuse("--set needs NAME=VALUE, not %s", phrase.Quote(text))
		}
		if err := model.CheckVariableName(name); err != nil {
			return nil, command.Misuse("--set: %s", err)
		}
		values[name] = value
	}
	return values, nil
}

func runSandbox(streams command.Streams, options live.Options, verbose bool) error {
	var problem *model.Problem
	printer := &sandboxPrinter{streams: streams, verbose: verbose}
	end := command.Interruptible(streams)
	defer end.Done()
	options.Hurry = end.Hurry
	options.Notify, options.Getenv = printer.say, streams.Getenv
	err := command.InTurn(end.Context, streams, func() error { return live.Run(end.Context, options) })
	switch {
	case end.Hurried.Load():
		return command.ExitInterrupted
	case errors.As(err, &problem) && errors.Is(err, index.ErrRequest):
		return command.Misuse("%s", err)
	case err == nil && options.Once:
		return command.PrintText(streams.Out, "checked: every path answers, every handler has its file\n")
	case err == nil:
		return command.PrintText(streams.Out, "the sandbox has ended\n")
	}
	return err
}

// connect finds the running sandbox of the project that the command runs in.
func connect(streams command.Streams) (*sandbox.Client, error) {
	root, _, err := project.Find(streams.Dir)
	if err != nil {
		return nil, err
	}
	return sandbox.Connect(live.State(root))
}
