package prepare

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"gatewright/internal/source"
	"gatewright/internal/text/lazyregexp"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox/function"
)

var (
	// Node.js names the file after the module: the first of a stack, or the importing one.
	missedByNode = lazyregexp.New(
		`Cannot find (?:module|package) '([^'\n]+)'(?:(?:\\n|\n)Require stack:(?:\\n|\n)- ([^"\n]+?)(?:\\n|\n|"|$)| imported from ([^"\n\\]+))?`)
	missedByPython = lazyregexp.New(`No module named '([A-Za-z0-9_]+)`)
)

// AdviceForModule returns what to do about a module that was not found, by the text of the error, which
// names files of the source: where it lies on this machine and how it comes in. task is the copy of the
// source that ran. what is a sentence, "" if nothing is known about it.
func AdviceForModule(s *function.Spec, from, task, text string) (what, fix string) {
	if s.Runtime == model.Python {
		if found := missedByPython().FindStringSubmatch(text); found != nil {
			return installedForPython(s, found[1])
		}
		return "", ""
	}
	found := missedByNode().FindStringSubmatch(text)
	if found == nil || s.Runtime != model.NodeJS {
		return "", ""
	}
	module, file := found[1], found[2]+found[3]
	if module == source.SDK2 && !hasSDK2(s) {
		runtime := s.RuntimeName
		if runtime == "" {
			runtime = "of the cloud"
		}
		return "", fmt.Sprintf("the runtime %s has version 3 of the AWS SDK only; add aws-sdk to src/package.json", runtime)
	}
	inside, err := filepath.Rel(from, file)
	if file == "" || err != nil || !filepath.IsLocal(inside) {
		inside = "index.js"
	}
	if filepath.IsAbs(module) {
		// An import is told with its whole path.
		if module, err = filepath.Rel(filepath.Join(task, filepath.Dir(inside)), module); err != nil {
			return "", ""
		}
		module = filepath.ToSlash(module)
	}
	what, fix = source.Function{Project: s.Project, Source: from}.Outside(filepath.ToSlash(inside), module)
	name := source.PackageOf(module)
	if what == "" && isThere(filepath.Join(from, "node_modules", filepath.FromSlash(name))) {
		what = "imports " + phrase.Quote(name) + ", which src/package.json does not list among the packages that are deployed"
		fix = "add it to the dependencies of src/package.json"
	}
	switch {
	case what == "":
	case !isThere(filepath.Join(from, inside)):
		// It is a compiled file.
		what = "it " + what
	default:
		what = phrase.Quote(filepath.ToSlash(inside)) + " " + what
	}
	return what, fix
}

// distribution prints the distribution that a module of Python is installed from.
const distribution = `
import sys
from importlib.metadata import packages_distributions, version
name = packages_distributions()[sys.argv[1]][0]
print(name, version(name))
`

// installedForPython says from what a module comes that is installed for this machine's own programs.
func installedForPython(s *function.Spec, module string) (what, fix string) {
	python, ok := FindInterpreter(s, "")
	if !ok {
		return "", ""
	}
	out, err := command(context.Background(), python.Path, "-c", distribution, module).Output()
	name, _, _ := strings.Cut(string(out), " ")
	if err != nil || name == "" {
		return "", ""
	}
	return phrase.Quote(module) + " is installed on this machine (" + phrase.Quote(strings.TrimSpace(string(out))) +
		"), and not in src/requirements.txt", "add " + phrase.Quote(name) + " to src/requirements.txt"
}
