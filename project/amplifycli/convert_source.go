package amplifycli

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/source"
	"gatewright/internal/text/lazyregexp"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/amplify"
	"gatewright/project/document"
	"gatewright/project/journal"
	"gatewright/project/read"
)

// source takes over the folder of a function, without what the Amplify CLI made there.
func (c *converter) source(f *model.Function, runtime string) error {
	from, to := c.from.Layout.FunctionFolder(f.Name), project.Native.FunctionFolder(f.Name)
	files, wrong, err := c.from.Copied(from, to, func(name string) bool { return isMadeByCLI(f.Name, name) })
	if err != nil {
		return err
	}
	c.wrong(wrong)
	// The new project has its definition of the function in a file of that name.
	definition := project.Native.File(model.Ref{Kind: model.KindFunction, Name: f.Name})
	if at := slices.IndexFunc(files, func(file journal.Change) bool { return file.Path == definition }); at >= 0 {
		c.leave(path.Join(from, "function.json"), "the file was not imported, because a definition file has this name",
			"give it another name")
		files = slices.Delete(files, at, at+1)
	}
	if script := c.from.Amplify.Script(f.Name); script != "" {
		c.leave("package.json",
			"the script "+phrase.Quote(amplify.ScriptName(f.Name))+" was not imported: "+phrase.Quote(script),
			"a TypeScript source needs none; run any other build yourself before a push")
	}
	c.packages(path.Join(from, "src"))
	c.files = append(c.files, c.addSDK(f, runtime, files)...)
	return nil
}

// isMadeByCLI reports whether the Amplify CLI made a file in the folder of a function for
// itself.
func isMadeByCLI(function, name string) bool {
	made := append(amplify.TemplateNames(function), "function-parameters.json", "parameters.json", "amplify.state",
		"custom-policies.json", "cli-inputs.json")
	build := strings.HasPrefix(name, "dist/latest-build") && path.Ext(name) == ".zip"
	return slices.Contains(made, name) || build
}

// packages adds installed packages that no list has, since packages do not come along.
func (c *converter) packages(folder string) {
	if slices.Contains(c.from.Folders(folder), "node_modules") && !c.from.HasFile(path.Join(folder, "package.json")) {
		c.leave(path.Join(folder, "node_modules"), "the packages were not imported", "list them in a package.json next to "+
			"it")
	}
}

// wrong adds the links and files that could not come along.
func (c *converter) wrong(problems []*read.Problem) {
	for _, p := range problems {
		p.Level, p.Text = model.Warning, "was not imported: it "+p.Text
		c.left = append(c.left, p)
	}
}

// layers takes over the layers of a function: those of the project as folders.
func (c *converter) layers(f *model.Function, old *Function) []string {
	node := old.Resource.Properties.Get("Layers")
	if node == nil {
		return nil
	}
	var layers []string
	for _, item := range node.Items {
		text := old.Resolver.Resolve(item).Pattern()
		if name := c.places[0].here.Layer(text); name != "" {
			if layer := c.layer(name); !slices.Contains(layers, layer) {
				layers = append(layers, layer)
			}
			continue
		}
		if marked(text) || strings.Contains(text, "*") {
			c.leaveNode(f.Name, item,
				"a layer of the function was not imported, because its ARN differs in each environment",
				"add its ARN to the layers of the function")
			continue
		}
		layers = append(layers, text)
	}
	return layers
}

