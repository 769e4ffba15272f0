package function

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"gatewright/fingerprint"
	"gatewright/model"
	"gatewright/sandbox/logs"
)

// python installs the packages of requirements.txt with pip, and warns if there is
// no pip.
func (p *preparer) python(ctx context.Context, s *Spec, source string) (env []string, stamp string, err error) {
	text, err := os.ReadFile(filepath.Join(source, "requirements.txt"))
	if errors.Is(err, fs.ErrNotExist) || err == nil && !asksForPackages(string(text)) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", notPrepared("requirements.txt cannot be read: "+reason(err), "make it a file that you can read").forFunction(s)
	}
	python, version, ok := p.interpreter(ctx)
	if !ok {
		p.warn(s, "the packages of src/requirements.txt are missing, because pip is not installed; install pip, or put the packages into src yourself")
		return nil, "", ctx.Err()
	}
	sum := fingerprint.New()
	sum.Text(version)
	// requirements.txt may include other files of its folder.
	beside, err := fs.Glob(os.DirFS(source), "*.txt")
	for _, name := range beside {
		err = errors.Join(err, sum.File(name, filepath.Join(source, name)))
	}
	if err != nil {
		return nil, "", notPrepared("the requirements cannot be read: "+reason(err), "make them files that you can read").forFunction(s)
	}
	stamp = sum.String()
	folder := filepath.Join(p.state, "python", stamp)
	if _, err := os.Stat(folder); err != nil {
		err := p.once(ctx, s, "pip "+stamp, func(ctx context.Context) error { return p.pip(ctx, s, python, source, folder) })
		if err != nil {
			return nil, "", err
		}
	}
	return []string{"PYTHONPATH=" + folder}, stamp, nil
}

func asksForPackages(requirements string) bool {
	for line := range strings.Lines(requirements) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return true
		}
	}
	return false
}

// interpreter returns the Python that runs functions, and the version that packages
// are installed for. ok is false if it has no pip.
func (p *preparer) interpreter(ctx context.Context) (path, version string, ok bool) {
	for _, name := range programs[model.Python] {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		p.mu.Lock()
		version, known := p.pythons[path]
		p.mu.Unlock()
		if known {
			return path, version, true
		}
		out, err := exec.CommandContext(ctx, path, "-c", "import pip, sys, platform; print(sys.version_info[:2], platform.machine())").Output()
		if err != nil {
			return "", "", false
		}
		version = strings.TrimSpace(string(out))
		p.mu.Lock()
		p.pythons[path] = version
		p.mu.Unlock()
		return path, version, true
	}
	return "", "", false
}

// pip installs packages into a folder, which gets its name when it is complete.
func (p *preparer) pip(ctx context.Context, s *Spec, python, source, folder string) error {
	if _, err := os.Stat(folder); err == nil {
		return nil
	}
	unfinished := folder + ".new"
	err := errors.Join(os.RemoveAll(unfinished), os.MkdirAll(unfinished, 0o700))
	if err != nil {
		return notPrepared("no folder can be made for the packages: "+reason(err), "make the state folder writable")
	}
	defer func() { _ = os.RemoveAll(unfinished) }()
	began := time.Now()
	p.report(s, EventInstall, "installing packages (pip install)")
	lines, err := tool{
		command: []string{
			python, "-m", "pip", "install", "--target", unfinished, "--requirement", "requirements.txt",
			"--disable-pip-version-check", "--no-input", "--no-color", "--progress-bar", "off", "--retries", "2", "--timeout", "10",
		},
		dir: source, log: p.logFile("pip", source),
	}.run(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil {
		err = os.Rename(unfinished, folder)
	}
	if err != nil {
		return p.pipFailed(s, source, lines, err)
	}
	p.report(s, EventInstall, "packages are installed in "+took(began))
	return nil
}

// pipFailed returns the error of a failed pip, with the lines that pip marks as errors.
func (p *preparer) pipFailed(s *Spec, source string, lines []string, err error) error {
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
		return notPrepared(text+" (no package index is reachable: "+why+")", "connect this machine to the network")
	}
	return notPrepared(text, "correct src/requirements.txt, or try pip install -r requirements.txt in "+model.Quote(source))
}
