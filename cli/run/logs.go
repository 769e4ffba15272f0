package run

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"gatewright/cli/cloud"
	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/live"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/traffic"
)

// NewLogs makes the command logs.
func NewLogs(streams command.Streams) *cobra.Command {
	var (
		env            command.EnvironmentFlag
		query          logs.Query
		since          = command.Since{Zone: streams.Zone}
		follow, asJSON bool
		requests       bool
	)
	cmd := &cobra.Command{
		Use:   "logs FUNCTION ... | logs --requests [WORD ...]",
		Short: "Show functions' logs, or the requests of the sandbox",
		Long: `Show the logs of functions, several merged into one, from the sandbox or with --env from AWS. With
--requests, show the requests that the running sandbox handled; words such as 5xx or fn:books filter them.

In a terminal, the lines of an invocation end with one that has its duration, memory and failure, instead of START,
END and REPORT; errors have their stacks, with places in your source. In a pipe or a file, each entry is one line as
it was written, with time, request id and level, separated by tabs; with several functions, the function comes after
the time. Times are in this machine's time zone (TZ).

If --env names an environment in AWS, the logs are those of its account: of the last hour, or since --since. -f asks
AWS every two seconds for what is new, and shows it a few seconds later, in order. Without it the logs are the
sandbox's, and -f needs a running one. The name ` + logs.Gateway + ` shows the log of the gateway, with the reasons of
refused requests; ` + logs.Identity + ` shows the log of the user pool, with the codes that Cognito would send.

With --requests it shows each request that the running sandbox handled, including calls by tests and schedules:
time, method, path, status, milliseconds, caller, function, and what is unusual; with id:ID also where its time
went, and what its function used. In a terminal the status has marks: ` + traffic.Marks + `. The sandbox keeps the last
10,000 in memory, without credentials. Words filter them, and all must hold; quote words with < or > for the shell:

` + grammarText() + `
In a pipe there are tabs between the columns, and the id of the request is the last one. --json prints one object a line, with durations in nanoseconds.`,
		Example: command.Examples("logs books", "logs books orders -f --since 10m",
			"logs --requests -f 5xx", "logs --requests fn:orders '>200ms' !as:guest",
			"logs .gateway --request 4f1c0d3e-8a52-4c6e-9b07-2f7d1f0f6c11"),
		Args: func(cmd *cobra.Command, args []string) error {
			if requests {
				return nil
			}
			if len(args) == 0 {
				return command.Arguments("the name of a FUNCTION, or --requests")(cmd, args)
			}
			return nil
		},
		ValidArgsFunction: completeLogs(streams, &requests),
		RunE: func(cmd *cobra.Command, args []string) error {
			if query.Last < 0 {
				return command.Misuse("--last takes 1 or more, not %d", query.Last)
			}
			if cmd.Flags().Changed("request") && query.Request == "" {
				return command.Misuse("--request needs the id of a request, from a log line or the header x-amzn-RequestId")
			}
			if requests && since.Given() {
				return command.Misuse("--since does not work with --requests; the sandbox keeps the last 10,000 requests")
			}
			if requests {
				return runRequests(cmd, streams, args, env, requestsFlags{last: query.Last, follow: follow, asJSON: asJSON})
			}
			query.Functions = unrepeated(args)
			return command.WithProject(streams, func(p *project.Project) error {
				if e, err := cloud.Named(p, env); err != nil {
					return err
				} else if e != nil {
					return readCloudLogs(streams, p, e, query, cloudLogs{since: since, follow: follow, asJSON: asJSON})
				}
				e, err := command.EnvironmentOf(p, env.String())
				if err != nil {
					return err
				}
				query.Environment = e.Name
				if since.Given() {
					query.Since = since.Before(time.Now())
				}
				return readLogs(streams, p, query, follow, asJSON)
			})
		},
	}
	flags := cmd.Flags()
	env.Add(cmd, streams, "the environment (default: the chosen one)")
	flags.BoolVar(&requests, "requests", false, "show requests instead of a log; WORDs filter them")
	flags.BoolVarP(&follow, "follow", "f", false, "follow new lines, until you press ctrl+c")
	flags.StringVar(&query.Request, "request", "", "only the lines of the request with this `ID`")
	flags.Var(&since, "since",
		"only lines since `TIME`: 10m, 1h or 2d ago, or a time (default: all; in AWS an hour ago)")
	flags.IntVar(&query.Last, "last", 0, "only the last `N` lines (default: all)")
	flags.BoolVar(&asJSON, "json", false, "print each line as a JSON object")
	for _, name := range []string{"request", "since", "last"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
	return cmd
}

// unrepeated are names without those that are there twice.
func unrepeated(names []string) []string {
	var all []string
	for _, name := range names {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// sandboxEnded says why nothing more is followed.
const sandboxEnded = "note: the sandbox has ended, so there is nothing left to follow"

// readLogs prints lines from the running sandbox, or from its files if none runs.
func readLogs(streams command.Streams, p *project.Project, q logs.Query, follow, asJSON bool) error {
	// A function that was removed from the project may still have a log, but gets no new
	// lines.
	unknown := slices.DeleteFunc(slices.Clone(q.Functions), func(name string) bool {
		return name == logs.Gateway || name == logs.Identity || p.Backend.Function(name) != nil
	})
	log, err := live.OpenLogs(p.Root)
	if err != nil {
		return err
	}
	if follow && len(unknown) == 0 && !log.Running() {
		return fmt.Errorf("there is no log to follow: %w", sandbox.ErrNotRunning)
	}
	printer := newLogPrinter(streams, streams.Out, p, q.Functions, asJSON)
	follows := follow && len(unknown) == 0
	if err := log.Read(context.Background(), q, follows, printer.line); err != nil {
		return err
	}
	for _, name := range unknown {
		if !printer.printed[name] {
			return p.Backend.Known(model.Ref{Kind: model.KindFunction, Name: name})
		}
	}
	if follow && !follows {
		command.Say(streams.Err, "note: nothing left to follow: the project no longer has a function %s",
			phrase.QuoteList(unknown))
	}
	switch {
	case follows:
		command.Say(streams.Err, "%s", sandboxEnded)
	case len(printer.printed) == 0 && !follow && !asJSON:
		sayNothing(streams, q)
	}
	return nil
}

// sayNothing says that a log has no line.
func sayNothing(streams command.Streams, q logs.Query) {
	what, has, is := "log", "has", "is"
	if len(q.Functions) > 1 {
		what, has, is = "logs", "have", "are"
	}
	of := fmt.Sprintf("the %s of %s in environment %s", what, phrase.QuoteList(q.Functions), phrase.Quote(q.Environment))
	after := ""
	if !q.Since.IsZero() {
		after = " since " + streams.Clock().Moment(q.Since)
	}
	switch {
	case q.Request != "":
		command.Say(streams.Err, "note: %s %s no line of request %s%s", of, has, phrase.Quote(q.Request), after)
	case after != "":
		command.Say(streams.Err, "note: %s %s no line%s", of, has, after)
	default:
		command.Say(streams.Err, "note: %s %s empty", of, is)
	}
}

// completeLogs completes the names that have a log.
func completeLogs(streams command.Streams, requests *bool) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if *requests {
			return requestWords(streams, typed), cobra.ShellCompDirectiveNoFileComp
		}
		names := slices.Concat(command.ReadBackend(streams).Names(model.KindFunction), []string{logs.Gateway, logs.Identity})
		names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(args, name) })
		return command.Offered(names, typed), cobra.ShellCompDirectiveNoFileComp
	}
}
