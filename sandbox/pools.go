package sandbox

import (
	"path/filepath"
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/sandbox/identity"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/state"
)

// openPools opens the user pools of a state folder that this process owns.
func openPools(
	folder, address string, deliver func(userpool.Message), call func(userpool.TriggerCall) ([]byte, error),
	failed func(string, error), damaged func(error),
) (*identity.Service, error) {
	data, err := state.MakeData(folder)
	if err != nil {
		return nil, err
	}
	return identity.Open(identity.Options{
		Users: filepath.Join(data, state.UserFile), Keys: filepath.Join(folder, state.KeysFile), Address: address,
		Deliver: deliver, Call: call, Failed: failed, Damaged: damaged,
	})
}

// ServedPool is the user pool and the identity pool of an environment in a running
// sandbox, with their endpoints for client libraries.
type ServedPool struct {
	Environment          string `json:"environment"`
	UserPoolID           string `json:"userPoolId"`
	ClientID             string `json:"clientId"`
	IdentityPoolID       string `json:"identityPoolId"`
	UserPoolEndpoint     string `json:"userPoolEndpoint"`
	IdentityPoolEndpoint string `json:"identityPoolEndpoint"`
}

// servePools serves the pools at the address of the APIs.
func (s *Sandbox) servePools() {
	for _, prefix := range []string{identity.UserPoolPath, identity.IdentityPoolPath, identity.WellKnown} {
		s.gateway.Handle(prefix, s.pools.Paths())
	}
	for _, target := range []string{identity.UserPoolTarget, identity.IdentityPoolTarget} {
		s.gateway.Handle(target, poolGuard{s.pools.Root(), s.caller, s.tell, s.keepUse})
	}
}

// applyPools replaces the pools that are served, and reports features that the sandbox
// lacks. The caller holds f.mu.
func (s *Sandbox) applyPools(c Config) {
	var pools []pool.Pool
	for _, env := range c.Environments {
		if env.Pool == nil {
			continue
		}
		pools = append(pools, *env.Pool)
		if env.Pool.Definition != nil && env.Pool.Definition.OAuth != nil && !s.hadOAuth(env.Name) {
			s.options.Notify(Event{
				Kind: EventPool, Environment: env.Name,
				Text: "the sandbox serves neither the sign-in page of oauth nor other identity providers: its users sign in with " +
					"their passwords",
			})
		}
	}
	s.pools.Apply(pools)
}

// hadOAuth reports whether an environment had the section oauth before this Apply.
func (s *Sandbox) hadOAuth(name string) bool {
	return slices.ContainsFunc(s.config.Environments, func(env Environment) bool {
		return env.Name == name && env.Pool != nil && env.Pool.Definition != nil && env.Pool.Definition.OAuth != nil
	})
}

// showCode shows a code that Cognito would send to a user. Temporary passwords are not
// logged.
func (s *Sandbox) showCode(m userpool.Message) {
	what, where := "the code for the "+m.Purpose+" of ", "; the cloud would send it to "+phrase.Quote(m.To)
	if m.Purpose == userpool.PurposeTemporary {
		what = "the temporary password of "
	}
	if m.Undeliverable {
		where = "; the cloud would send none, since the user has no address for it"
	}
	if m.Note != "" {
		where += "; " + m.Note
	}
	event := func(code string) Event {
		text := what + phrase.Quote(m.User) + " is " + code + where
		if m.Text != "" && code == m.Code {
			text += ", in the message " + phrase.Quote(m.Text)
		}
		if m.Subject != "" {
			text += ", with the subject " + phrase.Quote(m.Subject)
		}
		return Event{Kind: EventCode, Environment: m.Environment, Text: text}
	}
	logged := event(m.Code)
	if m.Purpose == userpool.PurposeTemporary {
		logged = event("in the sandbox's output")
	}
	s.logs.Append(logs.Line{Environment: m.Environment, Function: logs.Identity, Level: logs.Info, Text: logged.Text})
	s.options.Notify(event(m.Code))
}

// logFailure logs an operation that failed because of the sandbox.
func (s *Sandbox) logFailure(operation string, err error) {
	s.logs.Append(logs.Line{
		Function: logs.Gateway, Level: logs.Error,
		Text: phrase.Quote(operation) + " failed: " + err.Error(),
	})
}

// servedPools lists the pools for Status.
func (s *Sandbox) servedPools() []ServedPool {
	s.mu.Lock()
	defer s.mu.Unlock()
	served := []ServedPool{}
	for _, env := range s.config.Environments {
		if p := env.Pool; p != nil {
			served = append(served, ServedPool{
				Environment: env.Name, UserPoolID: p.UserPoolID, ClientID: p.ClientID, IdentityPoolID: p.IdentityPoolID,
				UserPoolEndpoint:     s.run.Address + identity.UserPoolPath,
				IdentityPoolEndpoint: s.run.Address + identity.IdentityPoolPath,
			})
		}
	}
	return served
}
