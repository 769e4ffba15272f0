// Package refuse finds why a push is refused before anything is done: by what this machine knows
// already. A push asks it, and so does anyone who says beforehand what a push would say.
package refuse

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/deploy/archive"
	"gatewright/deploy/contract"
	"gatewright/deploy/outputs"
	"gatewright/deploy/secretfile"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/check"
	"gatewright/project"
	"gatewright/project/amplify"
	"gatewright/project/validate"
	"gatewright/render/aws"
	"gatewright/render/template"
)

// Refusal is the error of a push that is refused before anything is done: what this machine
// knows already. There is at least one reason.
type Refusal struct {
	// Reasons are all that can be told at once, the first one first: each is one line. With an
	// error in the definition nothing more is looked at.
	Reasons []error
	// ByValidate says that the reasons are errors which validate finds.
	ByValidate bool
	// begins is what the line begins with, and more the command that shows all of several.
	begins, more string
}

// Error gives the first reason as one line, and how many more there are.
func (r *Refusal) Error() string {
	text := r.begins + r.Reasons[0].Error()
	if n := len(r.Reasons) - 1; n > 0 {
		text += fmt.Sprintf(" (and %d more; see them with: %s)", n, r.more)
	}
	return text
}

// Unwrap returns the reasons.
func (r *Refusal) Unwrap() []error { return r.Reasons }

// Push returns why an environment cannot be pushed, nil if it can.
func Push(target contract.Target) error {
	if r := Of(target); r != nil {
		return r
	}
	return nil
}

// Of finds why a push is refused by the definition alone, or by the sources of functions.
func Of(target contract.Target) *Refusal {
	p, env := target.Project, target.Environment
	alone := func(err error) *Refusal { return &Refusal{Reasons: []error{err}} }
	if p.Amplify != nil {
		return alone(&model.Problem{
			Of:   model.Ref{Kind: model.KindEnvironment, Name: env.Name},
			Text: "belongs to an Amplify CLI project, which the Amplify CLI deploys",
			Fix:  "run: amplify push", Cause: amplify.ErrKept,
		})
	}
	if err := WithoutApplication(p); err != nil {
		return alone(err)
	}
	var wrong []error
	for _, problem := range validate.Project(p) {
		if problem.Level == model.Error {
			wrong = append(wrong, problem)
		}
	}
	if len(wrong) > 0 {
		begins := "nothing is deployed while the project has an error: "
		if len(wrong) > 1 {
			begins = "nothing is deployed while the project has errors: "
		}
		return &Refusal{Reasons: wrong, ByValidate: true, begins: begins, more: "gatewright validate"}
	}
	switch env.Provider {
	case model.Local:
		if _, _, err := outputs.RecordOf(p.Backend, env, target.Now); err != nil {
			return alone(err)
		}
	case model.AWS:
		return refusedByAWS(target)
	default:
		return alone(contract.UnknownProvider(env))
	}
	return nil
}

// refusedByAWS finds what AWS would not accept, and functions and layers without a source.
func refusedByAWS(target contract.Target) *Refusal {
	p, env := target.Project, target.Environment
	problems := slices.DeleteFunc(aws.Check(p.Backend, env), func(p *model.Problem) bool { return p.Level != model.Error })
	problems = append(problems, template.Check(p.Backend, env)...)
	var wrong []error
	for _, problem := range validate.Located(p, problems) {
		wrong = append(wrong, problem)
	}
	if len(wrong) > 0 {
		r := Because(wrong, target)
		r.more = "gatewright validate --for aws --env " + model.ShellWord(env.Name)
		return r
	}
	for _, source := range Sources(target) {
		if err := source.Check(); err != nil {
			wrong = append(wrong, err)
		}
	}
	for _, problem := range KnownWeights(target) {
		if problem.Level == model.Error {
			wrong = append(wrong, problem)
		}
	}
	if len(wrong) > 0 {
		return Because(wrong, target)
	}
	return nil
}

// Because is the refusal of a push to a cloud.
func Because(reasons []error, target contract.Target) *Refusal {
	return &Refusal{
		Reasons: reasons, begins: "nothing is deployed: ",
		more: "gatewright status --env " + model.ShellWord(target.Environment.Name),
	}
}

// Sources are the functions and the layers of an environment that are uploaded, each
// once: those of functions by the function's name, and then layers by their folder.
func Sources(target contract.Target) []archive.Source {
	p := target.Project
	var sources []archive.Source
	layers := make(map[string]archive.Source)
	for _, f := range p.Backend.For(target.Environment).Functions {
		runtime := f.Runtime.InCloud()
		folder := filepath.Join(p.Root, filepath.FromSlash(p.Layout.FunctionFolder(f.Name)), "src")
		sources = append(sources,
			archive.Source{
				Name: f.Name, Folder: folder, Project: p.Root, Runtime: runtime.Language(), RuntimeName: runtime,
				Architecture: f.Architecture, Handler: f.Handler,
			})
		for _, layer := range f.Layers {
			if _, known := layers[layer]; !known && !strings.HasPrefix(layer, "arn:") {
				layers[layer] = archive.Source{
					Name: layer, Folder: filepath.Join(p.Root, filepath.FromSlash(p.LayerFolder(layer))),
					Project: p.Root, Layer: true, Runtime: runtime.Language(), RuntimeName: runtime, Architecture: f.Architecture,
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(layers)) {
		sources = append(sources, layers[name])
	}
	return sources
}

// Secrets are the problems of secrets that have neither a value on this machine nor one in the stack, and of those
// with a value that CloudFormation would replace: it does so in parameters too
// (https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references-ssm.html).
func Secrets(
	target contract.Target, all []template.Secret, known secretfile.Secrets, inStack func(template.Secret) bool,
) []error {
	var wrong []error
	say := func(text, fix string, cause error) {
		wrong = append(wrong, &model.Problem{
			Of: model.Ref{Kind: model.KindEnvironment, Name: target.Environment.Name}, Text: text, Fix: fix, Cause: cause,
		})
	}
	for _, s := range all {
		value, given := known.Values[s.Name]
		switch {
		case check.HasDynamicReference(value):
			say("the value of the secret "+phrase.Quote(s.Name)+" "+check.HasDynamicReferenceText,
				"write the value itself into "+phrase.QuotePath(known.File), nil)
		case !given && !inStack(s):
			text := "the secret " + phrase.Quote(s.Name) + " has no value"
			if known.Problem != "" {
				text += ", and " + phrase.QuotePath(known.File) + " " + known.Problem
			}
			say(text, "write it into "+phrase.QuotePath(known.File)+" as {\""+s.Name+
				"\": \"value\"}; it is sent to AWS and kept in no other file", ErrNoSecret)
		}
	}
	return wrong
}

// WithoutApplication refuses a project whose stacks have no name.
func WithoutApplication(p *project.Project) error {
	if p.Backend.Project.ApplicationID != "" {
		return nil
	}
	return &model.Problem{
		Of: model.Ref{Kind: model.KindProject}, Text: "has no application id, which is part of its stack name",
		Fix: "give it one with: gatewright update project --app-id " + project.NewApplicationID(),
	}
}

// ErrNoSecret is the cause of the error of a secret without a value.
var ErrNoSecret = errors.New("the secret has no value")
