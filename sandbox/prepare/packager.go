package prepare

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/file/fingerprint"
	"gatewright/model"
	"gatewright/sandbox/function"
)

// A function in the cloud gets its packages and its program as the sandbox does, from
// the same cache and with the same messages, but for Lambda's machine, and strictly:
// what the sandbox makes up for with a warning is an error here.

// Packager makes what a function has in Lambda besides its source: installed packages,
// or a program. Its errors are an *Error or the context's.
type Packager struct {
	p *Preparer
	// runtime and architecture are those of Lambda; without them it is Python 3.13 on model.X86.
	runtime      model.Runtime
	architecture model.Architecture
}

// For returns a Packager for functions of a runtime on a processor.
func (k *Packager) For(runtime model.Runtime, architecture model.Architecture) *Packager {
	return &Packager{k.p, runtime, architecture}
}

// spec is a function that something is made for.
func (k *Packager) spec(name string) *function.Spec {
	return &function.Spec{Name: name, RuntimeName: string(k.runtime), Architecture: k.architecture}
}

// NewPackager returns a Packager with a folder for what it installs, which a Runner may
// use too (Options.Cache). It sends events of the kinds EventInstall, EventBuild and
// EventWarning to notify, from any goroutine.
func NewPackager(cache string, notify func(function.Event)) *Packager {
	p := NewPreparer(filepath.Join(cache, "logs"), cache, notify, nil)
	p.lambda = true
	return &Packager{p: p}
}

// Prune removes from the cache what nobody used for long, also archives that are made of it.
func (k *Packager) Prune() { k.p.pruneCache() }

// Packages are the packages that the files of a source list.
type Packages struct {
	// Stamp is the fingerprint of what will be installed and how; "" means that there
	// are no packages.
	Stamp string
	// Members are the folders of those in the project, by name.
	Members map[string]string
	// folder is where they are when they are installed, "" if no registry has any.
	folder  string
	install func(context.Context) (string, error)
}

// Install installs the packages unless they are installed, and returns their folder, in which nothing may be
// changed: node_modules is in it, or Python's packages are. It is "" if no registry has any.
func (p Packages) Install(ctx context.Context) (string, error) { return p.install(ctx) }

// Installed returns the folder that Install returns. ok is false if they are not installed.
func (p Packages) Installed() (folder string, ok bool) {
	return p.folder, p.folder == "" || isFolder(p.folder)
}

var lambdaGo = []string{"-tags", "lambda.norpc", "-ldflags", "-s -w -buildid="}

// lambdaNode, lambdaMachine and lambdaGoEnv name the machine that a function runs on in Lambda
// (https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtimes.html).
func lambdaNode(architecture model.Architecture) []string {
	cpu := "x64"
	if architecture == model.ARM {
		cpu = "arm64"
	}
	return []string{"--os=linux", "--cpu=" + cpu, "--libc=glibc", "--install-strategy=hoisted"}
}

func lambdaMachine(s *function.Spec) machine {
	cpu := "x86_64"
	if s.Architecture == model.ARM {
		cpu = "aarch64"
	}
	runtime := model.Runtime(s.RuntimeName)
	if runtime.Language() != model.Python {
		runtime = model.Python.InCloud()
	}
	return machine{"3." + strconv.Itoa(runtime.Release()), cpu}
}

// machine is where packages of Python run in Lambda: a version such as 3.13, and a processor as Python
// names it.
type machine struct{ python, processor string }

func (m machine) String() string { return m.python + " " + m.processor }

func lambdaGoEnv(architecture model.Architecture) []string {
	if architecture == model.ARM {
		return []string{"GOOS=linux", "GOARCH=arm64"}
	}
	return []string{"GOOS=linux", "GOARCH=amd64", "GOAMD64=v1"}
}

