package invoke

import (
	"cmp"

	"gatewright/internal/text/phrase"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/traffic"
)

// keep remembers a call of a function.
func (s *Service) keep(q *request, a function.Answer, err error) {
	c, ended := s.remembered(q)
	c.Function = q.called.Name
	s.options.Traffic.AddRun(c, ended, q.payload, a, err, s.options.Logs.Hide)
}

// keepRefused remembers a request that called no function, and tells why in a log.
func (s *Service) keepRefused(q *request, refused *fault) {
	s.note(q, refused.note)
	c, ended := s.remembered(q)
	c.Status, c.Failed = refused.status, refused.status >= 500
	if refused.code == accessDenied && q.caller != nil {
		c.Who.Allowed, c.Who.Rule = false, "function "+phrase.Quote(q.caller.Name)+" may not call "+phrase.Quote(q.wanted)
	}
	c.Why = cmp.Or(refused.note, refused.text)
	s.options.Traffic.AddRefused(c, ended, s.options.Logs.Hide)
}

func (s *Service) remembered(q *request) (traffic.Call, traffic.Ended) {
	c := traffic.Call{
		Time: q.flight.Began.UTC().Round(0), Kind: traffic.Invoke, Environment: q.called.Environment,
		Target:  cmp.Or(q.called.Name, q.wanted, "a function"),
		Request: q.id,
		Who:     traffic.Who{Kind: traffic.Nobody, Rule: "programs of this machine may call every function", Allowed: true},
	}
	if q.caller != nil {
		c.Who.Kind, c.Who.Name, c.Who.Rule = traffic.Function, q.caller.Name,
			"the access of function "+phrase.Quote(q.caller.Name)
		c.Environment = cmp.Or(c.Environment, q.caller.Environment)
	}
	ended := c.End(q.flight)
	return c, ended
}

// note writes a line about a request that was refused into the log of the caller; "" is
// none.
func (s *Service) note(q *request, text string) {
	if text == "" {
		return
	}
	line := logs.Line{Function: logs.Gateway, Level: logs.Warn, Text: text}
	if q.caller != nil {
		line.Environment, line.Function = q.caller.Environment, q.caller.Name
	}
	s.options.Logs.Append(line)
}

// tell writes a line about a call into the log of the function that is called.
func (s *Service) tell(q *request, level logs.Level, text string) {
	s.options.Logs.Append(logs.Line{
		Environment: q.called.Environment, Function: q.called.Name, Request: q.id,
		Level: level, Text: text,
	})
}
