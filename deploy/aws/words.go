package aws

import (
	"context"
	"errors"
	"strings"

	"gatewright/deploy/contract"
	"gatewright/deploy/stack"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project"
	"gatewright/render/template"
)

// words names the resources of a stack by the templates that it had and will have.
type words struct {
	names map[string]string
	of    map[string]model.Ref
}

// wordsOf collects the names; a later template counts less.
func wordsOf(templates ...*template.Template) words {
	w := words{make(map[string]string), make(map[string]model.Ref)}
	add := func(names map[string]string, of map[string]model.Ref) {
		for id, name := range names {
			if w.names[id] == "" {
				w.names[id], w.of[id] = name, of[id]
			}
		}
	}
	for _, t := range templates {
		if t == nil {
			continue
		}
		add(t.Words, t.Of)
		for _, n := range t.Nested {
			add(n.Words, n.Of)
		}
	}
	return w
}

// names renders an environment as it is defined and as a stack has it, for the names alone; nil if
// that is not possible.
func (p Place) names(ctx context.Context, s *stack.Stack) (now, then *template.Template) {
	if d, _, err := p.cloud.deployment(ctx, s); err == nil {
		then = rendered(d)
	}
	now, _ = template.Render(p.project.Backend, p.Environment, template.Options{})
	return now, then
}

func rendered(d *project.Deployment) *template.Template {
	then := d.Project.Backend
	made, _ := template.Render(then, then.Environment(d.Environment), template.Options{})
	return made
}

// name is what people call a resource.
func (w words) name(logical, kind string) string {
	if name := w.names[logical]; name != "" {
		return name
	}
	return logical + " (" + kind + ")"
}

// progress makes the step of a resource of an event; nil for one about the stack itself.
func (w words) progress(e stack.Event) *contract.ResourceProgress {
	if e.Own() {
		return nil
	}
	r := &contract.ResourceProgress{
		ID: e.Logical, Name: w.name(e.Logical, e.Type), Of: w.of[e.Logical], Status: e.Status,
		Failed: e.Failed(), Time: e.Time,
	}
	if e.Reason != "" {
		r.Reason = shortly(e.Reason)
	}
	return r
}

// shortly is a reason of the service as a part of one line: the message without what is wrapped around it, as in
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
		Of: env, Text: "could not be pushed: " + shortly(s.Reason), Fix: "fix it and push again",
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
		p.Text += "; everything is as before"
	case s.Status == stack.DeleteComplete:
		p.Text, p.Fix = "was cancelled; nothing is deployed", "push again"
	case s.Status.Unmade():
		p.Text += "; nothing is deployed"
	case s.Status == stack.UpdateRollbackFailed:
		p.Text += "; and the stack could not roll back"
		p.Fix = "fix it, then run: gatewright push --env " + model.ShellWord(env.Name)
	}
	return p
}

// remedy is what to do about a failure of a known kind. The service says the kind in the reason alone.
func remedy(e stack.Event) string {
	reason := strings.ToLower(e.Reason)
	switch {
	case strings.Contains(reason, "not authorized to perform"), strings.Contains(reason, "accessdenied"),
		strings.Contains(reason, "access denied"):
		return "ask the account's administrator for that permission, and push again"
	case strings.Contains(reason, "already exists"):
		return "an earlier deployment or another program created it: remove it in AWS, or change its name, and push again"
	case strings.Contains(reason, "limit"), strings.Contains(reason, "quota"):
		return "ask AWS for a higher quota, or use less, and push again"
	}
	return ""
}
