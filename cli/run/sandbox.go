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
		Use:   "sandbox",
		Short: "Run the project on this machine: its APIs, functions and schedules",
		Long: "Run the project on this machine, on 127.0.0.1 only: the chosen environment from the working tree, every " +
			"other local one as\n" +
			"it was last pushed. You can edit sources and definitions meanwhile; the client configuration file follows them.\n" +
			"Ctrl-C (or SIGTERM) ends it and everything that it started, with exit code 0. A second one ends it at once, with " +
			"exit code\n" +
			"130.\n\n" +
			"A function gets its own environment variables, ENV, REGION, and one for each resource that it may " +
			"access, such as\n" +
			"TABLE_ITEMS_NAME, API_SHOP_URL or FUNCTION_MAIL_NAME; ${TABLE_ITEMS_NAME} in a value stands for that. Values of " +
			"secrets come from .gatewright/secrets/ENVIRONMENT.json:\n" +
			"{\"NAME\": \"value\"}, which only you may be able to read (chmod 600). Parameters of Systems Manager and secrets " +
			"of Secrets Manager\n" +
			"are answered from the same file. A request to another service of the cloud is refused, unless --allow-cloud is " +
			"given.\n" +
			"With --check-contract, each request and its answer are held against the OpenAPI document that is kept beside the " +
			"API: what\n" +
			"breaks it is told here once, and in the log and with each request (logs --requests). --mock answers with the " +
			"examples of\n" +
			"that document, under a header x-gatewright-mock; who may send the request is decided as always. Both " +
			"are for the\n" +
			"environment that is served from the working tree.\n\n" +
			"Packages are installed into the user's cache (GATEWRIGHT_CACHE), never into the project.",
		Example: "  gatewright sandbox\n  gatewright sandbox --env qa --port 4300\n  gatewright sandbox --once --port 0\n  " +
			"gatewright sandbox --inspect books",
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
				return command.Misuse("--inspect needs the name of a function")
			}
			if options.StrictMemory && !worker.MeasuresMemory {
				return command.Misuse("--strict-memory: this system does not tell how much memory a running process has; use " +
					"Linux or Windows")
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
	env.Add(cmd, streams, "the environment that is served from the working tree (default: the chosen one)")
	flags.IntVar(&port, "port", 0, "the `PORT` to listen on, 0 for any free one (default: the project's)")
	flags.BoolVar(&options.Once, "once", false, "write the client configuration file, check paths and handlers, and exit")
	flags.BoolVar(&options.RequireSignatures, "require-signatures", false,
		"refuse unsigned requests to restricted paths, even with a token, as the cloud does")
	flags.BoolVar(&fetch, "fetch-runtimes", false,
		"fetch the versions of Node.js and Python that functions are deployed on and this machine lacks, now and from "+
			"now on; with =false never")
	flags.StringVar(&options.Inspect, "inspect", "",
		"have the `FUNCTION` (Node.js) wait for a debugger, and print its port")
	command.AddTableEndpoint(cmd, &options.TableEndpoint)
	flags.StringArrayVar(&set, "set", nil, "give the functions an environment variable: `NAME=VALUE`; can be repeated")
	flags.BoolVar(&options.AllowCloud, "allow-cloud", false,
		"let requests of functions to other services of the cloud leave this machine, with credentials that --set gives")
	flags.BoolVar(&options.StrictMemory, "strict-memory", false,
		"kill a function that uses more memory than it has, as the cloud does; else that is an error in its log")
	flags.BoolVar(&checkContract, "check-contract", false,
		"tell of requests and answers that break the OpenAPI document of their API")
	flags.StringArrayVar(&mock, "mock", nil,
		"answer with the examples of that document, and call no function: for all paths, or with =`PATH` for it and those "+
			"below it; can be repeated")
	flags.Lookup("mock").NoOptDefVal = "/"
	flags.BoolVarP(&verbose, "verbose", "v", false, "print every path, and each start of a function")
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
