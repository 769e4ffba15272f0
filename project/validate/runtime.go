package validate

import (
	"path"
	"time"

	"gatewright/internal/source"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/read"
	"gatewright/render/aws"
)

// newer is what to do about a runtime that AWS does not maintain.
const newer = "use a newer one, such as nodejs24.x or python3.14"

// OldRuntimes warns of runtimes that definitions name, or the templates of a project of the Amplify
// CLI, and AWS does not maintain any more.
func OldRuntimes(p *project.Project, now time.Time) []*read.Problem {
	var problems []*read.Problem
	for _, f := range p.Backend.Functions {
		if text := aws.Deprecated(string(f.Runtime.InCloud()), now); text != "" && p.Amplify == nil {
			problems = append(problems, located(p, &model.Problem{
				Of: model.Ref{Kind: model.KindFunction, Name: f.Name}, Pointer: "/runtime",
				Level: model.Warning, Text: text, Fix: newer,
			}))
		}
		runtime, problem := templateRuntime(p, f.Name)
		if text := aws.Deprecated(runtime, now); text != "" {
			problem.Text, problem.Fix = text, newer
			problems = append(problems, problem)
		}
	}
	return problems
}

// OtherLanguages finds functions that are never run here: those of projects of the Amplify CLI in Java or
// .NET, for example.
func OtherLanguages(p *project.Project) []*read.Problem {
	var problems []*read.Problem
	for _, f := range p.Backend.Functions {
		if problem := OtherLanguage(p, f.Name); problem != nil {
			problems = append(problems, problem)
		}
	}
	return problems
}

// OtherLanguage is what OtherLanguages says of a function; nil for one that runs here.
func OtherLanguage(p *project.Project, function string) *read.Problem {
	runtime, problem := templateRuntime(p, function)
	if runtime == "" || model.Runtime(runtime).Language() != "" {
		return nil
	}
	problem.Text = "function " + phrase.Quote(function) + " is written for " + phrase.Quote(runtime) +
		", which gatewright neither runs nor packages: in the sandbox a call of it is an error"
	problem.Fix = "call it in the cloud, or rewrite it for " + phrase.Either(model.Languages)
	return problem
}

// Gone finds what the sources of functions in Python import and their runtimes have nothing more.
func Gone(p *project.Project) []*read.Problem {
	var problems []*read.Problem
	for _, f := range p.Backend.Functions {
		folder, err := p.FolderOf(f)
		if err != nil || f.Runtime.Language() != model.Python {
			continue
		}
		// One that is missing is told by its own rule.
		handler, _ := source.FindHandler(folder, model.Python, f.Handler)
		for _, gone := range source.FindGone(folder, handler.File, f.Runtime.InCloud()) {
			problems = append(problems, &read.Problem{
				File: path.Join(p.Layout.FunctionFolder(f.Name), gone.File), Line: gone.Line, Column: gone.Column,
				Level: model.Warning, Text: gone.Text, Fix: gone.Fix,
			})
		}
	}
	return problems
}

// templateRuntime returns the runtime that the template of a function in a project of the Amplify CLI names,
// and a warning without a text at its place; "" if there is none.
func templateRuntime(p *project.Project, function string) (string, *read.Problem) {
	t := p.Amplify.Template("function", function)
	if t == nil {
		return "", nil
	}
	for _, r := range t.Resources() {
		if at := r.Properties.Get("Runtime"); r.Type == "AWS::Lambda::Function" && at != nil {
			return at.Text, &read.Problem{
				File: t.Name, Line: at.Line, Column: at.Column, Pointer: at.Pointer, Level: model.Warning,
			}
		}
	}
	return "", nil
}
