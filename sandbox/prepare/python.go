package prepare

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatewright/internal/file/fingerprint"
	"gatewright/internal/text/lazyregexp"
	"gatewright/internal/text/phrase"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
)

// pipProgram runs pip. It reads lists that pip does not, and has markers speak of the machine of the
// function; both with the library of pip itself.
//
//go:embed run_pip.py
var pipProgram string

// python installs the packages that a function's files list with pip, and boto3 if the function uses it and
// this machine lacks it: Lambda's runtimes have it
// (https://docs.aws.amazon.com/lambda/latest/dg/lambda-python.html). It warns if there is no pip.
func (p *Preparer) python(
	ctx context.Context, s *function.Spec, source string,
) (env []string, stamp string, err error) {
	var lists []*pythonList
	own, err := readPythonList(s.Folder, source)
	if err != nil {
		return nil, "", errorOf(s, err)
	}
	if own != nil {
		lists = append(lists, own)
	}
	sdk := p.machineSDK(ctx, s)
	if sdk == "" && importsSDK(source) {
		// The function's packages need not fit the SDK, and their list need not have its hash.
		lists = append(lists, &pythonList{name: "boto3"})
	}
	var stamps []string
	for _, list := range lists {
		_, version := p.pythonOf(s)
		its := list.stampFor(version)
		folder, err := p.pipInCache(ctx, s, list, source, its)
		if missing, ok := errors.AsType[*function.Error](err); ok && missing.Kind == function.NoRuntime {
			if list == own {
				p.Warn(s, "the packages of "+list.name+
					" are missing, because pip is not installed; install pip, or put the packages into src yourself")
			}
			continue
		}
		if err != nil {
			return nil, "", err
		}
		stamps, env = append(stamps, its), addPath(env, "PYTHONPATH", []string{folder})
	}
	if sdk != "" {
		env = addPath(env, "PYTHONPATH", []string{sdk})
	}
	return env, strings.Join(stamps, " "), ctx.Err()
}

// layersOfPython installs what the lists of layers name, and returns the variables with it.
func (p *Preparer) layersOfPython(ctx context.Context, s *function.Spec, env []string) ([]string, error) {
	for _, layer := range slices.Backward(p.layerFolders(s)) {
		its := *s
		its.Folder = filepath.Join(layer, "python")
		if list, err := readPythonList(its.Folder, its.Folder); err == nil && list == nil {
			continue
		}
		added, _, err := p.python(ctx, &its, its.Folder)
		if err != nil {
			return nil, err
		}
		for _, pair := range added {
			env = addPath(env, "PYTHONPATH", []string{strings.TrimPrefix(pair, "PYTHONPATH=")})
		}
	}
	return env, nil
}

// stampFor returns the fingerprint of packages that pip installs for a machine.
func (l *pythonList) stampFor(machine string) string {
	sum := fingerprint.New()
	sum.Text(strings.Join([]string{machine, l.name, l.stamp}, "\n"))
	return sum.String()
}

// pipInCache returns the folder of the cache with the packages of a list and its stamp, which it
// installs if they are missing.
func (p *Preparer) pipInCache(
	ctx context.Context, s *function.Spec, list *pythonList, source, stamp string,
) (string, error) {
	folder := p.pythonFolder(stamp)
	if p.complete(folder) {
		return folder, nil
	}
	return folder, p.tried(ctx, s, "pip "+stamp,
		func(ctx context.Context) error { return p.pip(ctx, s, list, source, folder) })
}

// pythonOf returns the Python that runs functions, and the version that packages are installed for; ""
// without one.
func (p *Preparer) pythonOf(s *function.Spec) (path, version string) {
	found, ok := FindInterpreter(s, p.cache)
	if !ok {
		return "", ""
	}
	version = cmp.Or(found.Version, versionOf(found.Path))
	return found.Path, strconv.Itoa(release(s.Runtime, version)) + " " + runtime.GOARCH
}

// pip installs packages into a folder, which gets its name when it is complete.
func (p *Preparer) pip(ctx context.Context, s *function.Spec, list *pythonList, source, folder string) error {
	python, _ := p.pythonOf(s)
	noPip := noRuntime("its packages cannot be installed, because Python with pip is not installed",
		"install Python 3 with pip, or add it to PATH as "+Interpreters[s.Runtime][0])
	if python == "" {
		return noPip
	}
	p.pruneCache()
	return p.filled(folder, func(unfinished string) error {
		began := time.Now()
		p.report(s, function.EventInstall, "installing packages (pip install)")
		file, words := list.arguments()
		of, target := "", []string(nil)
		if p.lambda {
			of, target = lambdaMachine(s).String(), lambdaMachine(s).inLambda()
		}
		lines, err := tool{
			command: slices.Concat([]string{
				python, "-c", pipProgram, of, file, "install", "--target", unfinished, "--disable-pip-version-check",
				"--no-input", "--no-color", "--progress-bar", "off", "--retries", "2", "--timeout", "10",
			}, target, words),
			dir: source, log: p.logFile("pip", source),
			// pip puts variables into requirements (https://pip.pypa.io/en/stable/reference/requirements-file-format/).
			env: inherited(isOf(forPip), isIn(namesIn(list.texts...))),
		}.run(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && slices.Contains(lines, "ModuleNotFoundError: No module named 'pip'") {
			return noPip
		}
		if err != nil {
			return p.pipFailed(s, source, list, lines, err)
		}
		p.report(s, function.EventInstall, "packages are installed in "+took(began))
		return nil
	})
}

// pipDetail matches what pip says before the error that people need: the versions that there are, which
// may be hundreds.
var pipDetail = lazyregexp.New(`^(?:Ignored the following |Could not find a version that satisfies )`)

// pipFailed returns the error of a failed pip, with the lines that pip marks as errors. A line after such
// a one that begins with spaces goes on with it.
func (p *Preparer) pipFailed(s *function.Spec, source string, list *pythonList, lines []string, err error) error {
	var errorLines []string
	for i, line := range lines {
		text, marked := strings.CutPrefix(line, "ERROR: ")
		if !marked {
			continue
		}
		if i+1 < len(lines) && strings.HasPrefix(lines[i+1], "    ") {
			text += " " + strings.TrimSpace(lines[i+1])
		}
		errorLines = append(errorLines, strings.TrimSpace(text))
		p.log(s, logs.Error, "pip install: "+text)
	}
	why := offline(lines)
	sourceOnly := slices.ContainsFunc(errorLines, func(line string) bool { return strings.HasSuffix(line, onlySource) })
	if len(errorLines) == 0 {
		errorLines = lastLines(lines)
	}
	errorLines = slices.DeleteFunc(errorLines, pipDetail().MatchString)
	errorLines = append(errorLines, howItEnded(err))
	text := "pip install failed: " + strings.Join(errorLines[:min(max(len(errorLines)-1, 1), 2)], "; ")
	switch {
	case why != "":
		return notReached(text+" (no package index is reachable: "+why+")", "connect this machine to the network")
	case sourceOnly:
		of := lambdaMachine(s)
		return notPrepared(text, "name in "+list.name+" a version that has a wheel for Linux ("+of.processor+
			", Python "+of.python+"), since nothing is compiled here, or put the package into src yourself")
	}
	fix := "correct " + list.name
	if filepath.Base(list.path) == requirementsFile {
		fix += ", or try pip install -r requirements.txt in " + phrase.QuotePath(source)
	}
	return notPrepared(text, fix)
}

// onlySource ends what pipProgram says of a package that has no wheel for a machine.
const onlySource = "has nothing but its source"
