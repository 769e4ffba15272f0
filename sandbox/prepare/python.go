package prepare

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gatewright/internal/file"
	"gatewright/internal/file/fingerprint"
	"gatewright/internal/text/lazyregexp"
	"gatewright/internal/text/phrase"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
)

// python installs the packages that a function's files list with pip, and boto3 if the
// function uses it and this machine lacks it: Lambda's runtimes have it
// (https://docs.aws.amazon.com/lambda/latest/dg/lambda-python.html). It warns if there
// is no pip.
func (p *Preparer) python(
	ctx context.Context, s *function.Spec, source string,
) (env []string, stamp string, err error) {
	python, version, ok := p.pythonWithPip(ctx, s)
	requirements, where, err := readRequirements(s.Folder, source, here(version))
	if err != nil {
		return nil, "", errorOf(s, err)
	}
	sdk := p.machineSDK(ctx, s)
	if sdk != "" {
		env = []string{"PYTHONPATH=" + sdk}
	}
	withSDK := ok && sdk == "" && importsSDK(source)
	if requirements == "" && !withSDK {
		return env, "", ctx.Err()
	}
	if !ok {
		p.Warn(s, "the packages of "+where+
			" are missing, because pip is not installed; install pip, or put the packages into src yourself")
		return env, "", ctx.Err()
	}
	list := listed(requirements, where)
	if withSDK {
		list = append(list, "boto3")
	}
	if stamp, err = requirementsStamp(s, version, source, append(list, requirements)); err != nil {
		return nil, "", err
	}
	folder, err := p.pipInCache(ctx, s, python, source, where, list, stamp, here(version))
	if err != nil {
		return nil, "", err
	}
	return addPath([]string{"PYTHONPATH=" + folder}, "PYTHONPATH", slices.DeleteFunc([]string{sdk}, isEmpty)), stamp, nil
}

// layersOfPython installs what the lists of layers name, and returns the variables with it.
func (p *Preparer) layersOfPython(ctx context.Context, s *function.Spec, env []string) ([]string, error) {
	for _, layer := range slices.Backward(p.layerFolders(s)) {
		folder := filepath.Join(layer, "python")
		its := *s
		its.Folder = folder
		if _, err := os.Stat(filepath.Join(folder, "requirements.txt")); err != nil {
			continue
		}
		added, _, err := p.python(ctx, &its, folder)
		if err != nil {
			return nil, err
		}
		for _, pair := range added {
			env = addPath(env, "PYTHONPATH", []string{strings.TrimPrefix(pair, "PYTHONPATH=")})
		}
	}
	return env, nil
}
func isEmpty(text string) bool { return text == "" }

// requirementsStamp returns the fingerprint of packages that pip installs for a machine.
func requirementsStamp(s *function.Spec, machine, source string, list []string) (string, error) {
	sum := fingerprint.New()
	sum.Text(machine)
	sum.Text(strings.Join(list, "\n"))
	beside, err := besideRequirements(source)
	for _, name := range beside {
		err = errors.Join(err, sum.File(name, filepath.Join(source, name)))
	}
	if err != nil {
		return "", notPrepared("the requirements cannot be read: "+reason(err),
			"make them files that you can read").forFunction(s)
	}
	return sum.String(), nil
}

// besideRequirements are the lists of a source: requirements.txt may include others.
func besideRequirements(source string) ([]string, error) { return fs.Glob(os.DirFS(source), "*.txt") }

// requirementTexts are the lists that pip reads.
func requirementTexts(source string, list []string) [][]byte {
	texts := [][]byte{[]byte(strings.Join(list, "\n"))}
	// The pattern is one.
	beside, _ := besideRequirements(source)
	for _, name := range beside {
		// pip reports one that cannot be read.
		text, _ := file.ReadRegular(filepath.Join(source, name))
		texts = append(texts, text)
	}
	return texts
}

