package aws

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gatewright/deploy/account"
	"gatewright/deploy/stack"
	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/render/template"
)

// ErrInTheWay is the cause of the error of a first push that meets what is in the account already.
var ErrInTheWay = errors.New("it already exists in the account")

// Found is something in the account that a new environment would make: it has the same name, or
// an earlier deployment of the environment left it.
type Found struct {
	Of model.Ref
	// Name is what people call it, such as "the table books", ID its name or id in AWS.
	Name, ID string
	// Text says what it has, and since when it is there.
	Text string
	// Cannot says why it cannot be taken over, and Fix what to do then; both are "" if it can.
	Cannot, Fix string

	// exists and imports are how it is taken over, mark what tells it from another one of its name.
	exists  template.Existing
	imports stack.Import
	mark    string
}

// String returns it as one line.
func (f Found) String() string {
	text := f.Name
	if f.ID != "" {
		text += ", " + f.ID
	}
	if f.Text != "" {
		text += ": " + f.Text
	}
	if f.Cannot != "" {
		text += "; it cannot be adopted: " + f.Cannot + "; " + f.Fix
	}
	return text
}

// InTheWay is the error of a push that would make an environment of which the account has parts
// already. Nothing was done.
type InTheWay struct {
	// Environment is the environment, Place the account and the region.
	Environment, Place string
	// Found are all that is there, and what cannot be taken over first.
	Found []Found
}

// Adoptable reports whether all of it can be taken over.
func (e *InTheWay) Adoptable() bool { return len(e.Found) > 0 && e.Found[0].Cannot == "" }

// Error gives one line.
func (e *InTheWay) Error() string {
	env := "environment " + phrase.Quote(e.Environment)
	if !e.Adoptable() {
		first := e.Found[0]
		text := fmt.Sprintf("%s: %s, %s, is in the account %s, and cannot be adopted: %s; %s", env, first.Name, first.ID,
			e.Place, first.Cannot, first.Fix)
		if n := len(e.Found) - 1; n > 0 {
			text += fmt.Sprintf(" (and %d more in the way)", n)
		}
		return text
	}
	names := make([]string, len(e.Found))
	for i, f := range e.Found {
		names[i] = f.Name
	}
	const most = 4
	if n := len(names) - most; n > 0 {
		names = append(names[:most:most], fmt.Sprintf("%d more", n))
	}
	return fmt.Sprintf("%s would be created, but the account %s already has %s; adopt all of that with: "+
		"gatewright push --env %s --adopt; or remove it, or rename the environment",
		env, e.Place, phrase.List(names), model.ShellWord(e.Environment))
}

// Unwrap returns the cause.
func (e *InTheWay) Unwrap() error { return ErrInTheWay }

// inTheWay is the error about what was found, what cannot be taken over first.
func (p Place) inTheWay(found []Found) *InTheWay {
	all := make([]Found, 0, len(found))
	for _, cannot := range []bool{true, false} {
		for _, f := range found {
			if (f.Cannot != "") == cannot {
				all = append(all, f)
			}
		}
	}
	return &InTheWay{Environment: p.Environment.Name, Place: p.Account + ", " + p.Region, Found: all}
}

// survey looks for what is in the account already of an environment that is made anew.
type survey struct {
	*looked
	ctx     context.Context
	options PushOptions
	made    *template.Template
	words   words
	found   []Found
	told    []string
}

// all looks for everything that the template has and the stack does not; of an environment that is
// deployed, for tables: one that left the stack stays in the account with its name.
func (s *survey) all() error {
	for _, m := range s.made.Root.Get("Resources").Members {
		kind := m.Value.Get("Type").Text
		if s.old.Root.Get("Resources", m.Name) != nil || !s.First() && kind != tableType {
			continue
		}
		look := map[string]func(cfn.Member) error{
			tableType: s.table, logGroupType: s.logGroup, functionType: s.function, ruleType: s.rule, userPoolType: s.userPool,
		}[kind]
		if look == nil {
			continue
		}
		if err := look(m); err != nil {
			return err
		}
	}
	return nil
}

// named is a resource of the template that was found by its name or id.
func (s *survey) named(m cfn.Member, id string) Found {
	return Found{Of: s.words.of[m.Name], Name: s.words.name(m.Name, m.Value.Get("Type").Text), ID: id}
}

// taken adds what was found. If it cannot be taken over, the rest is left out.
func (s *survey) taken(f Found, m cfn.Member, identifier map[string]string, properties *cfn.Node) {
	kind := m.Value.Get("Type").Text
	f.exists = template.Existing{ID: m.Name, Type: kind, Properties: properties}
	f.imports = stack.Import{Logical: m.Name, Type: kind, Identifier: identifier}
	s.found = append(s.found, f)
}

// denied notes that something could not be looked at, because the credentials may not. Who wants
// to take it over has to be able to.
func (s *survey) denied(what string, err error) error {
	if err == nil || s.options.Adopt {
		return err
	}
	switch account.Code(err) {
	case "AccessDenied", "AccessDeniedException", "NotAuthorizedException", "UnauthorizedOperation":
		s.told = append(s.told, "whether the account has "+what+" is unknown: "+err.Error())
		return nil
	}
	return err
}

// isThere reports whether an answer is about something that exists: an error that says that it does not is none.
func isThere(err error) (bool, error) {
	switch account.Code(err) {
	case "ResourceNotFoundException", "ResourceNotFound", "NotFoundException":
		return false, nil
	}
	return err == nil, err
}

// owner says whose a resource is: the name of a stack that has it; "" if none does. tags are
// those of the resource, which name the stack that made it.
func (s *survey) owner(kind, id string, tags map[string]string) (string, error) {
	arn, err := s.cloud.client.Owner(s.ctx, kind, id)
	if err = s.denied("a stack with "+id, err); err != nil {
		return "", err
	}
	if made := tags["aws:cloudformation:stack-id"]; arn == "" && made != "" {
		switch one, err := s.cloud.client.Describe(s.ctx, made); {
		case errors.Is(err, stack.ErrNoStack):
		case err != nil:
			return "", err
		case one.Status != stack.DeleteComplete:
			arn = one.ARN
		}
	}
	return stackNameOf(arn), nil
}

// stackNameOf is the name in the ARN of a stack.
func stackNameOf(arn string) string {
	_, rest, _ := strings.Cut(arn, ":stack/")
	name, _, _ := strings.Cut(rest, "/")
	return name
}

// belongs says that something cannot be taken over, because a stack has it.
func (f *Found) belongs(owner string) {
	f.Cannot, f.Fix = "it belongs to the stack "+owner,
		"remove it there so that it stays, or give the environment another name"
}
