package aws

import (
	"errors"
	"strings"

	"gatewright/deploy/contract"
	"gatewright/deploy/stack"
	"gatewright/internal/text/prose"
	"gatewright/model"
)

// shortly is a reason of the service as a part of one line: the message without what is
// wrapped around it, as in
//
//	Resource handler returned message: "NAME already exists (Service: ...)" (RequestToken: ..., HandlerErrorCode: ...)
func shortly(reason string) string {
	const (
		longest = 400
		wrapped = `Resource handler returned message: "`
	)
	reason = strings.TrimSpace(reason)
	if rest, is := strings.CutPrefix(reason, wrapped); is {
		if end := strings.LastIndex(rest, `" (RequestToken:`); end > 0 {
			reason = rest[:end]
		}
		reason, _, _ = strings.Cut(reason, " (Service: ")
	}
	reason = strings.TrimRight(strings.Join(strings.Fields(reason), " "), ".;:")
	if reason == "" {
		return "AWS gives no reason"
	}
	if len(reason) > longest {
		reason = strings.ToValidUTF8(reason[:longest], "") + "..."
	}
	return prose.Printable(reason)
}

// ErrPushFailed is the cause of the error of a push that AWS could not carry out.
var ErrPushFailed = errors.New("the push failed")

// pushFailed says what failed first, in the words of the definition, and what the stack is now.
func pushFailed(w words, env model.Ref, s *stack.Stack, failures []stack.Event) error {
	p := &model.Problem{
		Of: env, Text: "could not be pushed: " + shortly(s.Reason), Fix: "correct it and push again",
		Cause: ErrPushFailed,
	}
	if len(failures) > 0 {
		first := failures[0]
		did := (&contract.ResourceProgress{Status: first.Status}).Words()
		reason := shortly(first.Reason)
		if of := w.of[first.Logical]; of.Kind != "" {
			p.Of = of
		}
		p.Text = did + ": " + reason
		if name := w.name(first.Logical, first.Type); name != "the "+p.Of.String() {
			p.Text = name + " " + p.Text
		}
		if fix := remedy(first); fix != "" {
			p.Fix = fix
		}
	}
	switch {
	case s.Status == stack.UpdateRolledBack:
		p.Text += "; everything is as it was before"
	case s.Status == stack.DeleteComplete:
		p.Text, p.Fix = "was cancelled; nothing is deployed", "push again"
	case s.Status.Unmade():
		p.Text += "; nothing is deployed"
	case s.Status == stack.UpdateRollbackFailed:
		p.Text += "; and the stack could not go back to what it was"
		p.Fix = "correct it, then run: gatewright push --env " + model.ShellWord(env.Name)
	}
	return p
}

// remedy is what to do about a failure of a known kind. The service says the kind in the
// reason alone.
func remedy(e stack.Event) string {
	reason := strings.ToLower(e.Reason)
	switch {
	case strings.Contains(reason, "not authorized to perform"), strings.Contains(reason, "accessdenied"),
		strings.Contains(reason, "access denied"):
		return "ask the account's administrator for that permission, and push again"
	case strings.Contains(reason, "already exists"):
		return "it is there from an earlier deployment or another program: remove it in AWS, or change its name, " +
			"and push again"
	case strings.Contains(reason, "limit"), strings.Contains(reason, "quota"):
		return "ask AWS for a higher quota of the account, or use less, and push again"
	}
	return ""
}