// inLambda are pip's flags for a machine in Lambda. From Python 3.12 on it has Amazon Linux 2023 with
// glibc 2.34, so newer wheels than those for manylinux2014 run.
func (m machine) inLambda() []string {
	flags := []string{"--no-compile", "--only-binary=:all:", "--implementation", "cp", "--python-version", m.python}
	platforms := []string{"manylinux2014_", "manylinux_2_28_", "manylinux_2_34_"}
	if release := (model.Python + model.Runtime(m.python)).Release(); release < 12 {
		platforms = platforms[:1]
	}
	for _, platform := range platforms {
		flags = append(flags, "--platform", platform+m.processor)
	}
	return flags
}

// Node returns the packages that the package.json of a folder lists. name is the
// function's resource name, for messages, and project the folder that packages may be in.
func (k *Packager) Node(name, folder, project string) (Packages, error) {
	s := k.spec(name)
	wanted, err := readPackages(folder, project, false)
	if err != nil || wanted == nil {
		return Packages{}, errorOf(s, err)
	}
	if len(wanted.manifest.needed()) == 0 {
		return Packages{}, nil
	}
	wanted.lambda, wanted.architecture = true, k.architecture
	stamp := packagesStamp(wanted, strings.Join(lambdaNode(k.architecture), " "))
	place := ""
	if wanted.asksRegistry() {
		place = k.p.packagesFolder(stamp)
	}
	return Packages{stamp, wanted.members(), place, func(ctx context.Context) (string, error) {
		k.p.warnOf(s, wanted)
		if place == "" {
			return "", nil
		}
		found, err := k.p.inCache(ctx, s, wanted, stamp)
		return found.folder, err
	}}, nil
}

// Python returns the packages that the files of a source list: its requirements.txt, a
// lock, or a pyproject.toml or Pipfile. boto3 is in Lambda already.
func (k *Packager) Python(name, source string) (Packages, error) {
	s := k.spec(name)
	s.Runtime = model.Python
	folder := source
	if filepath.Base(source) == "src" {
		folder = filepath.Dir(source)
	}
	list, err := readPythonList(folder, source)
	if err != nil || list == nil {
		return Packages{}, errorOf(s, err)
	}
	stamp := list.stampFor(strings.Join(lambdaMachine(s).inLambda(), " "))
	return Packages{stamp, nil, k.p.pythonFolder(stamp), func(ctx context.Context) (string, error) {
		return k.p.pipInCache(ctx, s, list, source, stamp)
	}}, nil
}

// GoStamp returns the fingerprint of how a Go source would be built. whole is false if
// files outside of the source belong to the program too.
func (k *Packager) GoStamp(ctx context.Context, name, source string) (stamp string, whole bool, err error) {
	s := k.spec(name)
	goCommand, err := exec.LookPath("go")
	if err != nil {
		return "", false, noGo().forFunction(s)
	}
	lines, err := tool{
		command: []string{goCommand, "env", "GOVERSION", "GOEXPERIMENT", "GOFIPS140"},
		env:     append(inherited(isOf(forGo)), "GOFLAGS="+os.Getenv("GOFLAGS"), "GOWORK=off"),
		dir:     source, log: k.p.logFile("go", source),
	}.run(ctx)
	if ctx.Err() != nil {
		return "", false, ctx.Err()
	}
	if err != nil {
		return "", false, errorOf(s, k.p.buildFailed(s, source, lines, err))
	}
	sum := fingerprint.New()
	lines = slices.Concat(lines, lambdaGo, lambdaGoEnv(k.architecture), []string{plainFlags(os.Getenv("GOFLAGS"))})
	for _, text := range lines {
		sum.Text(text)
	}
	return sum.String(), !hasSourceOutside(source), nil
}

// Go builds the program of a source into a file.
func (k *Packager) Go(ctx context.Context, name, source, program string) error {
	s := k.spec(name)
	return errorOf(s, k.p.build(ctx, s, source, program))
}

func noGo() *prepareError {
	return noRuntime("Go is not installed, so the program cannot be built", "install Go, or add it to PATH")
}
