package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/sandbox/function"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/traffic"
	"gatewright/sandbox/trigger"
)

// callTrigger calls a function for a user pool, and says what went wrong in the words that
// the pool passes on to its client.
func (s *Sandbox) callTrigger(c userpool.TriggerCall) ([]byte, error) {
	within := trigger.PoolWait
	if s.runner.Inspects(c.Environment, c.Function) {
		// Somebody looks at it with a debugger.
		const unhurried = 15 * time.Minute
		within = unhurried
	}
	late := func(attempt int) {
		text := fmt.Sprintf("the user pool waited %s for the trigger %s (attempt %d of %d); a call that has begun "+
			"goes on by itself", within, c.At, attempt, trigger.PoolAttempts)
		s.logs.Append(logs.Line{Environment: c.Environment, Function: c.Function, Level: logs.Warn, Text: text})
	}
	answer, err := s.callUnasked(traffic.Trigger, "the trigger "+string(c.At)+" of the user pool",
		function.Call{Environment: c.Environment, Function: c.Function, Payload: c.Event},
		func(call function.Call) (function.Answer, error) {
			return trigger.Ask(context.Background(), s.runner, call, within, trigger.PoolAttempts, late)
		})
	var failed *function.Error
	switch {
	case err == nil && answer.Failed:
		return nil, &userpool.FunctionError{Message: errorMessage(answer.Payload)}
	case err == nil:
		return answer.Payload, nil
	case errors.Is(err, trigger.ErrLate):
		err = userpool.ErrNoAnswer
	case errors.As(err, &failed) && failed.CloudText != "":
		return nil, &userpool.FunctionError{Message: cloudMessage(failed.CloudText)}
	case errors.As(err, &failed) && failed.Kind == function.NoFunction:
		err = userpool.ErrNoFunction
	}
	s.tellTrigger(c, err)
	return nil, err
}

// tellTrigger tells the people who run the sandbox why a user pool got no answer.
func (s *Sandbox) tellTrigger(c userpool.TriggerCall, err error) {
	if failed := (*function.Error)(nil); errors.As(err, &failed) && failed.Kind == function.Closed {
		return
	}
	text := s.logs.Hide("the trigger " + string(c.At) + " of the user pool failed: " + err.Error())
	s.logs.Append(logs.Line{
		Environment: c.Environment, Function: logs.Identity, Level: logs.Error,
		Text: text + " (function " + phrase.Quote(c.Function) + ")",
	})
	s.options.Notify(Event{Kind: EventTrigger, Environment: c.Environment, Function: c.Function, Text: text})
}

// cloudMessage is the errorMessage of Lambda for a process that ended, or did not start. The
// lines after the first name files of this machine.
func cloudMessage(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	return text
}

// errorMessage is errorMessage of the error object of a function.
func errorMessage(payload []byte) string {
	var object struct {
		Message *string `json:"errorMessage"`
	}
	if json.Unmarshal(payload, &object) != nil || object.Message == nil {
		return "null"
	}
	return *object.Message
}

// callUnasked calls a function that no request asked for, and remembers that. rule says why it is called; ask
// calls it, nil in the usual way.
func (s *Sandbox) callUnasked(
	kind traffic.Kind, rule string, c function.Call, ask func(function.Call) (function.Answer, error),
) (function.Answer, error) {
	f := &function.Flight{Environment: c.Environment, Function: c.Function, Kind: string(kind), Began: time.Now()}
	if c.Flight = f; ask == nil {
		ask = func(c function.Call) (function.Answer, error) { return s.runner.Invoke(context.Background(), c) }
	}
	answer, err := ask(c)
	f.Now(function.Returned)
	call := traffic.Call{
		Time: f.Began.UTC().Round(0), Kind: kind, Environment: c.Environment, Function: c.Function,
		Who: traffic.Who{Kind: traffic.Nobody, Rule: rule, Allowed: true}, Request: answer.RequestID,
	}
	ended := call.End(f)
	s.traffic.AddRun(call, ended, c.Payload, answer, err, s.logs.Hide)
	return answer, err
}

func (s *Sandbox) schedules() []trigger.Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	return entriesOf(s.config)
}

func entriesOf(c Config) []trigger.Entry {
	var entries []trigger.Entry
	for _, env := range c.Environments {
		entries = append(entries, env.Schedules...)
	}
	return entries
}

// fire invokes a function for its schedule. Only the log has the answer.
func (s *Sandbox) fire(e trigger.Entry, at time.Time) {
	s.mu.Lock()
	var region, account string
	for _, env := range s.config.Environments {
		if env.Name == e.Environment {
			region, account = env.Region, env.AccountID
		}
	}
	closed := s.closed
	if !closed {
		s.scheduledCalls.Add(1)
	}
	s.mu.Unlock()
	if closed {
		return
	}
	defer s.scheduledCalls.Done()
	event := trigger.Event(e.Environment, e.Function, region, account, at)
	_, err := s.callUnasked(traffic.Schedule, "the schedule of the function",
		function.Call{Environment: e.Environment, Function: e.Function, Payload: event}, nil)
	var failed *function.Error
	if err != nil && !(errors.As(err, &failed) && failed.Kind == function.Closed) {
		s.options.Notify(Event{
			Kind: EventSchedule, Environment: e.Environment, Function: e.Function,
			Text: "the scheduled call of " + clock.Moment(at) + " failed: " + err.Error(),
		})
	}
}

// awaitScheduledCalls waits for the calls of schedules and streams until ctx ends.
func (s *Sandbox) awaitScheduledCalls(ctx context.Context) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.scheduledCalls.Wait()
		s.endStreams()
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	}
}
