package run

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/flow/request"
	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/read"
	"gatewright/project/saved"
)

// savedFlags are the flags of call about saved requests.
type savedFlags struct {
	name                      string
	all, update, yes, deletes bool
}

func (f *savedFlags) add(cmd *cobra.Command, streams command.Streams) {
	flags := cmd.Flags()
	flags.StringVar(&f.name, "saved", "", "send the saved request `NAME`; compare its response")
	flags.BoolVar(&f.all, "all", false, "send all saved requests; compare their responses")
	flags.BoolVar(&f.update, "update", false, "with --saved or --all: keep the new responses, after asking")
	flags.BoolVarP(&f.yes, "yes", "y", false, "with --update: do not ask")
	flags.BoolVar(&f.deletes, "deletes", false, "with --saved or --all: send DELETE requests too")
	_ = cmd.RegisterFlagCompletionFunc("saved",
		func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return command.Offered(savedNames(streams), typed), cobra.ShellCompDirectiveNoFileComp
		})
}

// savedNames are the names of the saved requests of the project; none if it cannot be read.
func savedNames(streams command.Streams) []string {
	var names []string
	_ = command.WithServed(streams, func(p *project.Project) error {
		requests, _ := p.SavedRequests()
		for _, f := range requests {
			names = append(names, f.Name)
		}
		return nil
	})
	return names
}

// wanted reports whether saved requests are asked for.
func (f *savedFlags) wanted(cmd *cobra.Command) bool { return f.all || cmd.Flags().Changed("saved") }

// check refuses flags and arguments that do not go with saved requests.
func (f *savedFlags) check(cmd *cobra.Command, args []string) error {
	if !f.wanted(cmd) {
		for name, given := range map[string]bool{"--update": f.update, "--yes": f.yes, "--deletes": f.deletes} {
			if given {
				return command.Misuse("%s goes with --saved NAME or --all; see: gatewright call --help", name)
			}
		}
		return nil
	}
	switch {
	case f.all && cmd.Flags().Changed("saved"):
		return command.Misuse("--all sends every saved request, so it does not go with --saved")
	case len(args) > 0:
		return command.Misuse("a saved request has its method and path: leave out %s", phrase.Quote(args[0]))
	case f.yes && !f.update:
		return command.Misuse("--yes needs --update")
	}
	for _, name := range []string{"api", "query", "header", "data", "as", "test", "accessible", "theme"} {
		if flag := cmd.Flags().Lookup(name); flag != nil && flag.Changed {
			return command.Misuse("--%s is part of a saved request: change its file, or send the request without --saved and "+
				"--all", name)
		}
	}
	return nil
}

// outcome is how a saved request was answered.
type outcome struct {
	Name   string `json:"name"`
	Method string `json:"method"`
	Path   string `json:"path"`
	Sent   bool   `json:"sent"`
	Status int    `json:"status"`
	// Latency is in milliseconds.
	Latency int64 `json:"latency"`
	// Kept says that the file has an answer to compare with.
	Kept        bool                 `json:"kept"`
	Differences []request.Difference `json:"differences"`
	// Problem says why it was not sent, or not answered.
	Problem string `json:"problem,omitempty"`

	file     saved.File
	exchange request.Exchange
	skipped  bool
	updated  bool
}

// failed reports whether the outcome makes the command fail.
func (o outcome) failed() bool {
	return !o.updated && (len(o.Differences) > 0 || o.Problem != "" && !o.skipped)
}

// savedReport is what --json prints.
type savedReport struct {
	Environment string    `json:"environment"`
	Requests    []outcome `json:"requests"`
}

