package live

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"gatewright/deploy/outputs"
	"gatewright/deploy/secretfile"
	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/amplify"
	"gatewright/project/amplifycli"
	"gatewright/sandbox"
	"gatewright/sandbox/function"
)

// Near are the addresses of what a function reaches on this machine; "" where there is
// none.
type Near struct {
	// Tables are the tables, Cloud is what stands for the cloud's services.
	Tables, Cloud string
	// AllowCloud lets other requests to the cloud leave.
	AllowCloud bool
}

// FunctionOf returns a function of the working tree as an environment runs it, the secret values
// among its variables, and warnings about it (each a sentence without its subject). The error is a
// *model.Problem if the function does not exist or must not be run.
func FunctionOf(
	p *project.Project, env *model.Environment, name string, near Near,
) (spec function.Spec, secrets, warnings []string, err error) {
	if err := p.Backend.Known(model.Ref{Kind: model.KindFunction, Name: name}); err != nil {
		return function.Spec{}, nil, nil, err
	}
	made, err := makerOf(p, env, near)
	if err != nil {
		return function.Spec{}, nil, nil, err
	}
	spec, err = made.spec(made.backend.Function(name))
	if err != nil {
		err = &model.Problem{Of: model.Ref{Kind: model.KindFunction, Name: name}, Text: err.Error()}
	}
	return spec, made.values, made.warnings, err
}

// makerOf makes the Specs of the functions of the working tree in an environment.
func makerOf(p *project.Project, env *model.Environment, near Near) (*specMaker, error) {
	record, _, err := outputs.RecordOf(p.Backend, env, time.Now())
	if err != nil {
		return nil, err
	}
	here := p.Backend.For(env)
	made := &specMaker{
		project: p, backend: here, record: record, source: functionFolder(p), secrets: secretfile.Read(p.Root, env.Name),
		environment:   sandbox.Environment{Name: env.Name, Region: record.Region, AccountID: outputs.AccountOf(env)},
		tableEndpoint: near.Tables, cloud: near.Cloud, allowCloud: near.AllowCloud,
	}
	made.environment.Pool, err = outputs.PoolIn(here, env, record)
	return made, err
}

// specMaker makes the Specs of the functions of one environment.
type specMaker struct {
	project     *project.Project
	backend     *model.Backend
	environment sandbox.Environment
	record      project.Record
	// source is the folder with the folders of all functions.
	source  string
	secrets secretfile.Secrets
	// tableEndpoint is the address of the tables; otherTables means that it belongs to
	// another service than the sandbox.
	tableEndpoint string
	otherTables   bool
	// address is the sandbox's address, "" if none runs.
	address string
	// cloud is the address that stands for the cloud's services, "" if there is none;
	// allowCloud lets other requests leave.
	cloud      string
	allowCloud bool
	// set are variables that the user gave for this run.
	set map[string]string
	// amplify are the values for the templates of an Amplify CLI project.
	amplify *amplifycli.Values

	// values are the secret values among the variables of the last function, and warnings
	// those about it.
	values   []string
	warnings []string
}

// spec returns the Spec of a function. The error, a sentence without its subject, is
// for a folder outside the project.
func (x *specMaker) spec(f *model.Function) (function.Spec, error) {
	folder, err := x.folder(f)
	if err != nil {
		return function.Spec{}, err
	}
	spec := function.Spec{
		Environment: x.environment.Name, Name: f.Name, DeployedName: f.DeployedName(),
		Architecture: f.Architecture, Handler: f.Handler, Folder: folder, Project: x.root(),
		Timeout: time.Duration(f.Timeout) * time.Second, Memory: f.Memory,
		Region: x.environment.Region, AccountID: x.environment.AccountID, Kept: !x.backend.Defines(model.KindFunction),
	}
	if spec.Timeout == 0 {
		spec.Timeout = model.DefaultTimeout * time.Second
	}
	if spec.Memory == 0 {
		spec.Memory = model.DefaultMemory
	}
	runtime := f.Runtime
	a := x.amplifyFunction(f)
	if a != nil {
		s := a.Settings()
		runtime, spec.Handler = cmp.Or(model.Runtime(s.RuntimeName), runtime), cmp.Or(s.Handler, spec.Handler)
		spec.Timeout = cmp.Or(time.Duration(s.Timeout)*time.Second, spec.Timeout)
		spec.Memory = cmp.Or(s.Memory, spec.Memory)
		spec.DeployedName = x.amplify.ByName["function"+f.Name+"Name"]
		spec.Layers = x.amplifyLayers(a)
	} else {
		if spec.Layers, err = x.layers(f); err != nil {
			return function.Spec{}, err
		}
	}
	if runtime == "" {
		runtime = amplify.RuntimeOfSource(func(name string) bool {
			_, err := os.Stat(filepath.Join(folder, "src", name))
			return err == nil
		})
	}
	// The runner says of one without a language that it is not supported.
	runtime = runtime.InCloud()
	spec.Runtime, spec.RuntimeName = cmp.Or(runtime.Language(), runtime), string(runtime)
	if command := x.project.Amplify.Script(f.Name); command != "" {
		spec.Build = &function.Build{Root: x.project.Root, Script: amplify.ScriptName(f.Name), Command: command}
	}
	spec.Variables = x.variables(f, a)
	spec.Public = x.public(f)
	if x.cloud != "" {
		spec.Cloud = &function.Cloud{
			Address: x.cloud, Caller: sandbox.AccessKey(x.environment.Name, f.Name),
			Allow: x.allowCloud,
		}
	}
	return spec, nil
}

