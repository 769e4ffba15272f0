package run

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/live"
	"gatewright/sandbox/traffic"
	"gatewright/tui/layout"
)

// requestsFlags are the flags of logs that belong to --requests.
type requestsFlags struct {
	environment string
	filter      traffic.Filter
	// last limits those that were kept before; 0 is no limit.
	last   int
	follow bool
	asJSON bool
	// whole shows where the time of a request went, since one was asked for by its id.
	whole bool
}

// printRequests prints the requests that the running sandbox keeps, and with follow those
// that come.
func printRequests(streams command.Streams, p *project.Project, f requestsFlags) error {
	client, err := sandbox.Connect(live.State(p.Root))
	if err != nil {
		return fmt.Errorf("only a running sandbox keeps requests: %w", err)
	}
	out := requestPrinter{
		clock: streams.Clock(), out: streams.Out, asJSON: f.asJSON, colors: streams.Colors(streams.Out),
		width: command.WidthOf(streams.Out), whole: f.whole,
	}
	// The filter decides which are the last ones, and the sandbox does not know it.
	query, last := traffic.Query{Environment: f.environment}, f.last
	var kept []traffic.Call
	printed, seen := 0, 0
	if last > 0 {
		err = client.Requests(context.Background(), query, false, func(c traffic.Call) error {
			query.After, seen = c.Number, seen+1
			if f.filter.Matches(&c) {
				kept = append(kept, c)
			}
			return nil
		})
		for _, c := range kept[max(0, len(kept)-last):] {
			if err == nil {
				err = out.print(&c)
			}
			printed++
		}
	}
	if err == nil && (last == 0 || f.follow) {
		err = client.Requests(context.Background(), query, f.follow, func(c traffic.Call) error {
			seen++
			if !f.filter.Matches(&c) {
				return nil
			}
			printed++
			return out.print(&c)
		})
	}
	switch {
	case err != nil:
		return err
	case f.follow:
		command.Say(streams.Err, "%s", sandboxEnded)
	case printed == 0 && !f.asJSON && seen == 0:
		command.Say(streams.Err, "note: the sandbox has handled no request of environment %s yet",
			phrase.Quote(f.environment))
	case printed == 0 && !f.asJSON:
		command.Say(streams.Err, "note: none of %s matches", phrase.Count(seen, "request"))
		if meant := f.filter.Meant(); meant != "" {
			command.Say(streams.Err, "note: %s", meant)
		}
	}
	return nil
}

// requestPrinter prints requests: in columns with colours on a terminal, else with tabs
// between the columns.
type requestPrinter struct {
	clock  clock.Zoned
	out    io.Writer
	asJSON bool
	colors command.Palette
	// width is that of the terminal; 0 for none.
	width  int
	whole  bool
	headed bool
	// day is that of the last line on a terminal.
	day string
}

func (p *requestPrinter) print(c *traffic.Call) error {
	text := ""
	switch {
	case p.asJSON:
		data, err := json.Marshal(c)
		if err != nil {
			return fmt.Errorf("printing: %w", err)
		}
		text = command.EscapeJSON(string(data)) + "\n"
	case p.width == 0:
		text = plainRequest(c, p.clock)
	default:
		text = p.coloured(c)
	}
	if p.whole && !p.asJSON {
		text += whereItWent(c)
	}
	if !p.asJSON && p.width > 0 {
		return command.PrintColored(p.out, text)
	}
	if _, err := io.WriteString(p.out, text); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	return nil
}

// plainRequest is a request as one line for other programs: time, method, path, status,
// milliseconds, caller, function, what is unusual, and the id, with tabs between them.
func plainRequest(c *traffic.Call, clock clock.Zoned) string {
	cells := []string{
		clock.Stamp(c.Time), c.Method, c.Address(), c.Outcome(), traffic.Milliseconds(c.Took), c.Who.String(), c.Function,
		c.Note(), c.Request,
	}
	for i, cell := range cells {
		if cells[i] = command.OneLine(strings.ReplaceAll(cell, "\t", " ")); cell == "" {
			cells[i] = "-"
		}
	}
	return strings.Join(cells, "\t") + "\n"
}

// whereItWent are the parts of the time of a request in one line, and what its function used, a line each.
func whereItWent(c *traffic.Call) string {
	took := func(d time.Duration) string {
		if d < 50*time.Microsecond {
			return "<0.1 ms"
		}
		return clock.Took(d)
	}
	var b strings.Builder
	if len(c.Parts) > 0 {
		b.WriteString("  " + c.PartsInWords(took) + "\n")
	}
	for _, u := range c.Uses {
		b.WriteString("  " + prose.Printable(u.InWords(took)) + "\n")
	}
	if c.UsesLeft > 0 {
		b.WriteString("  and " + phrase.Count(c.UsesLeft, "further use") + "\n")
	}
	return b.String()
}

