package run

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"gatewright/cli/command"
	"gatewright/clock"
	"gatewright/project"
	"gatewright/prose"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/logs/entry"
)

// linePrinter returns the function that prints the lines of a log: as entries in a terminal,
// else each as one line.
func linePrinter(out io.Writer, p *project.Project, function string, asJSON bool) func(logs.Line) error {
	if asJSON || !command.IsTerminal(out) {
		return func(l logs.Line) error { return printLine(out, l, asJSON) }
	}
	show := &entryPrinter{out: out, paint: command.Colors(out)}
	if p.Backend.Function(function) != nil {
		show.source = entry.Source{Root: p.Root, Real: p.Root, Folder: p.Layout.FunctionFolder(function) + "/src"}
		if real, err := filepath.EvalSymlinks(p.Root); err == nil {
			show.source.Real = real
		}
	}
	return show.line
}

// printLine prints a line of a log as one line.
func printLine(out io.Writer, l logs.Line, asJSON bool) error {
	text := l.String()
	if asJSON {
		data, err := json.Marshal(l)
		if err != nil {
			return fmt.Errorf("printing: %w", err)
		}
		text = command.EscapeJSON(string(data))
	}
	return writeText(out, text+"\n")
}

func writeText(out io.Writer, text string) error {
	if _, err := io.WriteString(out, text); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	return nil
}

// entryPrinter prints a log for people, as the screens show it. An invocation is told in the
// line that ends it, since nothing printed can be changed later.
type entryPrinter struct {
	out    io.Writer
	paint  command.Palette
	source entry.Source
	log    entry.Log
	// day is the day and zone of the last entry, request the request of the last one.
	day, request string
}

// line prints a line of the log, unless another one says the same.
func (x *entryPrinter) line(l logs.Line) error {
	x.log.Add(entry.Read([]logs.Line{l}))
	e := x.log.At(x.log.End() - 1)
	var b strings.Builder
	switch {
	case e.Kind == entry.Report:
		x.head(&b, e, "└")
		x.request = e.Request
		b.WriteString(x.painted(e.Of.Heading()) + "\n")
	case e.Kind == entry.Continued:
		x.body(&b, e, true)
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
		x.body(&b, e, false)
	}
	return writeText(x.out, b.String())
}

// head begins the first line of an entry. A line with the day and the time zone is before the
// first entry of a day.
func (x *entryPrinter) head(b *strings.Builder, e *entry.Entry, word string) {
	if day := clock.Day(e.Time) + " " + clock.Zone(e.Time); day != x.day {
		x.day = day
		b.WriteString(x.paint.Muted("── "+day+" ──") + "\n")
	}
	b.WriteString(x.paint.Muted(clock.Thousandth(e.Time)) + " " + x.tone(e.Tone(), fmt.Sprintf("%-5s", word)) + " ")
}

// body prints the lines of an entry; those after the first one are indented.
func (x *entryPrinter) body(b *strings.Builder, e *entry.Entry, indented bool) {
	for _, line := range entry.Body(e, nil, x.source, false) {
		if indented {
			b.WriteString(strings.Repeat(" ", len("15:04:05.000 ERROR ")))
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