// root returns the folder of the project that the sources are of: it itself, or a copy of what was
// pushed.
func (x *specMaker) root() string {
	return strings.TrimSuffix(x.source, string(filepath.Separator)+filepath.Join(filepath.FromSlash(x.project.Layout.String()),
		"function"))
}

// folder returns the function's folder. Neither the name, which comes from a file, nor
// a link may lead out of the project.
func (x *specMaker) folder(f *model.Function) (string, error) {
	outside := errors.New("is not run: its folder is not in the project; its name or a link leads out of it")
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

// isInside reports whether a path, links followed, is in a folder. A path that does not
// exist yet counts as inside.
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

// layers returns the folders of a function's layers. An ARN stays as it is: the runner
// warns about it.
func (x *specMaker) layers(f *model.Function) (layers []string, err error) {
	for i, layer := range f.Layers {
		folder := filepath.Join(x.project.Root, filepath.FromSlash(layer))
		if place := x.project.LayerFolder(layer); place != layer {
			folder = filepath.Join(x.root(), filepath.FromSlash(place))
		}
		switch {
		case strings.HasPrefix(layer, "arn:"):
			layers = append(layers, layer)
		case filepath.IsAbs(layer) || !filepath.IsLocal(filepath.FromSlash(layer)) || !isInside(x.project.Root, folder):
			return nil, fmt.Errorf("is not run: its layer %s (/layers/%d) is not a project folder", phrase.Quote(layer), i)
		default:
			layers = append(layers, folder)
		}
	}
	return layers, nil
}

// variables returns the environment variables of a function. Later ones replace earlier ones: the
// environment's name and region, the resources that it may use, its own variables, its secrets.
func (x *specMaker) variables(f *model.Function, a *amplifycli.Function) map[string]string {
	variables := map[string]string{model.EnvVariable: x.environment.Name, model.RegionVariable: x.environment.Region}
	maps.Copy(variables, x.resources(f))
	maps.Copy(variables, x.own(f, maps.Clone(variables)))
	if a != nil {
		maps.Copy(variables, a.Variables)
		for _, u := range a.Unknown {
			if value, known := x.secrets.Values[u.Name]; known {
				variables[u.Name] = value
			}
		}
	}
	x.reachTables(f, variables)
	x.reachPools(variables)
	for _, name := range f.Secrets {
		if value, known := x.secrets.Values[name]; known {
			variables[name] = value
			x.values = append(x.values, value)
		}
	}
	maps.Copy(variables, x.set)
	x.warnings = append(x.warnings, x.secrets.Missing(f)...)
	if a != nil {
		x.warnings = append(x.warnings, amplifyMissing(a, variables, x.secrets)...)
	}
	return variables
}

// own returns the variables of a function that its definition has. given are those that it has
// besides, to which values may refer.
func (x *specMaker) own(f *model.Function, given map[string]string) map[string]string {
	own := make(map[string]string, len(f.Environment))
	maps.Copy(given, x.pools())
	names := sync.OnceValue(func() map[string]string { return x.backend.Given(f) })
	strange := ""
	known := func(name string) bool {
		_, may := names()[name]
		_, is := given[name]
		if !(may && is) && strange == "" {
			strange = name
		}
		return may && is
	}
	for _, v := range f.Environment {
		if !x.backend.Defines(model.KindFunction) {
			own[v.Name] = v.Value // the CLI's templates say what a value is
			continue
		}
		var value strings.Builder
		for _, part := range model.ValueParts(v.Value, known) {
			value.WriteString(part.Text + given[part.Name])
		}
		own[v.Name] = value.String()
		if strange != "" {
			x.warnings = append(x.warnings,
				"is not given "+phrase.Quote(strange)+", to which its variable "+phrase.Quote(v.Name)+
					" refers; gatewright validate says what to do")
			strange = ""
		}
	}
	return own
}

// public are the values of variables that name things of the project, sorted.
func (x *specMaker) public(f *model.Function) []string {
	names := slices.AppendSeq(slices.Collect(maps.Values(x.resources(f))), maps.Values(x.pools()))
	if x.amplify != nil {
		names = slices.AppendSeq(names, maps.Values(x.amplify.ByName))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// ValuesOf returns an environment with one function, what it may do, and the values of parameters and
// secrets that it reads, for sandbox.Cloud.
func ValuesOf(p *project.Project, env *model.Environment, spec function.Spec) (sandbox.Environment, error) {
	made, err := makerOf(p, env, Near{})
	if err != nil {
		return sandbox.Environment{}, err
	}
	here, f := made.environment, made.backend.Function(spec.Name)
	here.Functions, here.Tables = []function.Spec{spec}, TablesOf(made.backend, env)
	here.Values, here.ValuesFile = made.secrets.Values, phrase.QuotePath(made.secrets.File)
	here.FromTemplates = !made.backend.Defines(model.KindFunction)
	here.Grants = map[string][]cfn.Statement{f.Name: made.grants(f)}
	here.Definitions = map[string]*model.Function{f.Name: f}
	return here, nil
}
