package run

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"gatewright/cli/command"
	"gatewright/internal/clock"
	"gatewright/internal/text/prose"
	"gatewright/project"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/logs/entry"
	"gatewright/tui/layout"
)

// logPrinter prints the lines of logs: as entries in a terminal, else each as one line.
type logPrinter struct {
	clock  clock.Zoned
	out    io.Writer
	asJSON bool
	// named says that each line names its function.
	named bool
	// entries prints for a terminal; nil for none.
	entries *entryPrinter
	// printed has the functions of which a line was printed.
	printed map[string]bool
}

func newLogPrinter(
	streams command.Streams, out io.Writer, p *project.Project, functions []string, asJSON bool,
) *logPrinter {
	x := &logPrinter{
		clock: streams.Clock(), out: out, asJSON: asJSON, named: len(functions) > 1,
		printed: make(map[string]bool),
	}
	if asJSON || !command.IsTerminal(out) {
		return x
	}
	x.entries = &entryPrinter{
		out: out, clock: streams.Clock(), paint: streams.Colors(out),
		of: make(map[string]*functionEntries),
	}
	real, err := filepath.EvalSymlinks(p.Root)
	if err != nil {
		real = p.Root
	}
	for _, name := range functions {
		of := &functionEntries{}
		if p.Backend.Function(name) != nil {
			of.source = entry.Source{Root: p.Root, Real: real, Folder: p.Layout.FunctionFolder(name) + "/src"}
		}
		x.entries.of[name] = of
		if x.named {
			x.entries.name = max(x.entries.name, layout.Width(prose.PrintableStart(name)))
		}
	}
	return x
}

// line prints a line of a log.
func (x *logPrinter) line(l logs.Line) error {
	x.printed[l.Function] = true
	if x.entries != nil {
		return x.entries.line(l)
	}
	text := l.In(x.clock)
	switch {
	case x.asJSON:
		data, err := json.Marshal(l)
		if err != nil {
			return fmt.Errorf("printing: %w", err)
		}
		text = command.EscapeJSON(string(data))
	case x.named:
		at, rest, _ := strings.Cut(text, "\t")
		text = at + "\t" + command.OneLine(strings.ReplaceAll(l.Function, "\t", " ")) + "\t" + rest
	}
	return writeText(x.out, text+"\n")
}

func writeText(out io.Writer, text string) error {
	if _, err := io.WriteString(out, text); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	return nil
}

// entryPrinter prints a log for people, as the screens show it. It reports an invocation in the
// line that ends it, since nothing printed can be changed later.
type entryPrinter struct {
	clock clock.Zoned
	out   io.Writer
	paint command.Palette
	of    map[string]*functionEntries
	// name is the width of the names of functions, which each entry has; 0 for none.
	name int
	// day is the day and zone of the last entry, request and last the request and the function of
	// the last one.
	day, request, last string
}

// functionEntries are the log of a function, and where its source is.
type functionEntries struct {
	log    entry.Log
	source entry.Source
}

// line prints a line of a log, unless another one says the same.
func (x *entryPrinter) line(l logs.Line) error {
	of := x.of[l.Function]
	if of == nil {
		of = &functionEntries{}
		x.of[l.Function] = of
	}
	of.log.Add(entry.Read([]logs.Line{l}))
	e := of.log.At(of.log.End() - 1)
	var b strings.Builder
	switch {
	case e.Kind == entry.Report:
		x.head(&b, e, "└")
		x.request = e.Request
		b.WriteString(x.painted(e.Of.Heading()) + "\n")
	case e.Kind == entry.Continued && l.Function == x.last:
		x.body(&b, e, of.source, true)
	case e.Kind == entry.Continued:
		// An entry of another function came between.
		x.head(&b, e, "")
		x.body(&b, e, of.source, false)
	case e.Kind == entry.Outcome && e.Of.Ended:
		// Why it failed was printed already.
		x.head(&b, e, "")
		b.WriteString(x.paint.Muted(entry.Short(prose.PrintableStart(e.Request))+"  "+e.Of.Answer) + "\n")
	case e.Kind == entry.Written, e.Kind == entry.Outcome && e.Severity.Bad():
		x.head(&b, e, e.Severity.Word())
		if e.Request != x.request && e.Request != "" {
			b.WriteString(x.paint.Muted(entry.Short(prose.PrintableStart(e.Request))) + " ")
		}
		x.request = e.Request
		x.body(&b, e, of.source, false)
	}
	if b.Len() > 0 {
		x.last = l.Function
	}
	return writeText(x.out, b.String())
}

// head begins the first line of an entry. A line with the day and the time zone is before the
// first entry of a day.
func (x *entryPrinter) head(b *strings.Builder, e *entry.Entry, word string) {
	if day := x.clock.DayInZone(e.Time); day != x.day {
		x.day = day
		b.WriteString(x.paint.Muted("── "+day+" ──") + "\n")
	}
	b.WriteString(x.paint.Muted(x.clock.Thousandth(e.Time)) + " " + x.tone(e.Tone(), fmt.Sprintf("%-5s", word)) + " ")
	if x.name > 0 {
		b.WriteString(x.paint.Strong(layout.Pad(prose.PrintableStart(e.Function), x.name)) + " ")
	}
}

// body prints the lines of an entry; those after the first one are indented.
func (x *entryPrinter) body(b *strings.Builder, e *entry.Entry, source entry.Source, indented bool) {
	indent := len("15:04:05.000 ERROR ")
	if x.name > 0 {
		indent += x.name + 1
	}
	for _, line := range entry.Body(e, nil, source, false) {
		if indented {
			b.WriteString(strings.Repeat(" ", indent))
		}
		indented = true
		b.WriteString(x.painted(line) + "\n")
	}
}

func (x *entryPrinter) painted(line entry.Line) string {
	var b strings.Builder
	for _, part := range line.Parts {
		b.WriteString(x.tone(part.Tone, part.Text))
	}
	return b.String()
}

// tone colours a text by its tone.
func (x *entryPrinter) tone(tone prose.Tone, text string) string {
	switch tone {
	case prose.Bad:
		return x.paint.Bad(text)
	case prose.Warning:
		return x.paint.Warning(text)
	case prose.Muted:
		return x.paint.Muted(text)
	case prose.Strong:
		return x.paint.Strong(text)
	}
	return text
}
