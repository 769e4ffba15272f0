package validate

import (
	"path"
	"time"

	"gatewright/internal/source"
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
		t := p.Amplify.Template("function", f.Name)
		if t == nil {
			continue
		}
		for _, r := range t.Resources() {
			runtime := r.Properties.Get("Runtime")
			if r.Type != "AWS::Lambda::Function" || runtime == nil {
				continue
			}
			if text := aws.Deprecated(runtime.Text, now); text != "" {
				problems = append(problems, &read.Problem{
					File: t.Name, Line: runtime.Line, Column: runtime.Column, Pointer: runtime.Pointer, Level: model.Warning,
					Text: text, Fix: newer,
				})
			}
		}
	}
	return problems
}

// Gone finds what the sources of functions use and their runtimes have no more.
func Gone(p *project.Project) []*read.Problem {
	var problems []*read.Problem
	for _, f := range p.Backend.Functions {
		folder, err := p.FolderOf(f)
		if err != nil || f.Runtime == "" {
			continue
		}
		for _, gone := range source.FindGone(folder, f.Runtime.InCloud()) {
			problems = append(problems, &read.Problem{
				File: path.Join(p.Layout.FunctionFolder(f.Name), gone.File), Line: gone.Line, Column: gone.Column,
				Level: model.Warning, Text: gone.Text, Fix: gone.Fix,
			})
		}
	}
	return problems
}
