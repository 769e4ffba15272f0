package source

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"gatewright/model"
)

// Gone is a place in a function's source that imports what its runtime no longer has.
type Gone struct {
	Import
	Text, Fix string
}

// without are the modules that Python has removed, by the release since when: those of
// https://docs.python.org/3/whatsnew/3.12.html#removed and
// https://docs.python.org/3/whatsnew/3.13.html#pep-594-remove-dead-batteries-from-the-standard-library
var without = map[int][]string{
	12: strings.Fields("asynchat asyncore distutils imp smtpd"),
	13: strings.Fields("aifc audioop cgi cgitb chunk crypt imghdr mailcap msilib nis nntplib ossaudiodev pipes " +
		"sndhdr spwd sunau telnetlib uu xdrlib"),
}

// instead are packages that bring a module which is gone, besides those called standard-MODULE.
var instead = map[string]string{
	"asynchat": "pyasynchat", "asyncore": "pyasyncore", "distutils": "setuptools", "imp": "zombie-imp",
	"audioop": "audioop-lts", "cgi": "legacy-cgi", "cgitb": "legacy-cgi",
}

// FindGone finds modules that the file of a handler in Python and the files of src that it imports name, and
// that the function's runtime no longer has: each once. They are neither the function's own nor in a
// package that it lists.
func FindGone(folder fs.FS, handler string, runtime model.Runtime) (all []Gone) {
	for _, found := range pythonImports(folder, handler) {
		again := func(g Gone) bool { return g.Module == found.Module }
		for since, modules := range without {
			if found.guarded || runtime.Release() < since || !slices.Contains(modules, found.Module) ||
				hasModule(folder, found.Module) || slices.ContainsFunc(all, again) {
				continue
			}
			fix := "use another module"
			if instead[found.Module] != "" {
				fix += ", or list the package " + instead[found.Module] + " in src/requirements.txt"
			}
			all = append(all, Gone{found, fmt.Sprintf(
				"imports %s, which Python removed in 3.%d, and the function runs on %s", found.Module, since, runtime,
			), fix})
		}
	}
	return all
}

// hasModule reports whether a function brings a module, itself or in a package.
func hasModule(folder fs.FS, module string) bool {
	for _, name := range []string{module + ".py", module} {
		if _, err := fs.Stat(folder, path.Join(Folder, name)); err == nil {
			return true
		}
	}
	return slices.ContainsFunc([]string{module, "standard-" + module, instead[module]}, func(name string) bool {
		return name != "" && isRequired(folder, name)
	})
}