// pipInCache returns the folder of the cache with the packages of a stamp, which it
// installs if they are missing.
func (p *Preparer) pipInCache(
	ctx context.Context, s *function.Spec, python, source, where string, list []string, stamp string, of machine,
) (string, error) {
	folder := filepath.Join(p.cache, "python", stamp[:32])
	if !p.complete(folder) {
		err := p.tried(ctx, s, "pip "+stamp,
			func(ctx context.Context) error { return p.pip(ctx, s, python, source, where, list, folder, of) })
		if err != nil {
			return "", err
		}
	}
	return folder, nil
}

// sourceList is the list that pip reads itself, with its options.
const sourceList = "src/requirements.txt"

// listed returns requirements as arguments of pip.
func listed(requirements, where string) []string {
	switch {
	case requirements == "":
		return nil
	case where == sourceList:
		return []string{"--requirement", "requirements.txt"}
	}
	var list []string
	if strings.HasSuffix(where, ".lock") && where != "Pipfile.lock" {
		// The lock has all that is needed, and said where.
		list = append(list, "--no-deps")
	}
	for line := range strings.Lines(requirements) {
		list = append(list, strings.TrimSpace(line))
	}
	return list
}

// readRequirements returns the packages of a function for pip, and the file that lists
// them: requirements.txt in its source, else uv.lock, poetry.lock or pyproject.toml there or in its
// folder, else Pipfile.lock or Pipfile in its folder, which the Amplify CLI makes; "" if there are none.
// The error is a *prepareError.
func readRequirements(folder, source string, of machine) (requirements, where string, err error) {
	unreadable := func(name string, err error) error {
		if _, known := err.(*prepareError); known {
			return err
		}
		return notPrepared(name+" cannot be read: "+reason(err), "make it a file that you can read")
	}
	type list struct {
		name, path string
		read       func(string) string
	}
	lists := []list{
		{sourceList, filepath.Join(source, "requirements.txt"), func(text string) string {
			if !asksForPackages(text) {
				return ""
			}
			return text
		}},
		{"Pipfile.lock", filepath.Join(folder, "Pipfile.lock"), func(text string) string {
			return lockedRequirements(text, of)
		}},
		{"Pipfile", filepath.Join(folder, "Pipfile"), pipfileRequirements},
	}
	for i, f := range lists {
		if i == 1 {
			for _, at := range slices.Compact([]string{source, folder}) {
				if requirements, where, err = readProject(at, of); err != nil || requirements != "" {
					if err != nil {
						err = unreadable(where, err)
					}
					return requirements, where, err
				}
			}
		}
		text, err := file.ReadRegular(f.path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", f.name, unreadable(f.name, err)
		}
		if requirements := f.read(string(text)); requirements != "" {
			return requirements, f.name, nil
		}
	}
	return "", sourceList, nil
}

// lockedRequirements returns the packages of a Pipfile.lock in their versions.
func lockedRequirements(text string, of machine) string {
	var lock struct {
		Default map[string]struct {
			Version string `json:"version"`
			Markers string `json:"markers"`
		} `json:"default"`
	}
	if json.Unmarshal([]byte(text), &lock) != nil {
		return ""
	}
	var lines strings.Builder
	for _, name := range slices.Sorted(maps.Keys(lock.Default)) {
		one := lock.Default[name]
		// A package without a version is a folder, such as the source itself.
		if one.Version == "" || strings.ContainsAny(name+one.Version, "\n\r") {
			continue
		}
		if of.holds(one.Markers) {
			lines.WriteString(name + one.Version + "\n")
		}
	}
	return lines.String()
}

var pipfileLine = lazyregexp.New(`^"?([A-Za-z0-9][A-Za-z0-9._-]*)"?\s*=\s*(?:"([^"]*)"|\{.*\bversion\s*=\s*"([^"]*)".*\})`)

