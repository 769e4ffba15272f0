package run

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/logs"
)

// NewLogs makes the command logs.
func NewLogs(streams command.Streams) *cobra.Command {
	var (
		env            command.EnvironmentFlag
		query          logs.Query
		follow, asJSON bool
		requests       bool
	)
	cmd := &cobra.Command{
		Use:   "logs FUNCTION | logs --requests [WORD ...]",
		Short: "Show the log of a function, or the requests that the sandbox answered",
		Long: "Show the log of a function. In a terminal, the lines of an invocation end with one that has its duration, memory and failure, in\n" +
			"place of START, END and REPORT; errors have their stacks, with places in your source. In a pipe or a file, each entry is one line\n" +
			"as it was written, with time, id of the request and level, separated by tabs. Times are in this machine's time zone (TZ).\n" +
			"The name " + logs.Gateway + " shows the log of the gateway, with the reasons of refused requests; " + logs.Identity + " shows the log of the user\n" +
			"pool, with the codes that Cognito would send. -f needs a running sandbox.\n\n" +
			"With --requests it shows each request that the running sandbox answered, calls of tests and schedules included: time, method,\n" +
			"path, status, milliseconds, caller, function, and what is unusual. The sandbox keeps the last 10,000 in memory, without\n" +
			"credentials. Words choose some of them, and all must hold; quote those with < or > for the shell:\n" + grammarText() +
			"In a pipe there are tabs between the columns, and the id of the request is the last one. --json prints one object a line,\n" +
			"with durations in nanoseconds.",
		Example: "  gatewright logs books\n  gatewright logs books -f\n  gatewright logs books --last 50 --env qa\n  gatewright logs --requests -f 5xx\n" +
			"  gatewright logs --requests fn:orders '>200ms' !as:guest\n" +
			"  gatewright logs " + logs.Gateway + " --request 4f1c0d3e-8a52-4c6e-9b07-2f7d1f0f6c11",
		Args: func(cmd *cobra.Command, args []string) error {
			if requests {
				return nil
			}
			return command.Arguments("the name of a FUNCTION, or --requests")(cmd, args)
		},
		ValidArgsFunction: completeLogs(streams, &requests),
		RunE: func(cmd *cobra.Command, args []string) error {
			if query.Last < 0 {
				return command.Misuse("--last must be 1 or more, not %d", query.Last)
			}
			if cmd.Flags().Changed("request") && query.Request == "" {
				return command.Misuse("--request needs the id of a request, from a log line or the header x-amzn-RequestId")
			}
			if requests {
				return runRequests(cmd, streams, args, env, requestsFlags{last: query.Last, follow: follow, asJSON: asJSON})
			}
			query.Function = args[0]
			return command.WithProject(streams, func(p *project.Project) error {
				e, err := command.SandboxEnvironment(p, env.String())
				if err != nil {
					return err
				}
				query.Environment = e.Name
				return readLogs(streams, p, query, follow, asJSON)
			})
		},
	}
	flags := cmd.Flags()
	env.Add(cmd, streams, "the environment (default: the chosen one)")
	flags.BoolVar(&requests, "requests", false, "show requests in place of a log; WORDs filter them")
	flags.BoolVarP(&follow, "follow", "f", false, "go on with new lines, until the sandbox ends or you press Ctrl-C")
	flags.StringVar(&query.Request, "request", "", "only the lines of the request with this `ID`")
	flags.IntVar(&query.Last, "last", 0, "only the last `N` lines (default: all)")
	flags.BoolVar(&asJSON, "json", false, "print each line as a JSON object")
	for _, name := range []string{"request", "last"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
	return cmd
}

// readLogs prints lines from the running sandbox, or from its files if none runs.
func readLogs(streams command.Streams, p *project.Project, q logs.Query, follow, asJSON bool) error {
	known := q.Function == logs.Gateway || q.Function == logs.Identity || p.Backend.Function(q.Function) != nil
	// A function that was removed from the project may still have a log, but gets no new
	// lines.
	log, err := deploy.OpenLogs(p.Root)
	if err != nil {
		return err
	}
	if follow && known && !log.Running() {
		return fmt.Errorf("there is no log to follow: %w", sandbox.ErrNotRunning)
	}
	empty, show := true, linePrinter(streams.Out, p, q.Function, asJSON)
	err = log.Read(context.Background(), q, follow && known, func(l logs.Line) error {
		empty = false
		return show(l)
	})
	switch {
	case err != nil:
		return err
	case empty && !known:
		return p.Backend.Known(model.Ref{Kind: model.KindFunction, Name: q.Function})
	case empty && !follow && !asJSON && q.Request != "":
		command.Say(streams.Err, "note: the log of %s in environment %s has no line of request %s", model.Quote(q.Function), model.Quote(q.Environment), model.Quote(q.Request))
	case empty && !follow && !asJSON:
		command.Say(streams.Err, "note: the log of %s in environment %s is empty", model.Quote(q.Function), model.Quote(q.Environment))
	}
	return nil
}

// completeLogs completes the names that have a log.
func completeLogs(streams command.Streams, requests *bool) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if *requests {
			return requestWords(streams, typed), cobra.ShellCompDirectiveNoFileComp
		}
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		names := slices.Concat(command.ReadBackend(streams).Names(model.KindFunction), []string{logs.Gateway, logs.Identity})
		return command.Offered(names, typed), cobra.ShellCompDirectiveNoFileComp
	}
}
