package run

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"gatewright/cli/cloud"
	"gatewright/cli/command"
	"gatewright/deploy/remote"
	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/live"
	"gatewright/sandbox/traffic"
)

// span is a flag with a span of time, such as 1h or 1d.
type span struct {
	text   string
	length time.Duration
}

func (s *span) String() string { return s.text }
func (s *span) Type() string   { return "TIME" }

// Set sets the value of the flag.
func (s *span) Set(text string) (err error) {
	s.text = text
	s.length, err = command.ReadSpan(text)
	if err == nil && s.length < time.Minute {
		return fmt.Errorf("calls are counted by the minute; give 1m or more")
	}
	return err
}

// NewMetrics makes the command metrics.
func NewMetrics(streams command.Streams) *cobra.Command {
	var (
		env    command.EnvironmentFlag
		asJSON bool
	)
	over := span{"1h", time.Hour}
	cmd := &cobra.Command{
		Use:   "metrics [FUNCTION ...]",
		Short: "Show functions' calls, failures and durations",
		Long: `Show for each function its calls, how many failed or were throttled, and how long 95 % of them
took at most (p95). Below it says what is worth a look, and what to do.

If --env names an environment in AWS, the numbers come from CloudWatch, which lacks the last minutes; without
FUNCTION, its APIs follow. Otherwise they are what the running sandbox counted. A function that itself responds with
a status of 500 has not failed. With --json durations are in milliseconds, and null if there were no calls.`,
		Example:           command.Examples("metrics", "metrics --env prod", "metrics books orders --env prod --over 1d"),
		ValidArgsFunction: completeMetrics(streams),
		RunE: func(_ *cobra.Command, args []string) error {
			return command.WithProject(streams, func(p *project.Project) error {
				m := metricsReport{streams: streams, over: over, named: unrepeated(args)}
				m.kept = !p.Backend.Defines(model.KindFunction)
				e, err := cloud.Named(p, env)
				switch {
				case err != nil:
					return err
				case e != nil:
					err = m.readCloud(p, e)
				default:
					err = m.readSandbox(p, env.String())
				}
				if err != nil {
					return err
				}
				return command.Print(streams.Out, asJSON, m.asJSON(), m.text)
			})
		},
	}
	env.Add(cmd, streams, "the environment (default: the chosen one, in the sandbox)")
	cmd.Flags().Var(&over, "over", "how far back to count: 1h, 1d; in the sandbox 5m or 1h")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the numbers as JSON")
	_ = cmd.RegisterFlagCompletionFunc("over",
		func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return command.Offered([]string{"1h", "1d"}, typed), cobra.ShellCompDirectiveNoFileComp
		})
	return cmd
}

// metricsReport is what the command prints.
type metricsReport struct {
	streams command.Streams
	over    span
	// named are the functions that were asked for; none for all.
	named []string

	environment  string
	since, until time.Time
	// account and region are where it is in AWS; "" for the sandbox.
	account, region string
	functions       []remote.FunctionMetrics
	apis            []remote.APIMetrics
	// serving are the functions that serve a path.
	serving map[string]bool
	// kept says that the Amplify CLI keeps the functions.
	kept bool
}

// readCloud asks CloudWatch.
func (m *metricsReport) readCloud(p *project.Project, e *model.Environment) error {
	ctx := context.Background()
	r, err := cloud.Provider(m.streams).Reach(ctx, p, e)
	if err != nil {
		return err
	}
	for _, name := range m.named {
		if _, err := r.Function(name); err != nil {
			return meantFunction(p, r, m.named, err)
		}
	}
	m.environment, m.account, m.region = e.Name, r.ID, r.Region
	m.until = r.Now()
	m.since = m.until.Add(-m.over.length)
	m.serves(r.Backend())
	all, err := remote.MetricsOfFunctions(ctx, r, m.since, m.until)
	if err != nil {
		return err
	}
	m.functions = m.wanted(all)
	if len(m.named) == 0 {
		m.apis, err = remote.MetricsOfAPIs(ctx, r, m.since, m.until)
	}
	return err
}

// readSandbox asks the running sandbox.
func (m *metricsReport) readSandbox(p *project.Project, name string) error {
	e, err := command.EnvironmentOf(p, name)
	if err != nil {
		return err
	}
	window := map[time.Duration]traffic.Window{
		5 * time.Minute: traffic.FiveMinutes,
		time.Hour:       traffic.Hour,
	}[m.over.length]
	if window == "" {
		return command.Misuse("the sandbox counts the calls of the last 5 minutes and of the last hour, not of %s; give "+
			"--over 1h", m.over.text)
	}
	b := p.Backend.For(e)
	for _, name := range m.named {
		if err := b.Known(model.Ref{Kind: model.KindFunction, Name: name}); err != nil {
			return err
		}
	}
	client, err := sandbox.Connect(live.State(p.Root))
	if err != nil {
		return fmt.Errorf("only a running sandbox counts calls: %w; for an environment in AWS give --env NAME", err)
	}
	report, err := client.Traffic(context.Background(), window)
	if err != nil {
		return err
	}
	m.environment, m.since, m.until = e.Name, report.From, report.Until
	m.serves(b)
	var all []remote.FunctionMetrics
	for _, f := range b.Functions {
		one := remote.FunctionMetrics{Function: f.Name, Timeout: remote.TimeoutOf(f)}
		for _, c := range report.Functions {
			if c.Environment == e.Name && c.Function == f.Name {
				one.Calls, one.Errors, one.P50, one.P95 = c.Calls, c.Failed, c.P50, c.P95
			}
		}
		all = append(all, one)
	}
	m.functions = m.wanted(all)
	return nil
}

// wanted are the functions that were asked for.
func (m *metricsReport) wanted(all []remote.FunctionMetrics) []remote.FunctionMetrics {
	if len(m.named) == 0 {
		return all
	}
	return slices.DeleteFunc(all,
		func(one remote.FunctionMetrics) bool { return !slices.Contains(m.named, one.Function) })
}

// serves notes which functions serve a path.
func (m *metricsReport) serves(b *model.Backend) {
	m.serving = make(map[string]bool)
	for _, api := range b.APIs {
		for _, p := range api.Paths {
			m.serving[p.Function] = true
		}
	}
}

// completeMetrics completes the names of functions.
func completeMetrics(streams command.Streams) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		names := slices.DeleteFunc(command.ReadBackend(streams).Names(model.KindFunction),
			func(name string) bool { return slices.Contains(args, name) })
		return command.Offered(names, typed), cobra.ShellCompDirectiveNoFileComp
	}
}