// pipfileRequirements returns the packages of a Pipfile.
func pipfileRequirements(text string) string {
	var lines strings.Builder
	within := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			within = line == "[packages]"
			continue
		}
		found := pipfileLine().FindStringSubmatch(line)
		if !within || found == nil {
			continue
		}
		version := found[2] + found[3]
		if version == "*" {
			version = ""
		}
		lines.WriteString(found[1] + version + "\n")
	}
	return lines.String()
}

func asksForPackages(requirements string) bool {
	for line := range strings.Lines(requirements) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return true
		}
	}
	return false
}

// pythonWithPip returns the Python that runs functions, and the version that packages are
// installed for. ok is false if it has no pip.
func (p *Preparer) pythonWithPip(ctx context.Context, s *function.Spec) (path, version string, ok bool) {
	found, ok := p.FindInterpreter(s)
	path = found.Path
	if !ok {
		return "", "", false
	}
	p.mu.Lock()
	version, known := p.pythons[path]
	p.mu.Unlock()
	if known {
		return path, version, true
	}
	out, err := command(ctx, path, "-c",
		"import pip, sys, platform; print(sys.version_info[:2], platform.machine())").Output()
	if err != nil {
		return "", "", false
	}
	version = strings.TrimSpace(string(out))
	p.mu.Lock()
	p.pythons[path] = version
	p.mu.Unlock()
	return path, version, true
}

// pip installs packages into a folder, which gets its name when it is complete.
func (p *Preparer) pip(
	ctx context.Context, s *function.Spec, python, source, where string, list []string, folder string, of machine,
) error {
	if p.complete(folder) {
		return nil
	}
	p.pruneCache()
	return p.filled(folder, func(unfinished string) error {
		began := time.Now()
		p.report(s, function.EventInstall, "installing packages (pip install)")
		target := []string(nil)
		if p.lambda {
			target = of.inLambda()
		}
		lines, err := tool{
			command: slices.Concat([]string{
				python, "-m", "pip", "install", "--target", unfinished,
				"--disable-pip-version-check", "--no-input", "--no-color", "--progress-bar", "off", "--retries", "2", "--timeout",
				"10",
			}, target, list),
			dir: source, log: p.logFile("pip", source),
			// pip puts variables into requirements (https://pip.pypa.io/en/stable/reference/requirements-file-format/).
			env: inherited(isOf(forPip), isIn(namesIn(requirementTexts(source, list)...))),
		}.run(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return p.pipFailed(s, source, where, lines, err, of)
		}
		if p.lambda {
			if err := trimPackages(unfinished); err != nil {
				return notPrepared("its packages cannot be read: "+reason(err),
					"make "+phrase.Quote(filepath.Dir(folder))+" writable")
			}
		}
		p.report(s, function.EventInstall, "packages are installed in "+took(began))
		return nil
	})
}

// pipFailed returns the error of a failed pip, with the lines that pip marks as errors.
func (p *Preparer) pipFailed(
	s *function.Spec, source, where string, lines []string, err error, of machine,
) error {
	var errorLines []string
	for _, line := range lines {
		if text, marked := strings.CutPrefix(line, "ERROR: "); marked {
			errorLines = append(errorLines, strings.TrimSpace(text))
			p.log(s, logs.Error, "pip install: "+text)
		}
	}
	text := "pip install failed: " + howItEnded(err)
	if len(errorLines) > 0 {
		text = "pip install failed: " + strings.Join(errorLines[:min(len(errorLines), 2)], "; ")
	}
	if why := offline(lines); why != "" {
		return notReached(text+" (no package index is reachable: "+why+")", "connect this machine to the network")
	}
	if p.lambda && strings.Contains(text, "No matching distribution") {
		return notPrepared(text, "name in "+where+" a version that has a wheel for Linux ("+of.processor+
			", Python "+of.python+"), since nothing is compiled here: it may have its source alone")
	}
	return notPrepared(text, "correct "+where+", or try pip install -r requirements.txt in "+phrase.Quote(source))
}
