package validate

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/internal/file/ignore"
	"gatewright/internal/source"
	"gatewright/internal/source/typescript"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/amplify"
	"gatewright/project/read"
)

// sources adds the functions whose handler is in no file, or cannot be compiled.
func (v *validation) sources(p *project.Project) {
	for _, f := range p.Backend.Functions {
		of := model.Ref{Kind: model.KindFunction, Name: f.Name}
		if slices.Contains(p.Unread, of) || f.Runtime.Language() == "" || p.Amplify.Script(f.Name) != "" {
			continue
		}
		v.links(p, f)
		v.packages(p, f)
		v.layers(p, f)
		handler, err := p.Handler(f)
		var missing *model.Problem
		switch {
		case errors.As(err, &missing) && !hasLayers(p, f):
			problem := *missing
			problem.Of, problem.Field = of, ""
			if f.Handler == "" {
				problem.Pointer = ""
			}
			v.add(byRules, located(p, &problem))
		case err == nil && p.Root != "" && v.leavesOut(p, f, handler):
		case err == nil && !handler.TypeScript && p.Root != "" && handler.File != "":
			v.imports(p, f, handler)
		case err == nil && handler.TypeScript:
			v.compiles(p, f, handler)
			if p.Amplify != nil {
				v.add(byRules, located(p, &model.Problem{
					Of: of, Level: model.Warning, Text: "its handler " + phrase.Quote(handler.File) +
						" is written in TypeScript, but amplify push uploads it uncompiled, so Lambda cannot run it",
					Fix: "add a script " + phrase.Quote(amplify.ScriptName(f.Name)) +
						" that compiles it to the package.json of the project",
				}))
			}
		}
	}
}

// leavesOut adds a handler whose file is left out of what Lambda gets, and reports whether it is.
func (v *validation) leavesOut(p *project.Project, f *model.Function, handler source.Handler) bool {
	folder := filepath.Join(p.Root, filepath.FromSlash(p.Layout.FunctionFolder(f.Name)))
	src := filepath.Join(folder, source.Folder)
	rules, _ := ignore.Of(p.Root, folder, src)
	out := handler.LeftOut(rules, filepath.ToSlash(src), p.Root)
	if out != nil {
		out.Of = model.Ref{Kind: model.KindFunction, Name: f.Name}
		v.add(byRules, located(p, out))
	}
	return out != nil
}

// hasLayers reports whether a function has layers, which may have its handler.
func hasLayers(p *project.Project, f *model.Function) bool {
	if len(f.Layers) > 0 || p.Amplify == nil {
		return len(f.Layers) > 0
	}
	template := p.Amplify.Template("function", f.Name)
	if template == nil {
		return false
	}
	for _, r := range template.Resources() {
		if r.Type == "AWS::Lambda::Function" && r.Properties.Get("Layers") != nil &&
			len(r.Properties.Get("Layers").Items) > 0 {
			return true
		}
	}
	return false
}

// links adds the links in a function's source that cannot be followed.
func (v *validation) links(p *project.Project, f *model.Function) {
	// What cannot be read is an error of a push.
	tree, err := project.ReadSourceTree(p.FS, p.Layout.FunctionFolder(f.Name))
	if err != nil {
		return
	}
	for _, folder := range tree.Environments {
		v.add(byRules, &read.Problem{
			File: folder, Level: model.Warning, Text: "is a Python virtual environment, which is neither used in the sandbox " +
				"nor pushed",
			Fix: "list its packages in " + path.Join(p.Layout.FunctionFolder(f.Name), "src/requirements.txt") +
				", which are installed for the sandbox and for a push",
		})
	}
	for _, problem := range tree.Wrong {
		v.add(byRules, problem)
	}
}

// compiles adds the error of a handler that cannot be compiled. A project in memory has no
// files that the compiler could read.
func (v *validation) compiles(p *project.Project, f *model.Function, handler source.Handler) {
	if p.Root == "" {
		return
	}
	folder := p.Layout.FunctionFolder(f.Name)
	_, err := typescript.Compile(typescript.Source{
		Folder:  filepath.Join(p.Root, filepath.FromSlash(folder)),
		Handler: handler,
	})
	var wrong *typescript.Error
	if !errors.As(err, &wrong) {
		v.imports(p, f, handler)
		return
	}
	file := handler.File
	if wrong.File != "" {
		file = wrong.File
	}
	v.add(byRules, &read.Problem{
		File: path.Join(folder, file), Line: wrong.Line, Column: wrong.Column,
		Text: wrong.WithoutPlace(), Fix: "fix the source of function " + phrase.Quote(f.Name),
	})
}

// imports adds the modules that a function imports and that a push would miss. A layer may have a package.
func (v *validation) imports(p *project.Project, f *model.Function, handler source.Handler) {
	folder, err := p.FolderOf(f)
	if err != nil {
		return
	}
	at := filepath.Join(p.Root, filepath.FromSlash(p.Layout.FunctionFolder(f.Name)))
	of := source.Function{Project: p.Root, Source: filepath.Join(at, source.Folder)}
	if path.Ext(handler.File) == ".py" {
		v.importsOfPython(p, f, folder, handler)
		return
	}
	fixes := make(map[string]string)
	judge := func(file, module string) string {
		from, err := filepath.Rel(of.Source, file)
		if err != nil || !filepath.IsLocal(from) {
			return ""
		}
		isPath := strings.HasPrefix(module, ".")
		if !isPath && (hasLayers(p, f) || source.PackageOf(module) == source.SDK2 && source.HasSDK2(string(f.Runtime)) ||
			len(source.Unlisted(folder, []string{module})) == 0) {
			return ""
		}
		text, fix := of.Outside(filepath.ToSlash(from), module)
		if text == "" && !isPath {
			name := source.PackageOf(module)
			text = "imports the package " + phrase.Quote(name) +
				", which src/package.json does not list, so a push has it only through another package"
			fix = "list it in the dependencies of " + path.Join(p.Layout.FunctionFolder(f.Name), source.Folder, "package.json")
		}
		fixes[text] = fix
		return text
	}
	fixes[typescript.Asserts] = "write with instead of assert"
	script := typescript.Source{Folder: at, Handler: handler}
	if !handler.TypeScript { // what is compiled has no assert
		script.Node = f.Runtime.InCloud().Release()
	}
	for _, found := range typescript.Imports(script, judge) {
		level := model.Warning
		if strings.HasPrefix(found.Text, "requires ") {
			level = model.Error
		}
		v.add(byRules, &read.Problem{
			File: path.Join(p.Layout.FunctionFolder(f.Name), found.File), Line: found.Line, Column: found.Column,
			Level: level, Text: found.Text, Fix: fixes[found.Text],
		})
	}
}

// importsOfPython adds the modules that a function in Python imports and that are nobody's. With a list
// of packages or a layer that is not certain: a package brings others.
func (v *validation) importsOfPython(p *project.Project, f *model.Function, folder fs.FS, handler source.Handler) {
	if hasLayers(p, f) {
		return
	}
	for _, found := range source.MissingInPython(folder, handler.File) {
		v.add(byRules, &read.Problem{
			File: path.Join(p.Layout.FunctionFolder(f.Name), found.File), Line: found.Line, Column: found.Column,
			Level: model.Warning, Text: "imports " + phrase.Quote(found.Module) +
				", which neither Python nor src has, and no list of packages exists, so a push would miss it",
			Fix: "list its package in " + path.Join(p.Layout.FunctionFolder(f.Name), source.Folder, "requirements.txt"),
		})
	}
}
