package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/function"
	"gatewright/sandbox/live"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/state"
	"gatewright/sandbox/worker"
)

// mockCommand is one run of `mock function`.
type mockCommand struct {
	streams command.Streams
	env     command.EnvironmentFlag
	event   string
	timeout command.Number
	// allowCloud lets requests to other services of the cloud leave.
	allowCloud bool
	// endpoint is the address of another DynamoDB service; "" means the sandbox's tables.
	endpoint string
}

// NewMock makes the command mock and the one below it.
func NewMock(streams command.Streams) *cobra.Command {
	return command.Group(&cobra.Command{Use: "mock", Short: "Try a function without a request"},
		newMockFunction(streams))
}

func newMockFunction(streams command.Streams) *cobra.Command {
	x := mockCommand{streams: streams}
	cmd := &cobra.Command{
		Use:   "function NAME",
		Short: "Call a function once with an event from a file",
		Long: `Call a function of the working tree once with the event in a file, and print its result as JSON.
Its log goes to standard error. No sandbox needs to run. If the function fails, the exit code is 1 and one line says
why.

An event with httpMethod, path and queryStringParameters (strings), and optionally headers and body, is completed to
the event of the API Gateway console. An event with a requestContext, or without an httpMethod, is sent as it is.`,
		Example: command.Examples("mock function books", "mock function books --event src/put.json",
			"mock function books --env qa --timeout 3"),
		Args:              command.Arguments("the NAME of a function"),
		ValidArgsFunction: command.CompleteNames(streams, model.KindFunction),
		RunE: func(cmd *cobra.Command, args []string) error {
			if x.timeout < 0 || x.timeout > model.MaxTimeout {
				return command.Misuse("--timeout must be %d to %d seconds, not %d", model.MinTimeout, model.MaxTimeout, x.timeout)
			}
			if cmd.Flags().Changed("event") && x.event == "" {
				return command.Misuse("--event is empty; give --event FILE, relative to the function's folder")
			}
			return command.WithProject(streams, func(p *project.Project) error { return x.run(p, args[0]) })
		},
	}
	x.env.Add(cmd, streams, "the environment of its variables (default: the chosen one)")
	cmd.Flags().StringVar(&x.event, "event", "src/event.json", "the event's `FILE`, in the function's folder")
	command.AddTableEndpoint(cmd, &x.endpoint)
	cmd.Flags().BoolVar(&x.allowCloud, "allow-cloud", false,
		"let the function call other cloud services; with its own credentials")
	cmd.Flags().Var(&x.timeout, "timeout", "the timeout, in `SECONDS` (default: the function's own)")
	_ = cmd.RegisterFlagCompletionFunc("event", x.completeEvent)
	_ = cmd.RegisterFlagCompletionFunc("timeout", cobra.NoFileCompletions)
	return cmd
}

// completeEvent completes the JSON files of the function's folder.
func (x *mockCommand) completeEvent(
	_ *cobra.Command, args []string, typed string,
) ([]string, cobra.ShellCompDirective) {
	root, layout, err := project.Find(x.streams.Dir)
	if err != nil || len(args) == 0 || model.CheckName(model.KindFunction, args[0]) != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	folder := filepath.Join(root, filepath.FromSlash(layout.String()), "function", args[0], "src")
	entries, _ := os.ReadDir(folder)
	var names []string
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) == ".json" && !strings.HasPrefix(entry.Name(), "package") {
			names = append(names, "src/"+entry.Name())
		}
	}
	return command.Offered(names, typed), cobra.ShellCompDirectiveNoFileComp
}

func (x *mockCommand) run(p *project.Project, name string) error {
	env, err := command.EnvironmentOf(p, x.env.String())
	if err != nil {
		return err
	}
	tables, err := x.tables(p, env, name)
	if err != nil {
		return err
	}
	defer func() { _ = tables.Close() }()
	log, err := openMockLog()
	if err != nil {
		return err
	}
	defer log.remove()
	printer := &sandboxPrinter{streams: command.Streams{Out: x.streams.Err, Err: x.streams.Err}}
	pools := ""
	if running, err := connect(x.streams); err == nil {
		pools = running.Address()
	}
	// The log, which is shown, has what it says.
	cloud, err := sandbox.ServeCloud(tables.Endpoint, pools, log.Store, func(sandbox.Event) {})
	if err != nil {
		return err
	}
	defer func() { _ = cloud.Close() }()
	spec, secrets, warnings,
		err := live.FunctionOf(p, env, name,
		live.Near{Tables: tables.Endpoint, Cloud: cloud.Address(), AllowCloud: x.allowCloud})
	if err != nil {
		return err
	}
	here, err := live.ValuesOf(p, env, spec)
	if err != nil {
		return err
	}
	served := []sandbox.Environment{here}
	cloud.Apply(served)
	tables.Obey(cloud, served)
	event, err := readMockEvent(p, env, spec, x.event)
	if err != nil {
		return err
	}
	for _, text := range warnings {
		command.Say(x.streams.Err, "warning: function %s %s", phrase.Quote(name), text)
	}
	answer, err := x.invoke(p, spec, secrets, event, log.Store, printer)
	if err != nil {
		return err
	}
	if answer.Failed {
		return fmt.Errorf("function %s failed: %s", phrase.Quote(name), failureText(answer.Payload))
	}
	var result bytes.Buffer
	if err := json.Indent(&result, answer.Payload, "", "  "); err != nil {
		return fmt.Errorf("function %s: its result is not JSON: %w", phrase.Quote(name), err)
	}
	return command.PrintText(x.streams.Out, command.EscapeJSON(result.String())+"\n")
}