// runSaved sends saved requests.
func (x *callCommand) runSaved() error {
	if err := command.CheckName(x.streams, model.KindEnvironment, x.env.String()); err != nil {
		return err
	}
	snapshot, err := request.Read(x.streams.Dir)
	if err != nil {
		return err
	}
	env := snapshot.Environment(x.env.String())
	if env == nil && snapshot.Down != nil {
		return snapshot.Down
	}
	if env != nil {
		if err := snapshot.Unusable(request.Form{Environment: env.Name}); err != nil {
			return err
		}
	}
	snapshot.Lookup = x.streams.LookupEnv
	session := x.session()
	snapshot.Cloud.Ask, snapshot.Cloud.MFA = session.Ask, session.MFA
	switch {
	case env == nil:
		return errors.New("the project has no environment; make one with: gatewright add env NAME")
	case env.Closed != "":
		return fmt.Errorf("environment %s: %s", phrase.Quote(env.Name), env.Closed)
	case x.saved.update && !x.saved.yes && !command.Attended(x.streams):
		return command.Misuse("--update asks before it changes a file; without a terminal give --update --yes")
	}
	report := savedReport{Environment: env.Name, Requests: []outcome{}}
	files, problems := snapshot.SavedRequests()
	if !x.saved.all {
		file, err := snapshot.SavedRequest(x.saved.name)
		if err != nil {
			return err
		}
		files, problems = []saved.File{file}, nil
	}
	for _, problem := range problems {
		report.Requests = append(report.Requests,
			outcome{Name: nameOf(problem), Problem: problem.Error(), Differences: []request.Difference{}})
	}
	if env.Cloud == nil && x.passwordStdin {
		return errNoPassword
	}
	if env.Cloud != nil {
		var methods []string
		for _, file := range files {
			if x.saved.deletes || file.Request.Method != http.MethodDelete {
				methods = append(methods, file.Request.Method)
			}
		}
		if err := x.allow(&model.Environment{Name: env.Name, Guarded: env.Guarded}, methods...); err != nil {
			return err
		}
	}
	for _, file := range files {
		report.Requests = append(report.Requests, x.sendSaved(snapshot, env.Name, file))
	}
	slices.SortStableFunc(report.Requests, func(a, b outcome) int { return strings.Compare(a.Name, b.Name) })
	if x.saved.update {
		if err := x.updateSaved(snapshot, report.Requests); err != nil {
			return err
		}
	}
	if x.json {
		return errors.Join(command.PrintJSON(x.streams.Out, report), exitOfSaved(report.Requests))
	}
	if !x.saved.all {
		return x.printSaved(report.Requests[0])
	}
	return errors.Join(x.printAll(report), exitOfSaved(report.Requests))
}

// nameOf is the name of the saved request whose file has a problem; "" for a problem of
// something else.
func nameOf(err error) string {
	problem, ok := errors.AsType[*read.Problem](err)
	if !ok {
		return ""
	}
	return strings.TrimSuffix(path.Base(problem.File), ".json")
}

// exitOfSaved is exit code 1 if one of the requests was not answered as expected.
func exitOfSaved(all []outcome) error {
	for _, o := range all {
		if o.failed() {
			return command.Exit(1)
		}
	}
	return nil
}

// sendSaved sends one request and compares the answer.
func (x *callCommand) sendSaved(snapshot *request.Snapshot, env string, file saved.File) outcome {
	o := outcome{
		Name: file.Name, Method: file.Request.Method, Path: file.Request.Path,
		Differences: []request.Difference{}, Kept: file.Request.Expect != nil, file: file,
	}
	form, err := snapshot.FromSaved(env, file.Request)
	switch {
	case err != nil:
		o.Problem = err.Error()
		return o
	case form.Deletes() && !x.saved.deletes:
		o.Problem, o.skipped = "a DELETE is sent only with --deletes", x.saved.all
		return o
	}
	exchange, err := snapshot.Send(context.Background(), form)
	if err == nil || exchange.Unanswered {
		// The history is a convenience, so a folder that cannot be written is no error.
		_ = snapshot.Record(exchange)
	}
	if err != nil {
		o.Problem = err.Error()
		return o
	}
	o.Sent, o.exchange = true, exchange
	o.Status, o.Latency = exchange.Answer.Status, exchange.Answer.Latency.Milliseconds()
	if o.Kept {
		o.Differences = command.Listed(request.Differences(*file.Request.Expect, exchange.Answer))
	}
	return o
}

