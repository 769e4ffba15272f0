package prepare

import (
	"debug/elf"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// lambdaWay returns the only way in which packages are installed for Lambda: the one that their lock file
// asks for. Other versions than those of the lock would be deployed unseen.
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
