package awstest

import (
	"bytes"
	"slices"
	"time"
)

// Stack is what a test can see of a stack.
type Stack struct {
	Account, Region, Name, ID string
	Status, StatusReason      string
	Tags, Outputs, Parameters map[string]string
	Protected                 bool
	// Resources are those that exist, in the order in which they were made.
	Resources []Resource
	// Parent is the name of the stack that this one is nested in, or "".
	Parent string
	// Events are all events, oldest first, as "LogicalID STATUS".
	Events []string
}

// Resource is a resource of a Stack.
type Resource struct{ LogicalID, PhysicalID, Type, Status string }

// Stacks returns all stacks, deleted ones too, in the order in which they were made.
func (s *Server) Stacks() []Stack {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Stack
	for _, st := range s.stacks {
		all = append(all, st.view())
	}
	return all
}

// Stack returns the newest stack with a name, or the one with an ARN, of any account and
// region; ok is false if there is none.
func (s *Server) Stack(nameOrID string) (found Stack, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if st := s.any(nameOrID); st != nil {
		return st.view(), true
	}
	return Stack{}, false
}

func (s *Server) any(nameOrID string) *stack {
	for _, st := range slices.Backward(s.stacks) {
		if st.name == nameOrID || st.id == nameOrID {
			return st
		}
	}
	return nil
}

func (st *stack) view() Stack {
	v := Stack{
		Account: st.account, Region: st.region, Name: st.name, ID: st.id, Status: st.status, StatusReason: st.reason,
		Protected: st.protected,
		Tags:      make(map[string]string), Outputs: make(map[string]string), Parameters: make(map[string]string),
	}
	for _, t := range st.deployed.tags {
		v.Tags[t.key] = t.value
	}
	for _, o := range st.outputs() {
		v.Outputs[o.name] = o.value
	}
	for name, value := range st.deployed.parameters {
		v.Parameters[name] = value
	}
	for _, r := range st.resources {
		v.Resources = append(v.Resources, Resource{r.id, r.physical, r.kind, r.status})
	}
	if st.parent != nil {
		v.Parent = st.parent.name
	}
	for _, e := range st.events {
		v.Events = append(v.Events, e.logical+" "+e.status)
	}
	return v
}

// Templates returns every template that was begun on the stack with a name or ARN, in order.
func (s *Server) Templates(stack string) [][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all [][]byte
	if st := s.any(stack); st != nil {
		for _, text := range st.executed {
			all = append(all, bytes.Clone(text))
		}
	}
	return all
}

// Executed returns how many creations and updates of a stack were begun.
func (s *Server) Executed(stack string) int { return len(s.Templates(stack)) }

// ChangeSets returns the names of a stack's change sets that are not deleted, oldest first.
func (s *Server) ChangeSets(stack string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for _, c := range s.changeSets {
		if c.stack.name == stack || c.stack.id == stack {
			names = append(names, c.name)
		}
	}
	return names
}

// Step moves the running operation of a stack on by one step, as a poll does.
func (s *Server) Step(stack string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if st := s.any(stack); st != nil {
		s.step(st)
	}
}

// Settle runs the operation of a stack to its end.
func (s *Server) Settle(stack string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if st := s.any(stack); st != nil {
		s.settle(st)
	}
}

// SetStatus gives a stack a status, as if somebody had left it so; it makes the stack if there
// is none, in the account and region of Options. What was running is dropped, and with a status
// that is in progress nothing moves until the next SetStatus.
func (s *Server) SetStatus(stack, status string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.any(stack)
	if st == nil {
		st = s.newStack(s.options.Account, s.options.Region, stack)
	}
	st.running = nil
	if inProgress(status) && status != "REVIEW_IN_PROGRESS" {
		s.begin(st, "update", "", st.deployed).busy = true
	}
	s.set(st, status, "")
}

// Busy begins an update of an existing stack by somebody else, at a time. It stays in
// UPDATE_IN_PROGRESS until SetStatus. Who is the ClientRequestToken of its events.
func (s *Server) Busy(stack, who string, since time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.any(stack)
	if st == nil {
		st = s.newStack(s.options.Account, s.options.Region, stack)
	}
	s.begin(st, "update", who, st.deployed).busy = true
	s.set(st, "UPDATE_IN_PROGRESS", "User Initiated")
	st.events[len(st.events)-1].time, st.updated = since, since
}

// Stick holds the running operation of a stack for good: it stays in its status, as AWS does
// when a resource never answers, until SetStatus, or CancelUpdateStack of an update.
func (s *Server) Stick(stack string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if st := s.any(stack); st != nil && st.running != nil {
		st.running.busy = true
	}
}