// updateSaved keeps the answers that differ from the kept ones, or of which none is kept.
func (x *callCommand) updateSaved(snapshot *request.Snapshot, all []outcome) error {
	for i := range all {
		o := &all[i]
		if !o.Sent || o.Kept && len(o.Differences) == 0 {
			continue
		}
		plan, err := snapshot.PlanAnswer(o.file, o.exchange.Answer)
		if err != nil {
			return err
		}
		if plan.Diff == "" {
			continue
		}
		if !x.saved.yes {
			command.Say(x.streams.Err, "%s", strings.TrimRight(plan.Diff, "\n"))
			typed, err := command.Ask(x.streams, "keep this response of "+o.Name+"? [y/N] ")
			if err != nil {
				return err
			}
			if word := strings.ToLower(strings.TrimSpace(typed)); word != "y" && word != "yes" {
				continue
			}
		}
		if err := plan.Write(); err != nil {
			return err
		}
		o.updated = true
		command.Say(x.streams.Err, "%s has the new response", plan.Name)
	}
	return nil
}

// printSaved prints the answer to one request as the command prints others, and how it differs
// from the kept one.
func (x *callCommand) printSaved(o outcome) error {
	if o.Problem != "" {
		return errors.New(o.Name + ": " + o.Problem)
	}
	a := o.exchange.Answer
	if err := x.printAnswer(a); err != nil {
		return err
	}
	switch {
	case o.updated:
		return nil
	case !o.Kept:
		command.Say(x.streams.Err, "there is no expected response; save this one: gatewright call --saved %s --update",
			model.ShellWord(o.Name))
		return exitOf(a.Status)
	case len(o.Differences) == 0:
		command.Say(x.streams.Err, "the response is as expected")
		return nil
	}
	for _, d := range o.Differences {
		command.Say(x.streams.Err, "differs: %s", d)
	}
	return command.Exit(1)
}

// printAll prints a line for each request, and how many were answered as expected.
func (x *callCommand) printAll(report savedReport) error {
	if len(report.Requests) == 0 {
		command.Say(x.streams.Err, "there is no saved request; save one in the console: gatewright call")
		return nil
	}
	colors := x.streams.Colors(x.streams.Out)
	var rows [][]string
	same, different, unkept, skipped, updated := 0, 0, 0, 0, 0
	for _, o := range report.Requests {
		mark, words := colors.Good("ok"),
			fmt.Sprintf("%d, %s", o.Status, clock.Took(time.Duration(o.exchange.Answer.Latency)))
		switch {
		case o.updated:
			updated++
			mark, words = colors.Good("saved"), words+", the new response is saved"
		case o.skipped:
			skipped++
			mark, words = colors.Muted("skip"), o.Problem
		case o.Problem != "":
			different++
			mark, words = colors.Bad("FAIL"), o.Problem
		case len(o.Differences) > 0:
			different++
			mark, words = colors.Bad("FAIL"), o.Differences[0].String()
			if more := len(o.Differences) - 1; more > 0 {
				words += fmt.Sprintf(" (and %s)", phrase.Count(more, "more difference"))
			}
		case !o.Kept:
			unkept++
			mark, words = "sent", words+", no expected response"
		default:
			same++
		}
		rows = append(rows,
			[]string{
				mark, prose.Printable(o.Name), strings.TrimSpace(prose.Printable(o.Method + " " + o.Path)),
				prose.Printable(words),
			})
	}
	var b strings.Builder
	command.WriteColumns(&b, "", command.WidthOf(x.streams.Out), rows)
	if err := command.PrintColored(x.streams.Out, b.String()); err != nil {
		return err
	}
	counts := []string{fmt.Sprintf("%d as expected", same), fmt.Sprintf("%d different", different)}
	for _, more := range []struct {
		n     int
		words string
	}{{updated, "updated"}, {unkept, "without an expected response"}, {skipped, "skipped"}} {
		if more.n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", more.n, more.words))
		}
	}
	command.Say(x.streams.Err, "%s", strings.Join(counts, ", "))
	return nil
}