// tables opens the tables for the function while it runs; none if it uses none.
func (x *mockCommand) tables(p *project.Project, env *model.Environment, name string) (*sandbox.HeldTables, error) {
	if err := command.CheckTableEndpoint(x.endpoint); err != nil {
		return nil, err
	}
	if !live.UsesTables(p.Backend, name) {
		return &sandbox.HeldTables{Endpoint: x.endpoint}, nil
	}
	folder, err := live.MakeState(p.Root)
	if err != nil {
		return nil, err
	}
	var held *sandbox.HeldTables
	err = command.InTurn(context.Background(), x.streams, func() (err error) {
		held, err = sandbox.OpenTables(context.Background(), folder, x.endpoint)
		return err
	})
	if err != nil {
		return nil, err
	}
	if x.endpoint == "" {
		command.SayWarnings(x.streams.Err, state.Warnings(folder))
	}
	if err := errors.Join(held.Make(context.Background(), live.TablesOf(p.Backend.For(env), env)),
		held.Listen()); err != nil {
		return nil, errors.Join(err, held.Close())
	}
	return held, nil
}

// mockLog is the log of one call, in a folder of its own.
type mockLog struct {
	*logs.Store
	folder string
}

func openMockLog() (*mockLog, error) {
	folder, err := os.MkdirTemp("", "gatewright-mock-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for the log: %w", err)
	}
	store, err := logs.Open(folder)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	return &mockLog{store, folder}, nil
}

func (l *mockLog) remove() { _ = errors.Join(l.Close(), file.RemoveAll(l.folder)) }

// invoke runs the function for one call, and stops it. It prints log lines as they come.
func (x *mockCommand) invoke(
	p *project.Project, spec function.Spec, secrets []string, event []byte, log *logs.Store, printer *sandboxPrinter,
) (answer function.Answer, err error) {
	folder, err := live.MakeState(p.Root)
	if err != nil {
		return function.Answer{}, err
	}
	builds, err := state.MockFolder(folder)
	if err != nil {
		return function.Answer{}, err
	}
	log.Redact(secrets)
	shown := make(chan struct{})
	lines := log.Follow(context.Background(), logs.Query{})
	printed := newLogPrinter(x.streams, x.streams.Err, p, []string{spec.Name}, false)
	go func() {
		defer close(shown)
		for l := range lines {
			_ = printed.line(l)
		}
	}()
	end := command.Interruptible(x.streams)
	defer end.Done()
	// Without a folder for caches, the runner has its own.
	cache, _ := project.UserCache(x.streams.Getenv)
	runner := worker.NewRunner(worker.Options{
		Logs: log, State: builds, Cache: cache, MaxWorkers: 1, Notify: printer.say,
	})
	runner.Apply([]function.Spec{spec})
	answer, err = runner.Invoke(end.Context, function.Call{
		Environment: spec.Environment, Function: spec.Name, Payload: event, Timeout: time.Duration(x.timeout) * time.Second,
	})
	interrupted := end.Context.Err() != nil
	const patience = 5 * time.Second
	ending, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	closed := errors.Join(runner.Close(ending), log.Close())
	<-shown
	switch {
	case interrupted:
		return function.Answer{}, command.ExitInterrupted
	case err != nil:
		return function.Answer{}, err
	case answer.Failed:
		// Secrets are hidden in errors, as in logs; a result is printed as it is.
		answer.Payload = []byte(log.Hide(string(answer.Payload)))
	}
	return answer, closed
}

// failureText returns the error of a function in one line.
func failureText(payload []byte) string {
	var failed struct {
		ErrorType    string `json:"errorType"`
		ErrorMessage string `json:"errorMessage"`
	}
	if json.Unmarshal(payload, &failed) != nil || failed.ErrorType == "" && failed.ErrorMessage == "" {
		return command.OneLine(string(payload))
	}
	if failed.ErrorType == "" {
		return command.OneLine(failed.ErrorMessage)
	}
	return command.OneLine(failed.ErrorType + ": " + failed.ErrorMessage)
}
