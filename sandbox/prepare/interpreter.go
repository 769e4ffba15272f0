package prepare

import (
	"cmp"
	"context"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"gatewright/internal/text/lazyregexp"
	"gatewright/model"
	"gatewright/sandbox/function"
)

// Interpreters are the names of a runtime's interpreters, in the order in which they are tried. The installer
// of Python for Windows makes no python3, and often nothing but the launcher (py) is in PATH.
var Interpreters = map[model.Runtime][]string{
	model.NodeJS: {"node", "nodejs"},
	model.Python: pythons(runtime.GOOS),
}

func pythons(system string) []string {
	if system == windows {
		return []string{"python", "python3", "py"}
	}
	return []string{"python3", "python"}
}

const windows = "windows"

// Interpreter is a program that runs functions, and its version, such as 20.20.2; "" if that is not
// known.
type Interpreter struct{ Path, Version string }

// FindInterpreter returns what runs a function: the interpreter in PATH if it has the version of
// the function's runtime, else one of that version elsewhere on this machine, else the nearest. cache is
// the user's, to which interpreters are fetched.
func FindInterpreter(s *function.Spec, cache string) (found Interpreter, ok bool) {
	for _, name := range Interpreters[s.Runtime] {
		if path, err := exec.LookPath(name); err == nil && !onlyOffers(path) {
			found.Path = path
			break
		}
	}
	wanted := releaseOf(s)
	if found.Path != "" && wanted > 0 {
		found.Version = versionOf(found.Path)
	}
	if wanted == 0 || release(s.Runtime, found.Version) == wanted {
		return found, found.Path != ""
	}
	distance := func(i Interpreter) int {
		away := release(s.Runtime, i.Version) - wanted
		return max(away, -away)
	}
	others := kept(s.Runtime, cache)
	slices.SortStableFunc(others, func(a, b Interpreter) int {
		return cmp.Or(cmp.Compare(distance(a), distance(b)), -version.Compare("go"+a.Version, "go"+b.Version))
	})
	for _, other := range others {
		if found.Path != "" && distance(other) >= distance(found) {
			break
		}
		if _, err := exec.LookPath(other.Path); err == nil {
			return other, true
		}
	}
	return found, found.Path != ""
}

// Differs says in what an interpreter differs from the runtime of a function in the cloud; "" if it
// has its version, or none that is known.
func (i Interpreter) Differs(s *function.Spec) string {
	wanted, here := releaseOf(s), release(s.Runtime, i.Version)
	if wanted == 0 || here == 0 || wanted == here {
		return ""
	}
	return fmt.Sprintf("deployed on %s but run on %s %s on this machine",
		s.RuntimeName, LanguageName(s.Runtime), i.Version)
}

// LanguageName is the name of a language in sentences.
func LanguageName(of model.Runtime) string {
	return map[model.Runtime]string{model.NodeJS: "Node.js", model.Python: "Python"}[of]
}

// releaseOf is the release that the runtime of a function names; 0 for none.
func releaseOf(s *function.Spec) int { return model.Runtime(s.RuntimeName).Release() }

// release is what a runtime names of a version, such as 22 of Node.js 22.1.0.
func release(of model.Runtime, version string) int { return (of + model.Runtime(version)).Release() }

// kept lists the interpreters that were fetched into the cache, and those that version managers and
// package managers keep outside of PATH. Their versions are those of folders: none is started.
func kept(of model.Runtime, cache string) (found []Interpreter) {
	home, _ := os.UserHomeDir()
	in := func(variable, folder string) string {
		if home != "" && !path.IsAbs(folder) {
			folder = filepath.Join(home, folder)
		}
		return cmp.Or(os.Getenv(variable), folder)
	}
	places := map[model.Runtime][]string{
		model.NodeJS: {
			fetchedNode(cache, "*"),
			in("NVM_DIR", ".nvm") + "/versions/node/v*/bin/node",
			in("NVM_HOME", ".nvm") + "/v*/node.exe", // nvm for Windows
			in("FNM_DIR", ".local/share/fnm") + "/node-versions/v*/installation/bin/node",
			in("VOLTA_HOME", ".volta") + "/tools/image/node/*/bin/node",
		},
		model.Python: {
			in("PYENV_ROOT", ".pyenv") + "/versions/*/bin/python3",
			in("UV_PYTHON_INSTALL_DIR", ".local/share/uv/python") + "/cpython-*/bin/python3",
			in("UV_PYTHON_INSTALL_DIR", "AppData/Roaming/uv/python") + "/cpython-*/python.exe",
		},
	}[of]
	if of == model.Python {
		for _, folder := range filepath.SplitList(os.Getenv("PATH")) {
			// What stands for a version manager there runs only the chosen version.
			if filepath.Base(folder) != "shims" {
				places = append(places, folder+"/python3.*")
			}
		}
	}
	for _, place := range places {
		before, after, _ := strings.Cut(filepath.FromSlash(place), "*")
		if !filepath.IsAbs(before) {
			continue // there is no home, or no cache
		}
		// The only error is one of the pattern, such as of a home with brackets in its name.
		paths, _ := filepath.Glob(before + "*" + after)
		for _, program := range paths {
			name, _, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(program, before), after), "-")
			if strings.HasSuffix(before, "python3.") {
				name = "3." + name
			}
			if release(of, name) > 0 {
				found = append(found, Interpreter{program, name})
			}
		}
	}
	return found
}

var versionInText = lazyregexp.New(`\d+(?:\.\d+)*`)

// versions are the versions of the programs that versionOf started, by path, time and size.
var versions sync.Map

// versionOf returns the version that an interpreter tells; "" if it tells none.
func versionOf(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	key := fmt.Sprint(path, info.ModTime(), info.Size())
	if known, ok := versions.Load(key); ok {
		return known.(string)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	// Without an output there is no version in it.
	out, _ := command(ctx, path, "--version").Output()
	told := versionInText().FindString(string(out))
	if told != "" {
		versions.Store(key, told)
	}
	return told
}

// onlyOffers reports whether a program is one that Windows has in the place of Python to
// offer it in its store. Python from the store has the same folder, so it is asked.
func onlyOffers(path string) bool {
	return runtime.GOOS == windows && strings.EqualFold(filepath.Base(filepath.Dir(path)), "WindowsApps") &&
		versionOf(path) == ""
}