// layer is the folder of a layer of the project. Its files come along once. Lambda merges lib
// and opt below /opt, and what is in opt counts.
func (c *converter) layer(name string) string {
	from, to := path.Join(folder, "function", name), path.Join(project.Native.String(), "layer", name)
	if slices.ContainsFunc(c.files, func(file journal.Change) bool { return strings.HasPrefix(file.Path, to+"/") }) {
		return to
	}
	for _, part := range []string{"opt", "lib"} {
		files, wrong, err := c.from.Copied(path.Join(from, part), to, nil)
		if err != nil {
			c.refused(path.Join(from, part), "the layer", err)
		}
		c.wrong(wrong)
		c.packages(path.Join(from, part, "nodejs"))
		for _, file := range files {
			switch {
			case slices.ContainsFunc(c.files, func(have journal.Change) bool { return have.Path == file.Path }):
			case slices.ContainsFunc(c.files, func(have journal.Change) bool {
				return strings.HasPrefix(have.Path, file.Path+"/") || strings.HasPrefix(file.Path, have.Path+"/")
			}):
				c.leave(path.Join(from, part, strings.TrimPrefix(file.Path, to+"/")),
					"was not imported: opt has a folder instead of this file, or a file instead of its folder",
					"rename one of the two")
			default:
				c.files = append(c.files, file)
			}
		}
	}
	return to
}

// sourceNames reports whether a file in the source of a function has the name of a table in
// quotes: the whole name, or without the environment that follows it.
func (c *converter) sourceNames(function, table string) bool {
	quoted := regexp.MustCompile("[\"'`]" + regexp.QuoteMeta(table) + "[-\"'`]")
	within := project.Native.FunctionFolder(function) + "/"
	return slices.ContainsFunc(c.files, func(file journal.Change) bool {
		return strings.HasPrefix(file.Path, within) && isScript(file.Path) && quoted.Match(file.New)
	})
}

// isScript reports whether a file is a source of Node.js or Python.
func isScript(name string) bool {
	return slices.Contains([]string{".js", ".cjs", ".mjs", ".ts", ".mts", ".cts", ".tsx", ".jsx", ".py"}, path.Ext(name))
}

// usesSDK2 finds the AWS SDK 2 among what a script imports.
var usesSDK2 = lazyregexp.New("[\"'`]aws-sdk(?:/[^\"'`]*)?[\"'`]")

// addSDK adds the AWS SDK 2 to the packages of a function that uses it and that had it from its
// runtime.
func (c *converter) addSDK(f *model.Function, runtime string, files []journal.Change) []journal.Change {
	if !source.HasSDK2(runtime) {
		return files
	}
	uses := slices.ContainsFunc(files, func(file journal.Change) bool {
		return isScript(file.Path) && usesSDK2().Match(file.New)
	})
	name := path.Join(project.Native.FunctionFolder(f.Name), "src/package.json")
	at := slices.IndexFunc(files, func(file journal.Change) bool { return file.Path == name })
	have := []byte("{}\n")
	if at >= 0 {
		have = files[at].New
	}
	list, err := document.Parse(have)
	if err != nil || !uses {
		return files
	}
	if dependencies, _ := list.Root().Get("dependencies"); hasMember(dependencies, source.SDK2) {
		return files
	}
	before, wanted := `{}`, strconv.Quote("^"+source.SDK2Version)
	development, _ := list.Root().Get("devDependencies")
	after := `{"dependencies": {"` + source.SDK2 + `": %s}}`
	if have, is := development.Get(source.SDK2); is {
		// npm leaves out a package that is also one for development.
		wanted = string(have.Raw())
		before = `{"devDependencies": {"` + source.SDK2 + `": ` + wanted + `}}`
		after = `{"devDependencies": {}, ` + after[1:]
	}
	next, err := list.Change([]byte(before), fmt.Appendf(nil, after, wanted))
	if err != nil {
		c.warn(f.Name, "the function uses the package aws-sdk, which its old runtime included and the new one does not",
			"add it to src/package.json")
		return files
	}
	c.notes = append(c.notes, phrase.QuotePath(name)+" lists aws-sdk, which was part of the runtime "+runtime)
	if at < 0 {
		return append(files, journal.Change{Path: name, New: next})
	}
	files[at].New = next
	return files
}

func hasMember(n document.Node, name string) bool {
	_, has := n.Get(name)
	return has
}