// The widths of columns on a terminal; the path gets what is left, and the reason what the
// path leaves.
const (
	timeWidth   = len("15:04:05.000")
	methodWidth = len("OPTIONS")
	statusWidth = len("failed")
	tookWidth   = len("30000")
	narrowWho   = 10
	wideWho     = 18
	leastPath   = 16
)

// coloured is a request in columns for a terminal.
func (p *requestPrinter) coloured(c *traffic.Call) string {
	who, function := narrowWho, narrowWho
	const roomy = 110
	if p.width >= roomy {
		who, function = wideWho, wideWho
	}
	fixed := timeWidth + methodWidth + statusWidth + tookWidth + who + function + 6*len("  ")
	path := max(leastPath, (p.width-fixed)*3/5)
	const narrow = 80
	if p.width < narrow {
		// The function and the reason have no room.
		path = max(1, p.width-fixed+function+len("  "))
	}
	cell := func(text string, w int) string { return layout.Pad(layout.Cut(prose.Printable(text), w), w) }
	number := func(text string, w int) string { return strings.Repeat(" ", max(0, w-len(text))) + text }
	var b strings.Builder
	row := func(cells ...string) {
		if p.width < narrow {
			cells = cells[:min(len(cells), 6)]
		}
		b.WriteString(strings.TrimRight(strings.Join(cells, "  "), " ") + "\n")
	}
	if !p.headed {
		p.headed = true
		row(p.colors.Muted(cell("time "+p.clock.Zone(c.Time), timeWidth)), p.colors.Muted(cell("method", methodWidth)),
			p.colors.Muted(cell("path", path)),
			p.colors.Muted(cell("status", statusWidth)), p.colors.Muted(number("ms", tookWidth)),
			p.colors.Muted(cell("who", who)), p.colors.Muted("function"))
	}
	if day := p.clock.Day(c.Time); day != p.day {
		p.day = day
		row(p.colors.Muted(day))
	}
	outcome := number(c.MarkedOutcome(), statusWidth)
	switch {
	case c.Failed:
		outcome = p.colors.Bad(outcome)
	case c.Status >= 400 || len(c.Breaches) > 0:
		outcome = p.colors.Warning(outcome)
	case c.Status > 0:
		outcome = p.colors.Good(outcome)
	}
	method := cell(cmp.Or(c.Method, "-"), methodWidth)
	if action, ok := (access.Terms{}).ActionOf(c.Method); ok {
		method = p.colors.Action(action, method)
	}
	took := number(traffic.Milliseconds(c.Took), tookWidth)
	if traffic.IsSlow(c.Took) {
		took = p.colors.Warning(took)
	}
	note := c.Note()
	tone := p.colors.Muted
	switch {
	case c.Failed:
		tone = p.colors.Bad
	case len(c.Breaches) > 0:
		tone = p.colors.Warning
	}
	row(p.colors.Muted(p.clock.Thousandth(c.Time)), method,
		layout.Pad(layout.CutMiddle(prose.Printable(c.Address()), path), path), outcome, took,
		cell(c.Who.String(), who), cell(c.Function, function),
		tone(layout.Cut(prose.Printable(note), max(0, p.width-fixed-path-2))))
	return b.String()
}

// requestWords are offered for the words of a filter.
func requestWords(streams command.Streams, typed string) []string {
	b := command.ReadBackend(streams)
	words := []string{
		"5xx", "4xx", "failed", "refused", "breaks", "mocked", "cold", "as:guest", "get", "post", "put",
		"patch", "delete",
	}
	for _, kind := range traffic.Kinds {
		words = append(words, "kind:"+string(kind))
	}
	for _, name := range b.Names(model.KindFunction) {
		words = append(words, "fn:"+name)
	}
	for _, name := range b.Names(model.KindAPI) {
		words = append(words, "api:"+name)
	}
	for _, name := range b.Names(model.KindGroup) {
		words = append(words, "as:"+name)
	}
	return command.Offered(slices.Compact(words), typed)
}

// runRequests runs logs --requests.
func runRequests(
	cmd *cobra.Command, streams command.Streams, words []string, env command.EnvironmentFlag, f requestsFlags,
) error {
	if cmd.Flags().Changed("request") {
		return command.Misuse("--request does not work with --requests; write the word id:ID")
	}
	var err error
	if f.filter, err = traffic.ReadFilter(strings.Join(words, " ")); err != nil {
		return command.Misuse("%v", err)
	}
	f.whole = slices.ContainsFunc(words, func(word string) bool {
		return strings.HasPrefix(word, "id:") && !strings.Contains(word, "*")
	})
	return command.WithProject(streams, func(p *project.Project) error {
		e, err := command.EnvironmentOf(p, env.String())
		if err != nil {
			return err
		}
		f.environment = e.Name
		return printRequests(streams, p, f)
	})
}

// grammarText lists the words of a filter for the help.
func grammarText() string {
	var b strings.Builder
	for _, term := range traffic.Grammar {
		b.WriteString("  " + layout.Pad(term.Form, len("kind:schedule")) + "  " + term.Means + "\n")
	}
	return b.String()
}
