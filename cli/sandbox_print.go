package cli

import (
	"sync"

	"gatewright/deploy"
	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/function"
)

// sandboxPrinter prints what a sandbox tells of, a line each: what is served and
// what happens on standard output, warnings and problems on the other.
type sandboxPrinter struct {
	streams Streams
	verbose bool

	mu sync.Mutex
	// paths counts those of the API that is being told of.
	paths int
}

// say prints an event; several goroutines call it.
func (x *sandboxPrinter) say(e sandbox.Event) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if e.Kind != deploy.LivePath {
		x.endPaths()
	}
	switch e.Kind {
	case deploy.LiveListening:
		say(x.streams.Out, "listening on %s", e.Text)
	case deploy.LiveServing:
		say(x.streams.Out, "%s", e.Text)
	case deploy.LiveAPI, deploy.LivePool:
		say(x.streams.Out, "  %s", e.Text)
	case deploy.LivePath:
		if x.paths++; x.paths <= mostLines || x.verbose {
			say(x.streams.Out, "    %s", e.Text)
		}
	case deploy.LiveFile, deploy.LiveDefinition:
		say(x.streams.Out, "%s", e.Text)
	case deploy.LiveProblem:
		say(x.streams.Err, "problem: %s", e.Text)
	case function.EventStart, function.EventReady:
		if x.verbose {
			say(x.streams.Out, "%s: %s", functionIn(e), e.Text)
		}
	case sandbox.EventCode:
		say(x.streams.Out, "environment %s: %s", model.Quote(e.Environment), e.Text)
	case function.EventInspect:
		say(x.streams.Out, "%s waits for a debugger: %s", functionIn(e), e.Text)
	case function.EventWarning, function.EventCrash, function.EventStopped, sandbox.EventSchedule, sandbox.EventTable, sandbox.EventPool:
		say(x.streams.Err, "warning: %s: %s", functionIn(e), e.Text)
	default:
		say(x.streams.Out, "%s: %s", functionIn(e), e.Text)
	}
}

// endPaths says how many paths of an API were not named.
func (x *sandboxPrinter) endPaths() {
	if more := x.paths - mostLines; more > 0 && !x.verbose {
		say(x.streams.Out, "    and %d more; -v names them", more)
	}
	x.paths = 0
}

// functionIn is the function that an event is about, and its environment.
func functionIn(e sandbox.Event) string {
	if e.Function == "" {
		return "environment " + model.Quote(e.Environment)
	}
	return "function " + model.Quote(e.Function) + " of " + model.Quote(e.Environment)
}
