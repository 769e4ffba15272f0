package prepare

import (
	"context"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"gatewright/model"
)

// Interpreters are the names of a runtime's interpreters, in the order in which they are tried. The
// installer of Python for Windows makes no python3, and often nothing but the launcher
// (py) is in PATH.
var Interpreters = map[model.Runtime][]string{
	model.NodeJS: {"node", "nodejs"},
	model.Python: pythons(runtime.GOOS),
}

func pythons(system string) []string {
	if system == "windows" {
		return []string{"python", "python3", "py"}
	}
	return []string{"python3", "python"}
}

// FindInterpreter returns the path of the first interpreter of a runtime that is installed.
func FindInterpreter(of model.Runtime) (path string, ok bool) {
	for _, name := range Interpreters[of] {
		if path, err := exec.LookPath(name); err == nil && !onlyOffers(path) {
			return path, true
		}
	}
	return "", false
}

// offersNot are the programs that onlyOffers has started.
var offersNot sync.Map

// onlyOffers reports whether a program is one that Windows has in the place of Python to
// offer it in its store. Python from the store has the same folder, so it is asked.
func onlyOffers(path string) bool {
	if runtime.GOOS != "windows" || !strings.EqualFold(filepath.Base(filepath.Dir(path)), "WindowsApps") {
		return false
	}
	if _, known := offersNot.Load(path); known {
		return false
	}
	if command(context.Background(), path, "--version").Run() != nil {
		return true
	}
	offersNot.Store(path, true)
	return false
}
