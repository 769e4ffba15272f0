package deploy

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/function"
)

// LiveFunction is a function of the working tree as an environment runs it, the
// values among its variables that are secret, and what is worth a warning about
// it (each a sentence without its subject). The error is a *model.Problem where
// there is no such function, or it is not to be run. Its tables are reached at
// tableEndpoint.
func LiveFunction(p *project.Project, env *model.Environment, name, tableEndpoint string) (spec function.Spec, secrets, warnings []string, err error) {
	if err := p.Backend.Known(model.Ref{Kind: model.KindFunction, Name: name}); err != nil {
		return function.Spec{}, nil, nil, err
	}
	record, _, err := recordOf(p.Backend, env, time.Now())
	if err != nil {
		return function.Spec{}, nil, nil, err
	}
	here := p.Backend.For(env)
	made := functionOf{
		project: p, backend: here, record: record, source: functionFolder(p), secrets: readSecrets(p.Root, env.Name),
		environment:   sandbox.Environment{Name: env.Name, Region: record.Region, AccountID: accountOf(env)},
		tableEndpoint: tableEndpoint,
	}
	spec, err = made.spec(here.Function(name))
	if err != nil {
		err = &model.Problem{Of: model.Ref{Kind: model.KindFunction, Name: name}, Text: err.Error()}
	}
	return spec, made.values, made.warnings, err
}

// functionOf makes the functions of one environment ready to run.
type functionOf struct {
	project     *project.Project
	backend     *model.Backend
	environment sandbox.Environment
	record      project.Record
	// source is the folder that each function has its folder in.
	source  string
	secrets secrets
	// tableEndpoint is where tables are reached, foreign says that it is another
	// service's.
	tableEndpoint string
	foreign       bool
	// address is the sandbox's own, "" where none runs.
	address string

	// values are the secret ones among the variables, warnings what is worth a look.
	values   []string
	warnings []string
}

// spec is a function as it is to be run. The error, a sentence without its
// subject, is for one whose folder is not where it may be.
func (x *functionOf) spec(f *model.Function) (function.Spec, error) {
	folder, err := x.folder(f)
	if err != nil {
		return function.Spec{}, err
	}
	spec := function.Spec{
		Environment: x.environment.Name, Name: f.Name, DeployedName: f.DeployedName(),
		Runtime: f.Runtime, Handler: f.Handler, Folder: folder,
		Timeout: time.Duration(f.Timeout) * time.Second, Memory: f.Memory,
		Region: x.environment.Region, AccountID: x.environment.AccountID,
	}
	if spec.Timeout == 0 {
		spec.Timeout = model.DefaultTimeout * time.Second
	}
	if spec.Memory == 0 {
		spec.Memory = model.DefaultMemory
	}
	if spec.Runtime == "" {
		spec.Runtime = runtimeIn(filepath.Join(folder, "src"))
	}
	spec.Variables = x.variables(f)
	spec.Layers = x.layers(f)
	return spec, nil
}

// folder is the function's folder. Its name comes from a file, and neither that
// nor a link may lead to another place.
func (x *functionOf) folder(f *model.Function) (string, error) {
	outside := errors.New("is not run: its folder is not one of the project's; a name or a link leads out of it")
	if !fs.ValidPath(f.Name) || f.Name == "." || strings.ContainsAny(f.Name, `/\`) || !filepath.IsLocal(f.Name) {
		return "", outside
	}
	folder := filepath.Join(x.source, f.Name)
	for _, place := range []string{folder, filepath.Join(folder, "src")} {
		if !isInside(x.project.Root, place) {
			return "", outside
		}
	}
	return folder, nil
}

// isInside reports whether a place, links followed, is in a folder. One that is
// not there yet is where it says it is.
func isInside(root, place string) bool {
	real, err := filepath.EvalSymlinks(place)
	if err != nil {
		_, err := os.Lstat(place)
		return os.IsNotExist(err)
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return false
	}
	inside, err := filepath.Rel(root, real)
	return err == nil && filepath.IsLocal(inside)
}

// layers are the folders of a function's layers. What is no folder of the project,
// such as the ARN of a layer in the cloud, stays as it is: who runs the function
// says that it cannot be had.
func (x *functionOf) layers(f *model.Function) []string {
	var layers []string
	for _, layer := range f.Layers {
		folder := filepath.Join(x.project.Root, filepath.FromSlash(layer))
		switch {
		case strings.HasPrefix(layer, "arn:"):
			layers = append(layers, layer)
		case filepath.IsAbs(layer) || !filepath.IsLocal(filepath.FromSlash(layer)) || !isInside(x.project.Root, folder):
			x.warnings = append(x.warnings, fmt.Sprintf("runs without the layer %s, which is no folder of the project", model.Quote(layer)))
		default:
			layers = append(layers, folder)
		}
	}
	return layers
}

// runtimeIn is the runtime that a source is written for, where the definition does
// not say; Node.js where the source does not either.
func runtimeIn(source string) model.Runtime {
	for _, known := range []struct {
		file    string
		runtime model.Runtime
	}{{"index.py", model.Python}, {"lambda_function.py", model.Python}, {"main.go", model.Go}} {
		if _, err := os.Stat(filepath.Join(source, known.file)); err == nil {
			return known.runtime
		}
	}
	return model.NodeJS
}

// variables are all that a function finds in its environment, the stronger over
// the weaker: where it runs, the resources that it may use, its own ones with
// those of the environment over them, its secrets.
func (x *functionOf) variables(f *model.Function) map[string]string {
	variables := map[string]string{"ENV": x.environment.Name, "REGION": x.environment.Region}
	maps.Copy(variables, x.resources(f))
	for _, v := range f.Environment {
		variables[v.Name] = v.Value
	}
	x.reachTables(f, variables)
	x.reachPools(variables)
	for _, name := range f.Secrets {
		value, there := x.secrets.values[name]
		if !there {
			continue
		}
		variables[name] = value
		x.values = append(x.values, value)
	}
	x.warnings = append(x.warnings, x.secrets.missing(f)...)
	absent := slices.DeleteFunc(x.project.ComputedVariables(f.Name), func(name string) bool { _, there := variables[name]; return there })
	if len(absent) > 0 {
		x.warnings = append(x.warnings, fmt.Sprintf("runs without the %s %s, which its template works out when it is deployed; let its code do without",
			plural(len(absent), "variable", "variables"), model.QuoteList(absent)))
	}
	return variables
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
