package prepare

import (
	"bytes"
	"debug/elf"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// lambdaWay returns the only way in which packages are installed for Lambda: the one that
// their lock file asks for. Other versions than those of the lock would be deployed
// unseen.
func (p *packages) lambdaWay(npm func(how string, more ...string) []string) way {
	locked := slices.ContainsFunc(lockNames, func(name string) bool { return p.files[name] != nil })
	switch {
	case locked && !p.isChanged():
		return way{name: "npm ci", command: npm("ci", lambdaNode(p.architecture)...)}
	case locked || p.otherLock == "":
		return way{name: "npm install", command: npm("install", lambdaNode(p.architecture)...)}
	}
	w := p.otherWay()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		w.warning = w.name +
			" installs native packages for this machine, which do not run in Lambda; packages without native code do"
	}
	return w
}

// checkNative refuses packages that a script of theirs compiled for another machine than
// Lambda's.
func checkNative(place string, architecture model.Architecture) error {
	wanted := elf.EM_X86_64
	if architecture == model.ARM {
		wanted = elf.EM_AARCH64
	}
	return filepath.WalkDir(filepath.Join(place, "node_modules"), func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || path.Ext(name) != ".node" ||
			!strings.HasSuffix(filepath.ToSlash(filepath.Dir(name)), "/build/Release") {
			return nil
		}
		if program, err := elf.Open(name); err == nil {
			machine := program.Machine
			_ = program.Close()
			if machine == wanted {
				return nil
			}
		}
		inside, _ := filepath.Rel(place, filepath.Dir(filepath.Dir(filepath.Dir(name))))
		return notPrepared("the package in "+phrase.Quote(filepath.ToSlash(inside))+
			" was compiled for this machine, and does not run in Lambda",
			"push from Linux on x86-64, or use a package without native code")
	})
}

// trimPackages removes from installed packages of Python what differs from one machine or
// installation to the next, and what does not run in Lambda.
func trimPackages(folder string) error {
	return filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		inInfo := strings.HasSuffix(filepath.Dir(name), ".dist-info")
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "__pycache__":
			if err := os.RemoveAll(name); err != nil {
				return err
			}
			return fs.SkipDir
		case inInfo && entry.Name() == "direct_url.json":
			// It has the address or folder that a package came from
			// (https://packaging.python.org/en/latest/specifications/direct-url/).
			return os.Remove(name)
		case inInfo && entry.Name() == "RECORD":
			return trimRecord(name)
		case filepath.Dir(name) == filepath.Join(folder, "bin") && entry.Type().IsRegular():
			// A script starts with the path of this machine's interpreter.
			text, err := file.ReadRegular(name)
			if err == nil && bytes.HasPrefix(text, []byte("#!")) {
				err = os.Remove(name)
			}
			return err
		}
		return nil
	})
}

// trimRecord removes the lines of removed files from a package's list of its files, whose
// lines begin with the file's path
// (https://packaging.python.org/en/latest/specifications/recording-installed-packages/).
func trimRecord(name string) error {
	text, err := file.ReadRegular(name)
	if err != nil {
		return err
	}
	var kept strings.Builder
	for line := range strings.Lines(string(text)) {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, `"`), ",")
		if !strings.HasPrefix(name, "../") && !strings.HasPrefix(name, "bin/") && !strings.Contains(name, "__pycache__/") &&
			path.Base(name) != "direct_url.json" {
			kept.WriteString(line)
		}
	}
	return os.WriteFile(name, []byte(kept.String()), 0o600)
}
