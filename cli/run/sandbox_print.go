package run

import (
	"sync"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/sandbox"
	"gatewright/sandbox/function"
	"gatewright/sandbox/live"
)

// sandboxPrinter prints the events of a sandbox, one line each: warnings and problems to
// standard error, the others to standard output.
type sandboxPrinter struct {
	streams command.Streams
	verbose bool

	mu sync.Mutex
	// paths counts the paths of the API that is being printed.
	paths int
}

// say prints an event; several goroutines call it.
func (x *sandboxPrinter) say(e sandbox.Event) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if e.Kind != live.Path {
		x.endPaths()
	}
	switch e.Kind {
	case live.Listening:
		command.Say(x.streams.Out, "listening on %s", e.Text)
	case live.Serving:
		command.Say(x.streams.Out, "%s", e.Text)
	case live.API, live.Pool:
		command.Say(x.streams.Out, "  %s", e.Text)
	case live.Path:
		if x.paths++; x.paths <= command.MostLines || x.verbose {
			command.Say(x.streams.Out, "    %s", e.Text)
		}
	case live.File, live.Definition:
		command.Say(x.streams.Out, "%s", e.Text)
	case live.Problem, sandbox.EventDamage:
		command.Say(x.streams.Err, "problem: %s", e.Text)
	case function.EventStart, function.EventReady:
		if x.verbose {
			command.Say(x.streams.Out, "%s: %s", functionIn(e), e.Text)
		}
	case sandbox.EventCode:
		command.Say(x.streams.Out, "environment %s: %s", phrase.Quote(e.Environment), e.Text)
	case function.EventInspect:
		command.Say(x.streams.Out, "%s waits for a debugger: %s", functionIn(e), e.Text)
	case function.EventWarning, function.EventCrash, function.EventStopped, sandbox.EventSchedule, sandbox.EventTrigger,
		sandbox.EventTable, sandbox.EventPool, sandbox.EventCloud, sandbox.EventContract:
		command.Say(x.streams.Err, "warning: %s: %s", functionIn(e), e.Text)
	default:
		command.Say(x.streams.Out, "%s: %s", functionIn(e), e.Text)
	}
}

// endPaths prints how many paths of an API were left out.
func (x *sandboxPrinter) endPaths() {
	if more := x.paths - command.MostLines; more > 0 && !x.verbose {
		command.Say(x.streams.Out, "    and %d more; -v shows them", more)
	}
	x.paths = 0
}

// functionIn returns the function of an event with its environment, as text.
func functionIn(e sandbox.Event) string {
	if e.Function == "" {
		return "environment " + phrase.Quote(e.Environment)
	}
	return "function " + phrase.Quote(e.Function) + " of " + phrase.Quote(e.Environment)
}
