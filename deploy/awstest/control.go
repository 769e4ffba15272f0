package awstest

import (
	"slices"
	"strings"
)

func (s *Server) cancelUpdate(r *request) (answer, *fault) {
	st, f := s.named(r, noStackPlain)
	if f != nil {
		return answer{}, f
	}
	token := r.get("ClientRequestToken")
	if token != "" && st.tokens[token] == "cancel" {
		return result(r, "")
	}
	if st.status != "UPDATE_IN_PROGRESS" {
		return answer{}, invalid("CancelUpdateStack cannot be called from current stack status")
	}
	st.tokens[token] = "cancel"
	if st.running == nil {
		s.begin(st, "update", token, st.deployed)
	}
	st.running.busy = false
	s.cancelRunning(st)
	s.rollBackUpdate(st, "User Initiated")
	return result(r, "")
}

func (s *Server) continueRollback(r *request) (answer, *fault) {
	st, f := s.named(r, noStackPlain)
	if f != nil {
		return answer{}, f
	}
	token := r.get("ClientRequestToken")
	if token != "" && st.tokens[token] == "continue" {
		return result(r, "")
	}
	if st.status != "UPDATE_ROLLBACK_FAILED" {
		return answer{},
			invalid("Stack:" + st.id + " is in " + st.status +
				" state and can not be rolled back. Please check status of the stack")
	}
	st.tokens[token] = "continue"
	op := st.running
	if op == nil {
		op = s.begin(st, "update", token, st.deployed)
	}
	failed, skipped := op.failed, r.members("ResourcesToSkip")
	op.failed, op.busy, op.rollback, op.token = nil, false, true, token
	s.set(st, "UPDATE_ROLLBACK_IN_PROGRESS", "User Initiated")
	for _, t := range op.done {
		skip := slices.ContainsFunc(skipped, func(m map[string]string) bool { return m[""] == t.id })
		switch {
		case !slices.Contains(failed, t.id) || t.verb == "create":
		case skip:
			s.mark(st, t.now, "UPDATE_COMPLETE", "Resource was skipped during the rollback")
		default:
			op.queue = append(op.queue, &task{verb: "restore", id: t.id, kind: t.kind, old: t.old, now: t.now})
		}
	}
	op.then = func() { s.endRollback(st) }
	return result(r, "")
}

// deleteStack succeeds if there is no such stack, as in AWS.
func (s *Server) deleteStack(r *request) (answer, *fault) {
	st := s.find(r.Account, r.Region, r.get("StackName"))
	if st == nil || st.status == "DELETE_COMPLETE" || st.status == "DELETE_IN_PROGRESS" {
		return result(r, "")
	}
	if st.protected {
		return answer{}, invalid("Stack [" + st.name + "] cannot be deleted while TerminationProtection is enabled")
	}
	if st.status != "CREATE_IN_PROGRESS" && st.status != "REVIEW_IN_PROGRESS" && inProgress(st.status) {
		return answer{}, invalid("Stack [" + st.id + "] cannot be deleted while in status " + st.status)
	}
	if st.running != nil && st.running.kind == "create" {
		s.cancelRunning(st)
	}
	s.runDeletion(st, r.get("ClientRequestToken"))
	for _, m := range r.members("RetainResources") {
		if made := st.resource(m[""]); made != nil {
			made.deletion = "Retain"
		}
	}
	s.changeSets = slices.DeleteFunc(s.changeSets, func(c *changeSet) bool { return c.stack == st })
	return result(r, "")
}

func (s *Server) updateProtection(r *request) (answer, *fault) {
	st, f := s.named(r, noStackPlain)
	if f != nil {
		return answer{}, f
	}
	st.protected = r.get("EnableTerminationProtection") == "true"
	return result(r, tx("StackId", st.id))
}

func (s *Server) setPolicy(r *request) (answer, *fault) {
	st, f := s.named(r, noStackPlain)
	if f != nil {
		return answer{}, f
	}
	policy := r.get("StackPolicyBody")
	if address := r.get("StackPolicyURL"); address != "" {
		text, f := s.templateAt(r.Account, address)
		if f != nil {
			return answer{}, f
		}
		policy = string(text)
	}
	if _, ok := parsePolicy(policy); !ok {
		return answer{}, invalid("Error validating stack policy: Invalid stack policy")
	}
	st.policy = policy
	return result(r, "")
}

func (s *Server) getPolicy(r *request) (answer, *fault) {
	st, f := s.named(r, noStackPlain)
	if f != nil {
		return answer{}, f
	}
	return result(r, tx("StackPolicyBody", strings.TrimSpace(st.policy)))
}
