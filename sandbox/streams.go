package sandbox

import (
	"errors"

	"gatewright/internal/text/phrase"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/traffic"
	"gatewright/sandbox/trigger"
)

// applyStreams replaces the functions that are called with the changes of tables. The tables
// are made already. The caller holds f.mu.
func (s *Sandbox) applyStreams(c Config) {
	var mappings []trigger.Mapping
	var tables []string
	for _, env := range c.Environments {
		for _, t := range env.Tables {
			tables = append(tables, t.Name)
			for _, each := range t.Definition.Triggers {
				mappings = append(mappings, trigger.Mapping{
					Environment: env.Name, Region: env.Region, Account: env.AccountID, Table: t.Name, Resource: t.Definition.Name,
					StreamTrigger: each,
				})
			}
		}
	}
	if s.streams != nil {
		s.streams.Apply(mappings, tables)
		return
	}
	for _, m := range mappings {
		s.reportStream(m, "is not called with the changes of the table "+phrase.Quote(m.Resource)+
			": another service has the tables, at "+phrase.Quote(s.options.TableEndpoint))
	}
}

// callStream calls a function with changes of a table.
func (s *Sandbox) callStream(m trigger.Mapping, event []byte) ([]byte, error) {
	answer, err := s.callUnasked(traffic.Trigger, "a trigger of the table "+m.Resource,
		function.Call{Environment: m.Environment, Function: m.Function, Payload: event}, nil)
	if err == nil && answer.Failed {
		err = errors.New(errorMessage(answer.Payload))
	}
	return answer.Payload, err
}

// reportStream tells what a person should know about the calls with changes of a table.
func (s *Sandbox) reportStream(m trigger.Mapping, text string) {
	// The text may have what the function wrote.
	text = s.logs.Hide(text)
	s.logs.Append(logs.Line{Environment: m.Environment, Function: m.Function, Level: logs.Warn, Text: text})
	s.options.Notify(Event{Kind: EventTrigger, Environment: m.Environment, Function: m.Function, Text: text})
}

// stopStreams begins no further call with changes.
func (s *Sandbox) stopStreams() {
	if s.streams != nil {
		s.streams.Stop()
	}
}

// endStreams waits for the calls with changes that were begun.
func (s *Sandbox) endStreams() {
	if s.streams != nil {
		s.streams.Wait()
	}
}

// notify passes on an event of a function. One whose source changed gets at once what it has
// not taken.
func (s *Sandbox) notify(e Event) {
	s.options.Notify(e)
	if e.Kind == function.EventChange && s.streams != nil {
		s.streams.Retry(e.Environment, e.Function)
	}
}
